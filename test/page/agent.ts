// An agent as the gate sees it: its calls go through the real hook client and, for the gate's own tools, through the real MCP
// pipe. Only the model is missing. Each hook has a shell as its parent, which plays the agent's process: the test itself must
// not count as an agent, or no human could type below it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { CLI } from '../lab/installation.ts';

const HOOK = fileURLToPath(new URL('../../bin/countersign-hook', import.meta.url));

/** The hook's answer to the agent; null where it has no opinion and the call goes ahead. */
export interface Decision {
  readonly permission: 'allow' | 'deny' | null;
  readonly reason: string;
}

export interface Agent {
  readonly start: () => Promise<void>;
  /** Cites the only active intent. */
  readonly beginWork: () => Promise<void>;
  /** One of the gate's own tools. */
  readonly own: (tool: string, args: Record<string, unknown>) => Promise<void>;
  /** Asks the gate, waits as long as a human needs, and leaves the call running. */
  readonly ask: (tool: string, input: object) => Promise<Decision>;
  /** The same; if allowed, does it and reports it. */
  readonly call: (tool: string, input: object, work: () => Promise<unknown>) => Promise<Decision>;
  /** The same, and reports that the call failed. */
  readonly fail: (tool: string, input: object, error: string) => Promise<Decision>;
  readonly end: () => Promise<void>;
}

interface AgentOptions {
  readonly name: string;
  readonly home: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

export function makeAgent({ name, home, root, env }: AgentOptions): Agent {
  let calls = 0;
  const nextId = () => `toolu_${name}_${++calls}`;

  async function hook(event: string, payload: object): Promise<Decision> {
    const args = [HOOK, '--home', home, '--deadline', '60', 'claude', event];
    const child = spawn('sh', ['-c', '"$@"; exit $?', 'agent', ...args], {
      cwd: root,
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(JSON.stringify({ session_id: name, cwd: root, permission_mode: 'acceptEdits', hook_event_name: event, ...payload }));
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close') as Promise<[number]>]);
    if (code !== 0) return { permission: 'deny', reason: stderr.trim() };
    const { hookSpecificOutput: said } = JSON.parse(stdout) as { hookSpecificOutput?: Record<string, string> };
    const permission = said?.['permissionDecision'];
    return {
      permission: permission === 'allow' || permission === 'deny' ? permission : null,
      reason: said?.['permissionDecisionReason'] ?? '',
    };
  }
  const before = (id: string, tool: string, input: object) => hook('PreToolUse', { tool_name: tool, tool_input: input, tool_use_id: id });
  const own = async (name: string, args: Record<string, unknown>): Promise<void> => {
    const id = nextId();
    await before(id, `mcp__countersign__${name}`, args);
    const client = new Client({ name: 'claude-code', version: '1' });
    await client.connect(new StdioClientTransport({ command: CLI, args: ['mcp', '--home', home], cwd: root, env: { ...env } }));
    const result = await client.callTool({ name, arguments: args, _meta: { 'claudecode/toolUseId': id } });
    await client.close();
    if (result.isError) throw new Error(JSON.stringify(result.content));
  };

  return {
    start: async () => void (await hook('SessionStart', { source: 'startup' })),
    beginWork: () => own('begin_work', {}),
    own,
    ask: (tool, input) => before(nextId(), tool, input),
    call: async (tool, input, work) => {
      const id = nextId();
      const decision = await before(id, tool, input);
      if (decision.permission === 'deny') return decision;
      const tool_response = await work();
      await hook('PostToolUse', { tool_name: tool, tool_input: input, tool_use_id: id, tool_response });
      return decision;
    },
    fail: async (tool, input, error) => {
      const id = nextId();
      const decision = await before(id, tool, input);
      if (decision.permission === 'deny') return decision;
      await hook('PostToolUseFailure', { tool_name: tool, tool_input: input, tool_use_id: id, error });
      return decision;
    },
    end: async () => void (await hook('SessionEnd', { reason: 'exit' })),
  };
}
