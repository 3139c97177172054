// The one button that signs: by a press or by Space, never by Enter.

import { type ReactNode, useId } from 'react';
import { Seal } from './shapes.tsx';
import type { Press } from './use-press.ts';

interface SignButtonProps {
  readonly press: Pick<Press, 'ready' | 'pressBegins' | 'neverByEnter'>;
  readonly onSign: () => Promise<void>;
  readonly children: ReactNode;
}

export function SignButton({ press: { ready, pressBegins, neverByEnter }, onSign, children }: SignButtonProps) {
  const hintId = useId();
  return (
    <>
      <button
        type="button"
        className="countersign"
        aria-disabled={!ready}
        aria-describedby={hintId}
        onPointerDown={pressBegins}
        onKeyDown={neverByEnter}
        onClick={() => void onSign()}
      >
        <Seal />
        {children}
      </button>
      <span className="answer-hint" id={hintId}>
        Space signs, Enter never does.
      </span>
    </>
  );
}
