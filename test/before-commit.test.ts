// The check before a commit, and on demand: the real hook in a real repository.

import { existsSync } from 'node:fs';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Place, runCommand } from './lab/installation.ts';
import { oneDaemon } from './lab/one-daemon.ts';
import { ownInstallation } from './lab/own-installation.ts';
import { verifies } from './verifies.ts';

const placeForThisTest = oneDaemon();

const hookOf = (place: Place) => join(place.repo.path, '.git/hooks/pre-commit');
const commit = (place: Place, message: string) =>
  runCommand('git', ['commit', '--all', '--quiet', '--message', message], { cwd: place.repo.path, env: place.env });

/** An agent whose command writes past its scope, to README.md. */
async function strayingAgent(place: Place): Promise<void> {
  await place.human(['intent', 'fix login', 'src/auth']);
  await place.hook('SessionStart', {});
  await place.hook('UserPromptSubmit', { prompt: 'go', prompt_id: 'p1' });
  const session = (await place.client.ask('sessions', {}))[0]!;
  const client = await place.mcpClient({ surface: 'hooked' });
  onTestFinished(() => client.close());
  const begin = { name: 'mcp__countersign__begin_work', id: 'toolu_begin' };
  await place.hook('PreToolUse', { tool_name: begin.name, tool_input: {}, tool_use_id: begin.id });
  await client.callTool({ name: 'begin_work', arguments: {}, _meta: { 'claudecode/toolUseId': begin.id } });
  const call = { tool_name: 'Bash', tool_input: { command: './tidy.sh' }, tool_use_id: 'toolu_tidy' };
  expect(JSON.stringify(await place.hook('PreToolUse', call))).not.toContain('"deny"');
  await writeFile(join(place.repo.path, 'README.md'), 'by the command\n');
  await place.hook('PostToolUse', { ...call, tool_response: { stdout: '' } });
  await place.hook('Stop', { stop_hook_active: false });
  expect(session.level).toBe('hooked');
}

describe('init --git', () => {
  test('adds the look to the hook that is there, keeps its bytes, and takes it out again', async () => {
    const place = await placeForThisTest();
    const own = '#!/bin/sh -e\necho own hook ran\nexit 0\n';
    await writeFile(hookOf(place), own);
    await chmod(hookOf(place), 0o755);
    expect((await place.human(['init', '--git', '--yes'])).code).toBe(0);
    const wired = await readFile(hookOf(place), 'utf8');
    expect(wired).toMatch(
      /^#!\/bin\/sh -e\n# countersign begin: [^]*reconcile --before-commit \|\| :\n# countersign end\necho own hook ran\nexit 0\n$/,
    );
    expect((await place.humanTries(['init', '--git', '--yes'])).output).toContain('wired already');
    expect(await readFile(hookOf(place), 'utf8')).toBe(wired);
    expect((await place.human(['init', '--undo', '--yes'])).code).toBe(0);
    expect([await readFile(hookOf(place), 'utf8'), (await stat(hookOf(place))).mode & 0o777]).toEqual([own, 0o755]);
  });

  test('makes the hook where there is none, and removes it with --undo', async () => {
    const place = await placeForThisTest();
    await place.humanTries(['init', '--git', '--yes']);
    expect((await stat(hookOf(place))).mode & 0o111).not.toBe(0);
    await place.humanTries(['init', '--undo', '--yes']);
    await expect(stat(hookOf(place))).rejects.toThrow('ENOENT');
  });

  test('says what to add by hand where a hook is no shell script, or hooks are kept in the tree', async () => {
    const place = await placeForThisTest();
    await writeFile(hookOf(place), '#!/usr/bin/env node\n');
    expect(await place.humanTries(['init', '--git', '--yes'])).toEqual({
      code: 3,
      output: expect.stringMatching(/pre-commit is there already and is no shell script\.[^]*reconcile --before-commit/),
    });
    expect(await readFile(hookOf(place), 'utf8')).toBe('#!/usr/bin/env node\n');
    await writeFile(join(place.repo.path, '.git/a-file'), '');
    for (const named of ['.git/a-file', '.git/a-file/hooks']) {
      place.repo.git('config', 'core.hooksPath', named);
      const { code, output } = await place.humanTries(['init', '--git', '--yes']);
      expect([code, output]).toEqual([3, expect.stringContaining('a-file is not a folder. Nothing was written.')]);
      expect(existsSync(join(place.repo.path, '.claude/settings.local.json'))).toBe(false);
    }
    place.repo.git('config', 'core.hooksPath', '.husky');
    expect((await place.humanTries(['init', '--git', '--yes'])).output).toContain('are kept in .husky, which everybody shares.');
    place.repo.git('config', 'core.hooksPath', '.git/hooks');
    await writeFile(join(place.repo.path, '.git/elsewhere'), '[core]\n\thooksPath = /hooks\n');
    place.repo.git('config', 'includeIf.onbranch:main.path', 'elsewhere');
    expect((await place.humanTries(['init', '--git', '--yes'])).output).toMatch(
      /by a condition, such as \/hooks\.[^]*reconcile --before-commit/,
    );
  });
});

verifies('N5', 'a commit tells what an agent changed past the gate, and goes on', async () => {
  const place = await ownInstallation();
  await place.human(['init', '--git', '--yes']);
  await strayingAgent(place);
  const { code, stderr } = await commit(place, 'take it in');
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(
      /^countersign: A staged file was changed without a receipt, most likely by an agent's command:\n {2}changed {2}README\.md {2}\(window: act_\w{26}\)\n/,
    ),
  ]);
  expect(place.repo.git('log', '--format=%s', '-1')).toBe('take it in\n');

  // A human's own work is not reported.
  await writeFile(join(place.repo.path, 'README.md'), 'by hand\n');
  expect(await commit(place, 'mine')).toEqual({ code: 0, stdout: '', stderr: '' });
});

verifies('N5', 'reconcile compares on demand, and ends with 1 when an agent strayed', async () => {
  const place = await ownInstallation();
  await place.run(['start', '--quiet']);
  expect(await place.run(['reconcile'])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/: \d+ files compared with the receipts; no agent changed one past the gate\.\n$/),
    stderr: '',
  });
  await strayingAgent(place);
  const strayed = await place.run(['reconcile']);
  expect([strayed.code, strayed.stdout]).toEqual([1, expect.stringMatching(/1 of \d+ files were changed without a receipt[^]*README\.md/)]);
  const view = JSON.parse((await place.run(['reconcile', '--json'])).stdout) as { unexplained: { path: string; attribution: string }[] };
  expect(view.unexplained).toMatchObject([{ path: 'README.md', attribution: 'window' }]);
});

test('with the daemon dead a commit goes on in silence, and none is started for it', async () => {
  const place = await ownInstallation();
  await place.human(['init', '--git', '--yes']);
  await place.run(['stop']);
  await writeFile(join(place.repo.path, 'README.md'), 'by hand\n');
  expect(await commit(place, 'mine')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect((await place.run(['stop'])).stdout).toBe('No daemon is running.\n');
});
