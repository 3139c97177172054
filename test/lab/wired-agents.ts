// Every agent's hook as `init` writes it, started as that agent starts it, and how that agent treats the result. For tests that need to
// know whether a change would land in any of them; the rules were seen in the real clients, or are in their sources.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { WirePaths } from '../../src/agents/adapter.ts';
import { hookAdapters } from '../../src/agents/index.ts';
import { pre } from './hook-client.ts';

export interface Heard {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The agent could write all of its payload. */
  readonly taken: boolean;
}

interface Hook {
  readonly command?: string;
  readonly bash?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly onFailure?: string;
  readonly failClosed?: boolean;
}

interface Habits {
  readonly file: string;
  readonly event: string;
  /** The shell that it gives the line to; null: it starts the file itself. */
  readonly shell: readonly string[] | null;
  readonly payload: object;
  /** Whether the tool runs. */
  readonly goesOn: (heard: Heard, hook: Hook) => boolean;
}

const json = ({ stdout }: Heard): Record<string, unknown> => {
  try {
    return Object(JSON.parse(stdout)) as Record<string, unknown>;
  } catch {
    return {};
  }
};
const saysDeny = (heard: Heard): boolean => {
  const { hookSpecificOutput, ...top } = json(heard);
  const nested = Object(hookSpecificOutput) as Record<string, unknown>;
  return [top['decision'], top['permission'], top['permissionDecision'], nested['permissionDecision']].some(
    (said) => said === 'deny' || said === 'block',
  );
};
const byExit2 = (heard: Heard): boolean => !(heard.code === 2 && heard.stderr.trim() !== '') && !(heard.code === 0 && saysDeny(heard));
const change = { file_path: 'a', old_string: 'b', new_string: 'c' };

export const HABITS: Readonly<Record<string, Habits>> = {
  claude: {
    ...{ file: '.claude/settings.local.json', event: 'PreToolUse', shell: ['/bin/sh', '-c'], payload: pre('Edit', change) },
    goesOn: (heard, { onFailure }) => byExit2(heard) && (heard.code === 0 || onFailure !== 'block'),
  },
  vscode: {
    ...{ file: '.claude/settings.local.json', event: 'PreToolUse', shell: ['/bin/sh', '-c'] },
    ...{ payload: pre('replace_string_in_file', { filePath: 'a' }), goesOn: byExit2 },
  },
  codex: {
    ...{ file: '.codex/hooks.json', event: 'PreToolUse', shell: ['/bin/sh', '-lc'], payload: pre('apply_patch', { command: 'x' }) },
    // It takes the shell of the user. A payload that it cannot write is a failed hook, and the tool runs.
    goesOn: (heard) => !heard.taken || byExit2(heard),
  },
  gemini: {
    ...{ file: '.gemini/settings.json', event: 'BeforeTool', shell: ['/bin/bash', '-c'], payload: pre('replace', change) },
    goesOn: byExit2,
  },
  qwen: { file: '.qwen/settings.json', event: 'PreToolUse', shell: ['/bin/bash', '-c'], payload: pre('edit', change), goesOn: byExit2 },
  copilot: {
    ...{ file: '.github/hooks/countersign.json', event: 'preToolUse', shell: ['/bin/bash', '-c'] },
    payload: { sessionId: 's', toolName: 'edit', toolArgs: '{}' },
    // Exit 2 would block too, but the agent would not get the reason.
    goesOn: (heard) => !saysDeny(heard),
  },
  cursor: {
    ...{ file: '.cursor/hooks.json', event: 'preToolUse', shell: ['/bin/sh', '-c'], payload: pre('Write', change) },
    goesOn: (heard, { failClosed }) => byExit2(heard) && ((heard.code === 0 && heard.stdout.trim() !== '') || failClosed !== true),
  },
  cline: {
    ...{ file: '.cline/hooks/PreToolUse', event: '', shell: null },
    payload: { hookName: 'tool_call', taskId: 't', tool_call: { id: 'c', name: 'editor', input: change } },
    goesOn: (heard) => json(heard)['cancel'] !== true,
  },
  opencode: { file: '.opencode/plugins/countersign.js', event: '', shell: null, payload: change, goesOn: () => true },
};

export interface Attempt {
  /** Where the agent's files are written. */
  readonly folder: string;
  readonly paths: WirePaths;
  readonly env: Readonly<Record<string, string>>;
  /** Put into the payload, so that it is as long as this. */
  readonly padding?: string;
}

/** The result of a change: `landed`, or the message that stopped the agent. */
export async function tryChange(name: string, { folder, paths, env, padding = '' }: Attempt): Promise<string> {
  const { file, event, shell, payload, goesOn } = HABITS[name]!;
  const wired = hookAdapters.get(name)!.wiring.find((each) => each.file === file)!;
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true });
  const text = wired.form === 'json' ? JSON.stringify(wired.wire({}, paths)) : wired.wire(null, paths);
  await writeFile(`${path}.text`, text.replaceAll(/(--deadline[ ",]+)\d+/g, '$11'));
  // Not opened for writing here: a process that is started now would inherit it, and a program that is open for writing cannot be started.
  await promisify(execFile)('install', ['-m', '755', `${path}.text`, path]);
  if (name === 'opencode') return tryPlugin(path, { ...change, padding }, env);
  const groups = shell && (JSON.parse(text) as { hooks: Record<string, (Hook & { hooks?: Hook[] })[]> }).hooks[event];
  const hook: Hook = groups?.[0]?.hooks?.[0] ?? groups?.[0] ?? {};
  const line = (hook.command ?? hook.bash ?? '').replaceAll(/(--deadline )\d+/g, '$11');
  const [program = path, ...args] = shell ? [...shell, line] : [];
  const heard = await run(program, args, { ...env, ...hook.env }, folder, JSON.stringify({ ...payload, padding }));
  return goesOn(heard, hook) ? 'landed' : `${heard.stdout}${heard.stderr}`;
}

async function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd: string, payload: string): Promise<Heard> {
  const child = spawn(program, args, { cwd, env, signal: AbortSignal.timeout(100_000) });
  let taken = true;
  child.stdin.on('error', () => (taken = false));
  child.stdin.end(payload);
  const [stdout, stderr, [code]] = await Promise.all([readAll(child.stdout), readAll(child.stderr), once(child, 'close')]);
  return { code: code as number | null, stdout, stderr, taken };
}

/** In a process of its own: the plugin uses the environment of its host. */
async function tryPlugin(path: string, args: object, env: NodeJS.ProcessEnv): Promise<string> {
  const program = `
    import { text } from 'node:stream/consumers';
    const { Countersign } = await import(${JSON.stringify(pathToFileURL(path).href)});
    const hooks = await Countersign({ directory: '/' });
    const call = { tool: 'edit', sessionID: 's', callID: 'c' };
    const args = JSON.parse(await text(process.stdin));
    await hooks['tool.execute.before'](call, { args }).then(() => console.log('landed'), (error) => console.log(error.message));`;
  const heard = await run(process.execPath, ['--input-type=module', '-e', program], env, dirname(path), JSON.stringify(args));
  return heard.stdout.trim() || `failed: ${heard.stderr}`;
}
