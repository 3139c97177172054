// run_command: a shell command. Proven to only read, it is an observation of the paths that it names; everything else executes.

import os from 'node:os';
import { z } from 'zod';
import type { Resource } from '../../protocol/index.ts';
import { readCommand } from '../shell/index.ts';
import { defineTool } from '../tool.ts';

export const runCommand = defineTool({
  name: 'run_command',
  description: 'Runs a shell command.',
  input: z.strictObject({ command: z.string(), cwd: z.string().optional() }),
  declare: ({ command, cwd }, place) => {
    const reading = readCommand(command);
    const itself: Resource = { kind: 'command', command, cwd: cwd ?? place.cwd };
    return reading.class === 'SAFE'
      ? { effects: ['observe'], resources: [itself, ...namedPaths(command)], command: reading }
      : { effects: ['execute'], resources: [itself], command: reading };
  },
  surfaces: [],
});

const MOST_PATHS = 20;

/**
 * What looks like a path in a command that only reads, so that the gate's own files are refused to `cat` as they are to a file
 * tool. A path that is made at run time (a variable, a glob that spans folders) is not seen.
 */
function namedPaths(command: string): Resource[] {
  const words = command.match(/[^\s;|&<>()'"`$\\]+/g) ?? [];
  const paths = new Set(
    words.filter((word) => word.includes('/') || word.startsWith('.')).map((word) => word.replace(/^~(?=\/|$)/, os.homedir())),
  );
  return [...paths].slice(0, MOST_PATHS).map((path) => ({ kind: 'file', path, access: 'read' }));
}
