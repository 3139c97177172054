import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { NO_PATH_CONFIG } from '../workspace/index.ts';
import { writingAccess } from './access.ts';
import { lookBefore } from './settle-walls.ts';
import { SettingsWatch } from './watch-settings.ts';

verifies(
  'N20',
  'as long as a process of a command runs, git settings that name a program are taken back, and later ones are the human’s',
  () => {
    const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'countersign-watch-')));
    onTestFinished(() => rmSync(base, { recursive: true, force: true }));
    const root = path.join(base, 'repo');
    const config = path.join(root, '.git/config');
    mkdirSync(path.join(root, '.git'), { recursive: true });
    mkdirSync(path.join(root, 'src'));
    writeFileSync(config, '[core]\n');
    const access = writingAccess({
      root,
      gitCommonDir: path.join(root, '.git'),
      scope: ['src/**'],
      paths: NO_PATH_CONFIG,
      files: [],
      gitSettings: 'open',
    });
    const watch = new SettingsWatch(path.join(base, 'aside'));
    let runs = true;
    watch.begin('s', lookBefore(access), () => runs);
    // What names no program stays, also when the file is put back later.
    writeFileSync(config, '[core]\n[branch "x"]\n\tremote = origin\n');
    expect(watch.takenSince('s')).toEqual([]);
    const evil = '[core]\n\tfsmonitor = ./evil\n';
    writeFileSync(config, evil);
    expect(watch.takenSince('s')).toEqual([expect.stringContaining('fsmonitor')]);
    expect(readFileSync(config, 'utf8')).toContain('remote = origin');
    // The last thing that it does before it ends.
    writeFileSync(config, evil);
    runs = false;
    expect(watch.takenSince('s')).toEqual([expect.stringContaining('fsmonitor')]);
    writeFileSync(config, evil);
    expect([watch.takenSince('s'), readFileSync(config, 'utf8')]).toEqual([[], evil]);
  },
);
