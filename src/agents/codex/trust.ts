// What Codex takes for a human's trust: the folder, and one hash for each hook, in the settings of the user. A hook that changes is a
// new one, and Codex skips it in silence until it is trusted again.

import { createHash } from 'node:crypto';
import type { Json, TrustQuery, TrustStore } from '../adapter.ts';
import { isOurHook } from '../wire.ts';
import { withBlockAtEnd, withoutBlockBetween } from './marked-block.ts';
import { HOOKS_FILE } from './wire.ts';

export const USER_FILE = '.codex/config.toml';

interface TrustedHook {
  /** The file, the event, the group's place in its list, the hook's place in its group. */
  readonly key: string;
  readonly hash: string;
}

/** Our hooks in `hooks`, the text of the repository's hooks file. */
export function trustedHooks(root: string, hooks: string): TrustedHook[] {
  const events = Object.entries(((JSON.parse(hooks) as Json)['hooks'] ?? {}) as Record<string, unknown>);
  return events.flatMap(([event, groups]) =>
    (Array.isArray(groups) ? (groups as unknown[]) : []).flatMap((group, at) => {
      if (!isOurHook(group)) return [];
      const [hook] = (group as { hooks: OurHook[] }).hooks;
      const event_name = event.replaceAll(/(?!^)([A-Z])/g, '_$1').toLowerCase();
      return hook ? [{ key: `${root}/${HOOKS_FILE}:${event_name}:${at}:0`, hash: hashOf(event_name, hook) }] : [];
    }),
  );
}

interface OurHook {
  readonly command: string;
  readonly timeout: number;
  readonly statusMessage?: string;
}

/** As Codex computes it: these keys in this order, and no key that the hook does not have. */
function hashOf(event_name: string, { command, timeout, statusMessage }: OurHook): string {
  const says = statusMessage === undefined ? {} : { statusMessage };
  const identity = { event_name, hooks: [{ async: false, command, ...says, timeout, type: 'command' }] };
  return `sha256:${createHash('sha256').update(JSON.stringify(identity)).digest('hex')}`;
}

const begin = (root: string) => `# Countersign: begin, trust in ${JSON.stringify(root)}, written by \`countersign init\``;
const END = '# Countersign: end of trust';

/** Tables in another form cannot be extended without a full TOML parser: a mistake would keep Codex from starting. */
const OTHER_FORM = /^\s*(?:(?:projects|hooks|state)\s*=|(?:projects|hooks)\.|\[(?:projects|hooks\.state)\])/m;

const withdrawn = (before: string, root: string): string | null => withoutBlockBetween(before, begin(root), END);

export const store: TrustStore = {
  file: USER_FILE,
  hooksFile: HOOKS_FILE,
  grant: (before, { root, hooks, hooksBefore, shared = false }) => {
    const kept = before === null ? '' : (withdrawn(before, root) ?? '');
    const asLiteral = `'${root}'`;
    if (OTHER_FORM.test(kept) || kept.includes(asLiteral)) return before;
    const carry = (config: string) => carriedOver(config, ourHooks(root, hooksBefore ?? ''), trustedHooks(root, hooks));
    if (shared) return before && carry(before);
    const rest = carry(kept);
    const tables = [
      { head: `[projects.${JSON.stringify(root)}]`, line: 'trust_level = "trusted"' },
      ...trustedHooks(root, hooks).map(({ key, hash }) => ({
        head: headOf(key),
        line: `trusted_hash = ${JSON.stringify(hash)}`,
      })),
    ].filter(({ head }) => !rest.includes(head));
    if (tables.length === 0) return rest === '' ? null : rest;
    const block = [begin(root), ...tables.flatMap(({ head, line }) => [head, line]), END].join('\n');
    // Other blocks of ours may have come behind it since.
    return before?.includes(block) && rest === kept ? before : withBlockAtEnd(rest, block);
  },
  withdraw: withdrawn,
};

/** Codex recorded that a human trusts our previous hook; a human who has it rewritten also trusts the new one. */
function carriedOver(config: string, earlier: readonly TrustedHook[], now: readonly TrustedHook[]): string {
  return now.reduce((text, { key, hash }) => {
    const was = earlier.find((hook) => hook.key === key)?.hash;
    const table = tableOf(text, headOf(key));
    return was === undefined || table === '' ? text : text.replace(table, () => table.replace(was, hash));
  }, config);
}

const headOf = (key: string): string => `[hooks.state.${JSON.stringify(key)}]`;

/** The folder is trusted, and every hook of ours as it is in the repository now. */
export async function isTrustStored({ root, userHome, readText }: TrustQuery): Promise<boolean> {
  const config = (await readText(`${userHome}/${USER_FILE}`)) ?? '';
  const hooks = await readText(`${root}/${HOOKS_FILE}`);
  if (hooks === null || !/^trust_level\s*=\s*["']trusted["']/m.test(tableOf(config, `[projects.${JSON.stringify(root)}]`))) return false;
  const ours = ourHooks(root, hooks);
  return ours.length > 0 && ours.every(({ key, hash }) => tableOf(config, headOf(key)).includes(hash));
}

/** As `trustedHooks`; a file that is not JSON has none. */
function ourHooks(root: string, hooks: string): TrustedHook[] {
  try {
    return trustedHooks(root, hooks);
  } catch {
    return [];
  }
}

/** The text between a table's head and the next. */
function tableOf(config: string, head: string): string {
  const at = config.indexOf(head);
  return at < 0 ? '' : (config.slice(at + head.length).split(/^\[/m)[0] ?? '');
}
