// cp, mv, ln, install, rsync: the last operand is written, or is a folder that each of the others gets a name in.

import { hasAny, type KnownOptions, readLeniently, valuesOf } from './lenient-options.ts';
import { type Argument, lastName, within } from './words.ts';
import type { WriteScan, WriteTarget } from './write-target.ts';

const RSYNC_FILES = ['--log-file', '--write-batch', '--only-write-batch'];
const RSYNC_FOLDERS = ['--backup-dir', '--partial-dir', '--temp-dir'];

const OPTIONS: Readonly<Record<string, KnownOptions>> = {
  cp: { values: 'tS', longValues: ['--target-directory', '--suffix'], long: ['--recursive', '--archive', '--backup', '--parents'] },
  mv: { values: 'tS', longValues: ['--target-directory', '--suffix'], long: ['--backup'] },
  ln: { values: 'tS', longValues: ['--target-directory', '--suffix'], long: ['--backup'] },
  install: {
    values: 'tSmog',
    longValues: ['--target-directory', '--suffix', '--mode', '--owner', '--group', '--strip-program'],
    long: ['--directory', '--backup'],
  },
  rsync: {
    values: 'eBfTM',
    longValues: [
      '--rsh',
      '--exclude',
      '--include',
      '--filter',
      '--files-from',
      '--exclude-from',
      '--include-from',
      ...RSYNC_FILES,
      ...RSYNC_FOLDERS,
    ],
    long: ['--backup', '--remove-source-files', '--dry-run'],
  },
};

/** Other files, or another program. */
const MORE = [
  '-b',
  '--backup',
  '-S',
  '--suffix',
  '-e',
  '--rsh',
  '--remove-source-files',
  '--log-file',
  '--strip-program',
  ...RSYNC_FOLDERS,
];

export const scanCopy: WriteScan = (args, command) => {
  const read = readLeniently(args, OPTIONS[command] ?? {});
  const complete = !read.unsure && !hasAny(read, MORE);
  const { operands } = read;
  if (command === 'install' && hasAny(read, ['-d', '--directory']))
    return { targets: operands.map((path) => ({ path, kind: 'folder' })), complete };
  if (command === 'rsync') {
    const goal = operands.length > 1 && !hasAny(read, ['-n', '--dry-run']) ? operands.at(-1) : undefined;
    const logs = valuesOf(read, RSYNC_FILES).map((path): WriteTarget => ({ path, kind: 'file' }));
    const folders = valuesOf(read, RSYNC_FOLDERS).map((path): WriteTarget => ({ path, kind: 'below' }));
    const tree: WriteTarget[] = goal === undefined || goal.text.includes(':') ? [] : [{ path: goal, kind: 'tree' }];
    return { targets: [...tree, ...logs, ...folders], complete };
  }
  const folder = command === 'rsync' ? undefined : valuesOf(read, ['-t', '--target-directory'])[0];
  const goal = folder ?? (operands.length > 1 ? operands.at(-1)! : undefined);
  const sources = folder === undefined && operands.length > 1 ? operands.slice(0, -1) : operands;
  if (goal === undefined) return { targets: command === 'ln' ? sources.flatMap(here) : [], complete };

  const trees = command === 'mv' || hasAny(read, ['-r', '-R', '-a', '--recursive', '--archive']);
  const isFolder = folder !== undefined || sources.length > 1 || /(?:^|\/)\.{0,2}$/.test(goal.value ?? '');
  const written = sources.map((source): WriteTarget => {
    const name = lastName(source);
    if (name === null || hasAny(read, ['--parents'])) return { path: goal, kind: 'below' };
    if (isFolder) return { path: within(goal, name), kind: trees ? 'tree' : 'file' };
    return trees ? { path: goal, kind: 'tree', entry: name } : { path: goal, kind: 'either', entry: name };
  });
  const moved = command === 'mv' ? sources.map((path): WriteTarget => ({ path, kind: 'tree' })) : [];
  return { targets: [...written, ...moved], complete };
};

/** `ln -s ../a` creates a link with that name in the current folder. */
function here(source: Argument): WriteTarget[] {
  const name = lastName(source);
  return name === null ? [] : [{ path: { ...source, value: name, start: name, text: name }, kind: 'file' }];
}
