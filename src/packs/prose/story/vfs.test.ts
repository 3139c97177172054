import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeDocx } from '../../../../test/lab/docx.ts';
import { verifies } from '../../../../test/verifies.ts';
import { openVfs, sourceText } from './vfs.ts';

async function folderWith(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'vfs-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

const BOOK = makeDocx([
  { text: 'The Book', heading: 1 },
  { text: 'Arrival', heading: 2 },
  { text: 'Mara stepped off the ferry & looked <back>.' },
  { text: '* * *' },
  { text: 'Nobody had come.' },
]);

verifies('C8', 'a .docx manuscript is taken apart into scenes, and its words can be quoted', async () => {
  const vfs = openVfs(await folderWith({ 'book.docx': BOOK, '.control-room/story.json': '{"manuscript":"book.docx"}' }), {});
  expect(await vfs.tree()).toEqual([
    { path: 'Story/SCN-outline.md', kind: 'virtual', source: 'book.docx' },
    { path: 'Story/Scenes/SCN-01-arrival.md', kind: 'virtual', source: 'book.docx' },
    { path: 'Story/Scenes/SCN-02-arrival-2.md', kind: 'virtual', source: 'book.docx' },
    { path: 'book.docx', kind: 'file' },
  ]);
  expect(await sourceText(vfs, 'Story/Scenes/SCN-01-arrival.md')).toEqual({
    kind: 'file',
    path: 'Story/Scenes/SCN-01-arrival.md',
    lines: ['# Arrival', '', 'Mara stepped off the ferry & looked <back>.'],
    source: { path: 'book.docx', source_line: 5, first_line: 3 },
  });
  expect((await vfs.read('book.docx')).lines[4]).toBe('Mara stepped off the ferry & looked <back>.');
});

verifies('C8', 'scenes that exist as files are used instead of the manuscript', async () => {
  const vfs = openVfs(
    await folderWith({ 'book.docx': BOOK, '.control-room/story.json': '{"manuscript":"book.docx"}', 'Story/Scenes/SCN-01.md': 'Mine.' }),
    {},
  );
  expect((await vfs.tree()).map(({ path, kind }) => [path, kind])).toEqual([
    ['Story/Scenes/SCN-01.md', 'file'],
    ['book.docx', 'file'],
  ]);
});

test('what cannot be read is said in words', async () => {
  const root = await folderWith({ 'bad.docx': 'no zip', 'image.md': 'a\0b', 'a.md': 'text\r\n', '.ai/auth/x.token': 'secret' });
  await symlink('/etc', join(root, 'etc'));
  const vfs = openVfs(root, {});
  expect(await sourceText(vfs, 'bad.docx')).toEqual({
    kind: 'withheld',
    why: 'cannot be read: bad.docx cannot be read: it is not a .docx file',
  });
  expect(await sourceText(vfs, 'image.md')).toMatchObject({ kind: 'withheld' });
  expect(await sourceText(vfs, 'none.md')).toEqual({ kind: 'missing', why: 'does not exist' });
  expect((await sourceText(vfs, './a.md')) satisfies object).toEqual({ kind: 'file', path: 'a.md', lines: ['text'] });
  for (const path of ['../x.md', '/etc/passwd', 'etc/passwd', '.ai/auth/x.token'])
    expect([path, (await sourceText(vfs, path)).kind]).not.toEqual([path, 'file']);
  const broken = openVfs(await folderWith({ '.control-room/story.json': '{' }), {});
  await expect(broken.tree()).rejects.toThrow('.control-room/story.json is not JSON');
});
