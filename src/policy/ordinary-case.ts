// The ordinary case that every policy lets pass: an edit in GUARDED, inside the scope of the active intent that the session cited.
// An example is this case with some of its top-level parts replaced.

import { type Action, doorThat, type Facts } from '../protocol/index.ts';

export const ORDINARY_ACTION: Action = {
  id: 'act_00000000000000000000000001',
  session: 'ses_00000000000000000000000001',
  workspace: 'wsp_00000000000000000000000001',
  root: '/home/ada/shop',
  actor: { agent: 'test-agent', model: 'test-model' },
  door: doorThat({ executes: 'agent' }).name,
  tool: 'write_file',
  input: { path: 'src/auth/login.ts', content: 'export {};\n' },
  input_sha256: 'a'.repeat(64),
  effects: ['write'],
  resources: [{ kind: 'file', path: 'src/auth/login.ts', access: 'write' }],
  at: '2026-01-02T03:04:05.000Z',
};

export const ORDINARY_FILE: Facts['files'][number] = {
  path: 'src/auth/login.ts',
  access: 'write',
  real: 'src/auth/login.ts',
  unresolved: null,
  governance: null,
  scope_glob: 'src/auth/**',
  sha256: 'b'.repeat(64),
  seen: 'b'.repeat(64),
  since: null,
  lease: null,
};

/** Outside the scope, and not seen yet. */
export const FILE_OUTSIDE: Facts['files'][number] = { ...ORDINARY_FILE, scope_glob: null, sha256: null, seen: null };

export const ORDINARY_FACTS: Facts = {
  mode: { declared: 'GUARDED', minimum: 'GUARDED', pinned: null, effective: 'GUARDED' },
  intent: {
    selected: {
      id: 'INT-001',
      name: 'Lock accounts after five failures',
      status: 'active',
      owned_scope: ['src/auth/**'],
      constraints: [],
      acceptance_criteria: [],
    },
    active: [{ id: 'INT-001', name: 'Lock accounts after five failures', covers: true }],
  },
  recall: { last: { at: '2026-01-02T03:04:00.000Z', found: 2, how: 'asked' }, missing: null },
  tasks: { steps: [], list: null },
  files: [ORDINARY_FILE],
  command: null,
  approval: null,
};
