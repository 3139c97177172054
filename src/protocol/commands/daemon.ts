// Commands about the daemon, its views and the workspace's checks.

import { z } from 'zod';
import { GraphExportView, GraphSyncView } from '../graph.ts';
import { CheckName, QualityReport } from '../quality.ts';
import { ANY_HUMAN, AT_TERMINAL, type CommandDeclaration, Here, None } from './command.ts';

const InitCommand = z.strictObject({ command: z.enum(['init', 'init --undo']) });

export const daemonCommands = {
  /** The workspace's own checks; null: all of them. */
  validate: {
    who: ANY_HUMAN,
    input: Here.extend({ checks: z.array(CheckName).min(1).nullable().default(null) }),
    output: QualityReport,
  },
  /** Rebuilds the graph of the work tree from seeds, code and memory. */
  sync_graph: { who: ANY_HUMAN, input: Here, output: GraphSyncView },
  /** Writes what the graph says beyond the seeds to `.ai/graph/out`. */
  export_graph: { who: ANY_HUMAN, input: Here, output: GraphExportView },
  /** A login link gives a human's power. */
  issue_login_code: { who: AT_TERMINAL, input: None, output: z.strictObject({ code: z.string() }) },
  /** Before the command line rewires an agent's hooks. */
  allow_init: { who: AT_TERMINAL, input: InitCommand, output: InitCommand },
  /** Rebuilds the index of the record. */
  reindex: { who: AT_TERMINAL, input: None, output: z.strictObject({ records: z.int() }) },
  stop: { who: AT_TERMINAL, input: None, output: z.strictObject({ stopping: z.literal(true) }) },
} as const satisfies Record<string, CommandDeclaration>;
