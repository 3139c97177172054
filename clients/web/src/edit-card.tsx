// A pending edit of a file that humans own: what it would change, line by line, and the two answers to it. The yes names the text shown
// here, so it applies to no other.

import { useId } from 'react';
import type { EditRow } from '../../../src/protocol/index.ts';
import { ActTrouble } from './act-trouble.tsx';
import { confirmEdit, discardEdit } from './api.ts';
import { RawLine } from './raw-text.tsx';
import { Shape } from './shapes.tsx';
import { lookOfApproval } from './shape-of.ts';
import { SignButton } from './sign-button.tsx';
import { usePress } from './use-press.ts';

interface EditProps {
  readonly root: string;
  readonly edit: EditRow;
  readonly armed: boolean;
}

const FIELDS: Readonly<Record<string, string>> = {
  owned_scope: 'may change',
  constraints: 'constraints',
  acceptance_criteria: 'criteria',
};

export function EditCard({ root, edit, armed }: EditProps) {
  const pressing = usePress(armed);
  const { ready, trouble, press, pressBegins, spacePressBegins } = pressing;
  const titleId = useId();
  const { intent } = edit;
  return (
    <li>
      <article className="card" aria-labelledby={titleId}>
        <header className="card-head">
          <h3 id={titleId}>
            <Shape look={lookOfApproval('pending')} />
            <span className="card-tool">{intent === null ? 'the settings were edited' : `${intent} was edited`}</span>
          </h3>
        </header>
        <p className="card-why">
          <RawLine text={edit.what} />
        </p>
        <dl className="changes">
          {edit.changes.map(({ field, before, after }) => (
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
                <RawLine text={root} />
              </code>
            </dd>
          </div>
          <div>
            <dt>in a terminal</dt>
            <dd>
              <code className="breakable">{edit.confirm}</code>
            </dd>
          </div>
        </dl>
        <footer className="answer">
          <div className="answer-buttons">
            <div className="answer-yes">
              <SignButton press={pressing} onSign={() => press(() => confirmEdit(root, edit))}>
                Let it hold
              </SignButton>
            </div>
            {intent !== null && (
              <button
                type="button"
                className="reject put-back"
                aria-disabled={!ready}
                onPointerDown={pressBegins}
                onKeyDown={spacePressBegins}
                onClick={() => void press(() => discardEdit(root, intent))}
              >
                Put the file back
              </button>
            )}
          </div>
          {intent === null && <p className="quiet">To refuse it, put the settings’ files back as they were.</p>}
          <ActTrouble trouble={trouble} command={edit.confirm} />
        </footer>
      </article>
    </li>
  );
}

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
