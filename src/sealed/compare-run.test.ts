import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { adoptScan, emptySnapshot, scanTree, sha256Of, type TreeSnapshot } from '../workspace/index.ts';
import { compareRun, contentKey, type CompareContext } from './compare-run.ts';
import { SealedRuns } from './sealed-runs.ts';

type Files = Readonly<Record<string, string>>;

function folder(files: Files): string {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'countersign-run-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  write(root, files);
  return root;
}

function write(root: string, files: Files): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }
}

const hash = (content: string | undefined) => (content === undefined ? null : sha256Of(Buffer.from(content)));

/** `receipted`: what the last receipt about a file says; null: it was removed. */
async function compared(before: Files, changed: Files, receipted: Readonly<Record<string, string | null>>, real: Files = before) {
  const [root, tree] = [folder(real), folder({ ...before, ...changed })];
  symlinkSync('/etc/passwd', path.join(tree, 'link'));
  for (const [file, content] of Object.entries(receipted)) if (content === null) rmSync(path.join(tree, file));
  const now = await filesIn(tree);
  const base = await filesIn(folder(before));
  const context: CompareContext = {
    ...{ root, tree, now, busy: (file) => (file === 'busy.ts' ? 'act_1' : null) },
    base: Object.fromEntries([...base].map(([file, seen]) => [file, contentKey(seen)])),
    receipted: Object.entries(receipted).map(([file, content], at) => ({
      action: `act_${at}`,
      files: [{ path: file, before_sha256: null, after_sha256: content === null ? null : hash(content), ranges: [] }],
    })),
    contentOf: async (sha256) =>
      Object.values(before)
        .map((text) => Buffer.from(text))
        .find((bytes) => sha256Of(bytes) === sha256) ?? null,
  };
  const { files, leftOut } = await compareRun(context);
  return {
    files: files.map(({ path: file, after, merged }) => [file, after === null ? null : Buffer.from(after).toString(), merged]),
    leftOut: leftOut.map(({ path: file, why }) => `${file}: ${why}`),
  };
}

async function filesIn(root: string): Promise<TreeSnapshot['files']> {
  const known = emptySnapshot();
  adoptScan(known, await scanTree(root, known));
  return known.files;
}

verifies('N12', 'only the content that the last receipt names is merged', async () => {
  const before = { 'a.ts': 'a\n', 'b.ts': 'b\n', 'c.ts': 'c\n', 'gone.ts': 'g\n' };
  const changed = { 'a.ts': 'A\n', 'b.ts': 'later\n', 'new.ts': 'n\n', 'sneaked.ts': 's\n', '.claude/settings.json': '{}' };
  const receipted = { 'a.ts': 'A\n', 'b.ts': 'B\n', 'new.ts': 'n\n', 'gone.ts': null, '.claude/settings.json': '{}' };
  expect(await compared(before, changed, receipted)).toEqual({
    files: [
      ['a.ts', 'A\n', false],
      ['gone.ts', null, false],
      ['new.ts', 'n\n', false],
    ],
    leftOut: [
      expect.stringMatching(/^\.claude\/settings\.json: it is the gate's own/),
      'b.ts: it changed after act_1, and no receipt explains that',
      'link: no receipt explains it',
      'sneaked.ts: no receipt explains it',
    ],
  });
});

verifies('N12', 'a file that the real tree changed too is merged by lines, or left out', async () => {
  const before = { 'same.ts': 'a\n', 'lines.ts': '1\n2\n3\n4\n5\n', 'both.ts': 'x\n', 'busy.ts': 'b\n' };
  const changed = { 'same.ts': 'b\n', 'lines.ts': '1\n2\n3\n4\nfive\n', 'both.ts': 'run\n', 'busy.ts': 'B\n', 'new.ts': 'run\n' };
  const real = { 'same.ts': 'b\n', 'lines.ts': 'one\n2\n3\n4\n5\n', 'both.ts': 'human\n', 'busy.ts': 'b\n', 'new.ts': 'human\n' };
  expect(await compared(before, changed, changed, real)).toEqual({
    files: [['lines.ts', 'one\n2\n3\n4\nfive\n', true]],
    leftOut: [
      'both.ts: the real file changed since the run began, in the same place',
      'busy.ts: act_1 is changing the real file right now',
      'link: no receipt explains it',
      'new.ts: the real file changed since the run began, in the same place',
    ],
  });
});

test('without walls nothing is started, and nothing is made', async () => {
  const dir = path.join(folder({}), 'runs');
  const never = () => {
    throw new Error('not reached');
  };
  const runs = new SealedRuns({
    ...{
      dir,
      privateFolders: [],
      hasWalls: async () => false,
      locate: never,
      door: never,
      look: never,
      ownPort: () => 0,
      now: () => new Date(),
    },
  });
  const request = { cwd: '/', program: '/bin/true', arguments: [], agent: null, model_hosts: null, hosts: [], reads: [] };
  await expect(runs.start({ ...request, addresses: {}, terminal: false, search_path: '', user_home: '/' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'A sealed run needs bubblewrap, and it does not work here. Nothing was started.',
  });
  expect(runs.rows()).toEqual([]);
});
