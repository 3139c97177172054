// A repository's settings can name programs that git runs, in most of its commands. Here they name one for each key that can, and every
// command of ours runs beside them. None of the programs may run, and git is not started.

import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hookedAgent } from './lab/hooked-agent.ts';
import { planted, TRACKED } from './lab/planted-git-programs.ts';
import { verifies } from './verifies.ts';

verifies('I11', 'programs that a repository’s settings name run with no command of ours', async () => {
  const { place, ran } = await planted();
  const run = async (...args: string[]) => {
    const { code, stderr } = await place.runAlone(args);
    return { args: args.join(' '), code, stderr, ran: await ran() };
  };
  const fine = (args: string) => ({ args, code: 0, ran: [] });

  const init = await run('init', '--git', '--yes');
  expect(init).toMatchObject({ ...fine('init --git --yes'), stderr: expect.stringContaining(`${TRACKED} is in git`) });
  // The folder that the settings name, found without git.
  expect(await readFile(join(place.base, 'programs/hooks/pre-commit'), 'utf8')).toContain('countersign begin');

  await place.human(['intent', 'fix login', 'src/auth']);
  const client = await place.mcpClient({ surface: 'hooked' });
  onTestFinished(() => client.close());
  const agent = await hookedAgent(place, client);
  await agent.prompt('go');
  await agent.call('begin_work', {});
  expect(await agent.write('src/auth/login.ts', 'export const login = 1;\n')).toBeNull();
  await agent.before('Bash', { command: 'git status && git diff' });
  await place.hook('Stop', { stop_hook_active: false });
  expect(await ran()).toEqual([]);

  const [receipt] = (await place.client.ask('receipts', {})).filter(({ file_refs }) => file_refs.length > 0);
  const commands = [
    ['status'],
    ['receipts'],
    ['reconcile'],
    ['stats'],
    ['blame', 'src/auth/login.ts'],
    ['explain', 'git status'],
    ['search', 'login'],
    ['undo', receipt!.action_id!, '--yes'],
    ['init', '--undo', '--yes'],
  ];
  for (const args of commands) expect(await run(...args)).toMatchObject(fine(args.join(' ')));
  // Its verdict is about this machine.
  expect((await run('doctor')).ran).toEqual([]);
});

test('planted: git itself runs them', async () => {
  const { place, ran } = await planted();
  await writeFile(join(place.repo.path, 'README.md'), 'changed\n');
  const odd = 'echo odd > x.odd && git add x.odd';
  const path = `${join(place.base, 'programs')}:${process.env['PATH'] ?? ''}`;
  for (const command of ['git status', 'git diff', 'git diff --no-ext-diff', 'git st', 'git commit -qam x', 'git fetch x', odd])
    try {
      execFileSync('/bin/sh', ['-c', command], { cwd: place.repo.path, env: { PATH: path, HOME: place.base }, stdio: 'ignore' });
    } catch {
      // The planted programs give no answer that git could use.
    }
  expect(await ran()).toEqual(
    expect.arrayContaining([
      ...['git itself', 'core.fsmonitor', 'filter.y.process', 'diff.x.command', 'diff.x.textconv', 'alias.st', 'hook pre-commit'],
      ...['core.sshCommand', 'filter.x.clean'],
    ]),
  );
});
