// One question to a human. Everything needed for the decision is above the buttons, in full; the result is below them, so that no answer
// moves a button.

import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ApprovalRow, CommandReading } from '../../../src/protocol/index.ts';
import { riskWords } from '../../../src/protocol/plain.ts';
import { AnswerBar } from './answer-bar.tsx';
import { type Asked, askedIn } from './asked.ts';
import { expiryWords } from './expiry-words.ts';
import { inputParts } from './input-parts.ts';
import { Instant } from './instant.tsx';
import { Outcome } from './outcome.tsx';
import type { PageEvent } from './page-state.ts';
import { QuestionBar } from './question-bar.tsx';
import { RawBlock, RawLine } from './raw-text.tsx';
import { Shape } from './shapes.tsx';
import { lookOfApproval } from './shape-of.ts';
import { shortHash, shortId } from './short-id.ts';
import type { AnswerProps } from './use-answer.ts';
import { factsOf } from './waiting-order.ts';

interface CardProps {
  readonly row: ApprovalRow;
  readonly nameOf: (intent: string | null) => string | null;
  /** The gate is paused where this was asked. */
  readonly paused: boolean;
  readonly armed: boolean;
  readonly now: number;
  readonly dispatch: (event: PageEvent) => void;
  readonly onLeave: () => void;
}

export function ApprovalCard({ row, nameOf, paused, armed, now, dispatch, onLeave }: CardProps) {
  const facts = useMemo(() => factsOf(row), [row]);
  const [read, setRead] = useState(facts);
  const changed = read !== facts;
  const titleId = useId();
  const expiry = expiryWords(row.expires_at, now);
  const answered = row.state !== 'pending';
  const answeredHere = useRef(false);
  const asked = useMemo(() => askedIn(row), [row]);
  // A client that sends its human here names the question in the address.
  const sought = location.hash === `#approval=${row.id}`;
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (sought) card.current?.scrollIntoView({ block: 'nearest' });
  }, [sought]);

  return (
    <li>
      <article
        className={`card${answered ? ' card-answered' : ''}${sought ? ' card-sought' : ''}`}
        aria-labelledby={titleId}
        aria-current={sought || undefined}
        ref={card}
      >
        <header className="card-head">
          <h3 id={titleId}>
            <Shape look={lookOfApproval(row.state)} />
            <span className="card-tool">
              <RawLine text={row.tool} />
            </span>
            {row.command !== null && <CommandRisk command={row.command} />}
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
        {paused && !answered && <p className="card-why">The gate is paused, but this still waits for your answer.</p>}
        {asked === null ? <Call row={row} /> : <Question asked={asked} nameOf={nameOf} />}
        <dl className="card-facts">
          <Fact name="agent">
            <RawLine text={row.agent} />
          </Fact>
          <Fact name="session">
            <code title={row.session}>{shortId(row.session)}</code>
          </Fact>
          <Fact name="intent">
            <RawLine text={named(row.intent, nameOf)} />
          </Fact>
          <Fact name="root">
            <code className="breakable">
              <RawLine text={row.root} />
            </code>
          </Fact>
          {row.cwd !== undefined && (
            <Fact name="folder">
              <code className="breakable">
                <RawLine text={row.cwd} />
              </code>
            </Fact>
          )}
          <Fact name="asked">
            <Instant at={row.requested_at} />
          </Fact>
          <Fact name="input hash">
            <code title={row.input_sha256}>{shortHash(row.input_sha256)}</code>
          </Fact>
        </dl>
        {row.held === false && !answered && asked?.kind !== 'scope' && (
          <p className="card-why">
            The agent no longer waits: your answer counts when it {asked === null ? 'makes exactly this call again' : 'asks again'}, before{' '}
            <Instant at={row.expires_at} />.
          </p>
        )}
        {answered ? (
          <Outcome row={row} asked={asked} answeredHere={answeredHere.current} dispatch={dispatch} onLeave={onLeave} />
        ) : (
          <Answer
            asked={asked}
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

const Answer = ({ asked, ...props }: AnswerProps & { asked: Asked | null }) =>
  asked?.kind === 'question' ? <QuestionBar {...props} options={asked.options} /> : <AnswerBar {...props} />;

type NameOf = CardProps['nameOf'];

function named(intent: string | null, nameOf: NameOf): string {
  const name = nameOf(intent);
  return intent === null ? 'none' : name === null ? intent : `${intent} ${name}`;
}

/** What an agent asks, in its own words; a path has a line of its own. */
const Question = ({ asked, nameOf }: { asked: Asked; nameOf: NameOf }) =>
  asked.kind === 'question' ? (
    <div className="asked">
      <RawBlock label="asks you" text={asked.question} />
    </div>
  ) : (
    <div className="asked">
      <p className="card-why">
        Wants more scope for{' '}
        <strong>
          <RawLine text={named(asked.intent, nameOf)} />
        </strong>
        :
      </p>
      <ul className="asked-paths">
        {asked.paths.map((path, index) => (
          <li key={index} dir="ltr">
            <RawLine text={path} />
          </li>
        ))}
      </ul>
      <RawBlock label="reason" text={asked.reason} />
    </div>
  );

function Call({ row }: { row: ApprovalRow }) {
  const parts = useMemo(() => inputParts(row.input), [row]);
  return (
    <>
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
      {row.command !== null && <Writes command={row.command} />}
    </>
  );
}

/** What its text claims to touch. */
function Writes({ command }: { command: CommandReading }) {
  const paths = [...new Set((command.writes ?? []).map(({ path, resolved }) => resolved ?? path))];
  if (paths.length === 0) return null;
  return (
    <dl className="reasons">
      <div>
        <dt>writes</dt>
        <dd>
          <RawLine text={paths.join(', ')} /> {!command.writes_complete && <span className="quiet">and maybe more</span>}
        </dd>
      </div>
    </dl>
  );
}

const CommandRisk = ({ command }: { command: CommandReading }) => (
  <span className={`class class-${command.class.toLowerCase()}`}>{riskWords(command)}</span>
);

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
