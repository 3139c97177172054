// A human who watches while daemons stop and start.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ActionRow } from '../src/protocol/index.ts';
import { eventually } from './lab/eventually.ts';
import { CLI, hasEnded, makeInstallation } from './lab/installation.ts';

test('log --follow goes on with the next daemon: nothing is missing between them, and nothing is shown twice', async () => {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  expect((await place.run(['init', '--observe', '--yes'])).code).toBe(0);
  const call = (tool_name: string, file: string) =>
    place.hook('PreToolUse', { tool_name, tool_input: { file_path: join(place.repo.path, file), content: '' }, tool_use_id: file });
  for (const file of ['older', 'old']) await call('Read', file);

  const following = spawn(CLI, ['log', '--follow', '--json', '--limit', '1'], {
    ...{ cwd: place.repo.path, env: { PATH: process.env['PATH'], ...place.env } },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void following.kill('SIGKILL'));
  const ended = new Promise((resolve) => following.once('close', resolve));
  let printed = '';
  following.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const rows = () =>
    printed
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as ActionRow)
      .map(({ subject, state }) => `${subject} ${state}`);
  const seen = (row: string) => eventually(row, async () => rows().includes(row) || undefined);

  await seen('old observed');
  await call('Write', 'left open');
  await seen('left open admitted');

  const pid = await place.daemonPid();
  process.kill(pid, 'SIGKILL');
  await hasEnded(pid);
  // The next one has settled what was open, and has seen an action begin and end, before any client follows it.
  await place.run(['status']);
  await call('Read', 'meanwhile');
  await call('Read', 'last');
  await seen('last observed');
  await call('Read', 'live again');
  await seen('live again observed');

  following.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(rows().toSorted()).toEqual(
    ['old observed', 'left open admitted', 'left open unknown', 'meanwhile observed', 'last observed', 'live again observed'].toSorted(),
  );
});
