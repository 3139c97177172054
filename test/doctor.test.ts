// `countersign doctor` with a real daemon and real files: healthy when everything works, and each broken part is found with its fix.

import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DoctorReport } from '../src/install/doctor.ts';
import type { Place } from './lab/installation.ts';
import { oneDaemon } from './lab/one-daemon.ts';
import { ownInstallation, spoilLedger } from './lab/own-installation.ts';
import { verifies } from './verifies.ts';

const placeForThisTest = oneDaemon();

const SETTINGS = '.claude/settings.local.json';

async function examine(place: Place): Promise<{ code: number | null; report: DoctorReport }> {
  const { code, stdout } = await place.run(['doctor', '--json']);
  return { code, report: JSON.parse(stdout) as DoctorReport };
}
const agent = ({ agents }: DoctorReport, name: string) => agents.find((each) => each.name === name)!;
const states = (checks: readonly { name: string; state: string }[]) => Object.fromEntries(checks.map(({ name, state }) => [name, state]));
const bad = ({ installation, agents }: DoctorReport) =>
  [...installation, ...agents.flatMap(({ checks }) => checks)].filter(({ state }) => state === 'bad');

describe('a work tree that is wired', () => {
  verifies('N1', 'is well: the client answers for the agent, and the last firing is reported', async () => {
    const place = await ownInstallation();
    await place.run(['init', '--yes']);
    const first = await examine(place);
    expect(bad(first.report)).toEqual([]);
    expect(first.code).toBe(0);
    expect(states(agent(first.report, 'claude').checks)).toEqual({ wiring: 'ok', probe: 'ok', fired: 'note' });
    expect(first.report.level).toMatchObject({ level: 'advisory', minimum_mode: 'GUARDED' });

    const before = (await place.humanTries(['doctor'])).output;
    expect(before).toMatch(
      / {2}advisory until the first hook fires: [^]*\nNothing is wrong, but nothing proves yet that the hooks run: begin a session of Claude Code[^]*$/,
    );
    expect(before).not.toContain('All is well');

    const head = (await place.client.ask('status', {})).ledger.size;
    await examine(place);
    expect((await place.client.ask('status', {})).ledger.size).toBe(head);

    await place.hook('SessionStart', {});
    const { report } = await examine(place);
    expect(states(agent(report, 'claude').checks)).toMatchObject({ fired: 'ok' });
    expect(agent(report, 'claude').last_fired).toMatch(/^\d{4}-/);
    expect(report).toMatchObject({ ok: true, level: { level: expect.stringMatching(/^(?:hooked|walled)$/) as string } });
    const { output } = await place.humanTries(['doctor']);
    expect(output).toMatch(/Installation[^]*ok {4}record +verifies[^]*Claude Code {2}\(\.claude is in this work tree\)[^]*All is well\./);
  });

  test('settings that were changed after the last firing are distinguished', async () => {
    const place = await placeForThisTest();
    await place.run(['init', '--yes']);
    await place.hook('SessionStart', {});
    const file = join(place.repo.path, SETTINGS);
    await writeFile(file, `${(await readFile(file, 'utf8')).trimEnd()}\n\n`);
    const { report, code } = await examine(place);
    expect(code).toBe(0);
    expect(states(agent(report, 'claude').checks)).toMatchObject({ changed: 'note', fired: 'note' });
  });
});

