// A form for a decision with a time limit: words, a time, and the button that signs it. Nothing is sent before that; Escape and the plain
// button discard the text and close it.

import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { ActTrouble } from './act-trouble.tsx';
import { SignButton } from './sign-button.tsx';
import { usePress } from './use-press.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const TIMES: readonly (readonly [seconds: number, words: string, typed: string])[] = [
  [30 * MINUTE, '30 minutes', '30m'],
  [2 * HOUR, '2 hours', '2h'],
  [8 * HOUR, '8 hours', '8h'],
];

interface TimedRequestProps {
  readonly className: string;
  readonly summary: ReactNode;
  readonly label: string;
  /** The field's initial text. */
  readonly words: string;
  readonly says: string;
  readonly live: boolean;
  /** The equivalent in a terminal, for a time such as 2h. */
  readonly command: (time: string) => string;
  readonly onSign: (words: string, seconds: number) => Promise<unknown>;
}

export function TimedRequest({ className, summary, label, words, says, live, command, onSign }: TimedRequestProps) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState(words);
  const [seconds, setSeconds] = useState(TIMES[0]![0]);
  const pressing = usePress(live && typed.trim() !== '');
  const fold = useRef<HTMLElement>(null);
  const [labelId, timeId] = [useId(), useId()];
  const drop = () => {
    setTyped(words);
    setSeconds(TIMES[0]![0]);
    setOpen(false);
    fold.current?.focus();
  };
  const dropByEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open || event.nativeEvent.isComposing) return;
    // The same key press would close the panel beside it.
    event.stopPropagation();
    event.preventDefault();
    drop();
  };
  return (
    <details className={className} open={open} onToggle={(event) => setOpen(event.currentTarget.open)} onKeyDown={dropByEscape}>
      <summary ref={fold}>{summary}</summary>
      {open && (
        <div className="timed-request">
          <label htmlFor={labelId}>{label}</label>
          <input
            id={labelId}
            type="text"
            maxLength={500}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <label htmlFor={timeId}>for</label>
          <select id={timeId} value={seconds} onChange={(event) => setSeconds(Number(event.target.value))}>
            {TIMES.map(([value, inWords]) => (
              <option key={value} value={value}>
                {inWords}
              </option>
            ))}
          </select>
          <div className="answer">
            <SignButton press={pressing} onSign={() => pressing.press(() => onSign(typed.trim(), seconds))}>
              {says}
            </SignButton>
          </div>
          <button type="button" className="plain" onClick={drop}>
            Never mind
          </button>
          <ActTrouble trouble={pressing.trouble} command={command(TIMES.find(([value]) => value === seconds)![2])} />
        </div>
      )}
    </details>
  );
}
