// Conversations with models, wired: endpoints and their keys, prompts, the record, the evidence, the control room's files.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Home } from '../client/node.ts';
import {
  BUILT_IN_CHIEF,
  Chat,
  conversationHandlers,
  type ModelMessage,
  Models,
  PROJECT_PROMPTS_FILE,
  readPrompts,
  USER_PROMPTS_FILE,
} from '../conference/index.ts';
import type { Kernel, Redactor } from '../kernel/index.ts';
import { DEFAULT_CAST } from '../packs/index.ts';
import {
  ControlRoomViews,
  type Conversations,
  type FoldRegistry,
  receiptsOfSession,
  type Stories,
  toolReceipt,
} from '../projections/index.ts';
import { type AgentProfile, type Ask, type EventOf, FIRST_DOORS, type PromptsView, streams, type ToolReceipt } from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';
import { readInRoot } from '../workspace/index.ts';
import { openEndpointKeys } from './endpoint-keys.ts';
import { replySources } from './reply-sources.ts';

export interface ConversationOptions {
  readonly home: Home;
  readonly redactor: Redactor;
  readonly store: EventStore;
  readonly folds: Pick<FoldRegistry, 'of' | 'addReader'>;
  /** The newest work tree of each workspace. */
  readonly roots: ReadonlyMap<string, string>;
  readonly locate: (dir: string) => Promise<{ readonly id: string; readonly root: string }>;
  readonly stories: Stories;
  readonly now: () => Date;
  readonly log: (message: string) => void;
}

export interface OpenedConversations {
  readonly conversations: Conversations;
  readonly builtInAgents: readonly AgentProfile[];
  readonly prompts: (root: string) => Promise<PromptsView>;
  readonly receiptsOf: (sessionId: string) => Promise<readonly ToolReceipt[]>;
  readonly isSession: (id: string) => Promise<boolean>;
  readonly handlers: (kernel: Kernel, ask: Ask) => ReturnType<typeof conversationHandlers>;
  readonly close: () => Promise<void>;
}

/** Turns of a conversation that a model is shown again. */
const REMEMBERED_TURNS = 6;

export async function openConversations(options: ConversationOptions): Promise<OpenedConversations> {
  const { home, redactor, store, folds, roots, locate, stories, now, log } = options;
  const view = folds.of('conversations');
  const keys = await openEndpointKeys(home.endpointKeys, redactor);
  const models = new Models({ endpoints: () => view.endpoints(), keyFor: keys.keyFor });
  const builtInAgents = [BUILT_IN_CHIEF, ...DEFAULT_CAST.filter(({ id }) => id !== BUILT_IN_CHIEF.id)];
  const agents = (workspace: string) => {
    const saved = view.agents(workspace);
    return [...saved, ...builtInAgents.filter(({ id }) => !saved.some((each) => each.id === id))];
  };
  const prompts = (root: string) =>
    readPrompts([
      { layer: 'user', name: USER_PROMPTS_FILE, read: () => readIfThere(path.join(home.dir, USER_PROMPTS_FILE)) },
      { layer: 'project', name: PROJECT_PROMPTS_FILE, read: () => readProjectPrompts(root) },
    ]);
  const receiptsOf = async (id: string) => {
    const sessions = view.sessionsOf(id);
    if (sessions.length === 0) return (await receiptsOfSession(store, id)).map(toolReceipt);
    const found = (await Promise.all(sessions.map((session) => receiptsOfSession(store, session)))).flat();
    return found.filter(({ part_of }) => part_of?.conference_id === id).map(toolReceipt);
  };
  const isSession = async (id: string) =>
    view.sessionsOf(id).length > 0 || (await store.find({ stream: streams.session(id), limit: 1 })).length > 0;
  const views = new ControlRoomViews({
    ...{ conversations: view, builtInAgents, receiptsOf, log },
    rootOf: (workspace) => roots.get(workspace),
  });
  folds.addReader((record) => views.follow(record));
  return {
    ...{ conversations: view, builtInAgents, prompts, receiptsOf, isSession },
    handlers: (kernel, ask) =>
      conversationHandlers({
        ...{ kernel, ask, models, locate, now, view, keys, indexCanon: stories.indexCanon },
        chat: new Chat({
          ...{ kernel, models, locate, agents, prompts, door: FIRST_DOORS.chat },
          sources: (reply) => replySources({ store, vfsOf: stories.vfsOf }, reply),
          history: (session) => saidBefore(store, session),
        }),
        receiptIds: async (session) => (await receiptsOf(session)).map(({ receipt_id }) => receipt_id),
      }),
    close: async () => {
      await models.close();
      await views.settled();
    },
  };
}

async function readProjectPrompts(root: string): Promise<string | null> {
  const file = await readInRoot(root, PROJECT_PROMPTS_FILE).catch(() => null);
  return file && new TextDecoder('utf-8', { fatal: true }).decode(file.bytes);
}

const readIfThere = (file: string): Promise<string | null> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

/** Only what held: a refused reply must not be repeated as if it had been an answer. */
async function saidBefore(store: EventStore, session: string): Promise<ModelMessage[]> {
  const types = ['chat_asked', 'chat_answered'] as const;
  const records = await store.find({ types, stream: streams.session(session), limit: 2 * REMEMBERED_TURNS + 1 });
  const asked = new Map<string, string>();
  return records.toReversed().flatMap(({ event }): ModelMessage[] => {
    if (event.type === 'chat_asked') {
      asked.set(event.data.turn, event.data.message);
      return [];
    }
    const { turn, status, versions } = (event as EventOf<'chat_answered'>).data;
    const message = asked.get(turn);
    const text = versions.at(-1)?.text;
    if (status !== 'answered' || message === undefined || text === undefined) return [];
    return [
      { role: 'user', text: message },
      { role: 'assistant', text },
    ];
  });
}
