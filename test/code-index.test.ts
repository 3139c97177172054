// The code index as a person meets it: each command a real process, through the daemon.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { citeLines } from '../src/claims/index.ts';
import { type CodeIndexView, QUERIES, type RefsView, type SearchView, type SymbolsView } from '../src/protocol/index.ts';
import { type Installation, makeInstallation } from './lab/installation.ts';
import { verifies } from './verifies.ts';

const FILES = {
  'app/shape.ts': "import { scale } from './scale.ts';\nexport class Shape {\n  area() { return scale(2); }\n}\n",
  'app/scale.ts': '/** Makes a number larger. */\nexport function scale(by: number): number {\n  return by * 2;\n}\n',
  'app/broken.py': 'def half(:\n    return 1\n',
  '.gitignore': 'secret.ts\n',
  'secret.ts': 'export const hidden = 1;\n',
};

describe('the code index on the command line', () => {
  let place: Installation;
  beforeAll(async () => {
    place = await makeInstallation();
    for (const [path, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(place.repo.path, path)), { recursive: true });
      await writeFile(join(place.repo.path, path), text);
    }
  });
  afterAll(() => place.dispose());

  const json = async <T>(...args: string[]): Promise<T> => JSON.parse((await place.run(['--json', ...args])).stdout) as T;

  verifies('G27', 'index tells what is in and what was read in part', async () => {
    const view = await json<CodeIndexView>('index');
    expect(QUERIES.code_index.output.safeParse(view).error).toBe(undefined);
    expect(view).toMatchObject({ state: 'ready', errors: 1, watching: true, languages: { typescript: 4, python: 1 } });
    expect(view.events).toEqual([{ kind: 'parse_error', path: 'app/broken.py', why: 'line 1 cannot be read' }]);
    expect((await place.run(['index'])).stdout).toContain('app/broken.py line 1 cannot be read');
  });

  test('symbols, refs, search and outline say where, and with --json what can be cited', async () => {
    const said = async (...args: string[]) => (await place.run(args)).stdout;
    expect(await said('symbols', 'scale')).toBe('app/scale.ts:2  function  export function scale(by: number): number\n');
    expect(await said('refs', 'scale')).toBe(
      "app/shape.ts:1  import  import { scale } from './scale.ts';\napp/shape.ts:3  call  area() { return scale(2); }\n",
    );
    expect(await said('refs', 'scale', '--callers')).toBe('app/shape.ts:3  area  area() { return scale(2); }\n');
    expect(await said('search', 'by * 2')).toBe('app/scale.ts:3    return by * 2;\n');
    expect(await said('search', '--rank', 'make a number larger')).toContain('app/scale.ts:');
    expect(await said('outline', 'app/shape.ts')).toBe('2  class export class Shape\n3    method area()\n');
    expect(await said('symbols', 'hidden')).toBe('Nothing is called hidden.\n');

    const symbols = await json<SymbolsView>('symbols', 'scale');
    expect(QUERIES.symbols.output.safeParse(symbols).error).toBe(undefined);
    const { excerpt: _excerpt, file_sha256: _hash, ...citation } = symbols.hits[0]!.citation;
    expect(citation).toEqual(await citeLines(place.repo.path, { path: 'app/scale.ts', start_line: 2, end_line: 2 }));
    expect(QUERIES.refs.output.safeParse(await json<RefsView>('refs', 'scale')).error).toBe(undefined);
    expect(QUERIES.search.output.safeParse(await json<SearchView>('search', 'scale')).error).toBe(undefined);
    expect(QUERIES.outline.output.safeParse(await json('outline', 'app/shape.ts')).error).toBe(undefined);
    expect(QUERIES.rank.output.safeParse(await json('search', '--rank', 'scale')).error).toBe(undefined);
  });

  test('a change is in the next answer', async () => {
    await writeFile(join(place.repo.path, 'app/later.go'), 'package app\n\nfunc Later() {}\n');
    await expect
      .poll(async () => (await json<SymbolsView>('symbols', 'Later')).hits.map(({ path }) => path), { timeout: 20_000 })
      .toEqual(['app/later.go']);
  }, 30_000);

  test('what cannot be answered says why and what to do', async () => {
    expect(await place.run(['outline', 'none.ts'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('none.ts is not in the index.'),
    });
    expect(await place.run(['search', '--regex', '('])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The pattern cannot be read'),
    });
    expect(await place.run(['symbols', 'scale', '--kind', 'thing'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no kind of definition "thing".'),
    });
  });
});
