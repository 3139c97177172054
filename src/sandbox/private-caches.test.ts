// What a session writes into caches, and who reads it: the next session of the same work tree, and never the human.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { writingAccess } from './access.ts';
import { findWalls } from './find-walls.ts';
import { WallSessions } from './wall-sessions.ts';

const found = await findWalls(path.join(tmpdir(), 'countersign-caches-probe'));

function makeSessions(writable: readonly string[] = []) {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'countersign-caches-')));
  const at = (...names: string[]) => path.join(base, ...names);
  for (const folder of ['repo/src', 'home/.cache/tool', 'home/.cache/browsers', 'gate']) mkdirSync(at(folder), { recursive: true });
  writeFileSync(at('home/.cache/tool/program'), 'the human’s');
  const sessions = new WallSessions({
    found: () => Promise.resolve(found),
    ...{ folder: at('gate/boxes'), userHome: at('home'), privateFolders: [at('gate')], agentSettings: [] },
    seamOf: () => ({ commandIn: (line) => line, readsBack: () => null, startWrites: [], shownInTemp: [] }),
    settingsOf: () => Promise.resolve({ level: 'required', readable: [], writable, hosts: [] }),
    rootOf: () => Promise.resolve(at('repo')),
    isEnforced: () => Promise.resolve(true),
    accessOf: (root) =>
      Promise.resolve(writingAccess({ root, gitCommonDir: null, scope: ['src/**'], paths: { derived: [], companions: {} }, files: [] })),
  });
  onTestFinished(async () => {
    await sessions.close();
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  });
  let count = 0;
  const run = async (nativeSession: string, command: string): Promise<string> => {
    const common = { agent: 'x', nativeSession, root: at('repo') };
    sessions.admit({
      ...common,
      ...{ process: null, action: `act_${++count}`, command, scope: ['src/**'], network: false, showSecrets: false, open: false },
    });
    const walls = await sessions.enter({ ...common, cwd: at('repo'), tempFolder: at('home'), userHome: at('home'), line: command });
    if (walls.kind !== 'walled') throw new Error(JSON.stringify(walls));
    const [program = '', ...args] = walls.prefix;
    const { stdout, stderr } = spawnSync(program, [...args, '/bin/sh', '-c', command], {
      encoding: 'utf8',
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', HOME: at('home') },
    });
    return stdout + stderr;
  };
  return { at, run, sessions };
}

describe.skipIf(found.kind === 'none')('caches of tools', () => {
  verifies('N20', 'what a session puts into a cache is there for the next one in that tree, and the human’s stays as it was', async () => {
    const { at, run, sessions } = makeSessions();
    const tamper = 'cd "$HOME/.cache"; cat tool/program; echo BROKEN > tool/program; echo new > tool/fetched; rm -rf browsers; cat tool/*';
    expect(await run('one', tamper)).toBe('the human’snew\nBROKEN\n');
    // While the first still works, the second reads its layer and adds to one of its own.
    expect(await run('two', 'cd "$HOME/.cache/tool"; cat *; echo two > second')).toBe('new\nBROKEN\n');
    expect(await run('one', 'ls "$HOME/.cache/tool"')).toBe('fetched\nprogram\n');
    await sessions.end('x', 'one');
    await sessions.end('x', 'two');
    expect(await run('three', 'cd "$HOME/.cache"; cat tool/*; ls')).toBe('new\nBROKEN\ntool\n');
    expect(readFileSync(at('home/.cache/tool/program'), 'utf8')).toBe('the human’s');
    expect([existsSync(at('home/.cache/tool/fetched')), existsSync(at('home/.cache/browsers'))]).toEqual([false, true]);
  });

  verifies('N20', 'a place that a human named in walls.writable is really changed, but for start-up files in it', async () => {
    const { at, run } = makeSessions(['~/.cache/browsers', '~/.bashrc', '~/.config']);
    mkdirSync(at('home/.config/fish'), { recursive: true });
    for (const file of ['.bashrc', '.config/fish/config.fish', '.config/tool']) writeFileSync(at('home', file), 'as it was');
    await run('one', 'for f in .cache/browsers/new .bashrc .config/fish/config.fish .config/tool; do echo changed > "$HOME/$f"; done');
    const texts = ['.cache/browsers/new', '.bashrc', '.config/fish/config.fish', '.config/tool'].map((file) =>
      readFileSync(at('home', file), 'utf8').trim(),
    );
    expect(texts).toEqual(['changed', 'as it was', 'as it was', 'changed']);
  });
});
