import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { ApprovalRow, InboxItem } from '../protocol/index.ts';
import { WatchScreen } from './watch-screen.ts';

const SIZE = { columns: 80, rows: 24 };

function asking(id: string, input: ApprovalRow['input'], tool = 'Bash'): InboxItem {
  const approval: ApprovalRow = {
    ...{ id, workspace: 'wsp_1', session: 'ses_1', agent: 'claude-code', action_id: 'act_1', tool, input, input_sha256: '', root: '/repo' },
    ...{ policy_revision: '1', code: 'APPROVAL_REQUIRED', message: 'waits', command: null, intent: null, state: 'pending', held: true },
    ...{
      reason: null,
      proof: null,
      by: null,
      needs: 'login',
      requested_at: '2026-11-17T09:00:00.000Z',
      expires_at: '2026-11-17T09:15:00.000Z',
    },
  };
  const answers = { yes: `countersign approve ${id}`, no: `countersign reject ${id}` };
  const what = typeof input['command'] === 'string' ? input['command'] : 'asks';
  return { kind: 'call', id, workspace: 'wsp_1', root: '/repo', agent: 'claude-code', what, expires_at: null, ...answers, approval };
}

let now = 0;
function screenWith(...items: InboxItem[]): WatchScreen {
  now = 0;
  const screen = new WatchScreen(() => now);
  screen.show(items);
  screen.lines(SIZE);
  now = 1_000;
  return screen;
}
const shown = (screen: WatchScreen, size = SIZE) => stripVTControlCharacters(screen.lines(size).join('\n'));
const one = asking('apr_1', { command: 'rm -rf one' });
const two = asking('apr_2', { command: 'rm -rf two' });

verifies('N21', 'one key answers the question that is shown whole, and says which', () => {
  const screen = screenWith(one, two);
  expect(shown(screen)).toContain('│ rm -rf one');
  expect(screen.press('y', SIZE)).toEqual({ act: 'approve', item: one });
  expect(screen.press('j', SIZE)).toBe(null);
  expect(shown(screen)).toContain('│ rm -rf two');
  expect(screen.press('n', SIZE)).toEqual({ act: 'reject', item: two });
  expect(screen.press('r', SIZE)).toEqual({ act: 'ask', item: two, verb: 'reject' });
  expect(screen.press('x', SIZE)).toBe(null);
  expect(screen.press('q', SIZE)).toEqual({ act: 'leave' });
});

test('what became of an answer is shown whole, and the keys stay', () => {
  const screen = screenWith(one, two);
  screen.message = `apr_0 is approved. ${'The agent no longer waits. '.repeat(5)}Its end.`;
  const text = shown(screen);
  expect(text).toMatch(/apr_0 is approved\.[^]*Its end\.\ny approve {3}n reject/);
  expect(text).toContain('│ rm -rf one');
  expect(text.split('\n').every((line) => line.length < SIZE.columns)).toBe(true);
});

test('a key that was meant for a question that has gone does not answer the one in its place', () => {
  const screen = screenWith(one, two);
  screen.show([two]);
  expect(screen.press('y', SIZE)).toBe(null);
  expect(shown(screen)).toContain('has only just come up');
  now += 1_000;
  expect(screen.press('y', SIZE)).toEqual({ act: 'approve', item: two });
});

test('a new question leaves the chosen one where it is', () => {
  const screen = screenWith(one);
  expect(screen.show([two, one])).toEqual([two]);
  expect(screen.press('y', SIZE)).toEqual({ act: 'approve', item: one });
});

test('what does not fit on the screen is read to its end before it is approved; a no needs no reading', () => {
  const long = asking('apr_3', { command: Array.from({ length: 60 }, (_, at) => `echo ${at}`).join('\n') });
  const screen = screenWith(long);
  expect(shown(screen)).toMatch(/… \d+ more lines: space/);
  expect(screen.press('y', SIZE)).toBe(null);
  expect(shown(screen)).toContain('There is more of it');
  expect(screen.press('n', SIZE)).toEqual({ act: 'reject', item: long });
  for (let pages = 0; pages < 10; pages++) {
    screen.press(' ', SIZE);
    screen.lines(SIZE);
  }
  expect(shown(screen)).toContain('echo 59');
  expect(screen.press('y', SIZE)).toEqual({ act: 'approve', item: long });
});

test('an agent’s question is answered by the number of an option, or in words', () => {
  const options = asking('apr_4', { question: 'Which?', options: ['left', 'right'] }, 'request_human');
  const screen = screenWith(options);
  expect(screen.press('2', SIZE)).toEqual({ act: 'approve', item: options, words: 'right' });
  expect(screen.press('y', SIZE)).toBe(null);
  expect(shown(screen)).toContain('Choose one of the options: 1 to 2.');
  const open = asking('apr_5', { question: 'Why?' }, 'request_human');
  expect(screenWith(open).press('a', SIZE)).toEqual({ act: 'ask', item: open, verb: 'approve' });
});

test('no line is wider and no screen higher than the terminal, whatever an agent writes', () => {
  const wide = asking('apr_6', { command: `rm ${'漢字'.repeat(300)} \u001b[2J\u202e` });
  for (const size of [SIZE, { columns: 40, rows: 10 }]) {
    const lines = screenWith(wide, one, two).lines(size);
    expect(lines.length).toBeLessThanOrEqual(size.rows);
    const columns = lines.map((line) => Array.from(stripVTControlCharacters(line)).reduce((sum, each) => sum + (each > '~' ? 2 : 1), 0));
    expect(Math.max(...columns.filter((_, at) => !lines[at]!.includes('─')))).toBeLessThanOrEqual(size.columns);
    expect(lines.join('\n')).not.toMatch(/\u001b\[2J|\u202e/);
  }
});
