// One question to a human. Everything that they judge by stands above the buttons, whole; what happened stands below them,
// so that no answer moves a button.

import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ApprovalRow, CommandReading } from '../../../src/protocol/index.ts';
import { answerApproval, troubleOf } from './api.ts';
import { expiryWords } from './expiry-words.ts';
import { inputParts } from './input-parts.ts';
import { Instant } from './instant.tsx';
import { isProven } from './is-proven.ts';
import type { PageEvent, Trouble } from './page-state.ts';
import { RawBlock, RawLine } from './raw-text.tsx';
import { Seal, Shape } from './shapes.tsx';
import { lookOfApproval } from './shape-of.ts';
import { shortHash, shortId } from './short-id.ts';
import { factsOf } from './waiting-order.ts';

const FAREWELL_MS = 5_000;

interface CardProps {
  readonly row: ApprovalRow;
  readonly intentName: string | null;
  readonly armed: boolean;
  readonly now: number;
  readonly dispatch: (event: PageEvent) => void;
  readonly onLeave: () => void;
}

export function ApprovalCard({ row, intentName, armed, now, dispatch, onLeave }: CardProps) {
  const facts = useMemo(() => factsOf(row), [row]);
  const [read, setRead] = useState(facts);
  const changed = read !== facts;
  const titleId = useId();
  const expiry = expiryWords(row.expires_at, now);
  const answered = row.state !== 'pending';
  const answeredHere = useRef(false);
  const parts = useMemo(() => inputParts(row.input), [row]);

  return (
    <li>
      <article className={answered ? 'card card-answered' : 'card'} aria-labelledby={titleId}>
        <header className="card-head">
          <h3 id={titleId}>
            <Shape look={lookOfApproval(row.state)} />
            <span className="card-tool">
              <RawLine text={row.tool} />
            </span>
            {row.command !== null && <CommandClass of={row.command.class} />}
          </h3>
          {!answered && <p className={expiry.pressing ? 'expiry expiry-pressing' : 'expiry'}>{expiry.words}</p>}
        </header>
        {changed && !answered && (
          <p className="card-changed" role="alert">
            <strong>This request changed while it stood here.</strong> Read it again before you answer.{' '}
            <button type="button" className="plain" onClick={() => setRead(facts)}>
              I have read it
            </button>
          </p>
        )}
        <p className="card-why">
          <RawLine text={row.message} /> {row.code !== 'APPROVAL_REQUIRED' && <code>{row.code}</code>}
        </p>
        {parts.length === 0 && <p className="quiet">This call has no input.</p>}
        {parts.map((part) => (
          <RawBlock key={part.name} label={part.name} text={part.text} />
        ))}
        {row.command !== null && row.command.reasons.length > 0 && (
          <dl className="reasons">
            {row.command.reasons.map((reason, index) => (
              <div key={index}>
                <dt dir="ltr">
                  <RawLine text={reason.part} />
                </dt>
                <dd>
                  <RawLine text={reason.message} /> <code className="quiet">{reason.code}</code>
                </dd>
              </div>
            ))}
          </dl>
        )}
        <dl className="card-facts">
          <Fact name="agent">
            <RawLine text={row.agent} />
          </Fact>
          <Fact name="session">
            <code title={row.session}>{shortId(row.session)}</code>
          </Fact>
          <Fact name="intent">
            {row.intent === null ? 'none' : <RawLine text={intentName === null ? row.intent : `${row.intent} ${intentName}`} />}
          </Fact>
          <Fact name="root">
            <code className="breakable">
              <RawLine text={row.root} />
            </code>
          </Fact>
          <Fact name="asked">
            <Instant at={row.requested_at} />
          </Fact>
          <Fact name="input hash">
            <code title={row.input_sha256}>{shortHash(row.input_sha256)}</code>
          </Fact>
        </dl>
        {answered ? (
          <Outcome row={row} answeredHere={answeredHere.current} dispatch={dispatch} onLeave={onLeave} />
        ) : (
          <AnswerBar
            row={row}
            armed={armed && !changed && !expiry.over}
            over={expiry.over}
            answeredHere={answeredHere}
            dispatch={dispatch}
          />
        )}
      </article>
    </li>
  );
}

const CLASS_WORDS: Readonly<Record<CommandReading['class'], string>> = {
  SAFE: 'safe',
  MUTATING: 'changes things',
  DESTRUCTIVE: 'destructive',
  WRITES_OUTSIDE: 'writes outside the workspace',
};

const CommandClass = ({ of }: { of: CommandReading['class'] }) => (
  <span className={`class class-${of.toLowerCase()}`}>{CLASS_WORDS[of]}</span>
);

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

interface AnswerBarProps {
  readonly row: ApprovalRow;
  readonly armed: boolean;
  readonly over: boolean;
  readonly answeredHere: RefObject<boolean>;
  readonly dispatch: (event: PageEvent) => void;
}

function AnswerBar({ row, armed, over, answeredHere, dispatch }: AnswerBarProps) {
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

  const press = {
    onPointerDown: () => {
      pressedAtRest.current = !ready;
    },
  };
  const neverByEnter = (event: KeyboardEvent) => {
    if (event.key === 'Enter') event.preventDefault();
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
            onKeyDown={neverByEnter}
            onClick={() => void answer('approved')}
            {...press}
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
          <button type="button" className="reject" aria-disabled={!ready} onClick={() => void answer('rejected')} {...press}>
            Reject
          </button>
        </div>
      </div>
      {over && <p className="answer-said">Expired before anybody answered. The agent has to ask again.</p>}
      {trouble !== null && (
        <p className="answer-said trouble" role="alert">
          <strong>Your answer was not recorded.</strong> <RawLine text={trouble.message} />{' '}
          {trouble.fix !== null && <RawLine text={trouble.fix} />} <code>{trouble.code}</code>
        </p>
      )}
    </footer>
  );
}

function outcomeWords(row: ApprovalRow): string {
  switch (row.state) {
    case 'approved':
      return 'Countersigned. The agent may do exactly this, once.';
    case 'spent':
      return 'Countersigned, and the agent has used it.';
    case 'rejected':
      return row.reason ? 'Rejected. The agent gets your reason:' : 'Rejected. The agent is told so.';
    case 'expired':
      return 'Expired before anybody answered. The agent has to ask again.';
    case 'pending':
      return '';
  }
}

function Outcome({ row, answeredHere, dispatch, onLeave }: Pick<CardProps, 'row' | 'dispatch' | 'onLeave'> & { answeredHere: boolean }) {
  const words = useRef<HTMLParagraphElement>(null);
  const signed = row.state === 'approved' || row.state === 'spent';

  // The button that had the focus is gone. Without this a keyboard user would start again at the top of the page.
  useEffect(() => {
    if (answeredHere) words.current?.focus({ preventScroll: true });
  }, [answeredHere]);

  useEffect(() => {
    const timer = setTimeout(() => {
      if (document.activeElement === words.current) onLeave();
      dispatch({ type: 'left', id: row.id });
    }, FAREWELL_MS);
    return () => clearTimeout(timer);
  }, [row.id, dispatch, onLeave]);

  return (
    <p className={signed ? 'outcome outcome-signed' : 'outcome'} ref={words} tabIndex={-1} role="status">
      {signed ? <Seal hollow={!isProven(row.proof)} /> : <Shape look={lookOfApproval(row.state)} />}
      <span>
        {outcomeWords(row)} {row.reason !== null && <RawLine text={row.reason} />}
      </span>
    </p>
  );
}
