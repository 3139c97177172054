// What a human reads before a yes, disguised: reversed text, escape sequences, invisible letters, and padding that pushes the rest out of
// sight. The page has its own test, test/page/hostile-text.test.ts.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApprovalRow } from '../../src/protocol/index.ts';
import { startTestDaemon, type TestDaemon } from '../lab/daemon.ts';
import { CLI, runCommand } from '../lab/installation.ts';
import { verifies } from '../verifies.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  await daemon.beginWork('src/**');
});
afterAll(() => daemon.dispose());

const HIDDEN = [0x1b, 0x9b, 0x07, 0x08, 0x0d, 0x202e, 0x2066, 0x200b, 0x2060, 0xad, 0xa0, 0x3000, 0x2800, 0x3164, 0x34f, 0x2028, 0xe0041];
const marked = (text: string) =>
  Array.from(text, (one) => {
    const code = one.codePointAt(0)!;
    return HIDDEN.includes(code) ? `⟦U+${code.toString(16).toUpperCase().padStart(4, '0')}⟧` : one;
  }).join('');
/** No control character except line breaks, and no space or letter that looks like another. */
const isPlain = (text: string) => !/(?![ \n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

const TRICK = `ok${HIDDEN.map((code) => `${String.fromCodePoint(code)}[2K`).join('')}`;
let calls = 0;

async function question(tool_name: string, tool_input: object, more: object = {}): Promise<ApprovalRow> {
  await daemon.hook('PreToolUse', { tool_name, tool_input, tool_use_id: `toolu_${++calls}`, ...more });
  const [newest] = await daemon.services().ask('approvals', { state: 'pending', limit: 1 });
  return newest!;
}

/** As `countersign approvals` prints it: only the block about this question. */
async function shown({ id }: ApprovalRow): Promise<string> {
  const { code, stdout } = await runCommand(CLI, ['approvals'], {
    cwd: daemon.repo.path,
    env: { COUNTERSIGN_HOME: daemon.home.dir, HOME: daemon.home.dir },
  });
  expect([code, isPlain(stdout)]).toEqual([0, true]);
  return stdout.split('\n\n◆ ').find((block) => block.includes(` ${id}  `) || block.startsWith(`${id}  `))!;
}

const overHttp = async ({ id }: ApprovalRow): Promise<ApprovalRow> => {
  const { text } = await daemon.web('GET', '/api/approvals', { headers: await daemon.login() });
  return (JSON.parse(text) as ApprovalRow[]).find((row) => row.id === id)!;
};

verifies('I13', 'what hides in a call is spelt out in the terminal, and whole over HTTP', async () => {
  const row = await question('mcp__deploy__run', { text: TRICK, nested: { [TRICK]: [TRICK] } });
  const text = await shown(row);
  expect(text).toContain('asks to use mcp__deploy__run');
  // JSON has escapes of its own for what it calls control characters.
  expect(text).toContain(marked(JSON.stringify(TRICK)));
  const over = await overHttp(row);
  expect(over.input).toEqual({ name: 'mcp__deploy__run', arguments: { text: TRICK, nested: { [TRICK]: [TRICK] } } });
});

verifies('I13', 'what hides in the name of a tool is spelt out', async () => {
  const row = await question(`mcp__deploy__${TRICK}`, {});
  expect(await shown(row)).toContain(`asks to use mcp__deploy__${marked(TRICK)} in `);
});

verifies('I13', 'padding hides nothing: its length is reported, and every other character of a long call is shown', async () => {
  const command = `rm -rf src/build${' '.repeat(20_000)}src/auth${'\n'.repeat(300)}# ${'x'.repeat(50_000)}\nrm -rf src/payments`;
  const row = await question('Bash', { command });
  expect(row.input).toEqual({ command });
  const lines = ['rm -rf src/build⟦20000 spaces⟧src/auth', '⟦299 empty lines⟧', `# ${'x'.repeat(50_000)}`, 'rm -rf src/payments'];
  expect(await shown(row)).toContain(lines.map((line) => `  │ ${line}`).join('\n'));
  expect((await overHttp(row)).input).toEqual({ command });
});

test('a line of the call cannot pass for a line of ours', async () => {
  const forged = 'rm -rf src\n◆ apr_00000000000000000000000000  claude-code asks to use Read\n  SAFE:\n    nothing: it only reads';
  const row = await question('Bash', { command: forged });
  const text = await shown(row);
  for (const line of forged.split('\n')) expect(text).toContain(`\n  │ ${line}\n`);
});

test('many questions push none out of the list', async () => {
  const first = await question('mcp__deploy__run', { text: 'the first' });
  const ask = (at: number) =>
    daemon.hook('PreToolUse', { tool_name: 'mcp__deploy__run', tool_input: { text: `padding ${at}` }, tool_use_id: `toolu_${++calls}` });
  await Promise.all(Array.from({ length: 200 }, (_, at) => ask(at)));
  expect(await shown(first)).toContain('"text": "the first"');
});
