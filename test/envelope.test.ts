// `countersign envelope`: whether a model's text is a tool call, through the real command line. It needs no daemon and no workspace.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CLI } from './lab/installation.ts';
import { verifies } from './verifies.ts';

const folder = mkdtempSync(join(tmpdir(), 'envelope-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function envelope(args: readonly string[], input = '') {
  const env = { ...process.env, COUNTERSIGN_HOME: join(folder, 'home') };
  const { status, stdout, stderr } = spawnSync(CLI, ['envelope', ...args], { cwd: folder, env, input, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const CALL = '{"tool":"file_viewer","args":{"file":"a.md"},"nonce":"n1"}';
const b64 = (bytes: readonly number[]) => Buffer.from(bytes).toString('base64');

verifies('C1', 'each line is answered by a line, in order, malformed ones too; nothing is run or written', () => {
  const questions: readonly (readonly [string, object])[] = [
    [JSON.stringify({ id: 1, mode: 'tool_call', nonce: 'n1', raw: CALL }), { id: 1, code: 'ok', tool: 'file_reader' }],
    [JSON.stringify({ id: 'b', mode: 'tool_call', nonce: 'n1', raw: `${CALL}\n${CALL}` }), { id: 'b', code: 'tool_call_multiple' }],
    [JSON.stringify({ id: 2, mode: 'tool_call', nonce: 'n2', raw: CALL }), { id: 2, code: 'tool_call_nonce_invalid' }],
    ['not json', { id: null, code: 'tool_call_invalid_format', message: 'This line is not JSON.' }],
    ['', { id: null, code: 'tool_call_invalid_format', message: 'This line is not JSON.' }],
    [
      JSON.stringify({ id: 3, mode: 'tool_call', nonce: 'n1', raw_b64: Buffer.from(CALL).toString('base64') }),
      { id: 3, code: 'ok', tool: 'file_reader' },
    ],
    [
      JSON.stringify({ id: 4, mode: 'tool_call', nonce: 'n1', raw_b64: b64([0x7b, 0xff, 0x7d]) }),
      { id: 4, code: 'tool_call_invalid_format' },
    ],
    [JSON.stringify({ id: 5, mode: 'decision', nonce: 'n1', raw: '{"action":"final","nonce":"n1"}' }), { id: 5, code: 'ok' }],
    [JSON.stringify({ id: 6, mode: 'decision', nonce: 'n1', raw: CALL }), { id: 6, code: 'tool_call_invalid_format' }],
    [
      JSON.stringify({ id: 7, mode: 'tool_call', nonce: 'n1', raw: CALL, allowedTools: ['file_locator'] }),
      { id: 7, code: 'tool_call_unknown_tool' },
    ],
    [
      JSON.stringify({ id: 8, mode: 'tool_call', nonce: 'n1', raw: CALL.replace('file"', 'text"') }),
      { id: 8, code: 'tool_call_invalid_args' },
    ],
    [
      JSON.stringify({ id: 9, mode: 'tool_call', nonce: 'n1' }),
      { id: 9, code: 'tool_call_invalid_format', message: 'This line: needs either raw or raw_b64.' },
    ],
    [JSON.stringify({ id: 10, mode: 'tool_call', nonce: 'n1', raw: CALL, raw_b64: 'e30=' }), { id: 10, code: 'tool_call_invalid_format' }],
    [JSON.stringify({ id: 11, mode: 'chat', nonce: 'n1', raw: CALL }), { id: 11, code: 'tool_call_invalid_format' }],
    ['{"id":12,"mode":"tool_call","nonce":"n1","raw":"{\\"a\\":\\"\\ud800\\"}"}', { id: 12, code: 'tool_call_invalid_format' }],
  ];
  const { status, stdout, stderr } = envelope(['--stdin', '--json'], questions.map(([line]) => line).join('\n'));
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect({ status, stderr, answers: answers.length }).toEqual({ status: 0, stderr: '', answers: questions.length });
  for (const [at, [, answer]] of questions.entries()) expect(answers[at]).toMatchObject(answer);
  expect(answers.every((answer) => 'code' in answer && (answer.code === 'ok') !== 'message' in answer)).toBe(true);
  expect(new Set(answers.flatMap(Object.keys))).toEqual(new Set(['id', 'code', 'tool', 'message']));
  expect(readdirSync(folder)).toEqual([]);
});

test('without --stdin it says how it is called', () => {
  const { status, stderr } = envelope([]);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: `countersign: envelope reads its questions from standard input.\n  echo '{"id":1,"mode":"tool_call","nonce":"n1","raw":"{}"}' | countersign envelope --stdin --json\n`,
  });
});
