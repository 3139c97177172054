// The tool loop with a real model that is too small for it: every turn has to end in a verified quote or in an honest refusal.

import { afterAll, beforeAll, expect } from 'vitest';
import type { ChatAnswer } from '../../src/protocol/index.ts';
import { conversationForThisFile, SCENE, SCENE_TEXT } from '../lab/conversation.ts';
import { verifies } from '../verifies.ts';
import { type LlamaServer, startLlama } from './llama-server.ts';

const here = conversationForThisFile();
let llama: LlamaServer;
beforeAll(async () => {
  llama = await startLlama(process.env['COUNTERSIGN_SMALL_MODEL'] ?? '');
  const { page, cwd } = here();
  const body = { cwd, id: 'small', provider: 'llamacpp', address: llama.url, model: 'smollm2-135m' };
  expect((await page('POST', '/api/endpoints', { body })).status).toBe(200);
}, 300_000);
afterAll(() => llama.close());

/** Nothing else may come of a turn. */
function expectHonest(answer: ChatAnswer): void {
  if (answer.status === 'answered') {
    expect(answer.evidence).toMatchObject({ status: 'accepted', problems: [] });
    for (const part of answer.evidence?.parts ?? [])
      if (part.kind === 'content') expect(SCENE_TEXT.replaceAll(/\s+/g, ' ')).toContain(part.quote.replaceAll(/\s+/g, ' '));
    return;
  }
  expect(['access', 'abstained', 'refused', 'stopped']).toContain(answer.status);
  if (answer.status === 'refused') {
    expect(answer.text).toContain('is not shown');
    expect(answer.refusedAttempts.length).toBe(2);
    // No sentence of what it wrote comes through.
    for (const written of llama.written.filter((text) => text.length > 20)) expect(answer.text).not.toContain(written);
  }
  if (answer.status === 'stopped') expect(answer.text).toMatch(/^STOP_HOOK: tool_call_rejected \(tool_call_\w+\)$/);
}

verifies(
  'C5',
  'asked to call a tool first, it ends honestly',
  async () => {
    const { chat } = here();
    const answer = await chat({
      ...{ message: `What colour are Mara's eyes? The file is ${SCENE}.`, endpointId: 'small' },
      toolPolicy: { allowedTools: ['file_reader'], requireTool: true },
    });
    console.log(`small model, with a tool: ${answer.status}, ${answer.steps.map(({ tool, status }) => `${tool} ${status}`).join(', ')}`);
    expectHonest(answer);
  },
  900_000,
);

verifies(
  'C5',
  'without a tool it ends honestly too',
  async () => {
    const { chat } = here();
    const answer = await chat({ message: 'What colour are her eyes?', endpointId: 'small', toolPolicy: { allowedTools: [] } });
    console.log(`small model, without a tool: ${answer.status}`);
    expectHonest(answer);
  },
  900_000,
);
