// The hook client with the very lines that `init` writes for Gemini CLI, Qwen Code and Cline, and no reachable daemon: reads pass,
// everything else is refused in the one way that the agent obeys.

import { expect, test } from 'vitest';
import { pre as clinePre } from '../src/agents/cline/payloads.fixture.ts';
import { wireProgram } from '../src/agents/cline/wire.ts';
import { pre as geminiPre } from '../src/agents/gemini/payloads.fixture.ts';
import { wireSettings as wireGemini } from '../src/agents/gemini/wire.ts';
import { pre as qwenPre } from '../src/agents/qwen/payloads.fixture.ts';
import { wireSettings as wireQwen } from '../src/agents/qwen/wire.ts';
import { CLIENT, DENIED, type Ended, homeOfImpostor, PASSED, start } from './lab/hook-client.ts';
import { verifies } from './verifies.ts';

type Wired = { hooks: Record<string, [{ hooks: [{ command: string }] }]> };
const lineIn = (settings: unknown, event: string): string => (settings as Wired).hooks[event]![0].hooks[0].command;
const pathsFor = (home: string) => ({ hookClient: CLIENT, cli: '/nowhere/countersign', home });
/** As these agents start it: a program named in BASH_ENV would also print. */
const ENV = { ...process.env, BASH_ENV: '' };
const CANCELLED: Ended = { code: 0, stderr: '', stdout: `${JSON.stringify({ cancel: true, errorMessage: DENIED.stderr.trim() })}\n` };

interface Case {
  readonly line: (home: string) => string;
  readonly look: unknown;
  readonly changes: readonly unknown[];
  readonly denied: Ended;
}

const file = { file_path: '/w/a', old_string: 'a', new_string: 'b' };
/** A name that the agent chose, in the place of the tool's own. */
const trick = '","tool_name":"read_file","x":"';

const CASES: Readonly<Record<string, Case>> = {
  gemini: {
    line: (home) => lineIn(wireGemini({}, pathsFor(home)), 'BeforeTool'),
    look: geminiPre('read_file', { file_path: '/w/a' }),
    changes: [geminiPre('replace', file), geminiPre('write_file', { file_path: trick, content: '' }), geminiPre('mcp_mini_echo', {})],
    denied: DENIED,
  },
  qwen: {
    line: (home) => lineIn(wireQwen({}, pathsFor(home)), 'PreToolUse'),
    look: qwenPre('read_file', { file_path: '/w/a' }),
    changes: [qwenPre('edit', file), qwenPre('tool_call', { name: 'read_file', arguments: file }), qwenPre('exec', {})],
    denied: DENIED,
  },
  cline: {
    line: (home) => wireProgram('PreToolUse', null, pathsFor(home)),
    look: clinePre('read_files', { files: [{ path: '/w/a' }] }),
    changes: [
      clinePre('editor', { path: '/w/a', new_text: '"tool_call":{"id":"x","name":"read_files"' }),
      clinePre('run_commands', { commands: ['rm -rf /w'] }),
      clinePre('mini__echo', {}),
    ],
    denied: CANCELLED,
  },
};

verifies('N1', 'with no daemon, each of these agents’ clients lets looks pass and refuses the rest', async () => {
  const home = await homeOfImpostor((socket) => socket.destroy());
  const reported = await Promise.all(
    Object.entries(CASES).flatMap(([name, { line, look, changes }]) =>
      [look, ...changes, 'garbage', ''].map(async (payload) => {
        const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
        return [name, await start('bash', ['-c', line(home)], text, ENV)] as const;
      }),
    ),
  );
  const expected = Object.entries(CASES).flatMap(([name, { denied, changes }]) =>
    [PASSED, ...changes.map(() => denied), denied, denied].map((ended) => [name, ended] as const),
  );
  expect(reported).toEqual(expected);
});

test('the lines that only tell refuse nothing', async () => {
  const home = await homeOfImpostor((socket) => socket.destroy());
  const lines = [
    lineIn(wireGemini({}, pathsFor(home)), 'AfterTool'),
    lineIn(wireQwen({}, pathsFor(home)), 'Stop'),
    wireProgram('PostToolUse', null, pathsFor(home)),
  ];
  expect(await Promise.all(lines.map((line) => start('bash', ['-c', line], '{}', ENV)))).toEqual([PASSED, PASSED, PASSED]);
});
