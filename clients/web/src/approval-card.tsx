// One question to a human. Everything that they judge by stands above the buttons, whole; what happened stands below them,
// so that no answer moves a button.

import { useId, useMemo, useRef, useState } from 'react';
import type { ApprovalRow, CommandReading } from '../../../src/protocol/index.ts';
import { AnswerBar } from './answer-bar.tsx';
import { expiryWords } from './expiry-words.ts';
import { inputParts } from './input-parts.ts';
import { Instant } from './instant.tsx';
import { Outcome } from './outcome.tsx';
import type { PageEvent } from './page-state.ts';
import { RawBlock, RawLine } from './raw-text.tsx';
import { Shape } from './shapes.tsx';
import { lookOfApproval } from './shape-of.ts';
import { shortHash, shortId } from './short-id.ts';
import { factsOf } from './waiting-order.ts';

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
