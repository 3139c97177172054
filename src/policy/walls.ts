// Walls: where a human requires them, an agent's own command runs behind walls or not at all.

import { traitsOf } from '../protocol/index.ts';
import { allow, deny, type Policy } from './policy.ts';

const name = 'walls';

export const wallsPolicy: Policy = {
  name,
  version: 1,
  judge: (action, { walls_missing: missing }) => {
    const isCommand = action.resources.some(({ kind }) => kind === 'command');
    if (missing === undefined || !isCommand || traitsOf(action).executes !== 'agent') return allow(name);
    return deny(name, {
      code: 'WALLS_REQUIRED',
      message: `Commands have to run behind walls in this workspace, and they would not: ${missing}.`,
      required_action: 'Use run_command, which has walls of its own, or ask a human to run countersign doctor',
      remedy: { tool: 'request_human', args: { question: `Commands need walls here, and they would not have any: ${missing}.` } },
    });
  },
  examples: [
    {
      says: 'a command where walls are required and missing',
      action: { tool: 'Bash', effects: ['execute'], resources: [{ kind: 'command', command: 'npm test', cwd: '/repo' }] },
      facts: { files: [], walls_missing: 'bwrap is not installed' },
      expect: 'WALLS_REQUIRED',
    },
    {
      says: 'a command where they are in force, or not required',
      action: { tool: 'Bash', effects: ['execute'], resources: [{ kind: 'command', command: 'npm test', cwd: '/repo' }] },
      facts: { files: [] },
      expect: 'allow',
    },
    { says: 'an edit: walls are for commands', facts: { walls_missing: 'bwrap is not installed' }, expect: 'allow' },
  ],
};
