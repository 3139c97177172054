import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadPageFiles } from './page-files.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'countersign-page-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test('files are served by their address, the index by none, and hashed ones for ever', async () => {
  await mkdir(join(dir, 'assets'));
  await writeFile(join(dir, 'index.html'), '<!doctype html>');
  await writeFile(join(dir, 'assets/a-1f.js'), 'export {};');
  const index = { type: 'text/html; charset=utf-8', content: Buffer.from('<!doctype html>'), immutable: false };
  expect(await loadPageFiles(dir)).toEqual(
    new Map([
      ['assets/a-1f.js', { type: 'text/javascript; charset=utf-8', content: Buffer.from('export {};'), immutable: true }],
      ['index.html', index],
      ['', index],
    ]),
  );
});

test('what is no part of a page is not served: other kinds of files, and links', async () => {
  await writeFile(join(dir, 'notes.txt'), 'x');
  await writeFile(join(dir, 'index.js.map'), 'x');
  await writeFile(join(dir, '.env'), 'x');
  await symlink('/etc/passwd', join(dir, 'passwd.html'));
  await symlink('/etc', join(dir, 'etc'));
  expect(await loadPageFiles(dir)).toEqual(new Map());
});

test('a page that has not been built is an empty one', async () => {
  expect(await loadPageFiles(join(dir, 'nowhere'))).toEqual(new Map());
});
