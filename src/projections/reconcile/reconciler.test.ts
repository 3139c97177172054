// The reconciler by itself: what is postponed, what a watcher saves, what is too large. With a whole daemon: test/reconcile.test.ts.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Event, LedgerRecord } from '../../protocol/index.ts';
import { sha256Of } from '../../workspace/index.ts';
import { makeTree } from '../../workspace/tree.fixture.ts';
import { Reconciler, type ReconcilerOptions } from './reconciler.ts';
import type { Untracked } from './fold.ts';

const sha = (text: string) => sha256Of(Buffer.from(text));

function setUp(files: Readonly<Record<string, string>>, more: Partial<ReconcilerOptions> = {}) {
  const root = makeTree(files);
  const reported: Untracked[] = [];
  const logged: string[] = [];
  let seq = 0;
  const append = (event: unknown) =>
    reconciler.apply({
      seq: ++seq,
      stream: 's',
      stream_seq: seq,
      at: new Date().toISOString(),
      event: event as Event,
    } satisfies LedgerRecord);
  const reconciler = new Reconciler({
    dir: makeTree(),
    pathsOf: async () => ({ derived: [], companions: {} }),
    workspaceOf: async () => 'wsp_00000000000000000000000000',
    record: async (found) => {
      reported.push(...found);
      for (const data of found) append({ type: 'untracked_mutation', data });
    },
    contentOf: async () => null,
    now: () => new Date(),
    log: (message) => logged.push(message),
    ...more,
  });
  onTestFinished(() => reconciler.close());
  return {
    root,
    reported,
    logged,
    reconciler,
    put: (path: string, content: string) => {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    admit: (id: string, path: string) =>
      append({
        type: 'action_admitted',
        data: {
          action: { id, session: 'ses_1', root, effects: ['write'] },
          decision: { facts: { files: [{ real: path, access: 'write' }] } },
        },
      }),
    settle: (action: string, ...file_refs: { path: string; before_sha256: string | null; after_sha256: string | null }[]) =>
      append({ type: 'action_settled', data: { action, session: 'ses_1', receipt: { file_refs } } }),
  };
}

test('a file that an action is at work on is judged when its receipt is there', async () => {
  const { root, reported, reconciler, put, admit, settle } = setUp({ 'a.ts': 'a', 'b.ts': 'b' });
  await reconciler.reconcile(root);
  admit('act_1', 'a.ts');
  admit('act_2', 'b.ts');
  put('a.ts', 'half');
  put('b.ts', 'half');
  expect(await reconciler.reconcile(root)).toMatchObject({ found: [], postponed: 2 });
  put('a.ts', 'whole');
  settle('act_1', { path: 'a.ts', before_sha256: sha('a'), after_sha256: sha('whole') });
  settle('act_2');
  expect((await reconciler.reconcile(root)).postponed).toBe(0);
  expect(reported.map(({ path, before_sha256, after_sha256, actions }) => ({ path, before_sha256, after_sha256, actions }))).toEqual([
    { path: 'b.ts', before_sha256: sha('b'), after_sha256: sha('half'), actions: ['act_2'] },
  ]);
});

test('a receipt that was there before a postponement still counts after it', async () => {
  const { root, reported, reconciler, put, admit, settle } = setUp({ 'a.ts': 'a' });
  await reconciler.reconcile(root);
  admit('act_1', 'a.ts');
  put('a.ts', 'one');
  settle('act_1', { path: 'a.ts', before_sha256: sha('a'), after_sha256: sha('one') });
  admit('act_2', 'a.ts');
  expect((await reconciler.reconcile(root)).postponed).toBe(1);
  expect((await reconciler.reconcile(root)).postponed).toBe(1);
  // The second action leaves it as it was.
  settle('act_2');
  await reconciler.reconcile(root);
  expect(reported).toEqual([]);
});

test('what could not be put on the record is found again', async () => {
  let isWritable = false;
  const found: string[] = [];
  const { root, reconciler, put } = setUp(
    { 'a.ts': 'a' },
    {
      record: async (changes) => {
        if (!isWritable) throw new Error('the disk is full');
        found.push(...changes.map(({ path }) => path));
      },
    },
  );
  await reconciler.reconcile(root);
  put('a.ts', 'b');
  await expect(reconciler.reconcile(root)).rejects.toThrow('the disk is full');
  isWritable = true;
  await reconciler.reconcile(root);
  expect(found).toEqual(['a.ts']);
});

test('what changes during the first scan is reported, without what was there before', async () => {
  let hours = 1;
  const { root, reported, reconciler } = setUp({ 'a.ts': 'a' }, { now: () => new Date(Date.now() - 3_600_000 * hours--) });
  hours = 1;
  await reconciler.reconcile(root);
  expect(reported.map(({ path, before_sha256, after_sha256 }) => [path, before_sha256, after_sha256])).toEqual([['a.ts', null, sha('a')]]);
});

test('the temporary name under which a file is replaced is not a change, unless it stays', async () => {
  let later = 0;
  const { root, reported, reconciler, put } = setUp(
    { 'a.ts': 'a', '.a.ts.0123456789abcdef01234567.tmp': 'b' },
    { now: () => new Date(Date.now() + later) },
  );
  await reconciler.reconcile(root);
  rmSync(join(root, '.a.ts.0123456789abcdef01234567.tmp'));
  put('deep/.b.ts.0123456789abcdef01234567.tmp', 'b');
  expect(await reconciler.reconcile(root)).toMatchObject({ found: [], postponed: 1 });
  later = 11_000;
  await reconciler.reconcile(root);
  expect(reported.map(({ path }) => path)).toEqual(['deep/.b.ts.0123456789abcdef01234567.tmp']);
});

test('looks that are asked for at once are two at most, and the later one sees everything', async () => {
  const { root, reconciler, put } = setUp({ 'a.ts': 'a' });
  await reconciler.reconcile(root);
  const first = reconciler.reconcile(root);
  put('a.ts', 'b');
  const others = await Promise.all([first, reconciler.reconcile(root), reconciler.reconcile(root)]);
  expect(others.flatMap(({ found }) => found.map(({ path }) => path))).toContain('a.ts');
  expect((await reconciler.reconcile(root)).found).toEqual([]);
});

test('where a watcher is, a quick scan sees receipted files at once, and a whole one misses nothing', async () => {
  const { root, reported, reconciler, put, admit, settle } = setUp({ 'a.ts': 'a', 'b.ts': 'b' }, { watchedFromFiles: 1 });
  await reconciler.reconcile(root);
  admit('act_1', 'a.ts');
  put('a.ts', 'one');
  settle('act_1', { path: 'a.ts', before_sha256: sha('a'), after_sha256: sha('one') });
  expect(await reconciler.reconcile(root, 'quick')).toMatchObject({ found: [], files: 1 });
  put('b.ts', 'by hand');
  put('deep/new.ts', 'by hand');
  await reconciler.reconcile(root, 'quick');
  await reconciler.reconcile(root);
  expect(reported.map(({ path, attribution }) => [path, attribution] as const).toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
    ['b.ts', 'human-unproven'],
    ['deep/new.ts', 'human-unproven'],
  ]);
});

