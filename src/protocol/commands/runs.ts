// Sealed runs: started, ended, merged and discarded by the human at whose terminal they run.

import { z } from 'zod';
import { RunId } from '../ids.ts';
import { RunLaunch, RunRow, RunView } from '../sealed.ts';
import { ANY_HUMAN, AT_TERMINAL, type CommandDeclaration, Here } from './command.ts';

const Run = z.strictObject({ id: RunId });

export const runCommands = {
  /** Makes the run's tree, home and door. The caller starts the agent with what is answered. */
  start_run: {
    who: AT_TERMINAL,
    input: Here.extend({
      /** An absolute path. */
      program: z.string(),
      /** For the record; the caller adds them itself. */
      arguments: z.array(z.string()).default([]),
      /** The name of an adapter; null: by the name of the program. */
      agent: z.string().nullable().default(null),
      /** Instead of the hosts that are known for the agent. */
      model_hosts: z.array(z.string()).nullable().default(null),
      hosts: z.array(z.string()).default([]),
      /** Shown read-only inside. */
      reads: z.array(z.string()).default([]),
      /** The caller's variables that name an address of a model. */
      addresses: z.record(z.string(), z.string()).default({}),
      terminal: z.boolean().default(false),
      /** Where the caller's programs are. */
      search_path: z.string(),
      user_home: z.string(),
    }),
    output: RunLaunch,
  },
  /** The process of the sandbox has started. */
  enter_run: { who: AT_TERMINAL, input: Run.extend({ pid: z.int().min(1) }), output: RunRow },
  /** Closes its door and compares its tree with the receipts. */
  end_run: { who: AT_TERMINAL, input: Run.extend({ exit_code: z.int().nullable() }), output: RunView },
  merge_run: {
    who: ANY_HUMAN,
    input: Run.extend({
      dry_run: z.boolean().default(false),
      /** The plan that was shown: nothing else is merged. Null: the plan as it is now. */
      plan: z.string().nullable().default(null),
    }),
    output: RunView,
  },
  /** Deletes the run's folder. */
  discard_run: { who: ANY_HUMAN, input: Run, output: Run },
} as const satisfies Record<string, CommandDeclaration>;
