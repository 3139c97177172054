// What humans allowed in advance: patterns in the settings, and grants for an intent and a time. It covers what would otherwise be
// asked about only because its effect is unknown: a command in STRICT, another server's tool. What cannot be undone is asked about
// regardless of any allowance.

import type { Action, Allowance, CommandReading, Grant } from '../protocol/index.ts';

/** The most reasons that a reading lists; more may have been left out, and those might match no pattern. */
const MAX_REASONS = 100;

/** Each of these has to match some pattern; empty: an allowance in advance does not apply. */
function subjectsOf({ resources }: Pick<Action, 'resources'>, command: CommandReading | null): readonly string[] {
  if (command === null) return resources.flatMap((resource) => (resource.kind === 'other' ? [resource.name] : []));
  return command.class === 'MUTATING' && command.reasons.length < MAX_REASONS ? command.reasons.map(({ part }) => part.trim()) : [];
}

export function allowanceFor(
  action: Pick<Action, 'resources'>,
  command: CommandReading | null,
  settings: readonly string[],
  grants: readonly Grant[],
): { allowance?: Allowance } {
  const subjects = subjectsOf(action, command);
  const patterns = new Set<string>();
  const used = new Set<string>();
  for (const subject of subjects) {
    // Settings name commands; another server's tool is allowed only by a grant.
    const setting = command && settings.find((pattern) => fitsPattern(pattern, subject));
    const grant = setting ? undefined : grants.find(({ pattern }) => fitsPattern(pattern, subject));
    const pattern = setting ?? grant?.pattern;
    if (pattern === undefined) return {};
    patterns.add(pattern);
    if (grant) used.add(grant.id);
  }
  return patterns.size === 0 ? {} : { allowance: { by: used.size > 0 ? 'grant' : 'settings', patterns: [...patterns], grants: [...used] } };
}

/** `*` matches any text, everything else itself; the whole part has to match. Linear: the first place where a piece fits is enough. */
export function fitsPattern(pattern: string, text: string): boolean {
  const [head = '', ...pieces] = pattern.split('*');
  if (pieces.length === 0) return text === head;
  const tail = pieces.pop() ?? '';
  if (!text.startsWith(head) || !text.endsWith(tail) || text.length < head.length + tail.length) return false;
  let at = head.length;
  const end = text.length - tail.length;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
