// What humans do, as a registry: for each command its address, who may call it, what it takes and gives, and what a human's key signs.
// Routes, their description and the typed client are made from it; `commands` has the handlers.

import type { z } from 'zod';
import { approvalCommands } from './approvals.ts';
import type { CommandDeclaration } from './command.ts';
import { conversationCommands } from './conversations.ts';
import { daemonCommands } from './daemon.ts';
import { gapCommands } from './gaps.ts';
import { importCommands } from './imports.ts';
import { intentCommands } from './intents.ts';
import { planCommands } from './plans.ts';
import { memoryCommands } from './memory.ts';
import type { CommandName } from './paths.ts';
import { portCommands } from './ports.ts';
import { runCommands } from './runs.ts';
import type { commandStatements } from './statements.ts';
import { undoCommands } from './undo.ts';

export type { CallerKind, CommandDeclaration } from './command.ts';
export { PAUSE_SECONDS, PauseEndedView } from './gaps.ts';
export { ImportKind, ImportView } from './imports.ts';
export { MemoryImportView } from './memory.ts';
export * from './paths.ts';
export * from './statements.ts';
export { UndoTarget, UndoView } from './undo.ts';

/** One line for each subject. A command's address is `pathOf` its name. */
export const COMMANDS = {
  ...approvalCommands,
  ...intentCommands,
  ...gapCommands,
  ...memoryCommands,
  ...planCommands,
  ...importCommands,
  ...undoCommands,
  ...runCommands,
  ...conversationCommands,
  ...portCommands,
  ...daemonCommands,
} as const satisfies Record<string, CommandDeclaration>;

/** Commands whose handlers are in a room of their own, by subject. */
export type RunCommand = keyof typeof runCommands;
export type ConversationCommand = keyof typeof conversationCommands;
export { conversationCommands as CONVERSATION_COMMANDS };

/** As a client gives it. */
export type CommandInput<N extends CommandName> = z.input<(typeof COMMANDS)[N]['input']>;
/** As a handler gets it: parsed, with defaults. */
export type CommandRequest<N extends CommandName> = z.output<(typeof COMMANDS)[N]['input']>;
export type CommandOutput<N extends CommandName> = z.output<(typeof COMMANDS)[N]['output']>;

export type SignedCommand = keyof typeof commandStatements;
/** What a statement needs besides the input. */
export type KnownFor<N extends SignedCommand> = Parameters<(typeof commandStatements)[N]>[1];
