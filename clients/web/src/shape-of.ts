// One shape and one word for each state, the same everywhere on the page. Colour only repeats what they say.

import type { ActionRow, ApprovalState, IntentRow, ActionWord } from '../../../src/protocol/index.ts';

export type ShapeName = 'circle' | 'diamond' | 'square' | 'dotted';

export interface Look {
  readonly shape: ShapeName;
  readonly word: string;
  readonly tone: 'good' | 'wait' | 'bad' | 'quiet';
}

const LOOKS: Readonly<Record<ActionWord, Omit<Look, 'word'>>> = {
  observed: { shape: 'circle', tone: 'quiet' },
  allowed: { shape: 'circle', tone: 'good' },
  ran: { shape: 'circle', tone: 'good' },
  // The gate allowed it and the agent's own call failed: no refusal, so it keeps the circle.
  failed: { shape: 'circle', tone: 'bad' },
  waiting: { shape: 'diamond', tone: 'wait' },
  lapsed: { shape: 'dotted', tone: 'quiet' },
  refused: { shape: 'square', tone: 'bad' },
  unknown: { shape: 'dotted', tone: 'quiet' },
};

export const lookOfAction = ({ word }: Pick<ActionRow, 'word'>): Look => ({ ...LOOKS[word], word });

export function lookOfApproval(state: ApprovalState): Look {
  switch (state) {
    case 'pending':
      return { shape: 'diamond', word: 'waiting', tone: 'wait' };
    case 'approved':
    case 'spent':
      return { shape: 'circle', word: state, tone: 'good' };
    case 'rejected':
      return { shape: 'square', word: 'rejected', tone: 'bad' };
    case 'expired':
    case 'withdrawn':
      return { shape: 'dotted', word: state, tone: 'quiet' };
  }
}

export function lookOfIntent(status: IntentRow['status']): Look {
  switch (status) {
    case 'active':
      return { shape: 'circle', word: 'active', tone: 'good' };
    case 'proposed':
      return { shape: 'diamond', word: 'proposed', tone: 'wait' };
    case 'paused':
      return { shape: 'dotted', word: 'paused', tone: 'quiet' };
    case 'done':
      return { shape: 'circle', word: 'done', tone: 'quiet' };
    case 'abandoned':
      return { shape: 'square', word: 'abandoned', tone: 'quiet' };
  }
}
