import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, realpathSync, symlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Clone, removeTemporary, type Run, temporary } from './scratch-clone.ts';

afterAll(removeTemporary);

test('npm start runs the sample in the foreground, or the workspace meant from where the person is', () => {
  const clone = new Clone();
  const start = (...args: string[]): { code: number | null; said: unknown } => {
    const { code, stdout } = clone.run(process.execPath, [clone.path('scripts/start.mjs'), ...args], {
      INIT_CWD: '/elsewhere',
      NODE_EXTRA_CA_CERTS: '/no/such/file',
    });
    return { code, said: JSON.parse(stdout) };
  };
  const called = {
    execPath: process.execPath,
    flags: ['--disable-warning=ExperimentalWarning'],
    certs: null,
    cache: join(clone.cache, 'compile'),
  };
  expect(start('--help')).toEqual({ code: 0, said: { ...called, args: ['start', '--foreground', '--sample', '--help'] } });
  expect(start('--workspace', 'mine')).toEqual({
    code: 0,
    said: { ...called, args: ['start', '--foreground', '--workspace', '/elsewhere/mine'] },
  });
  expect(start('--workspace=/there')).toEqual({ code: 0, said: { ...called, args: ['start', '--foreground', '--workspace=/there'] } });
  expect(start('--fail').code).toBe(7);
});

test('npm start passes a signal on and ends with the code of the daemon', async () => {
  const clone = new Clone();
  const child = spawn(process.execPath, [clone.path('scripts/start.mjs'), '--stay'], {
    env: clone.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGTERM');
  expect(await ended).toBe(42);
});

test('the command works through links from anywhere, sets up when it must, and keeps standard output for the command', () => {
  const clone = new Clone();
  const links = temporary('links');
  symlinkSync(clone.path('bin/countersign'), join(links, 'first'));
  symlinkSync('first', join(links, 'second'));
  const path = `${dirname(process.execPath)}:${clone.env['PATH']}`;
  const call = (...args: string[]): Run =>
    clone.run('sh', ['-c', 'cd / && exec "$@"', 'sh', join(links, 'second'), ...args], {
      PATH: path,
      NODE_EXTRA_CA_CERTS: '/no/such/file',
    });

  const first = call('intent', 'fix login', '');
  expect(first.stderr).toContain('Installing dependencies: done after');
  const said = {
    args: ['intent', 'fix login', ''],
    execPath: process.execPath,
    flags: ['--disable-warning=ExperimentalWarning'],
    certs: null,
    cache: join(clone.cache, 'compile'),
  };
  expect({ code: first.code, said: JSON.parse(first.stdout) }).toEqual({ code: 0, said });
  expect(call('status')).toEqual({ code: 0, stdout: `${JSON.stringify({ ...said, args: ['status'] })}\n`, stderr: '' });

  clone.writePackage({}, '1.0.1');
  const ahead = new Date(Date.now() + 5000);
  utimesSync(clone.path('package-lock.json'), ahead, ahead);
  expect(call('status').stderr).toContain('Installing dependencies: done after');
  expect(call('status').stderr).toBe('');
});

test('the hook is handed over without Node', () => {
  const clone = new Clone();
  clone.write('bin/countersign-hook', '#!/bin/sh\nprintf "%s|" "$@"; exit 9\n');
  chmodSync(clone.path('bin/countersign-hook'), 0o755);
  expect(clone.run(clone.path('bin/countersign'), ['hook', 'claude-code', 'a b'], { PATH: '/usr/bin:/bin' })).toEqual({
    code: 9,
    stdout: 'claude-code|a b|',
    stderr: '',
  });
});

test('without any Node the command says what to install', () => {
  const clone = new Clone();
  const tools = temporary('tools');
  for (const name of ['sh', 'dirname', 'readlink', 'cat'])
    symlinkSync(realpathSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()), join(tools, name));
  expect(clone.run('/bin/sh', [clone.path('bin/countersign'), 'status'], { PATH: tools })).toEqual({
    code: 3,
    stdout: '',
    stderr: `countersign: there is no Node on PATH. Install Node 18 or newer with npm, then run npm start in ${clone.folder}.\n`,
  });
});
