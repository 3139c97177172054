// Ids as people type them: whole, or any beginning or end that only one of them has.

import { Fault, ID_FORMS, visible } from '../protocol/plain.ts';
import { checkId, type CommandContext } from './command-context.ts';

/** Shorter parts are too likely to fit something that was not meant. */
const LEAST = 4;
const MOST = 1000;

const WHAT = {
  approval: "a question's id",
  receipt: "a receipt's id",
  session: "a session's id",
  action: "an action's id",
  grant: "a grant's id",
  commandRule: "a rule's id",
  run: "a run's id",
  claim: "a memory's id",
} as const;
export type Resolved = keyof typeof WHAT;

const LISTS: { readonly [K in Resolved]: (context: CommandContext) => Promise<readonly string[]> } = {
  approval: async ({ client }) => (await client.ask('approvals', { limit: MOST })).map(({ id }) => id),
  receipt: async ({ client }) => (await client.ask('receipts', { limit: MOST })).map(({ receipt_id }) => receipt_id),
  session: async ({ client }) => (await client.ask('sessions', { limit: MOST })).map(({ id }) => id),
  action: async ({ client }) => (await client.ask('actions', { limit: MOST })).map(({ id }) => id),
  grant: async ({ client }) => (await client.ask('grants', { limit: MOST, all: true })).map(({ id }) => id),
  run: async ({ client }) => (await client.ask('runs', {})).map(({ id }) => id),
  claim: async ({ client, cwd }) => (await client.ask('memory', { cwd, limit: MOST })).map(({ id }) => id),
  commandRule: async ({ client }) => (await client.ask('command_rules', { limit: MOST, all: true })).map(({ id }) => id),
};

/** `…` stands for what a list left out, as in apr_…P06SFM. */
export function isPartOf(given: string, id: string): boolean {
  const part = given.replace(/^[a-z]{3}_?…/, '');
  if (part.replace(/^[a-z]{3}_/, '').length < LEAST) return given === id;
  const same = (text: string, at: 'startsWith' | 'endsWith') => text.toUpperCase()[at](part.toUpperCase());
  return given === id || same(id, 'startsWith') || same(id, 'endsWith');
}

export async function resolveId(context: CommandContext, kind: Resolved, given: string, fix: string): Promise<string> {
  if (ID_FORMS[kind].test(given)) return given;
  const found = /^[\w…]+$/.test(given) ? (await LISTS[kind](context)).filter((id) => isPartOf(given, id)) : [];
  if (found.length > 1)
    throw new Fault(
      'BAD_REQUEST',
      `${visible(given)} fits ${found.length}: ${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}`,
      {
        fix: 'Give more of the id',
      },
    );
  if (found.length === 0) checkId(ID_FORMS[kind], given, WHAT[kind], fix);
  return found[0]!;
}
