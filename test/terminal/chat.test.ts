// `countersign chat` on a real terminal: questions that are answered, refused, fail and are cancelled, in one conversation.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { callTool, type ChatModel, decideFinal, receiptIn, startChatModel } from '../lab/chat-model.ts';
import { QUOTE, SCENE, SCENE_TEXT } from '../lab/conversation.ts';
import { CLI, type Installation, makeInstallation } from '../lab/installation.ts';
import { runInTerminal } from '../lab/terminal.ts';
import { verifies } from '../verifies.ts';

let place: Installation;
let model: ChatModel;
beforeAll(async () => {
  place = await makeInstallation(CLI, {});
  await mkdir(join(place.repo.path, 'Story/Scenes'), { recursive: true });
  await writeFile(join(place.repo.path, SCENE), SCENE_TEXT);
  model = await startChatModel();
  await place.human(['endpoints', 'add', 'local', '--provider', 'lmstudio', '--url', model.url, '--model', 'scripted']);
});
afterAll(async () => {
  await model.close();
  await place.dispose();
});

verifies('C19', 'a person sees tools, receipts and evidence; an error and Ctrl-C end the question, not the conversation', async () => {
  const lie = `Her eyes are green.\nEvidence: "Her green eyes were tired" (${SCENE}:3)`;
  model.play(
    callTool('file_reader', { path: SCENE }),
    decideFinal,
    (call) => `Her eyes are grey.\nEvidence: "${QUOTE}" (${SCENE}:3); receipt ${receiptIn(call)}`,
    ...[lie, lie],
    { status: 500 },
    { stalls: true },
    `Still grey.\nEvidence: "${QUOTE}" (${SCENE}:3)`,
  );
  const { code, output } = await runInTerminal(CLI, ['chat'], {
    cwd: place.repo.path,
    env: place.env,
    input: [
      { after: 'you › ', type: 'What colour are her eyes?\r' },
      { after: '✓ verified', type: '' },
      { after: 'you › ', type: 'Are they green?\r' },
      { after: 'no answer after 2 attempts', type: '' },
      { after: 'you › ', type: 'Once more?\r' },
      { after: 'answered HTTP 500', type: '' },
      { after: 'you › ', type: 'And now?\r' },
      { after: 'asking the model', type: '\u0003' },
      { after: 'cancelled', type: '' },
      { after: 'you › ', type: 'What colour are they then?\r' },
      { after: '✓ verified', type: '' },
      { after: 'you › ', type: 'not sent\u0003' },
    ],
  });
  expect([code, model.left()]).toEqual([0, 0]);
  expect(output).toContain(`file_reader {"path":"${SCENE}"}`);
  expect(output).toMatch(/done, \d+ bytes, receipt rcp_/);
  expect(output).toContain('Her eyes are grey.');
  expect(output).toContain('is not in Story/Scenes/SCN-harbour.md');
  expect(output).not.toContain('Her eyes are green');
  // The model was shown what held before, and nothing of the rest.
  expect(model.calls.at(-1)?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  const session = /countersign show (ses_\w+)/.exec(output)?.[1];
  expect((await place.run(['show', session!])).stdout).toContain('file_reader');
});
