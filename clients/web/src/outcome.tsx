// The result of a question, shown in its place for a moment before the card disappears.

import { useEffect, useRef } from 'react';
import type { ApprovalRow } from '../../../src/protocol/index.ts';
import type { Asked } from './asked.ts';
import { isProvenBy } from './is-proven.ts';
import type { PageEvent } from './page-state.ts';
import { RawLine } from './raw-text.tsx';
import { Seal, Shape } from './shapes.tsx';
import { lookOfApproval } from './shape-of.ts';
import { SignedBy } from './signed-by.tsx';

const SHOWN_MS = 5_000;
/** The longest delay that a timer supports. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** What was withdrawn stays until a human has read it, or until its time is over. */
const shownFor = (isWithdrawn: boolean, expiresAt: string): number =>
  isWithdrawn ? Math.min(Date.parse(expiresAt) - Date.now(), MAX_TIMER_MS) : SHOWN_MS;

function outcomeWords(row: ApprovalRow, asked: Asked | null): string {
  if (asked && (row.state === 'approved' || row.state === 'spent')) return answerWords(row, asked);
  switch (row.state) {
    case 'approved':
      return `Countersigned. ${row.held === false ? 'No call waits for it any more: it counts when the agent makes exactly this call again.' : 'The agent may do exactly this, once.'}`;
    case 'spent':
      return 'Countersigned, and the agent has used it.';
    case 'rejected':
      return row.reason ? 'Rejected. The agent gets the reason:' : 'Rejected. The agent gets this answer.';
    case 'expired':
      return 'Expired before anybody answered. The agent has to ask again.';
    case 'withdrawn':
      return 'The rules have changed since this was asked, so no answer to it counts; the agent has to ask again.';
    case 'pending':
      return '';
  }
}

function answerWords({ state, reason, held }: ApprovalRow, { kind }: Asked): string {
  if (kind === 'scope') return 'Granted, and the intent has it.';
  const heard = state === 'spent' ? ', and the agent has heard it' : held === false ? '; the agent gets it when it asks again' : '';
  return reason === null ? `Answered with a plain yes${heard}.` : `Answered${heard}:`;
}

interface OutcomeProps {
  readonly row: ApprovalRow;
  readonly asked: Asked | null;
  readonly answeredHere: boolean;
  readonly dispatch: (event: PageEvent) => void;
  /** Called when it disappears while focused. */
  readonly onLeave: () => void;
}

export function Outcome({ row, asked, answeredHere, dispatch, onLeave }: OutcomeProps) {
  const words = useRef<HTMLParagraphElement>(null);
  const signed = row.state === 'approved' || row.state === 'spent';
  const isWithdrawn = row.state === 'withdrawn';

  // The button that had the focus is gone. Without this a keyboard user would start again at the top of the page.
  useEffect(() => {
    if (answeredHere) words.current?.focus({ preventScroll: true });
  }, [answeredHere]);

  useEffect(() => {
    const timer = setTimeout(
      () => {
        if (document.activeElement === words.current) onLeave();
        dispatch({ type: 'left', id: row.id });
      },
      shownFor(isWithdrawn, row.expires_at),
    );
    return () => clearTimeout(timer);
  }, [row.id, isWithdrawn, row.expires_at, dispatch, onLeave]);

  const dismiss = () => {
    onLeave();
    dispatch({ type: 'left', id: row.id });
  };

  return (
    <p className={signed ? 'outcome outcome-signed' : 'outcome'} ref={words} tabIndex={-1} role="status">
      {signed ? <Seal hollow={!isProvenBy(row.by)} /> : <Shape look={lookOfApproval(row.state)} />}
      <span>
        {outcomeWords(row, asked)} {row.reason !== null && <RawLine text={row.reason} />}
        {isWithdrawn && (
          <button type="button" className="plain" onClick={dismiss}>
            Dismiss
          </button>
        )}
        {signed && asked === null && row.by !== null && (
          <span className="outcome-by">
            <SignedBy by={row.by} />
          </span>
        )}
      </span>
    </p>
  );
}
