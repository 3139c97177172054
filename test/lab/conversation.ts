// A daemon with a short story in its workspace, models that a test scripts, and a person who asks them over HTTP.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { ChatAnswer, Event, EventOf } from '../../src/protocol/index.ts';
import { type ChatModel, type ChatStep, startChatModel } from './chat-model.ts';
import { type Call, type Reply, startTestDaemon, type TestDaemon } from './daemon.ts';

export const SCENE = 'Story/Scenes/SCN-harbour.md';
export const SCENE_TEXT = '# Harbour\n\nMara looked up. Her grey eyes were tired.\nThe last ferry turned back at the sandbar.\n';
export const QUOTE = 'Her grey eyes were tired';

export interface Conversation {
  readonly daemon: TestDaemon;
  readonly cwd: string;
  /** As the logged-in page. */
  readonly page: (method: string, address: string, call?: Call) => Promise<Reply>;
  /** A model with this script, as an endpoint of its own. */
  readonly modelThat: (...steps: readonly ChatStep[]) => Promise<{ readonly model: ChatModel; readonly id: string }>;
  /** HTTP 200 is part of it. */
  readonly chat: (body: Readonly<Record<string, unknown>>) => Promise<ChatAnswer>;
  /** What was recorded while `work` ran. */
  readonly recordedIn: <T>(work: () => Promise<T>) => Promise<{ readonly result: T; readonly events: readonly Event[] }>;
}

export function conversationForThisFile(): () => Conversation {
  let daemon: TestDaemon;
  let login: Readonly<Record<string, string>>;
  let serial = 0;
  beforeAll(async () => {
    daemon = await startTestDaemon();
    login = await daemon.login();
    await mkdir(join(daemon.repo.path, 'Story/Scenes'), { recursive: true });
    await writeFile(join(daemon.repo.path, SCENE), SCENE_TEXT);
  });
  afterAll(() => daemon.dispose());

  return () => {
    const cwd = daemon.repo.path;
    const page: Conversation['page'] = (method, address, call = {}) =>
      daemon.web(method, address, { ...call, headers: { ...login, ...call.headers } });
    return {
      ...{ daemon, cwd, page },
      modelThat: async (...steps) => {
        const model = await startChatModel(...steps);
        onTestFinished(() => model.close());
        const id = `lab${++serial}`;
        const body = { cwd, id, provider: 'lmstudio', address: model.url, model: 'scripted' };
        const { status, text } = await page('POST', '/api/endpoints', { body });
        expect([status, text]).toEqual([200, expect.any(String)]);
        return { model, id };
      },
      chat: async (body) => {
        const { status, text } = await page('POST', '/api/ai/chat', { body: { cwd, ...body } });
        expect([status, text]).toEqual([200, expect.any(String)]);
        return JSON.parse(text) as ChatAnswer;
      },
      recordedIn: async (work) => {
        const before = await daemon.ledgerSize();
        const result = await work();
        return { result, events: await daemon.recordedSince(before) };
      },
    };
  };
}

export const ofType = <T extends Event['type']>(events: readonly Event[], type: T): EventOf<T>['data'][] =>
  events.filter((event): event is EventOf<T> => event.type === type).map(({ data }) => data as EventOf<T>['data']);
