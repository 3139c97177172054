// `countersign ask`, `chat` and `endpoints` as a person runs them: a real daemon, real files, and a model server of the tests' own.

import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SAMPLE_STORY } from '../src/packs/prose/story.fixture.ts';
import type { ChatAnswer } from '../src/protocol/index.ts';
import { callTool, type ChatStep, decideFinal, receiptIn, startChatModel } from './lab/chat-model.ts';
import { QUOTE, SCENE, SCENE_TEXT } from './lab/conversation.ts';
import type { Place } from './lab/installation.ts';
import { oneDaemon } from './lab/one-daemon.ts';
import { verifies } from './verifies.ts';

const installed = oneDaemon();
const GREY = `Her eyes are grey.\nEvidence: "${QUOTE}" (${SCENE}:3)`;
const GREEN = `Her eyes are green.\nEvidence: "Her green eyes were tired" (${SCENE}:3)`;

async function storyWith(...steps: readonly ChatStep[]): Promise<Place> {
  const place = await installed();
  await mkdir(join(place.repo.path, 'Story/Scenes'), { recursive: true });
  await writeFile(join(place.repo.path, SCENE), SCENE_TEXT);
  const model = await startChatModel(...steps);
  onTestFinished(() => model.close());
  const added = await place.run(['endpoints', 'add', 'local', '--provider', 'lmstudio', '--url', model.url, '--model', 'scripted']);
  expect([added.code, added.stderr]).toEqual([0, expect.any(String)]);
  expect(added.stdout).toContain(`local  lmstudio, model scripted at ${model.host}, on this machine`);
  return place;
}

verifies('C19', 'ask answers with a verified quote and a receipt', async () => {
  const { run } = await storyWith(callTool('file_reader', { path: SCENE }), decideFinal, (call) => `${GREY}; receipt ${receiptIn(call)}`);
  const { code, stdout, stderr } = await run(['ask', 'What colour are her eyes?']);
  expect([code, stdout.replaceAll(/rcp_\w+/g, 'rcp_…')]).toEqual([
    0,
    [
      'chief (scripted)',
      '  │ Her eyes are grey.',
      `  │ Evidence: "${QUOTE}" (${SCENE}:3); receipt rcp_…`,
      `  ✓ verified  ${SCENE}:3`,
      '  receipt     rcp_…',
      '',
    ].join('\n'),
  ]);
  expect(stderr).toContain(`file_reader {"path":"${SCENE}"}`);
  expect(stderr).toContain('checking the evidence');
});

verifies('C19', 'ask refuses to show an answer whose quote is made up, and says so', async () => {
  const { run } = await storyWith(GREEN, GREEN);
  const { code, stdout, stderr } = await run(['ask', 'What colour are her eyes?']);
  expect(code).toBe(1);
  expect(stdout).toContain('no answer after 2 attempts');
  expect(stdout).toContain('The answer is not shown, because its evidence does not hold.');
  expect(stdout).toContain('"Her green eyes were tired" is not in Story/Scenes/SCN-harbour.md');
  expect(`${stdout}${stderr}`).not.toContain('Her eyes are green');
});

verifies('C19', 'on each scene of the sample story ask shows a verified quote, and none with one word changed', async () => {
  const place = await installed();
  const story = join(place.base, `story-${process.pid}`);
  await cp(SAMPLE_STORY, story, { recursive: true });
  const inStory = { cwd: story };
  expect((await place.run(['init', '--pack', 'prose', '.', '--yes'], inStory)).code).toBe(0);
  const model = await startChatModel();
  onTestFinished(() => model.close());
  await place.run(['endpoints', 'add', 'story', '--provider', 'lmstudio', '--url', model.url, '--model', 'scripted'], inStory);
  const scenes = (await readdir(join(story, 'Story/Scenes'))).toSorted().map((name) => `Story/Scenes/${name}`);
  expect(scenes.length).toBe(20);
  const seen = await Promise.all(
    scenes.map(async (path) => {
      const lines = (await readFile(join(story, path), 'utf8')).split('\n');
      const at = lines.findIndex((line) => line.length > 80 && !/["“”]/.test(line));
      const words = lines[at]!.split(' ').slice(0, 12);
      return { path, line: at + 1, quote: words.join(' '), changed: words.with(6, 'zebra').join(' ') };
    }),
  );
  for (const { path, line, quote, changed } of seen) {
    const says = (words: string) => (call: { readonly prompt: string }) =>
      `That is so.\nEvidence: "${words}" (${path}); receipt ${receiptIn(call)}`;
    model.play(callTool('file_reader', { path }), decideFinal, says(quote));
    const asked = ['ask', '--endpoint', 'story', `What does ${path} say?`];
    const good = await place.run(asked, inStory);
    expect([path, good.code, good.stderr, good.stdout]).toEqual([
      path,
      0,
      expect.any(String),
      expect.stringContaining(`✓ verified  ${path}:${line}`),
    ]);
    model.play(callTool('file_reader', { path }), decideFinal, says(changed), says(changed));
    const bad = await place.run(asked, inStory);
    expect([path, bad.code, bad.stdout]).toEqual([path, 1, expect.stringMatching(/zebra.* is not in Story/)]);
    // What the file really has was offered for the repair.
    expect(model.calls.at(-1)?.messages.at(-1)?.content).toContain(`(${path}:${line}`);
  }
});

verifies('C8', 'a quote in a scene of a manuscript is shown with its line there', async () => {
  const { run, repo } = await storyWith('He stayed.\nEvidence: "He stayed at home." (Story/Scenes/SCN-02-one-2.md)');
  await rm(join(repo.path, 'Story'), { recursive: true });
  await writeFile(join(repo.path, 'book.md'), '# Book\n\n## One\n\nShe left.\n\n***\n\nHe stayed at home.\n');
  await mkdir(join(repo.path, '.control-room'), { recursive: true });
  await writeFile(join(repo.path, '.control-room/story.json'), '{"manuscript": "book.md"}');
  expect((await run(['ask', 'Who stayed?'])).stdout).toContain('✓ verified  Story/Scenes/SCN-02-one-2.md:3 (book.md:9)');
});

verifies('C7', 'a quotation in the text that no cited file has is shown as not checked', async () => {
  const { run } = await storyWith(`She says "I never liked the sea".\nEvidence: "${QUOTE}" (${SCENE}:3)`);
  const { code, stdout } = await run(['ask', 'Eyes?']);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('! not checked  "I never liked the sea" is in no file that the evidence names'),
  ]);
});

