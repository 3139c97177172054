// What a sealed run changed, and how it comes into the real tree: with receipts, after a yes, and losing nothing.

import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import type { BlameView, RunRow, RunView, SessionRow } from '../../src/protocol/index.ts';
import { eventually } from '../lab/eventually.ts';
import { type Installation, makeInstallation, type Place } from '../lab/installation.ts';
import type { Answer } from '../lab/terminal.ts';
import { verifies } from '../verifies.ts';

const LOGIN = 'src/auth/login.ts';
const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));
let installation: Installation;

beforeAll(async () => {
  installation = await makeInstallation();
});
afterAll(() => installation.dispose());

async function granted(): Promise<Place> {
  const place = await installation.beside();
  expect((await place.human(['intent', 'fix login', 'src/auth'])).output).toContain('is active');
  return place;
}

const sealed = (place: Place, steps: readonly (readonly string[])[], merge: string, answers: readonly Answer[] = []) =>
  place.humanTries(
    ...([
      [
        ...['run', '--sealed', '--agent', 'claude', '--model-host', 'model.test', '--allow-read', WORKER, '--merge', merge],
        ...['--', process.execPath, WORKER, JSON.stringify(steps)],
      ],
      answers,
    ] as const),
  );
const in_ = (place: Place, file: string) => path.join(place.repo.path, file);
const newest = async (place: Place) => (await place.ask<RunRow[]>('run', 'list')).find(({ root }) => root === place.repo.path)!;

verifies('N12', 'after a yes the gate merges what has receipts; the rest is named and stays in the run’s tree', async () => {
  const place = await granted();
  await writeFile(in_(place, 'README.md'), 'not committed yet\n');
  const steps = [
    ['write', LOGIN, 'export const fixed = true;\n'],
    ['write', 'src/payments/index.ts', 'not granted\n'],
    ['shell', "mkdir -p src/auth/parts && printf 'export {};\\n' > src/auth/parts/new.ts && chmod +x src/auth/parts/new.ts"],
    ['sneak', 'src/auth/sneaked.ts', 'no receipt\n'],
    ['shell', 'git add -A && git commit -qm inside && git log --format=%s | head -1; cat README.md'],
    ['type', 'y\n'],
  ];
  const no = await sealed(place, steps, 'ask', [{ after: '[y/N]', type: 'n\n' }]);
  expect(no.output).toContain('denied: Countersign SCOPE_VIOLATION');
  expect(no.output).toContain('inside\nnot committed yet\n');
  expect(no.output).toContain('+export const fixed = true;');
  expect(no.output).toContain('left out src/auth/sneaked.ts: no receipt explains it');
  expect(no.output).toContain('Nothing was merged.');
  expect(await readFile(in_(place, LOGIN), 'utf8')).toContain('export function login');

  const { id, tree } = await newest(place);
  const yes = await place.humanTries(['run', 'merge', id], [{ after: '[y/N]', type: 'y\n' }]);
  expect(yes.output).toContain(`changed  ${LOGIN}`);
  expect(await readFile(in_(place, LOGIN), 'utf8')).toBe('export const fixed = true;\n');
  expect(
    place.repo
      .git('status', '--porcelain', '--untracked-files=all')
      .split('\n')
      .filter((line) => line !== '' && !line.includes('.orchestration'))
      .toSorted(),
  ).toEqual([' M README.md', ` M ${LOGIN}`, '?? src/auth/parts/new.ts']);
  expect(place.repo.git('log', '--format=%s').trim()).toBe('Add the login example');
  expect(await readFile(path.join(tree, 'src/auth/sneaked.ts'), 'utf8')).toBe('no receipt\n');

  const blamed = await place.ask<BlameView>('blame', LOGIN);
  expect(JSON.stringify(blamed)).toContain('claude-code');
  const [session] = (await place.ask<SessionRow[]>('sessions')).filter(({ level }) => level === 'sealed');
  expect(session).toMatchObject({ agent: 'claude-code', by_hooks: true });
  expect((await place.human(['reconcile'])).output).not.toContain(LOGIN);
  expect((await place.human(['verify'])).code).toBe(0);
  expect((await newest(place)).state).toBe('merged');
  expect((await place.human(['run', 'discard', id])).code).toBe(0);
  expect(existsSync(path.dirname(tree))).toBe(false);
});

