// The VFS, the outline and the canon index of a story over HTTP: a real daemon, real files, and a model server of the tests' own.

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { SAMPLE_STORY } from '../src/packs/prose/story.fixture.ts';
import type { CanonStatus } from '../src/protocol/index.ts';
import { type ChatStep, startChatModel } from './lab/chat-model.ts';
import { startTestDaemon, type TestDaemon } from './lab/daemon.ts';
import { verifies } from './verifies.ts';

let daemon: TestDaemon;
let login: Readonly<Record<string, string>>;
beforeAll(async () => {
  daemon = await startTestDaemon();
  login = await daemon.login();
  await cp(SAMPLE_STORY, daemon.repo.path, { recursive: true });
});
afterAll(() => daemon.dispose());

async function get<T>(path: string, more: Readonly<Record<string, string>> = {}): Promise<T> {
  const { status, text } = await daemon.web('GET', `${path}?${new URLSearchParams({ cwd: daemon.repo.path, ...more })}`, {
    headers: login,
  });
  expect([status, text]).toEqual([200, expect.any(String)]);
  return JSON.parse(text) as T;
}
const inRepo = (path: string) => join(daemon.repo.path, path);

describe('the VFS', () => {
  verifies('C8', 'has the real files by their paths, and the outline equal to the outline API', async () => {
    const tree = await get<{ path: string; kind: string }[]>('/api/vfs/tree');
    expect(tree.filter(({ path }) => path.startsWith('Story/Scenes/')).length).toBe(20);
    expect(tree).toContainEqual({ path: 'Story/SCN-outline.md', kind: 'file' });
    const file = await get<{ content: string; sha256: string }>('/api/vfs/file', { path: 'Story/SCN-outline.md' });
    const outline = await get<{ path: string; content: string; sha256: string; entries: { number: number; title: string; pov: string }[] }>(
      '/api/story/outline',
    );
    expect(file.content).toBe(await readFile(inRepo('Story/SCN-outline.md'), 'utf8'));
    expect({ ...outline, entries: outline.entries.length, first: outline.entries[0] }).toMatchObject({
      ...{ path: 'Story/SCN-outline.md', content: file.content, sha256: file.sha256, entries: 20 },
      first: { number: 1, title: 'The Ferry', pov: 'Mara Voss' },
    });
  });

  verifies('C8', 'needs a login, is only read, and says which file does not exist', async () => {
    const address = `/api/vfs/file?${new URLSearchParams({ cwd: daemon.repo.path, path: 'Story/none.md' })}`;
    expect((await daemon.web('GET', address, {})).status).toBe(401);
    const { status, text } = await daemon.web('GET', address, { headers: login });
    expect([status, text]).toEqual([404, expect.stringContaining('There is no file Story/none.md')]);
  });

  verifies('C8', 'takes one long manuscript apart into virtual scenes with a map to its lines', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'novel-'));
    await mkdir(join(folder, '.control-room'), { recursive: true });
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'book.md'), '# Book\n\n## One\n\nShe left.\n\n***\n\nHe stayed.\n');
    await writeFile(join(folder, '.control-room/story.json'), '{"manuscript": "book.md"}');
    const tree = await get<{ path: string; kind: string; source?: string }[]>('/api/vfs/tree', { cwd: folder });
    expect(tree.filter(({ kind }) => kind === 'virtual')).toEqual([
      { path: 'Story/SCN-outline.md', kind: 'virtual', source: 'book.md' },
      { path: 'Story/Scenes/SCN-01-one.md', kind: 'virtual', source: 'book.md' },
      { path: 'Story/Scenes/SCN-02-one-2.md', kind: 'virtual', source: 'book.md' },
    ]);
    expect(await get('/api/vfs/file', { cwd: folder, path: 'Story/Scenes/SCN-02-one-2.md' })).toMatchObject({
      content: '# One (2)\n\nHe stayed.\n',
      source: { path: 'book.md', source_line: 9, first_line: 3 },
    });
    expect(await get('/api/story/outline', { cwd: folder })).toMatchObject({
      path: 'Story/SCN-outline.md',
      entries: [{ number: 1, title: 'One' }, { number: 2 }],
    });
  });
});

