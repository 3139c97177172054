// What humans said yes to in advance: patterns in the settings, and grants for an intent and a time. It covers what would otherwise be
// asked about only because nobody can tell: a command in STRICT, another server's tool. What cannot be undone is asked about whatever
// stands here.

import type { Action, Allowance, CommandReading, Grant } from '../protocol/index.ts';

/** As many reasons as a reading tells at most; more may have been left out, and those could fit nothing. */
const MAX_REASONS = 100;

/** Every one of these has to fit some pattern; none: a yes in advance does not reach this. */
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
    // Settings name commands; another server's tool is let in by a grant only.
    const setting = command && settings.find((pattern) => fitsPattern(pattern, subject));
    const grant = setting ? undefined : grants.find(({ pattern }) => fitsPattern(pattern, subject));
    const pattern = setting ?? grant?.pattern;
    if (pattern === undefined) return {};
    patterns.add(pattern);
    if (grant) used.add(grant.id);
  }
  return patterns.size === 0 ? {} : { allowance: { by: used.size > 0 ? 'grant' : 'settings', patterns: [...patterns], grants: [...used] } };
}

/** `*` stands for any text, everything else for itself; the whole part has to fit. Linear: the first place where a piece fits is as good as any. */
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
