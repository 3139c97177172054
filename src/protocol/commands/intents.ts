// What agents may work on and how strictly: intents, modes, tasks.

import { z } from 'zod';
import { Mode } from '../action.ts';
import { IntentId, Sha256 } from '../ids.ts';
import { Intent, IntentStatus } from '../intent.ts';
import { ModesView, SettingsView, TasksView } from '../rows.ts';
import { ANY_HUMAN, type CommandDeclaration, Here, Shown, Signed } from './command.ts';
import { commandStatements } from './statements.ts';

const Lines = z.array(z.string().min(1).max(500)).max(50).default([]);
const OneIntent = z.strictObject({ id: IntentId, cwd: z.string() });

export const intentCommands = {
  declare_intent: {
    who: ANY_HUMAN,
    input: Here.extend({
      name: z.string().trim().min(1).max(200),
      paths: z.array(z.string().min(1)).min(1).max(50),
      constraints: Lines,
      acceptance_criteria: Lines,
      signed: Signed,
    }),
    output: Intent,
    statement: commandStatements.declare_intent,
  },
  set_intent_status: {
    who: ANY_HUMAN,
    input: OneIntent.extend({ status: IntentStatus.exclude(['proposed']), sha256: Shown, signed: Signed }),
    output: Intent,
    statement: commandStatements.set_intent_status,
  },
  /** A pending edit of the intents file: accept it (`take`), or restore the file. */
  settle_intent_edit: {
    who: ANY_HUMAN,
    input: z.discriminatedUnion('take', [
      OneIntent.extend({ take: z.literal(true), sha256: Sha256, signed: Signed }),
      OneIntent.extend({ take: z.literal(false) }),
    ]),
    output: Intent,
    statement: commandStatements.settle_intent_edit,
  },
  /** The settings' files grant more than was accepted, and a human agrees to what they were shown. */
  confirm_settings: { who: ANY_HUMAN, input: Here.extend({ sha256: Sha256 }), output: SettingsView },
  /** Writes one setting into a layer of the settings' files; with the human's yes it holds at once. */
  set_setting: {
    who: ANY_HUMAN,
    input: Here.extend({
      key: z.string().min(1).max(100),
      value: z.json(),
      layer: z.enum(['base', 'repo', 'env.local']).default('env.local'),
    }),
    output: SettingsView,
  },
  /** What is left out stays as it is. */
  limit_mode: {
    who: ANY_HUMAN,
    input: Here.extend({
      intent: IntentId.nullable().default(null),
      pin: z.literal('PASSIVE').nullable().optional(),
      minimum: Mode.exclude(['PASSIVE']).nullable().optional(),
    }),
    output: ModesView,
  },
  /** Whether verdicts are only recorded in this workspace. */
  set_observing: { who: ANY_HUMAN, input: Here.extend({ observing: z.boolean() }), output: ModesView },
  /** Every unchecked task of the list of `intent`; null: of all lists. */
  confirm_tasks: {
    who: ANY_HUMAN,
    input: Here.extend({ intent: IntentId.nullable().default(null) }),
    output: TasksView,
  },
} as const satisfies Record<string, CommandDeclaration>;
