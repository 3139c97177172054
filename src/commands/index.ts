// commands: the handlers of what humans do: answers, grants, intents, pauses, acknowledgements, memory, imports, undo.
// Invariant: a handler answers with a `Recorded`; whoever is not a human is refused, on the record, before anything is done for them.
// Refuses: to know a door: who is calling was judged before, and the answer is translated after.

import type { CommandHandlers } from '../kernel/index.ts';
import { approvalHandlers } from './approvals.ts';
import { type DaemonDeps, daemonHandlers } from './daemon.ts';
import { type GapDeps, gapHandlers } from './gaps.ts';
import { importHandlers } from './imports/import-drafts.ts';
import { type IntentDeps, intentHandlers } from './intents.ts';
import { type MemoryDeps, memoryHandlers } from './memory.ts';
import { type UndoDeps, undoHandlers } from './undo.ts';

export type { ChangeHistory } from './undo-plan.ts';

export type CommandDeps = DaemonDeps & GapDeps & IntentDeps & MemoryDeps & UndoDeps;

export const commandHandlers = (deps: CommandDeps): CommandHandlers => ({
  ...approvalHandlers(deps),
  ...intentHandlers(deps),
  ...gapHandlers(deps),
  ...memoryHandlers(deps),
  ...importHandlers(deps),
  ...undoHandlers(deps),
  ...daemonHandlers(deps),
});
