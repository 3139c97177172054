// Replaces the page while there is nothing to show: signed out, or no daemon yet.

import type { Trouble } from './page-state.ts';
import { RawLine } from './raw-text.tsx';

export const SignedOut = ({ trouble }: { trouble: Trouble | null }) => (
  <main className="door">
    <p className="quiet">Countersign</p>
    <h1>Signed out</h1>
    {trouble !== null && (
      <p>
        <RawLine text={trouble.message} />
      </p>
    )}
    <p>To sign in, run this in a terminal. It prints a link that works once, for a short time.</p>
    <pre>countersign open</pre>
    <p className="quiet">
      Whoever is signed in can answer for you, so only a terminal can let somebody in. When you have signed in from another tab, this one
      follows by itself.
    </p>
  </main>
);

export const Starting = ({ trouble }: { trouble: Trouble | null }) => (
  <main className="door" aria-busy="true">
    <p className="quiet">Countersign</p>
    <h1>{trouble === null ? 'Connecting' : 'No answer'}</h1>
    {trouble !== null && (
      <>
        <p>
          {trouble.message} This page keeps trying. If it stays like this, run this in a terminal; it starts the daemon if none runs, and
          finds its address.
        </p>
        <pre>countersign open</pre>
      </>
    )}
  </main>
);