test('a call that is rejected after another one ran is shown as that', async () => {
  const { run } = await storyWith(callTool('file_reader', { path: SCENE }), 'I will now answer.');
  const { code, stdout } = await run(['ask', 'Eyes?']);
  expect([code, stdout]).toEqual([1, expect.stringContaining('This call was not executed.')]);
  expect(stdout).not.toContain('Nothing was executed.');
});

test('ask --json prints the whole answer', async () => {
  const { run } = await storyWith(GREY);
  const { code, stdout, stderr } = await run(['ask', '--json', 'Eyes?']);
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout) as ChatAnswer).toMatchObject({ status: 'answered', evidence: { citations: [{ path: SCENE, start_line: 3 }] } });
});

test('a rejected tool call is shown as a warning', async () => {
  const { run } = await storyWith('{"tool":"file_reader","args":{},"nonce":"guess"}');
  const { code, stdout } = await run(['ask', 'Eyes?']);
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(
      /^⚠ chief \(scripted\): STOP_HOOK: tool_call_rejected \(tool_call_nonce_invalid\)\n.*\n  Nothing was executed\.\n$/,
    ),
  ]);
});

test('without a model, one sentence says how to name one, and what works without', async () => {
  const place = await installed();
  // Endpoints are the user's, so another test may have added one here.
  for (const { id } of JSON.parse((await place.run(['endpoints', '--json'])).stdout) as { id: string }[])
    await place.run(['endpoints', 'remove', id]);
  const { code, stderr } = await place.run(['ask', 'Eyes?']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('No model is set up.')]);
  expect(stderr).toContain('countersign endpoints add local --provider lmstudio --model NAME');
  expect((await place.run(['endpoints'])).stdout).toContain('everything else works');
});

test('an endpoint that cannot be: the error says what is wrong with it, and what to write', async () => {
  const { run } = await installed();
  const add = (...more: string[]) => run(['endpoints', 'add', ...more, '--provider', 'lmstudio', '--model', 'm']);
  const address = await add('local', '--url', 'nowhere');
  expect([address.code, address.stderr]).toEqual([2, expect.stringContaining('nowhere is not an address.')]);
  expect(address.stderr).toContain('http://127.0.0.1:1234/v1');
  const name = await add('../keys');
  expect([name.code, name.stderr]).toEqual([2, expect.stringContaining('../keys cannot be the name of an endpoint.')]);
  const unknown = await run(['endpoints', 'test', 'none']);
  expect([unknown.code === 0, unknown.stderr.includes('seven short questions')]).toEqual([false, false]);
});

test('issues are opened, listed, shown and closed', async () => {
  const { run } = await installed();
  expect((await run(['issues', 'open', 'Her eyes change colour', '--tag', 'continuity', '--priority', 'high'])).stdout).toContain(
    'ISS-1  open  high',
  );
  expect((await run(['issues', '--tag', 'continuity'])).stdout).toContain('Her eyes change colour');
  expect((await run(['issues', 'close', 'ISS-1'])).stdout).toBe('ISS-1 is closed.\n');
  expect((await run(['issues'])).stdout).toBe('No issues that fit; --status all shows the closed ones too.\n');
  expect((await run(['issues', 'show', 'ISS-9'])).code).toBe(1);
});
