import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureFolder, readDocument, removeFile, replaceFile } from './document.ts';
import { makeTree } from './tree.fixture.ts';

test('a document is read at its own place only', async () => {
  const root = makeTree({ 'a.json': '{}', 'folder/': '', 'b/c.json': '[]', large: '' });
  symlinkSync('a.json', join(root, 'link.json'));
  symlinkSync('b', join(root, 'other'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  truncateSync(join(root, 'large'), 1024 * 1024 + 1);
  expect(Buffer.from((await readDocument(root, 'a.json'))?.bytes ?? []).toString()).toBe('{}');
  expect(await readDocument(root, 'none/at/all.json')).toBe(null);
  const faults: Record<string, string> = {
    'link.json': 'it leads to a.json through a link',
    'other/c.json': 'it leads to b/c.json through a link',
    folder: 'it is a folder',
    pipe: 'it is a FIFO, a socket or a device',
    large: 'it is larger than 1048576 bytes',
  };
  for (const [path, why] of Object.entries(faults))
    await expect(readDocument(root, path)).rejects.toMatchObject({ code: 'DOCUMENT_INVALID', message: `${path} cannot be used: ${why}` });
});

test('a replacement takes the place of exactly what was read, or fails and leaves nothing behind', async () => {
  const root = makeTree({ 'a.txt': 'one' });
  const path = join(root, 'a.txt');
  const read = await readDocument(root, 'a.txt');
  await replaceFile(path, read, Buffer.from('two'));
  expect(readFileSync(path, 'utf8')).toBe('two');
  await expect(replaceFile(path, read, Buffer.from('three'))).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(replaceFile(path, null, Buffer.from('three'))).rejects.toMatchObject({ code: 'CONFLICT' });
  await replaceFile(join(root, 'b.txt'), null, Buffer.from('new'));
  await expect(replaceFile(join(root, 'gone.txt'), read, Buffer.from('x'))).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(readdirSync(root)).toEqual(['a.txt', 'b.txt']);
  expect(readFileSync(path, 'utf8')).toBe('two');
});

test('a removal takes away exactly what was read', async () => {
  const root = makeTree({ 'a.txt': 'one' });
  const path = join(root, 'a.txt');
  const read = (await readDocument(root, 'a.txt'))!;
  writeFileSync(path, 'two');
  await expect(removeFile(path, read)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(readFileSync(path, 'utf8')).toBe('two');
  writeFileSync(path, 'one');
  await removeFile(path, read);
  await expect(removeFile(path, read)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(readdirSync(root)).toEqual([]);
});

test('a folder is made, and a link in its place refused', async () => {
  const root = makeTree({ 'real/': '' });
  await ensureFolder(root, '.orchestration');
  expect(readdirSync(join(root, '.orchestration'))).toEqual([]);
  symlinkSync('real', join(root, 'link'));
  await expect(ensureFolder(root, 'link')).rejects.toMatchObject({ code: 'DOCUMENT_INVALID' });
  writeFileSync(join(root, 'file'), '');
  await expect(ensureFolder(root, 'file')).rejects.toMatchObject({ code: 'DOCUMENT_INVALID' });
});
