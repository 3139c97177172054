// The no, with a reason that the agent reads; and below it the state of the answer.

import { useState } from 'react';
import { RawLine } from './raw-text.tsx';
import type { Answering } from './use-answer.ts';

export function RejectField({ answering }: { answering: Answering }) {
  const [reason, setReason] = useState('');
  const { ready, answer, pressBegins, spacePressBegins, rejectByEnter } = answering;
  return (
    <div className="answer-no">
      <input
        type="text"
        aria-label="Reason for rejecting, optional; the agent reads it"
        placeholder="Reason, optional"
        maxLength={500}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => rejectByEnter(event, reason)}
      />
      <button
        type="button"
        className="reject"
        aria-disabled={!ready}
        onPointerDown={pressBegins}
        onKeyDown={spacePressBegins}
        onClick={() => void answer('rejected', reason)}
      >
        Reject
      </button>
    </div>
  );
}

export function AnswerSaid({ over, trouble }: { over: boolean; trouble: Answering['trouble'] }) {
  return (
    <>
      {over && <p className="answer-said">Expired before anybody answered. The agent has to ask again.</p>}
      {trouble !== null && (
        <p className="answer-said trouble" role="alert">
          <strong>
            {trouble.code === 'DAEMON_UNAVAILABLE' ? 'The daemon did not confirm your answer.' : 'Your answer was not recorded.'}
          </strong>{' '}
          <RawLine text={trouble.message} /> {trouble.fix !== null && <RawLine text={trouble.fix} />} <code>{trouble.code}</code>
        </p>
      )}
    </>
  );
}
