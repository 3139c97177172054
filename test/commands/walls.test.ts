// What a command can and cannot do behind the walls of bubblewrap. Every process here is real.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commandTree, traceOf } from '../lab/command-tree.ts';
import { verifies } from '../verifies.ts';

const NOTHING = { changed: [], rolledBack: [], left: [] };

verifies('I12', 'what a command writes in scope stays and is reported', async () => {
  const { run, read } = await commandTree({ 'src/old.ts': 'old\n' });
  const end = await run(
    'echo new > src/new.ts; sed -i s/User/Person/ src/auth/login.ts; rm src/old.ts; mkdir -p src/x/y; echo 1 > src/x/y/z.ts',
  );
  expect([end.exitCode, end.sandbox, end.output]).toEqual([0, 'bubblewrap', '']);
  expect(traceOf(end)).toEqual({
    ...NOTHING,
    changed: expect.arrayContaining(['created src/new.ts', 'changed src/auth/login.ts', 'deleted src/old.ts', 'created src/x/y/z.ts']),
  });
  expect([await read('src/new.ts'), await read('src/old.ts')]).toEqual(['new\n', null]);
});

verifies('I12', 'a write outside the scope is impossible, or taken back and reported', async () => {
  const { run, read } = await commandTree({ 'src/style.css': 'a {}\n', 'docs/a.md': 'a\n' });
  const before = await read('README.md');
  const end = await run(
    'echo x > README.md; echo x > docs/a.md; rm -rf docs; mv docs d; mv src s; echo x > src/style.css; echo x > top.txt; mkdir -p lib/a; echo x > lib/a/b',
  );
  expect(traceOf(end)).toEqual({
    ...NOTHING,
    rolledBack: expect.arrayContaining(['changed src/style.css', 'created top.txt', 'created lib/a/b']),
  });
  expect([await read('README.md'), await read('docs/a.md'), await read('src/style.css'), await read('top.txt')]).toEqual([
    before,
    'a\n',
    'a {}\n',
    null,
  ]);
  expect((await run('ls lib', { scope: null })).exitCode).not.toBe(0);
  expect(end.output).toContain('README.md: Read-only file system');
});

verifies('I12', 'a scope of one file, or of what does not exist yet, is exactly that', async () => {
  const { run, read } = await commandTree();
  const scope = ['src/auth/login.ts', 'gen/api/**'];
  const end = await run(
    'sed -i s/User/Person/ src/auth/login.ts; echo x > src/auth/other.ts; mkdir -p gen/api gen/web; echo 1 > gen/api/a; echo 2 > gen/web/b',
    { scope },
  );
  expect(traceOf(end)).toEqual({
    changed: expect.arrayContaining(['changed src/auth/login.ts', 'created gen/api/a']),
    rolledBack: expect.arrayContaining(['created src/auth/other.ts', 'created gen/web/b']),
    left: [],
  });
  expect([await read('gen/api/a'), await read('gen/web/b'), await read('src/auth/other.ts')]).toEqual(['1\n', null, null]);
});

verifies('I12', 'governance files stay as they are, for any scope', async () => {
  const files = {
    '.ai/config/repo.json': '{}\n',
    '.claude/settings.json': '{}\n',
    'packages/web/.mcp.json': '{}\n',
    '.orchestration/active_intents.yaml': 'a\n',
  };
  const { run, read, repo } = await commandTree({ ...files, 'vendor/lib/a.ts': 'a\n' });
  repo.git('init', '-q', 'vendor/lib');
  const end = await run(
    'for f in .ai/config/repo.json .claude/settings.json packages/web/.mcp.json .orchestration/active_intents.yaml .git/config .git/hooks/pre-commit .git/commondir .vscode/tasks.json vendor/lib/.git/hooks/pre-commit; do mkdir -p $(dirname $f); echo evil > $f; done; git config core.pager evil; mv .git g; mv packages/web packages/w',
    { scope: ['**'] },
  );
  expect(traceOf(end)).toEqual({
    ...NOTHING,
    rolledBack: expect.arrayContaining(['created .vscode/tasks.json', 'created .git/commondir']),
  });
  for (const [path, content] of Object.entries(files)) expect([path, await read(path)]).toEqual([path, content]);
  expect([await read('.git/commondir'), await read('.git/hooks/pre-commit'), await read('.vscode/tasks.json')]).toEqual([null, null, null]);
  expect(await read('vendor/lib/.git/hooks/pre-commit')).toBeNull();
  expect(repo.git('config', '--list', '--local')).not.toContain('evil');
});

verifies('I12', 'a governance file made as a link, or where there was none, goes again', async () => {
  const { run, read } = await commandTree();
  const end = await run(
    'ln -s src/evil.ts .mcp.json; ln -s src .claude; mkdir .ai .orchestration; echo evil > .orchestration/active_intents.yaml; ln -sf /etc/passwd src/link.ts; ln -s /etc top',
  );
  expect(traceOf(end)).toEqual({
    changed: [],
    rolledBack: expect.arrayContaining(['created .mcp.json', 'created .claude', 'created top']),
    left: ['created src/link.ts'],
  });
  expect([await read('.mcp.json'), await read('.orchestration/active_intents.yaml')]).toEqual([null, null]);
  expect((await run('ls -A', { scope: null })).output).toBe('.git\nREADME.md\nsrc\n');
});

