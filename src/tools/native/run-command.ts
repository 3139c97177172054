// run_command: a shell command. Proven to only read, it is an observation; everything else executes.

import { z } from 'zod';
import { readCommand } from '../shell/index.ts';
import { defineTool } from '../tool.ts';

export const runCommand = defineTool({
  name: 'run_command',
  description: 'Runs a shell command.',
  input: z.strictObject({ command: z.string(), cwd: z.string().optional() }),
  declare: ({ command, cwd }, place) => {
    const reading = readCommand(command);
    return {
      effects: [reading.class === 'SAFE' ? 'observe' : 'execute'],
      resources: [{ kind: 'command', command, cwd: cwd ?? place.cwd }],
      command: reading,
    };
  },
  surfaces: [],
});
