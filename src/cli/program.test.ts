import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../test/lab/daemon.ts';
import { COMMAND_GROUPS } from './command-groups.ts';
import type { CommandLine } from './program/command-line.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

test('each group of commands names the commands that it adds', async () => {
  for (const { names, load } of COMMAND_GROUPS) {
    const program = new Command();
    (await load())({ program } as CommandLine);
    expect(program.commands.map((command) => command.name())).toEqual(names);
  }
});

const MAIN = fileURLToPath(new URL('../app/main.ts', import.meta.url));
const PRINT_LOADS = `data:text/javascript,import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => (process._rawDebug('loads ' + url), next(url, context)) });`;

test.each(['status', 'receipts', 'approvals'])('%s loads the command line’s own package and no room behind the daemon', async (command) => {
  const args = ['--disable-warning=ExperimentalWarning', '--import', PRINT_LOADS, MAIN, '--home', daemon.home.dir, command];
  const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: daemon.repo.path });
  const loaded = [...stderr.matchAll(/^loads file:\/\/(\S+)/gm)].map(([, file = '']) => file);
  const parts = new Set(loaded.map((file) => /\/(?:node_modules|src)\/[^/]+/.exec(file)?.[0] ?? file));
  expect([...parts].toSorted()).toEqual(['/node_modules/commander', '/src/app', '/src/cli', '/src/client', '/src/protocol']);
  expect(loaded.filter((file) => /\/src\/(?:protocol\/index|client\/spawn-daemon|app\/(?!main\.))/.test(file))).toEqual([]);
});