verifies('N12', 'a file that both changed is merged by lines or left out, and nothing is lost', async () => {
  const place = await granted();
  const before = await readFile(in_(place, LOGIN), 'utf8');
  const theirs = `${before}// from the run\n`;
  await writeFile(in_(place, 'src/auth/other.ts'), 'one\n');
  const never = await sealed(
    place,
    [
      ['write', LOGIN, theirs],
      ['write', 'src/auth/other.ts', 'two\n'],
    ],
    'never',
  );
  expect(never.output).toContain('Nothing was merged.');
  const ours = `// from the human\n${before}`;
  await writeFile(in_(place, LOGIN), ours);
  await writeFile(in_(place, 'src/auth/other.ts'), 'three\n');
  const { id } = await newest(place);
  const shown = JSON.parse((await place.humanTries(['run', 'merge', id, '--dry-run', '--json'])).output) as RunView;
  expect(shown.files.map(({ path, change }) => [path, change])).toEqual([[LOGIN, 'merged']]);
  expect(shown.left_out).toEqual([{ path: 'src/auth/other.ts', why: 'the real file changed since the run began, in the same place' }]);
  expect((await place.human(['run', 'merge', id, '--yes'])).code).toBe(0);
  expect(await readFile(in_(place, LOGIN), 'utf8')).toBe(`// from the human\n${before}// from the run\n`);
  expect(await readFile(in_(place, 'src/auth/other.ts'), 'utf8')).toBe('three\n');
});

verifies('N12', 'with --merge policy it is merged without a question only where everything has receipts', async () => {
  const place = await granted();
  const whole = await sealed(place, [['write', 'src/auth/a.ts', 'a\n']], 'policy');
  expect(whole.output).toContain('added    src/auth/a.ts');
  expect(await readFile(in_(place, 'src/auth/a.ts'), 'utf8')).toBe('a\n');
  const partly = await sealed(
    place,
    [
      ['write', 'src/auth/b.ts', 'b\n'],
      ['sneak', 'src/c.ts', 'c\n'],
    ],
    'policy',
  );
  expect(partly.output).toContain('Nothing was merged.');
  expect(existsSync(in_(place, 'src/auth/b.ts'))).toBe(false);
});

verifies('N12', 'a folder without git is copied, and merged the same way', async () => {
  const place = await installation.beside();
  await rm(in_(place, '.git'), { recursive: true });
  await mkdir(in_(place, 'node_modules/x'), { recursive: true });
  await writeFile(in_(place, 'node_modules/x/index.js'), 'x');
  await place.human(['intent', 'fix login', 'src/auth']);
  const { output } = await sealed(
    place,
    [
      ['shell', 'ls'],
      ['write', LOGIN, 'fixed\n'],
    ],
    'policy',
  );
  expect(output).toContain('README.md');
  expect(output).not.toContain('node_modules');
  expect(await readFile(in_(place, LOGIN), 'utf8')).toBe('fixed\n');
});

verifies('N12', 'a run goes on when the daemon is started again, and its receipts count', async () => {
  const place = await granted();
  const going = sealed(
    place,
    [
      ['write', 'src/auth/a.ts', 'a\n'],
      ['wait', 'go'],
      ['write', 'src/auth/b.ts', 'b\n'],
    ],
    'never',
  );
  const { tree } = await eventually('a run', async () => {
    const run = (await place.client.ask('runs', {}).catch(() => [])).find(({ root }) => root === place.repo.path);
    return run && existsSync(path.join(run.tree, 'src/auth/a.ts')) ? run : undefined;
  });
  const before = await place.daemonPid();
  expect((await place.human(['stop'])).code).toBe(0);
  await eventually('another daemon', () =>
    place.daemonPid().then(
      (pid) => (pid === before ? undefined : pid),
      () => undefined,
    ),
  );
  await writeFile(path.join(tree, 'go'), '');
  const { output } = await going;
  expect(output).toContain('+++ src/auth/a.ts');
  expect(output).toContain('+++ src/auth/b.ts');
});

verifies('N12', 'a run that would show the gate’s own files, or has no port for a host of this machine, is not started', async () => {
  const place = await granted();
  const reads = await place.humanTries(['run', '--sealed', '--allow-read', place.home, '--', 'true']);
  expect(reads.output).toContain('would show the gate’s own files'.replace('’', "'"));
  const own = await place.humanTries(['run', '--sealed', '--model-host', '127.0.0.1', '--', 'true']);
  expect(own.output).toContain('named with its port');
  expect((await place.humanTries(['run', '--', 'true'])).output).toContain('true needs no start of this kind');
  expect((await place.humanTries(['run', '--sealed'])).output).toContain('There is no agent to run');
});
