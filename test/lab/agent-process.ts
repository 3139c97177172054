// An agent as a process of its own: it starts the hook client as agents do, and whatever else a test lets it run. It lives until it is ended.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { CLIENT } from './hook-client.ts';

export interface AgentProcess {
  readonly pid: number;
  /** A hook event of Claude Code, unless `as` names another agent; what the client printed. */
  readonly hook: (event: string, payload?: Readonly<Record<string, unknown>>, as?: string) => Promise<string>;
  /** A command of the agent: run below it, waited for. */
  readonly shell: (command: string) => Promise<string>;
  /** The command of a shell that sends this event, to be put into a program that the agent starts. */
  readonly hookCommand: (event: string, payload?: Readonly<Record<string, unknown>>, as?: string) => Promise<string>;
  readonly end: () => Promise<void>;
}

/** Between the answers to two commands. */
const DONE = '--done--';

export interface AgentPlace {
  /** The daemon's folder. */
  readonly home: string;
  readonly root: string;
  /** Beside this process's own. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function agentProcess({ home, root, env }: AgentPlace, sessionId = 'session-of-test'): Promise<AgentProcess> {
  const base = await mkdtemp(join(tmpdir(), 'countersign-agent-'));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  // What it starts must not share the pipe of its commands: a `script` that is left running would read the next one.
  const loop = `exec 9<&0 </dev/null; while IFS= read -r -u 9 line; do eval "$line" 9<&-; printf '\\n${DONE}\\n'; done`;
  const agent = spawn('bash', ['-c', loop], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(agent, 'exit');
  const lines = createInterface({ input: agent.stdout })[Symbol.asyncIterator]();
  const end = async () => {
    agent.kill('SIGKILL');
    await ended;
  };
  onTestFinished(end);

  const shell = async (command: string): Promise<string> => {
    agent.stdin.write(`${command}\n`);
    const said: string[] = [];
    for (;;) {
      const { value, done } = await lines.next();
      if (done || value === DONE) return said.join('\n').trim();
      said.push(value);
    }
  };
  let payloads = 0;
  const hookCommand: AgentProcess['hookCommand'] = async (event, payload = {}, as = 'claude') => {
    const file = join(base, `payload-${payloads++}`);
    const common = { session_id: sessionId, cwd: root, permission_mode: 'acceptEdits', hook_event_name: event };
    await writeFile(file, JSON.stringify({ ...common, ...payload }));
    return `'${CLIENT}' --home '${home}' --notice '${as}' '${event}' < '${file}'`;
  };
  return {
    pid: agent.pid!,
    shell,
    hookCommand,
    hook: async (...event) => shell(await hookCommand(...event)),
    end,
  };
}
