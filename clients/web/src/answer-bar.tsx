// The human's two answers to a call that waits.

import { useId } from 'react';
import { AnswerSaid, RejectField } from './reject-field.tsx';
import { Seal } from './shapes.tsx';
import { type AnswerProps, useAnswer } from './use-answer.ts';

export function AnswerBar(props: AnswerProps) {
  const answering = useAnswer(props);
  const { ready, trouble, answer, pressBegins, neverByEnter } = answering;
  const hintId = useId();

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
            onClick={() => void answer('approved', '')}
          >
            <Seal />
            Countersign
          </button>
          <span className="answer-hint" id={hintId}>
            Space signs, Enter never does.
          </span>
        </div>
        <RejectField answering={answering} />
      </div>
      <AnswerSaid over={props.over} trouble={trouble} />
    </footer>
  );
}
