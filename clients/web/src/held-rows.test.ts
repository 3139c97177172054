import { expect, test } from 'vitest';
import type { ActionRow } from '../../../src/protocol/index.ts';
import { holdRows } from './held-rows.ts';

const row = (n: number, state: ActionRow['state'] = 'admitted'): ActionRow => ({
  id: `act_${String(n).padStart(26, '0')}`,
  parent: null,
  workspace: `wsp_${'0'.repeat(26)}`,
  session: `ses_${'0'.repeat(26)}`,
  agent: 'codex',
  at: '2026-03-01T12:00:00.000Z',
  tool: 'bash',
  tool_id: 'bash',
  subject: 'ls',
  effects: ['execute'],
  state,
  word: 'allowed',
  code: null,
  message: null,
  intent: null,
  approval_id: null,
  receipt_id: null,
  status: null,
});

test('a reader at the top sees every row', () => {
  expect(holdRows(null, [row(2), row(1)])).toEqual({ shown: [row(2), row(1)], fresh: 0 });
});

test('a reader further down keeps their rows, brought up to date, and a count of the new', () => {
  expect(holdRows([row(2), row(1)], [row(4), row(3), row(2, 'settled'), row(1)])).toEqual({ shown: [row(2, 'settled'), row(1)], fresh: 2 });
});

test('rows that fell off the end of the list stay while they are being read', () => {
  expect(holdRows([row(2), row(1)], [row(4), row(3)])).toEqual({ shown: [row(2), row(1)], fresh: 2 });
});
