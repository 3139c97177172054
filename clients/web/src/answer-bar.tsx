// The human's two answers to a call that waits.

import type { Proof } from '../../../src/protocol/index.ts';
import { GrantForm } from './grant-form.tsx';
import { mayBeGranted } from './grant-words.ts';
import { AnswerSaid, RejectField } from './reject-field.tsx';
import { Seal } from './shapes.tsx';
import { SignButton } from './sign-button.tsx';
import { type AnswerProps, useAnswer } from './use-answer.ts';

/** Only a terminal takes a passphrase. */
const NEEDS_KEY: ReadonlySet<Proof> = new Set<Proof>(['passphrase', 'passkey']);

export function AnswerBar(props: AnswerProps) {
  const answering = useAnswer(props);
  const { row } = props;
  return (
    <>
      <footer className="answer">
        <div className="answer-buttons">
          <div className="answer-yes">
            {NEEDS_KEY.has(row.needs) ? (
              <p className="answer-elsewhere">
                <Seal hollow /> This needs a proof by {row.needs}, which no page gives. In a terminal:{' '}
                <code className="breakable">countersign approve {row.id}</code>
              </p>
            ) : (
              <SignButton press={answering} onSign={() => answering.answer('approved', '')}>
                Countersign
              </SignButton>
            )}
          </div>
          <RejectField answering={answering} />
        </div>
        <AnswerSaid over={props.over} trouble={answering.trouble} />
      </footer>
      {mayBeGranted(row) && !NEEDS_KEY.has(row.needs) && <GrantForm {...props} />}
    </>
  );
}
