// A scan of a tree of 50,000 files beside `git status` of the same tree in the same run. `git status` is the reference because people
// accept it many times a day. node bench/reconcile.ts [--json FILE]

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Reconciler } from '../src/projections/reconcile/reconciler.ts';
import { NO_PATH_CONFIG } from '../src/workspace/index.ts';
import { report } from './report/report.ts';

const FILES = 50_000;
const PER_FOLDER = 100;
const ROUNDS = 15;

const scratch = mkdtempSync(join(tmpdir(), 'countersign-bench-tree-'));
const root = join(scratch, 'tree');
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: scratch, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
  });
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const timed = async (work: () => unknown): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

try {
  for (let at = 0; at < FILES; at++) {
    const folder = join(root, `src/m${Math.floor(at / PER_FOLDER / 25)}/p${Math.floor(at / PER_FOLDER) % 25}/lib`);
    if (at % PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${at}.ts`), `export const value${at} = ${at};\n`.repeat(1 + (at % 60)));
  }
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'a tree');

  const found: string[] = [];
  const reconciler = new Reconciler({
    dir: join(scratch, 'trees'),
    pathsOf: async () => NO_PATH_CONFIG,
    workspaceOf: async () => 'wsp_00000000000000000000000000',
    record: async (changes) => found.push(...changes.map(({ path }) => path)),
    contentOf: async () => null,
    now: () => new Date(),
    log: (message) => process.stderr.write(`${message}\n`),
  });
  const first = await timed(() => reconciler.reconcile(root));
  await reconciler.reconcile(root);
  git('status', '--porcelain');

  const whole: number[] = [];
  const quick: number[] = [];
  const status: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    writeFileSync(join(root, `src/m0/p0/lib/file-${round}.ts`), `// ${round}\n`);
    status.push(await timed(() => git('status', '--porcelain')));
    whole.push(await timed(() => reconciler.reconcile(root)));
    quick.push(await timed(() => reconciler.reconcile(root, 'quick')));
  }
  await reconciler.close();
  if (new Set(found).size !== ROUNDS) throw new Error(`${ROUNDS} files were changed and ${new Set(found).size} were found`);

  report('reconcile', [
    { what: `first look at ${FILES} files`, value: first, unit: 'ms' },
    { what: 'a look at all of them, one changed', value: median(whole), unit: 'ms' },
    { what: 'a look where the watcher points', value: median(quick), unit: 'ms' },
    { what: 'git status, one changed', value: median(status), unit: 'ms' },
    { what: 'a look against git status', value: median(whole) / median(status), unit: '×', atMost: 1.5 },
  ]);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
