import { expect, test } from 'vitest';
import type { ActionRow, ApprovalRow } from '../protocol/index.ts';
import { actionLine, approvalText } from './terminal-text.ts';
import { visible } from '../protocol/index.ts';

const BIDI = 'rm -rf \u202etxt.old\u202c';
const ANSI = '\u001b[2K\u001b[1Aharmless';

const approval: ApprovalRow = {
  id: 'apr_00000000000000000000000000',
  workspace: 'wsp_00000000000000000000000000',
  session: 'ses_00000000000000000000000000',
  agent: 'claude-code',
  action_id: 'act_00000000000000000000000000',
  tool: 'Bash',
  input: { command: 'rm -rf build' },
  input_sha256: '0'.repeat(64),
  policy_revision: 'rules',
  root: '/repo',
  code: 'APPROVAL_REQUIRED',
  message: 'A human has to look at this.',
  command: { class: 'DESTRUCTIVE', reasons: [{ code: 'REMOVES', part: 'rm -rf build', message: 'removes files' }] },
  intent: 'INT-001',
  state: 'pending',
  reason: null,
  proof: null,
  by: null,
  needs: 'login',
  requested_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2026-01-01T00:15:00.000Z',
};

const action: ActionRow = {
  id: 'act_00000000000000000000000000',
  parent: null,
  workspace: 'wsp_00000000000000000000000000',
  session: 'ses_00000000000000000000000000',
  agent: 'claude-code',
  at: '2026-01-01T00:00:00.000Z',
  tool: 'Bash',
  tool_id: 'run_command',
  subject: 'ls',
  effects: ['observe'],
  state: 'observed',
  word: 'observed',
  code: null,
  message: null,
  intent: null,
  approval_id: null,
  receipt_id: null,
  status: null,
};

/** Nothing that a terminal obeys, and nothing that hides or turns text. */
const HARMLESS = /^[^\p{Cc}\p{Cf}\u2028\u2029]*$/u;
const isPlain = (text: string): boolean => text.split('\n').every((line) => HARMLESS.test(line));

test('whatever a terminal would obey or hide is spelt out', () => {
  expect(visible('a\u001b[31mb\u202ec\u200bd\u2028e\u0000f\u009bg\u{e0041}h')).toBe(
    'a⟦U+001B⟧[31mb⟦U+202E⟧c⟦U+200B⟧d⟦U+2028⟧e⟦U+0000⟧f⟦U+009B⟧g⟦U+E0041⟧h',
  );
  expect(visible('a\nb\tc')).toBe('a⟦U+000A⟧b⟦U+0009⟧c');
  expect(visible('a\nb\tc\r', 'block')).toBe('a\nb\tc⟦U+000D⟧');
  expect(visible('a\u00a0b\u3000c\u2800d\u3164e\u034ff')).toBe('a⟦U+00A0⟧b⟦U+3000⟧c⟦U+2800⟧d⟦U+3164⟧e⟦U+034F⟧f');
  expect(visible(`a${' '.repeat(8)}b${' '.repeat(7)}c`)).toBe(`a⟦8 spaces⟧b${' '.repeat(7)}c`);
  const padded = `ls${' '.repeat(300)}; rm -rf ~\n${' \n'.repeat(40)}\t\tx`;
  expect(visible(padded, 'block')).toBe('ls⟦300 spaces⟧; rm -rf ~\n⟦40 empty lines⟧\n\t\tx');
  const indented = `if x:\n${' '.repeat(24)}y\n\n\n\nz`;
  expect(visible(indented, 'block')).toBe(indented);
  expect(visible('žluťoučký 漢字 👍🏽')).toBe('žluťoučký 漢字 👍🏽');
});

test('a question shows all of the command, why it is asked, and how to answer', () => {
  const time = `2026-01-01 ${new Date(approval.expires_at).toLocaleTimeString('en-GB')}`;
  expect(approvalText(approval)).toBe(
    [
      '◆ apr_00000000000000000000000000  claude-code asks to use Bash in /repo for INT-001',
      '  │ rm -rf build',
      '  cannot be undone:',
      '    rm -rf build: removes files',
      `  answer before ${time}: countersign approve apr_00000000000000000000000000   |   countersign reject apr_00000000000000000000000000 --reason "…"`,
    ].join('\n'),
  );
  const long = `echo ${'x'.repeat(5_000)}`;
  expect(approvalText({ ...approval, input: { command: long } })).toContain(`  │ ${long}\n`);
});

test('nothing of a question can turn, hide or overwrite what a person reads', () => {
  const text = approvalText({
    ...approval,
    agent: ANSI,
    tool: ANSI,
    root: `/repo${BIDI}`,
    input: { command: `${BIDI}\n${ANSI}` },
    command: { class: 'DESTRUCTIVE', reasons: [{ code: 'REMOVES', part: BIDI, message: ANSI }] },
  });
  expect(isPlain(text)).toBe(true);
  expect(text).toContain('  │ rm -rf ⟦U+202E⟧txt.old⟦U+202C⟧\n  │ ⟦U+001B⟧[2K⟦U+001B⟧[1Aharmless\n');
  expect(isPlain(approvalText({ ...approval, input: { path: BIDI, content: ANSI }, command: null, message: ANSI }))).toBe(true);
});

test('an action is one line, whatever it is about', () => {
  const line = actionLine({ ...action, agent: ANSI, tool: `Bash\n${BIDI}`, subject: `cat <<X\n${BIDI}\nX` });
  expect([isPlain(line), line.includes('\n')]).toEqual([true, false]);
  expect(actionLine({ ...action, subject: 'y'.repeat(100) })).toContain(`${'y'.repeat(79)}…`);
});

test('the end of the line is what a person needs next', () => {
  const end = (row: Partial<ActionRow>) =>
    actionLine({ ...action, ...row })
      .split(' ')
      .at(-1);
  expect(end({ word: 'ran', receipt_id: 'rcp_1' })).toBe('rcp_1');
  expect(end({ word: 'undone', receipt_id: 'rcp_1', undone_by: 'rcp_2' })).toBe('rcp_2');
  expect(end({ word: 'waiting', approval_id: 'apr_1', code: 'APPROVAL_REQUIRED' })).toBe('apr_1');
  expect(end({ word: 'refused', code: 'SCOPE_VIOLATION' })).toBe('SCOPE_VIOLATION');
  expect(end({ word: 'unknown', receipt_id: null, approval_id: null })).toBe(action.id);
});
