// A human's answer to a question of an agent: one of its options, words of their own, or a no. As with every yes, Enter gives none.

import { useId, useState } from 'react';
import { RawLine } from './raw-text.tsx';
import { AnswerSaid, RejectField } from './reject-field.tsx';
import { Seal } from './shapes.tsx';
import { type AnswerProps, useAnswer } from './use-answer.ts';

export function QuestionBar({ options, ...props }: AnswerProps & { readonly options: readonly string[] }) {
  const answering = useAnswer(props);
  const { ready, trouble, answer, pressBegins, neverByEnter } = answering;
  const [words, setWords] = useState('');
  const hintId = useId();
  const said = words.trim() !== '';

  return (
    <footer className="answer">
      {options.length > 0 && (
        <ol className="options" aria-label="Answers that the agent offers">
          {options.map((option, index) => (
            <li key={index}>
              <button
                type="button"
                className="option"
                aria-disabled={!ready}
                aria-describedby={hintId}
                onPointerDown={pressBegins}
                onKeyDown={neverByEnter}
                onClick={() => void answer('approved', option)}
              >
                <span className="option-number">{index + 1}</span>
                <RawLine text={option} />
              </button>
            </li>
          ))}
        </ol>
      )}
      <div className="answer-buttons">
        <div className="answer-words">
          <input
            type="text"
            aria-label="Your answer; the agent reads it"
            placeholder={options.length > 0 ? 'Or in your own words' : 'Your answer'}
            maxLength={500}
            autoComplete="off"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
          <button
            type="button"
            className="countersign"
            aria-disabled={!ready || !said}
            aria-describedby={hintId}
            onPointerDown={pressBegins}
            onKeyDown={neverByEnter}
            onClick={() => {
              if (said) void answer('approved', words);
            }}
          >
            <Seal />
            Answer
          </button>
        </div>
        <RejectField answering={answering} />
      </div>
      <span className="answer-hint" id={hintId}>
        Space answers, Enter never does.
      </span>
      <AnswerSaid over={props.over} trouble={trouble} />
    </footer>
  );
}
