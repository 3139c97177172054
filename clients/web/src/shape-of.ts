// One shape and one word for each state, the same everywhere on the page. Colour only repeats what they say.

import type { ActionRow, ApprovalState, IntentRow } from '../../../src/protocol/index.ts';
import { type Sign, SIGNS } from '../../../src/protocol/plain.ts';

export type ShapeName = Sign['shape'];

export interface Look {
  readonly shape: ShapeName;
  readonly word: string;
  readonly tone: Sign['tone'];
}

export const lookOfAction = ({ word }: Pick<ActionRow, 'word'>): Look => ({ shape: SIGNS[word].shape, tone: SIGNS[word].tone, word });

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
