// `npm start` from the daemon's side: in the foreground, on the sample or a real folder, until Ctrl-C.

import { spawn, spawnSync } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { hasEnded, type Installation, makeInstallation, runCommand } from './lab/installation.ts';

const MAIN = fileURLToPath(new URL('../src/app/main.ts', import.meta.url));
const NODE = [process.execPath, '--disable-warning=ExperimentalWarning', MAIN] as const;

async function placeForThisTest(): Promise<Installation> {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  return place;
}

/** Runs until it is stopped; `until` waits for a text. */
function startInForeground(place: Installation, args: readonly string[], where: 'pipe' | 'terminal' = 'pipe') {
  const line = [...NODE, 'start', '--foreground', ...args];
  const [command, ...rest] =
    where === 'pipe' ? line : ['script', '--quiet', '--return', '--echo', 'never', '--command', `exec ${line.join(' ')}`, '/dev/null'];
  const child = spawn(command!, rest, {
    cwd: place.repo.path,
    env: { PATH: process.env['PATH'], SHELL: '/bin/sh', ...place.env },
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let printed = '';
  const waiting: { text: string; resolve: () => void }[] = [];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
    for (const { text, resolve } of waiting) if (printed.includes(text)) resolve();
  });
  return {
    pid: child.pid!,
    ended,
    printed: () => printed,
    until: async (text: string) => {
      if (!printed.includes(text)) await new Promise<void>((resolve) => waiting.push({ text, resolve }));
    },
    send: (signal: NodeJS.Signals) => child.kill(signal),
    type: (keys: string) => child.stdin.write(keys),
  };
}

test('it tells where it is, how to log in, what its level covers and three things to try; Ctrl-C ends it with 0', async () => {
  const place = await placeForThisTest();
  const running = startInForeground(place, ['--sample']);
  await running.until('Ctrl-C stops. Live:');
  const { address, workspaces } = await place.client.ask('status', {});
  // On a machine without bubblewrap it goes on to say so.
  const note = workspaces[0]?.level_note;
  expect(note).toMatch(
    /^Only Countersign's own tools are gated: an agent's shell and editor are not\.( Commands .* no sandbox here: .*)?$/,
  );
  const sample = `${place.home}-sample`;
  const cli = fileURLToPath(new URL('../bin/countersign', import.meta.url));
  // No login link is printed into a pipe: its reader may not be a human.
  expect(running.printed()).toBe(
    [
      '',
      `Countersign is up at ${address}`,
      `  log in      run ${cli} open in a terminal of yours`,
      `  workspace   ${sample}`,
      `  level       advisory: ${note}`,
      '',
      'Three things to try:',
      `  1. Wire Claude Code:   cd ${sample} && ${cli} init`,
      `  2. Grant some work:    ${cli} intent "fix login" src/auth      (in that folder)`,
      '  3. Let it work:        claude "fix the login bug"              and watch it here and on the page',
      '',
      'Ctrl-C stops. Live:',
      '',
    ].join('\n'),
  );
  expect((await readdir(sample)).filter((name) => name !== '.git').toSorted()).toEqual(
    (await readdir(fileURLToPath(new URL('../examples/sample-workspace', import.meta.url)))).toSorted(),
  );
  const inSample = (program: string, args: string[]) =>
    spawnSync(program, args, { cwd: sample, encoding: 'utf8', env: { PATH: process.env['PATH'] } });
  expect(inSample('git', ['log', '--format=%s']).stdout).toBe('Corner shop\n');
  expect(inSample('git', ['status', '--porcelain', '--untracked-files=all']).stdout).toBe('');
  const { test: line } = (JSON.parse(await readFile(join(sample, 'package.json'), 'utf8')) as { scripts: { test: string } }).scripts;
  // On Node 18 too, which knows neither TypeScript nor globs: no argument, and plain JavaScript.
  expect([line, inSample(process.execPath, ['--test']).status]).toEqual(['node --test', 0]);
  const health = await fetch(`${address}health`);
  expect([health.status, await health.json()]).toEqual([200, { status: 'ok', version: expect.any(String) }]);

  running.send('SIGINT');
  expect(await running.ended).toBe(0);
  expect(running.printed()).toMatch(/Stopped\. Hooks and MCP clients start the daemon again when they need it\.\n$/);
  await expect(stat(join(place.home, 'run/hook'))).rejects.toThrow('ENOENT');
});

