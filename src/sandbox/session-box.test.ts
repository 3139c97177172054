// What a process that stays behind can do to the next command of its session.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { writingAccess } from './access.ts';
import { agentWalls } from './agent-walls.ts';
import { findWalls } from './find-walls.ts';
import { SessionBox } from './session-box.ts';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'countersign-box-')));
const found = await findWalls(path.join(base, 'gate'));
const at = (...names: string[]) => path.join(base, ...names);

function policy(files: readonly string[] = []) {
  const root = at('repo');
  const access = writingAccess({ root, gitCommonDir: null, scope: ['src/**'], paths: { derived: [], companions: {} }, files });
  const nothing = {
    tempPlaces: [],
    agentSettings: [],
    readable: [],
    writable: [],
    shown: [],
    more: [],
    caches: { layered: [], shared: [] },
  };
  return agentWalls({
    ...nothing,
    access,
    temp: at('temp'),
    userHome: at('home'),
    otherHome: at('home'),
    privateFolders: [at('gate')],
    looks: false,
    showSecrets: false,
  });
}

async function open(): Promise<SessionBox> {
  if (found.kind === 'none') throw new Error(found.why);
  for (const folder of ['repo/src', 'home/.claude', 'temp']) mkdirSync(at(folder), { recursive: true });
  const box = await SessionBox.open(found.place);
  onTestFinished(() => {
    box.close();
    rmSync(base, { recursive: true, force: true });
  });
  return box;
}

const run = ([program = '', ...prefix]: readonly string[], script: string) =>
  spawnSync(program, [...prefix, '/bin/sh', '-c', script], { encoding: 'utf8', cwd: '/', env: { PATH: '/usr/bin:/bin', HOME: at('home') } })
    .stdout;

describe.skipIf(found.kind === 'none')('a session', () => {
  verifies('N20', 'a link in the place of a folder that was writable opens nothing', async () => {
    const box = await open();
    writeFileSync(at('home/file'), 'as it was');
    writeFileSync(at('home/.claude/settings.json'), '{}');
    // The tree was known with a folder here, which a command then replaced.
    symlinkSync('../../home', at('repo/src/x'));
    const prefix = await box.enter(policy(['src/x/.claude/settings.json']), 'session');
    expect(run(prefix, 'echo BROKEN > "$HOME/file"; echo fine > ' + at('repo/src/new') + '; cat ' + at('repo/src/new'))).toBe('fine\n');
    expect(readFileSync(at('home/file'), 'utf8')).toBe('as it was');
  });

  verifies('N20', 'a process with this machine’s network is out of reach for one without it', async () => {
    const box = await open();
    const userOf = async (network: 'session' | 'host') => run(await box.enter(policy(), network), 'readlink /proc/self/ns/user');
    expect(await userOf('session')).not.toBe(await userOf('host'));
    expect(await userOf('session')).toBe(await userOf('session'));
  });

  verifies('N20', 'a process that a command leaves behind is known', async () => {
    const box = await open();
    const prefix = await box.enter(policy(), 'session');
    run(prefix, 'true');
    expect(box.hasCommands()).toBe(false);
    run(prefix, 'sleep 60 >/dev/null 2>&1 &');
    expect(box.hasCommands()).toBe(true);
  });
});
