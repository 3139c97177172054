// Whole turns over each API that a provider speaks, with a model server of the tests' own that speaks it.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { callTool, decideFinal, receiptIn } from './lab/chat-model.ts';
import { conversationForThisFile, QUOTE, SCENE } from './lab/conversation.ts';
import { verifies } from './verifies.ts';

const here = conversationForThisFile();
const QUESTION = 'What colour are her eyes?';
const READS = callTool('file_reader', { path: SCENE });
const withReceipt = (call: { readonly prompt: string }) =>
  `Her eyes are grey.\nEvidence: "${QUOTE}" (${SCENE}:3); receipt ${receiptIn(call)}`;

describe('every API that a provider speaks', () => {
  const APIS = [
    ['openai', 'chat', 'gpt-5'],
    ['anthropic', 'messages', 'claude-haiku-4-5'],
    ['google', 'generateContent', 'gemini-2.5-flash'],
  ] as const;
  for (const [provider, api, name] of APIS)
    verifies('C5', `${provider}: a whole turn with a tool, its receipt and a verified quote; the key goes nowhere else`, async () => {
      const { modelThat, chat, page, cwd, daemon } = here();
      const { model } = await modelThat(READS, decideFinal, withReceipt);
      const key = `sk-countersign-${provider}-3a2b1c`;
      const body = { cwd, id: provider, provider, address: model.url, model: name, key };
      expect((await page('POST', '/api/endpoints', { body })).status).toBe(200);
      expect(await chat({ message: QUESTION, endpointId: provider })).toMatchObject({
        status: 'answered',
        steps: [{ tool: 'file_reader' }],
      });
      expect(new Set(model.calls.map((call) => call.api))).toEqual(new Set([api]));
      expect(model.calls.every(({ authorization }) => authorization?.replace('Bearer ', '') === key)).toBe(true);
      const ledger = await readFile(join(daemon.home.dir, 'ledger/00000001.jsonl'), 'utf8');
      expect(ledger.includes(key)).toBe(false);
    });

  verifies(
    'C5',
    'a provider that sends the key back, or puts it into an error, does not get it into an answer, the record or a page',
    async () => {
      const { modelThat, chat, page, cwd, daemon } = here();
      const key = 'sk-countersign-echoed-77aa88bb';
      const { model } = await modelThat(
        `Grey, and your key is ${key}.\nEvidence: "${QUOTE}" (${SCENE}:3)`,
        { status: 400, body: { error: { message: `bad key ${key}` } } },
        ({ nonce }) => JSON.stringify({ tool: key, args: { [key]: key }, nonce }),
      );
      await page('POST', '/api/endpoints', {
        body: { cwd, id: 'echo', provider: 'openai-compatible', address: model.url, model: 'm', key },
      });
      const ask = async () => JSON.stringify(await chat({ message: QUESTION, endpointId: 'echo' }));
      const answers = [
        await ask(),
        (await page('POST', '/api/ai/chat', { body: { cwd, message: QUESTION, endpointId: 'echo' } })).text,
        await ask(),
      ];
      const pages = await Promise.all(
        ['/api/notifications', '/api/telemetry', '/api/receipts', '/api/actions'].map(
          async (path) => (await page('GET', `${path}?cwd=${cwd}`)).text,
        ),
      );
      const ledger = await readFile(join(daemon.home.dir, 'ledger/00000001.jsonl'), 'utf8');
      expect([...answers, ...pages, ledger].map((text) => text.includes(key))).not.toContain(true);
    },
  );
});
