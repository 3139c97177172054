// Replaces the page when it cannot render. An empty window would look like "nothing waits", which this page must never say wrongly.

import { Component, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
}

export class BrokenPage extends Component<Props, { readonly message: string | null }> {
  override state = { message: null };

  static getDerivedStateFromError(error: unknown): { message: string } {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    if (this.state.message === null) return this.props.children;
    return (
      <main className="door" role="alert">
        <p className="quiet">Countersign</p>
        <h1>This page is broken</h1>
        <p>Something may be waiting for you. The terminal still shows it:</p>
        <pre>countersign approvals</pre>
        <p className="quiet">{this.state.message}</p>
        <p>
          <button type="button" onClick={() => location.reload()}>
            Load it again
          </button>
        </p>
      </main>
    );
  }
}
