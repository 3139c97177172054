// One turn with an agent over HTTP: a real daemon, real files, and a model server of the tests' own.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ChatAnswer } from '../src/protocol/index.ts';
import { type ChatStep, startChatModel } from './lab/chat-model.ts';
import { startTestDaemon, type TestDaemon } from './lab/daemon.ts';

let daemon: TestDaemon;
let login: Readonly<Record<string, string>>;
beforeAll(async () => {
  daemon = await startTestDaemon();
  login = await daemon.login();
  await writeFile(join(daemon.repo.path, 'scene.md'), '# Harbour\n\nMara looked up. Her grey eyes were tired.\n');
});
afterAll(() => daemon.dispose());

let serial = 0;
async function modelThat(...steps: readonly ChatStep[]) {
  const model = await startChatModel(...steps);
  onTestFinished(() => model.close());
  const id = `lab${++serial}`;
  const added = await daemon.web('POST', '/api/endpoints', {
    headers: login,
    body: { cwd: daemon.repo.path, id, provider: 'lmstudio', address: model.url, model: 'scripted' },
  });
  expect([added.status, added.text]).toEqual([200, expect.any(String)]);
  return { model, id };
}

async function chat(body: Readonly<Record<string, unknown>>): Promise<ChatAnswer> {
  const { status, text } = await daemon.web('POST', '/api/ai/chat', { headers: login, body: { cwd: daemon.repo.path, ...body } });
  expect([status, text]).toEqual([200, expect.any(String)]);
  return JSON.parse(text) as ChatAnswer;
}

test('an answer whose quote is in the file is shown', async () => {
  const { id } = await modelThat('Grey.\nEvidence: "Her grey eyes were tired" (scene.md:3)');
  const answer = await chat({ message: 'What colour are her eyes?', endpointId: id });
  expect(answer).toMatchObject({ status: 'answered', grounded: true, text: expect.stringContaining('Grey.') as string });
});

test('an answer whose quote is made up is not shown, after one repair', async () => {
  const { id, model } = await modelThat(
    'Green.\nEvidence: "Her green eyes were tired" (scene.md:3)',
    'Green indeed.\nEvidence: "Her emerald eyes shone" (scene.md:3)',
  );
  const answer = await chat({ message: 'What colour are her eyes?', endpointId: id });
  expect(answer).toMatchObject({ status: 'refused' });
  expect(JSON.stringify(answer)).not.toContain('Green');
  expect(model.calls.length).toBe(2);
});
