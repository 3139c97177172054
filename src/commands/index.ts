// commands: what humans do: answers, grants, pauses, acknowledgements, undo, imports, and edits of the files that they share with agents.
// Invariant: a human's command takes effect only through the kernel, which records who was proven and how.
// Refuses: to act for a caller that the kernel has not judged to be a human.

import type { CommandHandlers, CommandPort } from '../kernel/index.ts';
import type { ConversationCommand, RunCommand } from '../protocol/index.ts';
import { approvalHandlers } from './approvals.ts';
import { type DaemonDeps, daemonHandlers } from './daemon.ts';
import { type GapDeps, gapHandlers } from './gaps.ts';
import { importHandlers } from './imports/import-drafts.ts';
import { type IntentDeps, intentHandlers } from './intents.ts';
import { type MemoryDeps, memoryHandlers } from './memory.ts';
import { type PortDeps, portHandlers } from './ports.ts';
import { planHandlers } from './plans.ts';
import { type UndoDeps, undoHandlers } from './undo.ts';

export type { ChangeHistory } from './undo-plan.ts';

export type CommandDeps = DaemonDeps &
  GapDeps &
  IntentDeps &
  MemoryDeps &
  PortDeps &
  UndoDeps & {
    /** Sealed runs start programs, so their own room has their handlers. */
    readonly runs: Pick<CommandHandlers, RunCommand>;
    /** Conversations call models, so their own room has their handlers. */
    readonly conversations: Pick<CommandHandlers, ConversationCommand>;
    /** Reads the documents that humans edit in this work tree, where they have changed. */
    readonly noticeEdits: (cwd: string) => Promise<void>;
  };

/** A human decides about what the files say now. */
export function openCommands(deps: CommandDeps): CommandPort {
  const handlers = handlersOf(deps);
  return {
    act: async (name, caller, request) => {
      if ('cwd' in request && typeof request.cwd === 'string') await deps.noticeEdits(request.cwd);
      return handlers[name].act(caller, request);
    },
    show: async (name, request, following) => handlers[name].show?.(request, following),
  };
}

const handlersOf = (deps: CommandDeps): CommandHandlers => ({
  ...approvalHandlers(deps),
  ...intentHandlers(deps),
  ...gapHandlers(deps),
  ...memoryHandlers(deps),
  ...planHandlers(deps),
  ...importHandlers(deps),
  ...undoHandlers(deps),
  ...deps.runs,
  ...deps.conversations,
  ...portHandlers(deps),
  ...daemonHandlers(deps),
});
export { DocumentSync } from './document-sync.ts';