test('a command that only looks can write nothing at all', async () => {
  const { run, read } = await commandTree();
  const before = await read('src/auth/login.ts');
  const end = await run('echo x > src/auth/login.ts; echo x > src/new.ts; mkdir node_modules; echo x > .git/x; git status --short', {
    scope: null,
  });
  expect([traceOf(end), await read('src/auth/login.ts')]).toEqual([NOTHING, before]);
});

test('a link that leads out of the tree leads to nothing that can be written', async () => {
  const { run, repo, privateFolder } = await commandTree();
  symlinkSync('/etc', join(repo.path, 'src/etc'));
  symlinkSync(privateFolder, join(repo.path, 'src/private'));
  const end = await run('touch src/etc/countersign-was-here src/private/x; ln -s /etc/passwd src/link.ts; echo x >> src/link.ts');
  expect(end.output).toContain("touch: cannot touch 'src/etc/countersign-was-here': Read-only file system");
  expect(end.output).toMatch(/link\.ts: (?:Read-only file system|Permission denied)/);
});

verifies('I12', 'keys, sockets, tokens and homes cannot be read', async () => {
  const { run, privateFolder } = await commandTree({ '.ai/auth/jira.token': 'top secret\n' });
  writeFileSync(join(privateFolder, 'signing.key'), 'top secret\n');
  const homes = mkdtempSync('/tmp/countersign-of-another-');
  writeFileSync(join(homes, 'id_rsa'), 'top secret\n');
  const own = mkdtempSync(join(homedir(), '.countersign-secret-'));
  writeFileSync(join(own, 'token'), 'top secret\n');
  onTestFinished(() => [homes, own].forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  process.env['COUNTERSIGN_TEST_TOKEN'] = 'top secret';
  onTestFinished(() => void delete process.env['COUNTERSIGN_TEST_TOKEN']);
  const end = await run(
    `cat .ai/auth/jira.token ${privateFolder}/signing.key ${homes}/id_rsa ${own}/token; ls /run /home; env; cat /proc/*/environ`,
  );
  expect(end.output).not.toContain('top secret');
  expect(end.output.match(/No such file or directory/g)?.length).toBeGreaterThanOrEqual(4);
});

test('there is no network, unless a human grants it', async () => {
  const { run, write } = await commandTree();
  const server = createServer((socket) => socket.end('reached\n'));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const command = `cat < /dev/tcp/127.0.0.1/${(server.address() as AddressInfo).port}`;
  const end = await run(command);
  expect([end.exitCode, end.output]).toEqual([1, expect.stringContaining('Connection refused')]);
  await write({ '.ai/config/repo.json': JSON.stringify({ commands: { network: true } }) });
  expect(await run(command)).toMatchObject({ exitCode: 0, output: 'reached\n' });
});

test('it sees no other processes, has no rights, and gains none', async () => {
  const { run } = await commandTree();
  const end = await run(
    `grep -E '^(CapEff|NoNewPrivs)' /proc/self/status; kill -0 ${process.pid} && echo alive; mount -o remount,rw /; cat /proc/sys/kernel/panic > /proc/sys/kernel/panic; touch /sys/x; true`,
  );
  expect(end.output).toContain('CapEff:\t0000000000000000');
  expect(end.output).toContain('NoNewPrivs:\t1');
  expect(end.output).toContain('/proc/sys/kernel/panic: Read-only file system');
  expect(end.output).not.toContain('alive');
});

test('derived files are counted, also where nothing was before', async () => {
  const { run } = await commandTree({ 'package.json': '{}\n', 'packages/web/package.json': '{}\n' });
  const end = await run('for d in node_modules/a dist packages/web/dist .cache; do mkdir -p $d; echo 1 > $d/1; echo 2 > $d/2; done');
  expect([end.output, traceOf(end), end.derived]).toEqual(['', NOTHING, 8]);
});

test('a user without a home gets one for the command', async () => {
  const { run } = await commandTree();
  const home = process.env['HOME'];
  onTestFinished(() => void (process.env['HOME'] = home));
  for (const none of ['/nonexistent', '/']) {
    process.env['HOME'] = none;
    expect(await run('echo 1 > ~/x && echo ~')).toMatchObject({ exitCode: 0, output: '/tmp\n' });
  }
});

test('the folder that it runs in must be in the tree', async () => {
  const { run } = await commandTree();
  expect((await run('pwd', { cwd: 'src/auth' })).output).toMatch(/\/src\/auth\n$/);
  await expect(run('pwd', { cwd: '/etc' })).rejects.toThrow('"/etc" is no folder of the work tree: it leads outside the work tree');
  await expect(run('pwd', { cwd: 'nowhere' })).rejects.toThrow('"nowhere" is no folder of the work tree');
});

test('a linked work tree may commit, and cannot reach the hooks of the others', async () => {
  const { run, repo } = await commandTree();
  const linked = mkdtempSync('/tmp/countersign-linked-');
  onTestFinished(() => rmSync(linked, { recursive: true, force: true }));
  rmSync(linked, { recursive: true });
  repo.git('worktree', 'add', '-q', '-b', 'side', linked);
  mkdirSync(join(linked, 'src'), { recursive: true });
  const common = join(repo.path, '.git');
  const end = await run(
    `echo 1 > src/new.ts && git add src/new.ts && git commit -qm side && git log -1 --format=%s; echo evil > ${common}/hooks/pre-commit; echo evil >> ${common}/config; echo evil > ${common}/worktrees/x`,
    { root: linked },
  );
  expect(end.output).toContain('side\n');
  expect(traceOf(end)).toEqual({ ...NOTHING, changed: ['created src/new.ts'] });
  expect(end.output.match(/Read-only file system/g)?.length).toBe(3);
});