test('of a tree that is too large only files with receipts are compared', async () => {
  const { root, reported, logged, reconciler, put, admit, settle } = setUp({ 'a.ts': 'a', 'b.ts': 'b', 'c.ts': 'c' }, { maxFiles: 2 });
  await reconciler.reconcile(root);
  expect(logged).toEqual([`reconcile: ${root} has more than 2 files: only files with receipts are compared`]);
  admit('act_1', 'a.ts');
  put('a.ts', 'one');
  settle('act_1', { path: 'a.ts', before_sha256: sha('a'), after_sha256: sha('one') });
  put('b.ts', 'unseen');
  expect((await reconciler.reconcile(root)).found).toEqual([]);
  put('a.ts', 'two');
  await reconciler.reconcile(root);
  await reconciler.reconcile(root);
  expect(reported.map(({ path, before_sha256, after_sha256 }) => [path, before_sha256, after_sha256])).toEqual([
    ['a.ts', sha('one'), sha('two')],
  ]);
});

test('what settings make derived is neither gone nor looked at', async () => {
  let derived: string[] = [];
  const { root, reconciler, put } = setUp({ 'gen/a.ts': 'a', 'b.ts': 'b' }, { pathsOf: async () => ({ derived, companions: {} }) });
  await reconciler.reconcile(root);
  derived = ['gen/**'];
  put('gen/a.ts', 'A');
  expect(await reconciler.reconcile(root)).toMatchObject({ found: [], files: 1 });
});
