// What waits besides calls and questions: an edit of a file that humans own, a proposed intent, a proposed rule. A yes names the text that
// is shown here, so it applies to no other.

import { useId } from 'react';
import type { EditRow, InboxItem, Intent } from '../../../src/protocol/index.ts';
import { ActTrouble } from './act-trouble.tsx';
import { confirmEdit, decideRule, declineProposal, discardEdit, grantProposal } from './api.ts';
import { RawLine } from './raw-text.tsx';
import { Shape } from './shapes.tsx';
import { lookOfApproval } from './shape-of.ts';
import { SignButton } from './sign-button.tsx';
import { usePress } from './use-press.ts';

interface Answers {
  readonly title: string;
  readonly yes: readonly [words: string, act: () => Promise<unknown>];
  readonly no: readonly [words: string, act: () => Promise<unknown>] | null;
  /** Where there is no button for a no. */
  readonly otherwise?: string;
}

/** Null: of a kind that this page does not know; the commands answer it. */
function answersTo({ id, root, proposal, edit, rule }: InboxItem): Answers | null {
  if (edit)
    return {
      title: edit.intent === null ? 'the settings were edited' : `${edit.intent} was edited`,
      yes: ['Let it hold', () => confirmEdit(root, edit)],
      no: edit.intent === null ? null : ['Put the file back', () => discardEdit(root, id)],
      otherwise: 'To refuse it, put the settings’ files back as they were.',
    };
  if (proposal)
    return {
      title: `${id} is proposed`,
      yes: ['Grant it', () => grantProposal(root, proposal)],
      no: ['Decline', () => declineProposal(root, id)],
    };
  if (rule)
    return {
      title: 'a rule is proposed',
      yes: ['Let it pass', () => decideRule(id, 'active')],
      no: ['Decline', () => decideRule(id, 'ended')],
    };
  return null;
}

export function ItemCard({ item, armed }: { readonly item: InboxItem; readonly armed: boolean }) {
  const pressing = usePress(armed);
  const { ready, trouble, press, pressBegins, spacePressBegins } = pressing;
  const titleId = useId();
  const answers = answersTo(item);
  const changes = item.edit?.changes ?? (item.proposal ? linesOf(item.proposal.intent) : []);
  return (
    <li>
      <article className="card" aria-labelledby={titleId}>
        <header className="card-head">
          <h3 id={titleId}>
            <Shape look={lookOfApproval('pending')} />
            <span className="card-tool">{answers?.title ?? item.id}</span>
          </h3>
        </header>
        <p className="card-why">
          <RawLine text={item.proposal ? item.proposal.intent.name : item.what} />
        </p>
        <dl className="changes">
          {changes.map(({ field, before, after }) => (
            <div key={field}>
              <dt>{FIELDS[field] ?? field}</dt>
              <dd>
                <Lines kind="-" lines={before.filter((line) => !after.includes(line))} />
                <Lines kind="+" lines={after.filter((line) => !before.includes(line))} />
                <Lines kind=" " lines={after.filter((line) => before.includes(line))} />
              </dd>
            </div>
          ))}
        </dl>
        <dl className="card-facts">
          <div>
            <dt>root</dt>
            <dd>
              <code className="breakable">
                <RawLine text={item.root} />
              </code>
            </dd>
          </div>
          <div>
            <dt>in a terminal</dt>
            <dd>
              <code className="breakable">{item.yes}</code>
            </dd>
          </div>
        </dl>
        {answers && (
          <footer className="answer">
            <div className="answer-buttons">
              <div className="answer-yes">
                <SignButton press={pressing} onSign={() => press(answers.yes[1])}>
                  {answers.yes[0]}
                </SignButton>
              </div>
              {answers.no && (
                <button
                  type="button"
                  className="reject put-back"
                  aria-disabled={!ready}
                  onPointerDown={pressBegins}
                  onKeyDown={spacePressBegins}
                  onClick={() => void press(answers.no![1])}
                >
                  {answers.no[0]}
                </button>
              )}
            </div>
            {!answers.no && answers.otherwise !== undefined && <p className="quiet">{answers.otherwise}</p>}
            <ActTrouble trouble={trouble} command={item.yes} />
          </footer>
        )}
      </article>
    </li>
  );
}

const FIELDS: Readonly<Record<string, string>> = {
  owned_scope: 'may change',
  constraints: 'constraints',
  acceptance_criteria: 'criteria',
};

/** All that a new intent says. */
const linesOf = (intent: Intent): EditRow['changes'] =>
  (['owned_scope', 'constraints', 'acceptance_criteria'] as const)
    .map((field) => ({ field, before: [], after: intent[field] }))
    .filter(({ after }) => after.length > 0);

const SAID = { '-': 'no longer: ', '+': 'new: ', ' ': '' } as const;
const CLASS = { '-': 'line-out', '+': 'line-in', ' ': 'quiet' } as const;

const Lines = ({ kind, lines }: { kind: keyof typeof SAID; lines: readonly string[] }) =>
  lines.map((line, index) => (
    <div key={index} className={`change ${CLASS[kind]}`} dir="ltr">
      <span aria-hidden="true">{kind}</span>
      <span>
        <span className="unseen">{SAID[kind]}</span>
        <RawLine text={line} />
      </span>
    </div>
  ));
