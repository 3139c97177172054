// The routes of the two registries: a query is asked by GET, a command given by POST. The few raw routes define themselves: login,
// hooks, the event stream, the page.

import type { CallerFollowing, CallerJudgement, CommandHandlers, Recorded } from '../../kernel/index.ts';
import { type CallerKind, type Command, type CommandName, COMMANDS, QUERIES, type QueryName, queryPathOf } from '../../protocol/index.ts';
import type { Access } from './access.ts';

export interface AskRoute {
  readonly url: string;
  readonly access: Access;
  readonly query: QueryName;
}

export const askRoutes: readonly AskRoute[] = (Object.keys(QUERIES) as QueryName[]).map((query) => ({
  url: queryPathOf(query),
  access: 'reader',
  query,
}));

export interface ActRoute {
  readonly name: CommandName;
  readonly url: string;
  readonly access: Access;
  readonly command: Command;
}

export const actRoutes: readonly ActRoute[] = (Object.keys(COMMANDS) as CommandName[]).map((name) => {
  const command: Command = COMMANDS[name];
  return { name, url: command.path, access: accessFor(command.who), command };
});

function accessFor(who: readonly CallerKind[]): Access {
  return who.includes('page') ? 'human' : 'owner';
}

/** A handler, for a request that its own command's schema has parsed. */
export interface UntypedHandler {
  readonly act: (caller: CallerJudgement, request: unknown) => Promise<Recorded>;
  readonly show?: (request: unknown, following: CallerFollowing) => Promise<unknown>;
}

export const handlerOf = (handlers: CommandHandlers, name: CommandName): UntypedHandler => handlers[name] as UntypedHandler;
