// Commands about the daemon, its views and the workspace's checks. Each is first recorded as allowed, then carried out: none of them
// changes the ledger's contents.

import type { CommandHandlers, Kernel } from '../kernel/index.ts';
import type { CheckName, GraphExportView, GraphSyncView, QualityReport } from '../protocol/index.ts';

export interface DaemonDeps {
  readonly kernel: Kernel;
  readonly validateAll: (cwd: string, checks: readonly CheckName[] | null) => Promise<QualityReport>;
  readonly graph: {
    readonly sync: (cwd: string) => Promise<GraphSyncView>;
    readonly export: (cwd: string) => Promise<GraphExportView>;
  };
  readonly issueLoginCode: () => string;
  /** Resolves with the number of records. */
  readonly reindex: () => Promise<number>;
  /** Ends the daemon once the answer is out. */
  readonly stop: () => void;
}

export function daemonHandlers({ kernel, validateAll, graph, issueLoginCode, reindex, stop }: DaemonDeps) {
  const { authority } = kernel;
  return {
    validate: {
      act: (caller) => authority.allowHuman(caller, 'validate', () => ({})),
      show: ({ cwd, checks }) => validateAll(cwd, checks),
    },
    sync_graph: {
      act: (caller) => authority.allowHuman(caller, 'graph sync', () => ({})),
      show: ({ cwd }) => graph.sync(cwd),
    },
    export_graph: {
      act: (caller) => authority.allowHuman(caller, 'graph export', () => ({})),
      show: ({ cwd }) => graph.export(cwd),
    },
    issue_login_code: { act: (caller) => authority.allowAtTerminal(caller, 'open', () => ({ code: issueLoginCode() })) },
    allow_init: { act: (caller, { command }) => authority.allowHuman(caller, command, () => ({ command })) },
    reindex: {
      act: (caller) => authority.allowHuman(caller, 'reindex', () => ({})),
      show: async () => ({ records: await reindex() }),
    },
    stop: {
      act: async (caller) => {
        const recorded = await authority.allowHuman(caller, 'stop', () => ({ stopping: true }));
        // Only after the record is written: a daemon that stops while it writes would drop the caller's connection.
        if (recorded.outcome.kind === 'noted' && recorded.outcome.refusal === null) stop();
        return recorded;
      },
    },
  } satisfies Partial<CommandHandlers>;
}
