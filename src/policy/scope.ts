// Scope: a change stays inside the paths of its intent, judged by the real place of the file and not by its name.

import { type CommandReading, escapeGlob, type Intent, mutates, type Remedy } from '../protocol/index.ts';
import { FILE_OUTSIDE } from './ordinary-case.ts';
import { allow, deny, type ObjectionText, type Policy } from './policy.ts';

const name = 'scope';

const requestScope = (intent: string, path: string): Remedy => ({
  tool: 'request_scope',
  args: { intent_id: intent, paths: [escapeGlob(path)], reason: `${intent} needs to change ${path}`.slice(0, 500).toWellFormed() },
});

/** Paths from a text with hidden characters are not reported: risk refuses the text itself. */
const isWrittenOutside = (command: CommandReading | null): command is CommandReading =>
  command?.class === 'WRITES_OUTSIDE' && !command.reasons.some(({ code }) => code === 'CONTROL_CHARACTERS');

/** A command whose text shows it, although no single file can be named: a pattern, a folder, a place outside the tree. */
function writesOutside({ reasons, writes = [] }: CommandReading, selected: Intent): ObjectionText {
  const [first] = reasons;
  const inside = writes.flatMap(({ resolved }) => resolved ?? []).find((path) => !/^[/~]|^\.$/.test(path));
  return {
    code: 'SCOPE_VIOLATION',
    message: `Scope Violation: ${selected.id} is not authorized for this command: ${first?.message ?? 'it writes outside the scope'}${first ? ` (${first.part})` : ''}`,
    required_action: `Request scope expansion or choose a valid intent; ${selected.id} covers ${selected.owned_scope.join(', ')}`,
    remedy: inside === undefined ? null : requestScope(selected.id, inside),
  };
}

export const scopePolicy: Policy = {
  name,
  version: 1,
  judge: (action, facts) => {
    const { selected } = facts.intent;
    // Without a valid intent there is no scope to judge by; the intent policy objects.
    if (!mutates(action.effects) || selected?.status !== 'active') return allow(name);
    const outside = facts.files.find((file) => file.access !== 'read' && file.scope_glob === null);
    if (!outside) return isWrittenOutside(facts.command) ? deny(name, writesOutside(facts.command, selected)) : allow(name);

    const why = outside.unresolved === null ? '' : ` (${outside.unresolved})`;
    const better = facts.intent.active.find((intent) => intent.covers && intent.id !== selected.id);
    const place = outside.real;
    return deny(name, {
      code: 'SCOPE_VIOLATION',
      message: `Scope Violation: ${selected.id} is not authorized to edit ${place ?? outside.path}${why}`,
      required_action: better
        ? `Request scope expansion or choose a valid intent: ${better.id} (${better.name}) covers it`
        : `Request scope expansion or choose a valid intent; ${selected.id} covers ${selected.owned_scope.join(', ')}`,
      remedy: better ? { tool: 'begin_work', args: { intent: better.id } } : place ? requestScope(selected.id, place) : null,
    });
  },
  examples: [
    {
      says: 'an edit next door',
      facts: { files: [{ ...FILE_OUTSIDE, path: 'src/payments/index.ts', real: 'src/payments/index.ts' }] },
      expect: 'SCOPE_VIOLATION',
    },
    {
      says: 'a path that leads out of the work tree through a link',
      facts: { files: [{ ...FILE_OUTSIDE, path: 'src/auth/link', real: null, unresolved: 'it leads outside the work tree' }] },
      expect: 'SCOPE_VIOLATION',
    },
    {
      says: 'a command that writes next door',
      action: { effects: ['execute'] },
      facts: {
        files: [],
        command: { class: 'WRITES_OUTSIDE', reasons: [{ code: 'OUTSIDE', part: 'cp -r a lib', message: 'writes lib, outside the scope' }] },
      },
      expect: 'SCOPE_VIOLATION',
    },
    { says: 'an edit inside', expect: 'allow' },
    {
      says: 'reading outside',
      action: { effects: ['observe'] },
      facts: { files: [{ ...FILE_OUTSIDE, path: '/etc/hosts', access: 'read', real: null }] },
      expect: 'allow',
    },
  ],
};
