// Lock: a change must be based on the file's current content. One based on an older reading is refused with what changed since;
// two sessions do not change one file at the same time.

import { doorThat, mutates, traitsOf } from '../protocol/index.ts';
import { ORDINARY_FILE } from './ordinary-case.ts';
import { allow, deny, type Policy } from './policy.ts';

const name = 'lock';

export const lockPolicy: Policy = {
  name,
  version: 1,
  judge: (action, { files }) => {
    if (!mutates(action.effects)) return allow(name);
    const changed = files.filter(({ access, real, governance }) => access !== 'read' && real !== null && governance === null);
    const busy = changed.find(({ lease }) => lease !== null);
    if (busy) {
      return deny(name, {
        code: 'FILE_LEASED',
        message: `Another session (${busy.lease}) is changing ${busy.real} right now.`,
        required_action: 'Work on something else and try again in a moment; read the file again first',
        remedy: { tool: 'countersign_status', args: {} },
      });
    }
    // Deletion is a change too: the write would restore the file unseen.
    const stale = changed.find(({ seen, sha256 }) => seen !== null && seen !== sha256);
    if (stale) {
      return deny(name, {
        code: 'STALE_FILE',
        message: `${stale.real} ${stale.sha256 === null ? 'was deleted' : 'changed'} since you last saw it.${stale.since === null ? '' : `\n${stale.since}`}`,
        required_action: 'Read the file again, then make the change for what it holds now',
        // Agents that execute by themselves read with their own tools.
        remedy:
          traitsOf(action).executes === 'agent'
            ? { tool: 'countersign_status', args: {} }
            : { tool: 'read_file', args: { path: stale.path } },
      });
    }
    // Agents that execute by themselves may read past the gate; a file that the gate itself writes must have been read through it.
    const targeted = new Set(action.resources.flatMap((each) => (each.kind === 'file' && each.targeted ? [each.path] : [])));
    const unread = changed.find(({ path, seen, sha256 }) => seen === null && sha256 !== null && !targeted.has(path));
    if (unread && traitsOf(action).executes === 'gate') {
      return deny(name, {
        code: 'UNREAD_FILE',
        message: `${unread.real} exists and you have not read it.`,
        required_action: 'Read it with read_file first, or replace exact parts of it with edit_file',
        remedy: { tool: 'read_file', args: { path: unread.path } },
      });
    }
    return allow(name);
  },
  examples: [
    { says: 'a write for what the file holds now', expect: 'allow' },
    {
      says: 'a write for an older reading',
      facts: { files: [{ ...ORDINARY_FILE, seen: 'c'.repeat(64), since: 'line 3 now reads: x' }] },
      expect: 'STALE_FILE',
    },
    {
      says: 'a write to a file that another session is changing',
      facts: { files: [{ ...ORDINARY_FILE, lease: 'ses_00000000000000000000000002' }] },
      expect: 'FILE_LEASED',
    },
    {
      says: 'a file that the gate would replace unread',
      action: { door: doorThat({ executes: 'gate' }).name },
      facts: { files: [{ ...ORDINARY_FILE, seen: null }] },
      expect: 'UNREAD_FILE',
    },
    {
      says: 'the same by an agent that acts by itself and may have looked',
      facts: { files: [{ ...ORDINARY_FILE, seen: null }] },
      expect: 'allow',
    },
    {
      says: 'an exact replacement in a file that was not read',
      action: {
        door: doorThat({ executes: 'gate' }).name,
        resources: [{ kind: 'file', path: 'src/auth/login.ts', access: 'write', targeted: true }],
      },
      facts: { files: [{ ...ORDINARY_FILE, seen: null }] },
      expect: 'allow',
    },
    {
      says: 'a new file',
      action: { door: doorThat({ executes: 'gate' }).name },
      facts: { files: [{ ...ORDINARY_FILE, seen: null, sha256: null }] },
      expect: 'allow',
    },
  ],
};
