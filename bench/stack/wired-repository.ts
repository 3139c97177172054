// A repository with a standing intent behind a real daemon, driven by the real command line; and a session whose agent has begun to work.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export const bin = (name: string): string => fileURLToPath(new URL(`../../bin/${name}`, import.meta.url));

export interface WiredRepository {
  readonly home: string;
  readonly repo: string;
  readonly env: Readonly<Record<string, string>>;
  /** What an agent sends before an edit that may pass; another id each time, or the gate would answer from memory. */
  readonly editPayload: (id: string) => string;
  readonly end: () => void;
}

export async function wiredRepository(base: string): Promise<WiredRepository> {
  const home = join(base, 'home');
  const repo = join(base, 'repo');
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(base, 'user'), COUNTERSIGN_HOME: home, MCP_DASHBOARD_PORT: '0' };
  const countersign = (...args: string[]) =>
    execFileSync(bin('countersign'), args, { cwd: repo, env, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  const end = () => {
    try {
      process.kill(Number(/"pid":\s*(\d+)/.exec(countersign('status', '--json'))?.[1]), 'SIGTERM');
    } catch {
      // No daemon came up.
    }
  };
  const payload = (event: string, more: object) =>
    JSON.stringify({ session_id: 'bench', cwd: repo, hook_event_name: event, permission_mode: 'acceptEdits', ...more });
  const hook = (event: string, more: object) => {
    const { status, stdout, stderr } = spawnSync(bin('countersign-hook'), ['--home', home, 'claude', event], {
      ...{ env, input: payload(event, more), encoding: 'utf8' },
    });
    if (status !== 0 || stdout.includes('"deny"')) throw new Error(`${event}: ${stdout}${stderr}`);
  };

  mkdirSync(join(repo, 'src'), { recursive: true });
  const file = join(repo, 'src/a.ts');
  writeFileSync(file, 'export const a = 1;\n');
  execFileSync('git', ['init', '--quiet'], { cwd: repo });
  try {
    startDaemon(() => countersign('start', '--quiet'));
    countersign('init', '--yes', '--agent', 'claude', '--intent', 'everyday work', '--paths', 'src');
    hook('SessionStart', { source: 'startup' });
    hook('UserPromptSubmit', { prompt: 'change a', prompt_id: 'p1' });
    const client = new Client({ name: 'bench', version: '1' });
    await client.connect(new StdioClientTransport({ command: bin('countersign'), args: ['mcp'], cwd: repo, env }));
    hook('PreToolUse', { tool_name: 'mcp__countersign__begin_work', tool_input: {}, tool_use_id: 'begin' });
    const begun = await client.callTool({ name: 'begin_work', arguments: {}, _meta: { 'claudecode/toolUseId': 'begin' } });
    await client.close();
    if (begun.isError) throw new Error(JSON.stringify(begun.structuredContent));
  } catch (error) {
    end();
    throw error;
  }
  const edit = { tool_name: 'Edit', tool_input: { file_path: file, old_string: '1', new_string: '2' } };
  return { home, repo, env, end, editPayload: (id) => payload('PreToolUse', { ...edit, tool_use_id: id }) };
}

/** A busy machine may need longer than a person would wait. */
function startDaemon(start: () => unknown, attempts = 4): void {
  try {
    start();
  } catch (error) {
    if (attempts === 1) throw error;
    startDaemon(start, attempts - 1);
  }
}