describe('what is broken is found, with its fix, and ends with 1', () => {
  test('hooks that are switched off; a server that is gone', async () => {
    const place = await placeForThisTest();
    await place.run(['init', '--yes']);
    const file = join(place.repo.path, '.claude/settings.json');
    await writeFile(file, '{"disableAllHooks":true}');
    await writeFile(join(place.repo.path, '.mcp.json'), '{}');
    const { code, report } = await examine(place);
    expect([code, report.ok]).toEqual([1, false]);
    expect(bad(report).map(({ name, fix }) => [name, fix])).toEqual([
      ['switched off', 'Take that out of .claude/settings.json'],
      ['server', 'countersign init --agent claude'],
    ]);
  });

  const EARLIER: Readonly<Record<string, (text: string) => string>> = {
    'hooks as the first versions wrote them': (text) =>
      text
        .replaceAll('POSIXLY_CORRECT=1 exec', 'exec')
        .replaceAll(/\/\S*bash -p -c '[^']*'/g, 'bash')
        .replace(/^const (?:BASH|RUNNER|OBSERVES) .*\n/gm, ''),
    'hooks in whose line a function may take the place of exec': (text) => text.replaceAll('POSIXLY_CORRECT=1 exec', 'exec'),
  };
  for (const [what, asEarlier] of Object.entries(EARLIER))
    verifies('N22', `${what} are found; init rewrites them, undo removes them`, async () => {
      const place = await placeForThisTest();
      const agents = ['claude', 'codex', 'cline', 'opencode'];
      await place.run(['init', '--yes', '--agent', ...agents]);
      const files = [SETTINGS, '.codex/hooks.json', '.cline/hooks/PreToolUse', '.opencode/plugins/countersign.js'];
      const read = () => Promise.all(files.map((file) => readFile(join(place.repo.path, file), 'utf8')));
      const now = await read();
      const earlier = now.map(asEarlier);
      const writeEarlier = async () => {
        for (const [at, file] of files.entries()) await writeFile(join(place.repo.path, file), earlier[at]!);
      };
      await writeEarlier();
      const { code, report } = await examine(place);
      expect(code).toBe(1);
      expect(bad(report).map(({ name, says, fix }) => [name, says.split(' ')[0], fix])).toEqual([
        ['old hooks', files[0], 'countersign init --agent claude'],
        ['old hooks', files[1], 'countersign init --agent codex'],
        ['trust', 'Codex', expect.stringContaining('countersign init --agent codex')],
        ...(earlier[3] === now[3] ? [] : [['old hooks', files[3], 'countersign init --agent opencode']]),
        ['old hooks', files[2], 'countersign init --agent cline'],
      ]);
      // For one of them; the others come with it.
      await place.run(['init', '--yes', '--agent', 'claude']);
      expect(await read()).toEqual(now);
      expect(bad((await examine(place)).report)).toEqual([]);
      await writeEarlier();
      await place.run(['init', '--undo', '--yes']);
      expect(await Promise.allSettled(files.map((file) => readFile(join(place.repo.path, file))))).toEqual(
        files.map(() => expect.objectContaining({ status: 'rejected' })),
      );
    });

  test('a hook file that an older daemon wrote', async () => {
    const place = await ownInstallation();
    await place.run(['init', '--yes']);
    const file = join(place.home, 'run/hook');
    await writeFile(file, (await readFile(file, 'utf8')).replace(/ \S+\n$/, '\n'));
    expect(bad((await examine(place)).report).map(({ name }) => name)).toEqual(['hook file', 'probe']);
  });

  test('an agent that is here and not wired is a note', async () => {
    const place = await placeForThisTest();
    await mkdir(join(place.repo.path, '.cursor'));
    const { code, report } = await examine(place);
    expect(code).toBe(0);
    expect(agent(report, 'cursor').checks).toEqual([
      {
        name: 'wiring',
        state: 'note',
        says: 'Cursor is not wired here: nothing that it does is gated.',
        fix: 'countersign init --agent cursor',
      },
    ]);
  });

  test('a folder that others may open', async () => {
    const place = await ownInstallation();
    await place.run(['start', '--quiet']);
    await chmod(place.home, 0o755);
    const { code, report } = await examine(place);
    expect(code).toBe(1);
    expect(bad(report).map(({ name, fix }) => [name, fix])).toEqual([['folder', `chmod 700 '${place.home}'`]]);
  });

  test('keys that others may read, and keys that are gone', async () => {
    const place = await ownInstallation();
    await place.run(['start', '--quiet']);
    const key = join(place.home, 'keys/hmac.key');
    await chmod(key, 0o644);
    const open = await examine(place);
    expect(bad(open.report).map(({ name, fix }) => [name, fix])).toEqual([['keys', `chmod 600 '${key}'`]]);
    await rm(key);
    const gone = await examine(place);
    expect(bad(gone.report).map(({ name, says }) => [name, says])).toEqual([['keys', `hmac.key is not in ${place.home}/keys.`]]);
  });

  test('tools of the hook client that are not on PATH', async () => {
    const place = await ownInstallation();
    await place.run(['start', '--quiet']);
    const bin = join(place.base, 'bin');
    await mkdir(bin);
    for (const name of ['sh', 'dirname', 'readlink', 'bash', 'cat', 'env', 'mkdir', 'git'])
      await symlink(`/usr/bin/${name}`, join(bin, name));
    const { stdout } = await place.run(['doctor', '--json'], { env: { PATH: bin } });
    expect(bad(JSON.parse(stdout) as DoctorReport)).toEqual([
      { name: 'hook client', state: 'bad', says: 'It needs sleep, not on PATH.', fix: 'Install sleep, or put them on PATH' },
    ]);
  });

  test('a record that does not verify, and no daemon because of it', async () => {
    const place = await ownInstallation();
    await place.run(['init', '--yes']);
    await spoilLedger(place);
    const { code, report } = await examine(place);
    expect(code).toBe(1);
    expect(report.level).toBeNull();
    expect(bad(report).map(({ name }) => name)).toEqual(expect.arrayContaining(['daemon', 'record', 'probe']));
  });
});
