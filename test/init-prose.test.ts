// `countersign init --pack prose`: a folder without git, one long manuscript, through the real command line.

import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeDocx } from './lab/docx.ts';
import { CLI, runCommand } from './lab/installation.ts';
import { SAMPLE_STORY } from '../src/packs/prose/story.fixture.ts';
import { verifies } from './verifies.ts';

async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'prose-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
const init = (cwd: string, ...args: string[]) =>
  runCommand(CLI, ['init', '--pack', 'prose', ...args], { cwd, env: { HOME: cwd, COUNTERSIGN_HOME: join(cwd, '.home') } });

verifies('C8', 'a folder with one .docx gets a story file that names it, and the manuscript stays as it is', async () => {
  const folder = await makeFolder();
  const book = makeDocx([{ text: 'One', heading: 1 }, { text: 'She left.' }]);
  await writeFile(join(folder, 'book.docx'), book);
  const { code, stdout } = await init(tmpdir(), folder, '--yes');
  expect([code, stdout]).toEqual([0, expect.stringContaining('manuscript: book.docx')]);
  expect(JSON.parse(await readFile(join(folder, '.control-room/story.json'), 'utf8'))).toEqual({ manuscript: 'book.docx' });
  expect(await readFile(join(folder, 'book.docx'))).toEqual(book);
  expect((await init(folder, '.', '--yes')).stdout).toContain('Nothing has to be written.');
});

test('a folder of scenes needs no file; what cannot be done is said', async () => {
  const story = await makeFolder();
  await cp(SAMPLE_STORY, story, { recursive: true });
  expect((await init(story, '--dry-run')).stdout).toContain('20 scenes in Story/Scenes');
  const folder = await makeFolder();
  await writeFile(join(folder, 'report.md'), '# Report\n');
  expect((await init(folder, '.')).stdout).toContain('texts: 1, all for agents to read. A story has its scenes in Story/Scenes');
  expect((await init(folder, 'none')).stderr).toContain('There is no folder');
  expect((await runCommand(CLI, ['init', '--pack', 'poetry'], { cwd: folder, env: { HOME: folder } })).stderr).toContain(
    'There is no pack poetry.',
  );
  expect((await runCommand(CLI, ['init', 'elsewhere'], { cwd: folder, env: { HOME: folder } })).stderr).toContain(
    'only --pack takes a folder',
  );
});
