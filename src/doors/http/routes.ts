// The routes of the two registries: a query is asked by GET, a command given by POST. All others are in `raw-routes.ts`.

import { type CallerKind, type CommandName, COMMANDS, QUERIES, type QueryName, queryPathOf } from '../../protocol/index.ts';
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

export const commandNames = Object.keys(COMMANDS) as readonly CommandName[];

export const accessFor = (who: readonly CallerKind[]): Access => (who.includes('page') ? 'human' : 'owner');

/** Whether a client with a key of its own may give it. */
export const isForClients = (who: readonly CallerKind[]): boolean => who.includes('client');
