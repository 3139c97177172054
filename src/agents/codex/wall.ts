// The walls that Codex itself puts around commands: a permission profile. The profile of a work tree is in the user's settings, where the
// daemon keeps it up to date with the active intents; the repository's settings name it. Codex reads both when it starts, and writes what
// is in force into its own record of the session, in which each call is looked up.

import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ProfileWalls, WallProfile, WallsInForce } from '../adapter.ts';
import { withBlockAtEnd, withBlockAtStart, withoutBlockAtStart, withoutBlockBetween } from './marked-block.ts';

/** One for each work tree: the user's settings hold them all. */
export const profileName = (root: string): string => `countersign_${createHash('sha256').update(root).digest('hex').slice(0, 12)}`;

const START_BEGIN = '# Countersign: begin walls, written by `countersign init`';
const START_END = '# Countersign: end walls';

/** A key of the file itself has to come before its tables. */
export function nameProfile(settings: string, { root, temp }: { readonly root: string; readonly temp: string }): string {
  const rest = forgetProfile(settings);
  // A profile that a human chose stays; then commands have no walls of ours, and the gate says so.
  if (/^\s*(?:default_permissions|sandbox_mode)\s*=/m.test(rest)) return rest;
  const environment = /shell_environment_policy/.test(rest) ? [] : [`shell_environment_policy.set.TMPDIR = ${quoted(temp)}`];
  return withBlockAtStart(rest, [START_BEGIN, `default_permissions = ${quoted(profileName(root))}`, ...environment, START_END].join('\n'));
}

export const forgetProfile = (settings: string): string => withoutBlockAtStart(settings, START_BEGIN, START_END);

const begin = (root: string) => `# Countersign: begin, walls of ${quoted(root)}, kept by its daemon`;
const END = '# Countersign: end of walls';

/** Tables in another form cannot be extended without a full TOML parser: a mistake would keep Codex from starting. */
const OTHER_FORM = /^\s*(?:permissions\s*=|permissions\.|\[permissions\])/m;

export const withoutWalls = (settings: string, root: string): string | null => withoutBlockBetween(settings, begin(root), END);

export function withWalls(settings: string | null, root: string, { writable, closed, hidden }: ProfileWalls): string | null {
  const rest = settings === null ? '' : (withoutWalls(settings, root) ?? '');
  if (OTHER_FORM.test(rest)) return settings;
  const name = profileName(root);
  const places = new Map([
    ...writable.map((place) => [place, 'write'] as const),
    ...closed.map((place) => [place, 'read'] as const),
    ...hidden.map((place) => [place, 'none'] as const),
  ]);
  const lines = [...places].toSorted(([one], [two]) => (one < two ? -1 : 1)).map(([place, access]) => `${quoted(place)} = "${access}"`);
  const tables = [`[permissions.${name}.filesystem]`, '":root" = "read"', ...lines, `[permissions.${name}.network]`, 'enabled = false'];
  const block = [begin(root), ...tables, END].join('\n');
  const from = settings?.indexOf(`${begin(root)}\n`) ?? -1;
  const to = settings?.indexOf(END, from) ?? -1;
  // In its place: other blocks of ours may have come behind it.
  return settings !== null && from >= 0 && to >= 0
    ? settings.slice(0, from) + block + settings.slice(to + END.length)
    : withBlockAtEnd(rest, block);
}

const Entries = z.array(z.object({ path: z.object({ type: z.string(), path: z.string().optional() }), access: z.string() }));
const TurnContext = z.object({
  type: z.literal('turn_context'),
  payload: z.object({
    active_permission_profile: z.object({ id: z.string() }).nullish(),
    permission_profile: z
      .object({ file_system: z.object({ type: z.string(), entries: Entries.optional() }).optional(), network: z.string().optional() })
      .nullish(),
  }),
});
const FunctionCall = z.object({
  payload: z.object({ type: z.literal('function_call'), call_id: z.string(), arguments: z.string() }),
});

/** `record`: the session's, or its end. The last turn counts. */
function inForce(record: string, root: string, callId: string | undefined): WallsInForce {
  const lines = record.split('\n').reverse();
  const turn = firstOf(lines, '"turn_context"', TurnContext)?.payload;
  const entries = turn?.permission_profile?.file_system?.entries;
  if (turn === undefined || entries === undefined || turn.active_permission_profile?.id !== profileName(root))
    return {
      kind: 'none',
      why: 'Codex was started with other permissions than those that countersign init wrote; start it without -s and --profile',
    };
  if (turn.permission_profile?.network !== 'restricted') return { kind: 'none', why: 'Codex reports that commands have a network' };
  const call = callId === undefined ? undefined : firstOf(lines, callId, FunctionCall, ({ payload }) => payload.call_id === callId);
  const wanted = /"sandbox_permissions"\s*:\s*"(\w+)"/.exec(call?.payload.arguments ?? '')?.[1];
  if (wanted !== undefined && wanted !== 'use_default')
    return { kind: 'none', why: 'the agent asked Codex to run this command without its walls' };
  const at = (access: string) =>
    entries.flatMap((each) => (each.access === access && each.path.path !== undefined ? [each.path.path] : []));
  const special = entries.some(({ path, access }) => path.path === undefined && access !== 'read');
  if (special) return { kind: 'none', why: 'Codex reports more writable places than those that countersign init wrote' };
  return { kind: 'walls', writable: at('write'), closed: at('read'), hidden: at('deny') };
}

/** Lines from the end; the first of the tail may be cut, and does not parse. */
function firstOf<T>(lines: readonly string[], mark: string, schema: z.ZodType<T>, isIt: (value: T) => boolean = () => true): T | undefined {
  for (const line of lines) {
    if (!line.includes(mark)) continue;
    const parsed = schema.safeParse(jsonOf(line));
    if (parsed.success && isIt(parsed.data)) return parsed.data;
  }
  return undefined;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const quoted = (text: string): string => JSON.stringify(text);

export const profile: WallProfile = {
  file: '.codex/config.toml',
  isWired: (settings, root) => settings.includes(`${begin(root)}\n`),
  write: withWalls,
  remove: withoutWalls,
  inForce,
};
