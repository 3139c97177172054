// The folder that a request about conversations and texts is for. Clients of the contract send none: then it is the header's, or the only workspace.

import type { IncomingHttpHeaders } from 'node:http';
import { CONVERSATION_COMMANDS, CONVERSATION_QUERIES, Fault, STORY_QUERIES } from '../../protocol/index.ts';
import type { DoorServices } from '../services.ts';

const SHAPES = Object.fromEntries(
  [CONVERSATION_COMMANDS, CONVERSATION_QUERIES, STORY_QUERIES].flatMap((declared) =>
    Object.entries(declared).map(([name, { input }]) => [name, input.shape]),
  ),
);

const takesPlace = (name: string): boolean => 'cwd' in (SHAPES[name] ?? {});

/** For the description of the route. */
export const filledIn = (name: string): { readonly filledIn?: readonly string[] } => (takesPlace(name) ? { filledIn: ['cwd'] } : {});

/** Fills in `cwd` where the command or query takes one and the request has none. */
export async function withPlace(
  { ask }: Pick<DoorServices, 'ask'>,
  name: string,
  asked: unknown,
  headers: IncomingHttpHeaders,
): Promise<unknown> {
  if (typeof asked !== 'object' || asked === null || 'cwd' in asked || !takesPlace(name)) return asked;
  const given = headers['x-countersign-cwd'];
  if (typeof given === 'string') return { ...asked, cwd: given };
  const roots = (await ask('status', {})).workspaces.map(({ root }) => root);
  if (roots.length < 2) return roots.length === 0 ? asked : { ...asked, cwd: roots[0] };
  throw new Fault('BAD_REQUEST', `cwd is missing, and this daemon has ${roots.length} workspaces.`, {
    fix: `Send the folder as cwd or in the header x-countersign-cwd, such as ${roots[0]}`,
  });
}
