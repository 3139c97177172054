// From an installation to the first edit that passes: what a person waits for on the first day. A new home, a new repository, the real
// command line, the real hook client and the real MCP pipe; two human actions: `countersign init` with a standing intent, and a prompt.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { report } from './report/report.ts';

const bin = (name: string) => fileURLToPath(new URL(`../bin/${name}`, import.meta.url));
// Short: a socket's path has little room.
const base = mkdtempSync(join(tmpdir(), 'cs-'));
const home = join(base, 'home');
const repo = join(base, 'repo');
const env = { PATH: process.env['PATH'] ?? '', HOME: join(base, 'user'), COUNTERSIGN_HOME: home, MCP_DASHBOARD_PORT: '0' };

const countersign = (...args: string[]) => execFileSync(bin('countersign'), args, { cwd: repo, env, stdio: ['ignore', 'pipe', 'inherit'] });

/** As the agent's hook: what the client printed; throws when it denied. */
function hook(event: string, payload: object): string {
  const input = JSON.stringify({ session_id: 'first', cwd: repo, hook_event_name: event, permission_mode: 'acceptEdits', ...payload });
  const { status, stdout, stderr } = spawnSync(bin('countersign-hook'), ['--home', home, 'claude', event], {
    env,
    input,
    encoding: 'utf8',
  });
  if (status !== 0 || stdout.includes('"deny"')) throw new Error(`${event}: ${stdout}${stderr}`);
  return stdout;
}

let humanActions = 0;
let extraCalls = 0;

try {
  mkdirSync(join(repo, 'src'), { recursive: true });
  writeFileSync(join(repo, 'src/a.ts'), 'export const a = 1;\n');
  execFileSync('git', ['init', '-q'], { cwd: repo });

  const started = performance.now();
  countersign('init', '--yes', '--intent', 'everyday work', '--paths', 'src');
  humanActions += 1;
  const installed = performance.now();
  hook('SessionStart', { source: 'startup' });
  hook('UserPromptSubmit', { prompt: 'change a', prompt_id: 'p1' });
  humanActions += 1;
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ command: bin('countersign'), args: ['mcp'], cwd: repo, env }));
  hook('PreToolUse', { tool_name: 'mcp__countersign__begin_work', tool_input: {}, tool_use_id: 't1' });
  const begun = await client.callTool({ name: 'begin_work', arguments: {}, _meta: { 'claudecode/toolUseId': 't1' } });
  extraCalls += 1;
  if (begun.isError) throw new Error(JSON.stringify(begun.structuredContent));
  const edit = { file_path: join(repo, 'src/a.ts'), old_string: '1', new_string: '2' };
  hook('PreToolUse', { tool_name: 'Edit', tool_input: edit, tool_use_id: 't2' });
  const passed = performance.now();
  await client.close();

  report('first edit', [
    { what: 'init with a standing intent', value: (installed - started) / 1000, unit: 's' },
    { what: 'installed to first allowed edit', value: (passed - started) / 1000, unit: 's', atMost: 60 },
    { what: 'human actions', value: humanActions, unit: '', atMost: 2 },
    { what: 'extra calls of the agent for the prompt', value: extraCalls, unit: '', atMost: 1 },
  ]);
} finally {
  try {
    process.kill(Number(/"pid":\s*(\d+)/.exec(countersign('status', '--json').toString())?.[1]), 'SIGTERM');
  } catch {
    // No daemon came up.
  }
  rmSync(base, { recursive: true, force: true, maxRetries: 5 });
}
