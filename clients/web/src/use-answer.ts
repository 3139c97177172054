// Sends a human's answer to one question, once; it decides nothing.

import type { KeyboardEvent, RefObject } from 'react';
import type { ApprovalRow } from '../../../src/protocol/index.ts';
import { answerApproval } from './api.ts';
import type { PageEvent } from './page-state.ts';
import { usePress } from './use-press.ts';

export interface AnswerProps {
  readonly row: ApprovalRow;
  readonly armed: boolean;
  readonly over: boolean;
  readonly answeredHere: RefObject<boolean>;
  readonly dispatch: (event: PageEvent) => void;
}

export function useAnswer({ row, armed, answeredHere, dispatch }: AnswerProps) {
  const { press, enterBegins, ...rest } = usePress(armed);
  const answer = (what: 'approved' | 'rejected', words: string): Promise<void> =>
    press(async () => {
      answeredHere.current = true;
      try {
        dispatch({ type: 'approval', row: await answerApproval(row.id, what, words.trim()) });
      } catch (error) {
        answeredHere.current = false;
        throw error;
      }
    });
  const rejectByEnter = (event: KeyboardEvent, reason: string) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    enterBegins(event);
    void answer('rejected', reason);
  };
  return { ...rest, answer, rejectByEnter };
}

export type Answering = ReturnType<typeof useAnswer>;