describe('the canon index', () => {
  let serial = 0;
  async function index(answer: (prompt: string) => string): Promise<{ status: CanonStatus; asked: number }> {
    const step: ChatStep = ({ prompt }) => answer(prompt);
    const model = await startChatModel(...Array.from({ length: 40 }, () => step));
    onTestFinished(() => model.close());
    const id = `canon${++serial}`;
    await daemon.web('POST', '/api/endpoints', {
      headers: login,
      body: { cwd: daemon.repo.path, id, provider: 'lmstudio', address: model.url, model: 'scripted' },
    });
    const { status, text } = await daemon.web('POST', '/api/canon/index', {
      headers: login,
      body: { cwd: daemon.repo.path, endpointId: id },
    });
    expect([status, text]).toEqual([200, expect.any(String)]);
    return { status: JSON.parse(text) as CanonStatus, asked: model.calls.length };
  }
  const factsOf = (prompt: string): string => {
    const facts = [
      ...(prompt.includes('Her green eyes watered')
        ? [{ entity: 'Mara Voss', attribute: 'eye colour', value: 'green', quote: 'Her green eyes watered in the wind' }]
        : []),
      ...(prompt.includes('her red hair')
        ? [{ entity: 'Ilse Brandt', attribute: 'hair colour', value: 'red', quote: 'She tied back her red hair' }]
        : []),
      ...(prompt.includes('# The Keeper')
        ? [{ entity: 'Ilse Brandt', attribute: 'pet', value: 'a dog', quote: 'Her dog slept by the lamp' }]
        : []),
    ];
    return JSON.stringify({ facts });
  };

  verifies('C9', 'is made by a model and compiled from what the scenes really have; Canon.md is at the root', async () => {
    expect(await get<CanonStatus>('/api/canon/index/status')).toMatchObject({ state: 'none', facts: 0, stale: [] });
    const { status, asked } = await index(factsOf);
    // The dog is not in the scene.
    expect({ ...status, asked }).toMatchObject({ state: 'current', scenes: 20, facts: 2, left_out: 1, stale: [], asked: 20 });
    const canon = await get<{ content: string; path: string }>('/api/vfs/file', { path: 'Canon.md' });
    expect(canon.content).toBe(
      [
        '# Canon',
        '',
        '## Ilse Brandt',
        '',
        '- hair colour: red — “She tied back her red hair” (Story/Scenes/SCN-02-the-keeper.md:10)',
        '',
        '## Mara Voss',
        '',
        '- eye colour: green — “Her green eyes watered in the wind” (Story/Scenes/SCN-01-the-ferry.md:13)',
        '',
      ].join('\n'),
    );
    expect(await get('/api/vfs/file', { path: 'Story/Compendium/Canon.md' })).toEqual(canon);
    expect(await get<{ path: string }[]>('/api/vfs/tree')).toContainEqual({
      path: 'Canon.md',
      kind: 'virtual',
      source: '.control-room/canon/canon-index.md',
    });
  });

  verifies('C9', 'names the parts that are stale when a scene changes, and asks only about those again', async () => {
    const scene = inRepo('Story/Scenes/SCN-02-the-keeper.md');
    await writeFile(scene, `${await readFile(scene, 'utf8')}\nShe slept.\n`);
    expect(await get<CanonStatus>('/api/canon/index/status')).toMatchObject({
      state: 'stale',
      stale: [{ path: 'Story/Scenes/SCN-02-the-keeper.md', why: 'changed' }],
      stale_entities: ['Ilse Brandt'],
    });
    const before = await get('/api/vfs/file', { path: 'Canon.md' });
    const { status, asked } = await index(factsOf);
    expect([status.state, asked]).toEqual(['current', 1]);
    expect(await get('/api/vfs/file', { path: 'Canon.md' })).toEqual(before);
  });

  verifies('C9', 'keeps nothing of an answer that is not strict JSON, and says which scene failed', async () => {
    const scene = inRepo('Story/Scenes/SCN-03-the-constable.md');
    await writeFile(scene, `${await readFile(scene, 'utf8')}\nHe slept.\n`);
    const { status } = await index(() => 'Sure! {"facts":[]}');
    expect(status).toMatchObject({ state: 'stale', stale: [{ path: 'Story/Scenes/SCN-03-the-constable.md', why: 'failed' }] });
  });
});
