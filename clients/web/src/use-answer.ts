// Sends a human's answer to one question, once, and says when it was not recorded; it decides nothing. A press that began while the
// card rested does not count, even if it ended later.

import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import type { ApprovalRow } from '../../../src/protocol/index.ts';
import { answerApproval, troubleOf } from './api.ts';
import type { PageEvent, Trouble } from './page-state.ts';

export interface AnswerProps {
  readonly row: ApprovalRow;
  readonly armed: boolean;
  readonly over: boolean;
  readonly answeredHere: RefObject<boolean>;
  readonly dispatch: (event: PageEvent) => void;
}

export function useAnswer({ row, armed, answeredHere, dispatch }: AnswerProps) {
  const [sending, setSending] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const pressedAtRest = useRef(false);
  const ready = armed && !sending;

  async function answer(what: 'approved' | 'rejected', words: string): Promise<void> {
    const early = pressedAtRest.current;
    pressedAtRest.current = false;
    if (!ready || early) return;
    setSending(true);
    setTrouble(null);
    answeredHere.current = true;
    try {
      dispatch({ type: 'approval', row: await answerApproval(row.id, what, words.trim()) });
    } catch (error) {
      answeredHere.current = false;
      setTrouble(troubleOf(error));
      setSending(false);
    }
  }

  const pressBegins = () => {
    pressedAtRest.current = !ready;
  };
  const spacePressBegins = (event: KeyboardEvent) => {
    if (event.key === ' ' && !event.repeat) pressBegins();
  };
  /** For whatever says yes. */
  const neverByEnter = (event: KeyboardEvent) => {
    if (event.key === 'Enter') event.preventDefault();
    spacePressBegins(event);
  };
  const rejectByEnter = (event: KeyboardEvent, reason: string) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    pressedAtRest.current = event.repeat;
    void answer('rejected', reason);
  };
  return { ready, trouble, answer, pressBegins, spacePressBegins, neverByEnter, rejectByEnter };
}

export type Answering = ReturnType<typeof useAnswer>;
