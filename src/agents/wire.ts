// How our hooks and our server are put into an agent's settings and taken out again. Pure; everything that is not ours stays.

import { Fault } from '../protocol/index.ts';
import type { Json, WirePaths, WrittenHooks } from './adapter.ts';
import { OWN_SERVER } from './dialect.ts';

/** What an agent shows while our hook runs. It cannot be known beforehand whether a call will wait, so it says what to do if it does. */
export const WHILE_ASKING = 'Countersign (if this waits: countersign approve, or countersign watch, in another terminal)';

/** How long a hook may take, in seconds. The deadline comes first: an agent that stops waiting for its hook runs the tool. */
export interface HookTiming {
  /** The agent waits for a verdict; otherwise the hook only reports. */
  readonly decides: boolean;
  /** When the agent stops waiting for the hook. */
  readonly timeout: number;
  /** When the hook client stops waiting for the daemon. */
  readonly deadline: number;
}
export const DECISION: HookTiming = { decides: true, timeout: 120, deadline: 110 };
export const NOTICE: HookTiming = { decides: false, timeout: 30, deadline: 20 };
/** The workspace's checks run during this event. */
export const TURN_END: HookTiming = { decides: false, timeout: 90, deadline: 80 };

export interface HookRequest {
  readonly agent: string;
  readonly event: string;
  readonly timing: HookTiming;
  readonly readTools: readonly string[];
  /** How the client denies by itself where exit 2 does not count, and allows where an empty answer does not. */
  readonly denyAs?: 'cline' | 'copilot' | 'cursor';
}

/** The arguments after the hook client's name. */
export function hookArguments({ agent, event, timing, readTools, denyAs }: HookRequest, { home, observe }: WirePaths): string[] {
  return [
    ...(home === null ? [] : ['--home', home]),
    '--deadline',
    String(timing.deadline),
    ...(timing.decides ? ['--reads', readTools.join(',')] : ['--notice']),
    ...(timing.decides && observe ? ['--observe'] : []),
    ...(denyAs === undefined ? [] : ['--deny-as', denyAs]),
    agent,
    event,
  ];
}

const BROKEN =
  'Countersign DAEMON_UNAVAILABLE: the hook client is missing or broken, so nothing may be done. Ask a human to run: countersign doctor';

/** For an event at which nothing is decided. Without a code: some agents quote the whole line to the model, which would take it for a refusal. */
const UNHEARD = 'Countersign: the hook client is missing or broken. Run: countersign doctor';

/** An agent that cannot deliver its payload treats the hook as failed. */
const DRAIN = 'PATH=/usr/bin:/bin:/run/current-system/sw/bin cat >/dev/null';

/** What the agent gets when the client ends without an answer. No apostrophe: it is placed between two. */
function withoutClient({ timing, denyAs }: Pick<HookRequest, 'timing' | 'denyAs'>, { observe }: Pick<WirePaths, 'observe'>): string {
  const print = (json: unknown) => `echo ${JSON.stringify(JSON.stringify(json))}`;
  const why = `echo "${BROKEN}" >&2`;
  // Not 2, which would reject prompts. The agent shows the error and continues.
  if (!timing.decides) return `echo "${UNHEARD}" >&2; exit 1`;
  if (observe) return `${why}; ${print(denyAs === 'cursor' ? { permission: 'allow' } : {})}; exit 0`;
  if (denyAs === 'cline') return `${print({ cancel: true, errorMessage: BROKEN })}; exit 0`;
  if (denyAs !== 'copilot') return `${why}; exit 2`;
  const no = { permissionDecision: 'deny', permissionDecisionReason: BROKEN };
  return `${print({ ...no, hookSpecificOutput: { hookEventName: 'PreToolUse', ...no } })}; exit 0`;
}

/**
 * A program for bash that runs the hook client. Sourced, so that a client which is missing, empty, cut off or a folder ends in a denial
 * that the agent obeys: bash alone would end with a failure that most agents treat as consent, or with success.
 */
export function clientRunner(request: Pick<HookRequest, 'timing' | 'denyAs'>, paths: Pick<WirePaths, 'observe'>): string {
  return `broken() { ${DRAIN}; ${withoutClient(request, paths)}; }; trap broken EXIT; set +o posix; . "$0" "$@"`;
}

/**
 * In POSIX mode bash takes no exported function of this name for the command. A prefix of the command, which the grammars of other
 * shells have too; the runner ends the mode, and with it the variable.
 */
const EXEC = 'POSIXLY_CORRECT=1 exec';

/**
 * The hook as one line for a shell. One plain command, because agents also give it to shells with another grammar. `exec`: the client's parent is
 * then the agent, which is how the agent's process is known. `-p`: bash takes no program, function or option out of the environment.
 * A bare name of the client is only sourced where it is on PATH: bash would otherwise take a file of that name in the work tree for it.
 * Where a committed file meets a machine without Countersign, `answer` is printed (nothing by default) and the call continues.
 */
export function hookLine(request: HookRequest, paths: WirePaths, answer = ''): string {
  const program = [paths.bash ?? 'bash', '-p', '-c', clientRunner(request, paths), paths.hookClient];
  const line = `${EXEC} ${[...program, ...hookArguments(request, paths)].map(quoted).join(' ')}`;
  if (!paths.optional) return line;
  const absent = answer === '' ? 'exit 0' : `{ printf '%s\\n' ${quoted(answer)}; exit 0; }`;
  return `command -v ${quoted(paths.hookClient)} >/dev/null 2>&1 || ${absent}; ${line}`;
}

