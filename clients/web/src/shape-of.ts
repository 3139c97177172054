// One shape and one word for each state, the same everywhere on the page. Colour only repeats what they say.

import type { ActionState, ApprovalState, IntentRow } from '../../../src/protocol/index.ts';

export type ShapeName = 'circle' | 'diamond' | 'square' | 'dotted';

export interface Look {
  readonly shape: ShapeName;
  readonly word: string;
  readonly tone: 'good' | 'wait' | 'bad' | 'quiet';
}

export function lookOfAction(state: ActionState, status: 'done' | 'failed' | null): Look {
  switch (state) {
    case 'observed':
      return { shape: 'circle', word: 'observed', tone: 'quiet' };
    case 'admitted':
      return { shape: 'circle', word: 'allowed', tone: 'good' };
    case 'settled':
      // The gate allowed it and the agent's own call failed: no refusal, so it keeps the circle.
      return status === 'failed' ? { shape: 'circle', word: 'failed', tone: 'quiet' } : { shape: 'circle', word: 'settled', tone: 'good' };
    case 'waiting':
      return { shape: 'diamond', word: 'waiting', tone: 'wait' };
    case 'refused':
      return { shape: 'square', word: 'refused', tone: 'bad' };
    case 'unknown':
      return { shape: 'dotted', word: 'unknown', tone: 'quiet' };
  }
}

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
