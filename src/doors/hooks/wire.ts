// How our hooks and our server are put into an agent's settings and taken out again. Pure; everything that is not ours stays.

import { Fault } from '../../protocol/index.ts';
import type { Json, WirePaths } from './adapter.ts';
import { OWN_SERVER } from './dialect.ts';

/** Seconds. The client gives up before the agent does: an agent that stops waiting for its hook runs the tool. */
export interface Patience {
  readonly decides: boolean;
  /** The agent's. */
  readonly timeout: number;
  /** The client's. */
  readonly deadline: number;
}
export const DECISION: Patience = { decides: true, timeout: 120, deadline: 110 };
export const NOTICE: Patience = { decides: false, timeout: 30, deadline: 20 };
/** The workspace's checks run then. */
export const TURN_END: Patience = { decides: false, timeout: 90, deadline: 80 };

export interface HookWish {
  readonly agent: string;
  readonly event: string;
  readonly patience: Patience;
  readonly readTools: readonly string[];
  /** How the client says no by itself, where exit 2 does not count: a name that the client knows. */
  readonly denyAs?: string;
}

/** What comes after the hook client's name. */
export function hookArguments({ agent, event, patience, readTools, denyAs }: HookWish, { home }: WirePaths): string[] {
  return [
    ...(home === null ? [] : ['--home', home]),
    '--deadline',
    String(patience.deadline),
    ...(patience.decides ? ['--reads', readTools.join(',')] : ['--notice']),
    ...(denyAs === undefined ? [] : ['--deny-as', denyAs]),
    agent,
    event,
  ];
}

/**
 * The hook as one line for a shell. `exec`: the client's parent is then the agent, which is how the agent's process is known. `bash`: the
 * shell finds it as the client's first line would, and an agent waits for one program less. Never with a bare name: bash would take a
 * file of that name in the work tree for it.
 * Where a committed file meets a machine without Countersign, `answer` is printed (nothing by default) and the call goes on.
 */
export function hookLine(wish: HookWish, paths: WirePaths, answer = ''): string {
  const program = paths.hookClient.startsWith('/') ? ['bash', paths.hookClient] : [paths.hookClient];
  const line = `exec ${[...program, ...hookArguments(wish, paths)].map(quoted).join(' ')}`;
  if (!paths.optional) return line;
  const absent = answer === '' ? 'exit 0' : `{ printf '%s\\n' ${quoted(answer)}; exit 0; }`;
  return `command -v ${quoted(paths.hookClient)} >/dev/null 2>&1 || ${absent}; ${line}`;
}

const quoted = (word: string): string => (/^[\w./,:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

const OUR_LINE = /^(?:command -v .*; )?exec (?:bash )?(?:'(?:[^']*\/)?countersign-hook'|(?:[^\s']*\/)?countersign-hook)(?: |$)/;

/** Whether a program, or a line for a shell, is our hook client as it is written here. */
export const startsOurClient = (command: unknown): boolean =>
  typeof command === 'string' && (command.endsWith('/countersign-hook') || OUR_LINE.test(command));

/** A group, or a single hook, that holds nothing but ours. `commands`: the fields in which this agent names the program. */
export function isOurHook(group: unknown, commands: readonly string[] = ['command']): boolean {
  const ours = (hook: unknown) => commands.some((field) => startsOurClient((hook as Json | null)?.[field]));
  const hooks = (group as Json | null)?.hooks;
  return Array.isArray(hooks) ? hooks.length > 0 && hooks.every(ours) : ours(group);
}

/** `settings.hooks[event]` is a list in every agent that has such a file. Ours come last. */
export function withHooks(
  file: string,
  settings: Json,
  ours: Readonly<Record<string, unknown>>,
  isOurs: (group: unknown) => boolean = isOurHook,
): Json {
  const rest = withoutHooks(file, settings, isOurs);
  const hooks: Json = { ...objectAt(file, 'hooks', rest.hooks) };
  for (const [event, group] of Object.entries(ours)) hooks[event] = [...listAt(file, `hooks.${event}`, hooks[event]), group];
  return { ...rest, hooks };
}

/** Removes what is ours, and the lists that only held ours. */
export function withoutHooks(file: string, settings: Json, isOurs: (group: unknown) => boolean = isOurHook): Json {
  if (!('hooks' in settings)) return settings;
  const { hooks: _hooks, ...rest } = settings;
  const before = objectAt(file, 'hooks', settings.hooks);
  const hooks = Object.keys(before).flatMap((event) =>
    remainder([event, listAt(file, `hooks.${event}`, before[event])], (group) => !isOurs(group)),
  );
  return hooks.length > 0 || Object.keys(before).length === 0 ? { ...rest, hooks: Object.fromEntries(hooks) } : rest;
}

/** One of the groups at `event` is ours. */
export function hasHook(settings: unknown, event: string, isOurs: (group: unknown) => boolean = isOurHook): boolean {
  const groups = ((settings as Json | null)?.hooks as Json | null | undefined)?.[event];
  return Array.isArray(groups) && groups.some((group) => isOurs(group));
}

/** Our MCP server on stdio, as most agents write one. */
export const ownServer = ({ cli, home }: WirePaths): { command: string; args: string[] } => ({
  command: cli,
  args: ['mcp', ...(home === null ? [] : ['--home', home])],
});

/** `key`: where the agent keeps its servers by name. */
export const withServer = (file: string, config: Json, server: Json, key = 'mcpServers'): Json => ({
  ...config,
  [key]: { ...objectAt(file, key, config[key]), [OWN_SERVER]: server },
});

export function withoutServer(file: string, config: Json, key = 'mcpServers'): Json {
  const { [key]: servers, ...rest } = config;
  const before = objectAt(file, key, servers);
  if (!Object.hasOwn(before, OWN_SERVER)) return config;
  const { [OWN_SERVER]: _ours, ...others } = before;
  return Object.keys(others).length > 0 ? { ...rest, [key]: others } : rest;
}

export const hasServer = (config: unknown, key = 'mcpServers'): boolean =>
  Object.hasOwn(Object((config as Json | null)?.[key]) as object, OWN_SERVER);

/** A list without what is ours, by its name; nothing when only ours was in it. */
export function remainder([name, list]: [string, unknown[]], isForeign: (item: unknown) => boolean): [string, unknown[]][] {
  const kept = list.filter(isForeign);
  return kept.length > 0 || list.length === 0 ? [[name, kept]] : [];
}

// What has another form than the agent's own is a human's mistake: writing on would lose what they meant.
export function listAt(file: string, where: string, value: unknown): unknown[] {
  if (value === undefined || Array.isArray(value)) return value ?? [];
  throw misshapen(file, where, 'a list');
}

export function objectAt(file: string, where: string, value: unknown): Json {
  if (value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value))) return (value ?? {}) as Json;
  throw misshapen(file, where, 'an object');
}

const misshapen = (file: string, where: string, form: string): Fault =>
  new Fault('DOCUMENT_INVALID', `${file}: ${where} is not ${form}.`, {
    fix: 'Mend it, then run countersign init again; nothing was written',
  });