const quoted = (word: string): string => (/^[\w./,:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

const named = (program: string): string => `(?:'(?:[^']|'\\\\'')*/${program}'|(?:[^\\s']*/)?${program})`;
const CLIENT = `${named('countersign-hook')}(?: |$)`;
const ABSENT = `command -v [^\\s']+ >/dev/null 2>&1 \\|\\| (?:exit 0|\\{ printf '%s\\\\n' [^;]*; exit 0; \\}); `;
const OUR_LINE = new RegExp(`^(?:${ABSENT})?(${EXEC}|exec) ${named('bash')} -p -c '(broken\\(\\) [^']*)' ${CLIENT}`);
/** As earlier versions wrote it: if the client is missing or empty, most agents continue. */
const EARLIER_LINE = new RegExp(`^(?:command -v .*; )?exec (?:bash )?${CLIENT}`);

/** Whether a program, or a line for a shell, is our hook client as it is written here, or was. */
export const startsOurClient = (command: unknown): boolean =>
  typeof command === 'string' && (command.endsWith('/countersign-hook') || OUR_LINE.test(command) || EARLIER_LINE.test(command));

const RUNNERS: ReadonlySet<string> = new Set(
  [DECISION, NOTICE].flatMap((timing) =>
    [true, undefined].flatMap((observe) =>
      ([undefined, 'cline', 'copilot', 'cursor'] as const).map((denyAs) =>
        clientRunner({ timing, ...(denyAs && { denyAs }) }, { ...(observe && { observe }) }),
      ),
    ),
  ),
);

/** What our lines do. The text before the client must match ours exactly. */
export function writtenHooks(lines: readonly string[]): WrittenHooks {
  const ours = lines.filter(startsOurClient);
  return {
    failClosed: ours.every((line) => {
      const [, exec, runner = ''] = OUR_LINE.exec(line) ?? [];
      return exec === EXEC && RUNNERS.has(runner);
    }),
    observe: ours.some((line) => line.includes(' --observe ')),
  };
}

/** The environment of a hook whose line the agent passes to bash: bash would first run the file in one variable, and obey the other. */
export const PLAIN_BASH = { BASH_ENV: '', SHELLOPTS: '' } as const;

/** A group, or a single hook, that holds nothing but ours. `commands`: the fields in which this agent names the program. */
export function isOurHook(group: unknown, commands: readonly string[] = ['command']): boolean {
  const ours = (hook: unknown) => commands.some((field) => startsOurClient((hook as Json | null)?.[field]));
  const hooks = (group as Json | null)?.hooks;
  return Array.isArray(hooks) ? hooks.length > 0 && hooks.every(ours) : ours(group);
}

/**
 * `settings.hooks[event]` is a list in every agent that has such a file. Ours stay where they are, or come last: agents identify other
 * hooks by their position.
 */
export function withHooks(
  file: string,
  settings: Json,
  ours: Readonly<Record<string, unknown>>,
  isOurs: (group: unknown) => boolean = isOurHook,
): Json {
  const rest = withoutHooks(file, settings, isOurs);
  const before = objectAt(file, 'hooks', settings.hooks);
  const hooks: Json = { ...objectAt(file, 'hooks', rest.hooks) };
  for (const [event, group] of Object.entries(ours)) {
    const others = listAt(file, `hooks.${event}`, hooks[event]);
    const at = listAt(file, `hooks.${event}`, before[event]).findIndex((each) => isOurs(each));
    hooks[event] = others.toSpliced(at < 0 ? others.length : at, 0, group);
  }
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

/** Variables that the wall program reads: which daemon to ask, and about which agent's session. */
export const WALL_HOME = 'COUNTERSIGN_WALL_HOME';
export const WALL_AGENT = 'COUNTERSIGN_WALL_AGENT';
export const WALL_SESSION = 'COUNTERSIGN_WALL_SESSION';
/** Names of the client's own variables: the one that marks commands of tools, and the one with the session. */
export const WALL_MARK = 'COUNTERSIGN_WALL_MARK';
export const WALL_NAMES = 'COUNTERSIGN_WALL_NAMES';
/** What the hook client reports. */
export const WALL_SHELL = 'COUNTERSIGN_WALL_SHELL';

export const isOurWall = (program: unknown): boolean => typeof program === 'string' && /\/countersign-wall-(?:bash|zsh)$/.test(program);

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

// A different form from the agent's own is a human's mistake: writing would lose what they meant.
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
    fix: 'Fix it, then run countersign init again; nothing was written',
  });

/** A shell that gets the bare text of a command, and nothing else that walls have to know of. */
export const PLAIN_SEAM = {
  commandIn: (line: string) => line,
  readsBack: () => null,
  startWrites: [],
  shownInTemp: [],
  programIn: () => null,
} as const;

/** A file of the work tree that is written for people who commit it and for those who do not, and that cannot switch hooks off. */
export const IN_WORK_TREE = { audience: 'both', place: 'workspace', isSwitchedOffBy: () => false } as const;
