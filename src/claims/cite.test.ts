import { linkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { Fault } from '../protocol/index.ts';
import { makeTree } from '../workspace/tree.fixture.ts';
import { citeLines } from './cite.ts';
import { sha256 } from './claims.fixture.ts';
import { FILE_MAX_BYTES } from './tree-file.ts';

async function faultOf(promise: Promise<unknown>): Promise<{ code: string; message: string; fix: string | null }> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Fault)) throw new Error('expected a Fault', { cause: error });
  return { code: error.code, message: error.message, fix: error.fix };
}

verifies('N6', 'a citation holds the hash of the lines', async () => {
  const root = makeTree({ 'src/a.ts': 'one\ntwo\nthree\n' });
  expect(await citeLines(root, { path: 'src/a.ts', start_line: 2, end_line: 3 })).toEqual({
    path: 'src/a.ts',
    start_line: 2,
    end_line: 3,
    sha256: sha256('two\nthree'),
  });
});

test('line ends and a byte order mark are no part of the text', async () => {
  const root = makeTree({ 'a.txt': '\ufeffone\r\ntwo\r\n', 'b.txt': 'one\ntwo' });
  const [a, b] = await Promise.all(['a.txt', 'b.txt'].map((path) => citeLines(root, { path, start_line: 1, end_line: 2 })));
  expect(a!.sha256).toBe(b!.sha256);
});

test('a path is cited as where it really leads, inside the root', async () => {
  const root = makeTree({ 'src/a.ts': 'one\n' });
  symlinkSync('a.ts', join(root, 'src/link.ts'));
  expect((await citeLines(root, { path: './src/link.ts', start_line: 1, end_line: 1 })).path).toBe('src/a.ts');
});

test('a hash that was read before is compared with what is there now', async () => {
  const root = makeTree({ 'a.ts': 'one\n' });
  const lines = { path: 'a.ts', start_line: 1, end_line: 1 };
  expect((await citeLines(root, { ...lines, sha256: sha256('one') })).sha256).toBe(sha256('one'));
  writeFileSync(join(root, 'a.ts'), 'uno\n');
  expect(await faultOf(citeLines(root, { ...lines, sha256: sha256('one') }))).toEqual({
    code: 'CONFLICT',
    message: 'a.ts:1-1 changed since it was read: its text has another hash than the one given',
    fix: 'Read the lines again, see whether they still say it, and cite them as they are now',
  });
});

test('what cannot be cited is said with what, where and what to do', async () => {
  const outside = makeTree({ secret: 'key' });
  const root = makeTree({
    'two.txt': 'one\ntwo\n',
    empty: '',
    'image.png': new Uint8Array([0x89, 0x50, 0x00, 0x0a]),
    'latin.txt': new Uint8Array([0x66, 0xfc, 0x72]),
    'huge.txt': 'x'.repeat(FILE_MAX_BYTES + 1),
    'folder/x': '',
  });
  symlinkSync(join(outside, 'secret'), join(root, 'out'));
  const refused = async (path: string, start_line = 1, end_line = 1) => {
    const fault = await faultOf(citeLines(root, { path, start_line, end_line }));
    expect(fault.code).toBe('BAD_REQUEST');
    expect(fault.fix).toMatch(/^(?:Cite|Read|Give) /);
    return fault.message;
  };
  expect(await refused('two.txt', 2, 3)).toBe('two.txt:2-3 cannot be cited: the file has 2 lines');
  expect(await refused('empty')).toBe('empty:1-1 cannot be cited: the file has 0 lines');
  expect(await refused('two.txt', 2, 1)).toBe(
    'two.txt:2-1 cannot be cited: lines are counted from 1, and the last is not before the first',
  );
  expect(await refused('image.png')).toBe('image.png:1-1 cannot be cited: the file is not text in UTF-8');
  expect(await refused('latin.txt')).toBe('latin.txt:1-1 cannot be cited: the file is not text in UTF-8');
  expect(await refused('huge.txt')).toBe('huge.txt:1-1 cannot be cited: the file is larger than 8388608 bytes');
  expect(await refused('folder')).toBe('folder:1-1 cannot be cited: the file is not a file');
  expect(await refused('gone')).toBe('gone:1-1 cannot be cited: the file does not exist');
  expect(await refused('out')).toBe('out:1-1 cannot be cited: the file cannot be looked at: it leads outside the work tree');
  expect(await refused('../x')).toBe('../x:1-1 cannot be cited: the file cannot be looked at: it leads outside the work tree');
  expect(await refused('a\u202eb')).toBe('ab:1-1 cannot be cited: the file cannot be looked at: it has control or invisible characters');
});

verifies('T9', 'a key cannot be read by quoting it', async () => {
  const root = makeTree({ '.ai/auth/jira.token': 'secret\n', '.mcp.json': '{}\n', 'home/keys/ledger.key': 'secret\n' });
  symlinkSync('.ai/auth', join(root, 'docs'));
  const one = { start_line: 1, end_line: 1 };
  for (const path of ['.ai/auth/jira.token', '.AI/Auth/jira.token', 'docs/jira.token', '.mcp.json'])
    expect((await faultOf(citeLines(root, { ...one, path }))).code).toBe('BAD_REQUEST');
  const mine = citeLines(root, { ...one, path: 'home/keys/ledger.key' }, [join(root, 'home')]);
  expect((await faultOf(mine)).message).toContain("it belongs to the gate's keys and records");
});

test('a hard link has the same text as the file that it is', async () => {
  const root = makeTree({ 'a.ts': 'one\n' });
  linkSync(join(root, 'a.ts'), join(root, 'b.ts'));
  expect((await citeLines(root, { path: 'b.ts', start_line: 1, end_line: 1 })).path).toBe('b.ts');
});
