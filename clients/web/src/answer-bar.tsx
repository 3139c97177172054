// The human's two answers to one question. It sends them and says when they were not recorded; it decides nothing.

import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import type { ApprovalRow } from '../../../src/protocol/index.ts';
import { answerApproval, troubleOf } from './api.ts';
import type { PageEvent, Trouble } from './page-state.ts';
import { RawLine } from './raw-text.tsx';
import { Seal } from './shapes.tsx';

interface AnswerBarProps {
  readonly row: ApprovalRow;
  readonly armed: boolean;
  readonly over: boolean;
  readonly answeredHere: RefObject<boolean>;
  readonly dispatch: (event: PageEvent) => void;
}

export function AnswerBar({ row, armed, over, answeredHere, dispatch }: AnswerBarProps) {
  const [reason, setReason] = useState('');
  const [sending, setSending] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const pressedAtRest = useRef(false);
  const hintId = useId();
  const ready = armed && !sending;

  async function answer(what: 'approved' | 'rejected'): Promise<void> {
    // A press that began while the button rested does not count, even if it ended later.
    const early = pressedAtRest.current;
    pressedAtRest.current = false;
    if (!ready || early) return;
    setSending(true);
    setTrouble(null);
    answeredHere.current = true;
    try {
      dispatch({ type: 'approval', row: await answerApproval(row.id, what, what === 'rejected' ? reason.trim() : '') });
    } catch (error) {
      answeredHere.current = false;
      setTrouble(troubleOf(error));
      setSending(false);
    }
  }

  const pressBegins = () => {
    pressedAtRest.current = !ready;
  };
  const spacePressBegins = (event: KeyboardEvent) => {
    if (event.key === ' ' && !event.repeat) pressBegins();
  };
  const neverByEnter = (event: KeyboardEvent) => {
    if (event.key === 'Enter') event.preventDefault();
    spacePressBegins(event);
  };
  const rejectByEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    pressedAtRest.current = event.repeat;
    void answer('rejected');
  };

  return (
    <footer className="answer">
      <div className="answer-buttons">
        <div className="answer-yes">
          <button
            type="button"
            className="countersign"
            aria-disabled={!ready}
            aria-describedby={hintId}
            onPointerDown={pressBegins}
            onKeyDown={neverByEnter}
            onClick={() => void answer('approved')}
          >
            <Seal />
            Countersign
          </button>
          <span className="answer-hint" id={hintId}>
            Space signs, Enter never does.
          </span>
        </div>
        <div className="answer-no">
          <input
            type="text"
            aria-label="Reason for rejecting, optional; the agent reads it"
            placeholder="Reason, optional"
            maxLength={500}
            autoComplete="off"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            onKeyDown={rejectByEnter}
          />
          <button
            type="button"
            className="reject"
            aria-disabled={!ready}
            onPointerDown={pressBegins}
            onKeyDown={spacePressBegins}
            onClick={() => void answer('rejected')}
          >
            Reject
          </button>
        </div>
      </div>
      {over && <p className="answer-said">Expired before anybody answered. The agent has to ask again.</p>}
      {trouble !== null && (
        <p className="answer-said trouble" role="alert">
          <strong>{trouble.code === 'DAEMON_UNAVAILABLE' ? 'Nobody confirmed your answer.' : 'Your answer was not recorded.'}</strong>{' '}
          <RawLine text={trouble.message} /> {trouble.fix !== null && <RawLine text={trouble.fix} />} <code>{trouble.code}</code>
        </p>
      )}
    </footer>
  );
}