test('each action of an agent is a live line', async () => {
  const place = await placeForThisTest();
  const running = startInForeground(place, ['--workspace', place.repo.path]);
  await running.until('Live:');
  await place.hook('PreToolUse', { tool_name: 'Read', tool_input: { file_path: 'README.md' }, tool_use_id: 'toolu_1' });
  await running.until('claude-code Read README.md');
  running.send('SIGTERM');
  expect(await running.ended).toBe(0);
});

test('in a terminal there is a login link, and it logs in, once', async () => {
  const place = await placeForThisTest();
  const running = startInForeground(place, ['--sample'], 'terminal');
  await running.until('Live:');
  const [, address, code] =
    /log in {6}(http:\/\/127\.0\.0\.1:\d+\/)ui\/#code=([\w-]{22})\s+\(once, within two minutes; later: \S+ open\)/.exec(running.printed())!;
  const login = async () =>
    (
      await fetch(`${address}api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code }),
      })
    ).ok;
  expect([await login(), await login()]).toEqual([true, false]);
  running.type('\u0003');
  expect(await running.ended).toBe(0);
  await expect(stat(join(place.home, 'run/hook'))).rejects.toThrow('ENOENT');
});

test('a second start says that one is running and uses it', async () => {
  const place = await placeForThisTest();
  const first = startInForeground(place, ['--sample']);
  await first.until('Live:');
  const second = startInForeground(place, ['--sample']);
  await second.until('Live:');
  expect(second.printed()).toMatch(
    new RegExp(
      `^A daemon is running already \\(process ${first.pid}\\); it is used as it is\\.\n\nCountersign is up at http://127\\.0\\.0\\.1:`,
    ),
  );
  second.send('SIGINT');
  expect(await second.ended).toBe(0);
  expect(await place.daemonPid()).toBe(first.pid);
  const third = startInForeground(place, ['--sample']);
  await third.until('Live:');
  for (let look = 0; !third.printed().includes('claude-code Read'); look++) {
    await place.hook('PreToolUse', { tool_name: 'Read', tool_input: { file_path: 'README.md' }, tool_use_id: `toolu_${look}` });
  }
  first.send('SIGINT');
  expect(await Promise.all([first.ended, third.ended])).toEqual([0, 0]);
});

test('Ctrl-C while it is still starting ends it too', async () => {
  const place = await placeForThisTest();
  const running = startInForeground(place, ['--sample']);
  for (;;) {
    if (await stat(place.home).catch(() => null)) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  running.send('SIGINT');
  expect(await running.ended).toBe(0);
  await hasEnded(running.pid);
});

test('a folder that is missing, and a place where the sample cannot be made, are sentences', async () => {
  const place = await placeForThisTest();
  const run = (args: readonly string[], env = {}) =>
    runCommand(NODE[0], [...NODE.slice(1), 'start', '--foreground', ...args], { cwd: place.repo.path, env: { ...place.env, ...env } });
  expect(await run(['--workspace', 'nowhere'])).toEqual({
    code: 1,
    stdout: '',
    stderr: `countersign: There is no folder ${place.repo.path}/nowhere.\n  Name a folder that exists: npm start -- --workspace DIR\n`,
  });
  expect(await run(['--workspace', 'README.md'])).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no folder') });
  const file = join(place.repo.path, 'README.md');
  expect(await run(['--sample'], { COUNTERSIGN_HOME: join(file, 'home') })).toEqual({
    code: 3,
    stdout: '',
    stderr: expect.stringMatching(
      /^countersign: The sample workspace cannot be made at .*README\.md\/home-sample \(\w+\)\.\n {2}Set COUNTERSIGN_HOME to a folder that you may write to\n$/,
    ),
  });
  expect(await readFile(file, 'utf8')).toContain('# Login example');
});
