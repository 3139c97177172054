// git commands that write the work tree, or files outside it. Whatever git does, a hook or a filter of the repository may do more.

import { hasAny, type KnownOptions, type LenientArguments, readLeniently, valuesOf } from './lenient-options.ts';
import { type Argument, lastName, literal, UNKNOWN, within } from './words.ts';
import { scanCopy } from './scan-copy.ts';
import type { WriteScan, WriteTarget } from './write-target.ts';

/** Commands that may write any file of the work tree. */
const ANYWHERE = new Set(
  'apply am stash merge rebase pull cherry-pick revert reset switch checkout read-tree checkout-index clean bisect sparse-checkout submodule'.split(
    ' ',
  ),
);
const WITHOUT_CHANGE = new Set(['list', 'show', 'create', 'store', 'log', 'status', 'summary']);

export const scanGit: WriteScan = (args) => {
  let at = 0;
  let folder: Argument | null = null;
  for (; at < args.length && args[at]!.start.startsWith('-'); at++) {
    const name = args[at]!.value;
    if (name === '-C') folder = fromFolder(folder, args[at + 1] ?? null);
    if (name !== null && /^(?:-C|-c|--git-dir|--work-tree|--namespace|--config-env|--super-prefix)$/.test(name)) at++;
  }
  const targets = written(args[at]?.value ?? '', args.slice(at + 1));
  return { targets: folder === null ? targets : targets.map((target) => inFolder(target, folder)), complete: false };
};

/** Each `-C` counts from the one before it. */
function fromFolder(folder: Argument | null, next: Argument | null): Argument | null {
  if (folder === null || next === null || next.start.startsWith('/')) return next;
  return next.value === null ? { ...UNKNOWN, text: `${folder.text}/${next.text}` } : within(folder, next.value);
}

function inFolder(target: WriteTarget, folder: Argument): WriteTarget {
  if (target.path.value === null || /^[/~]/.test(target.path.value)) return target;
  return { ...target, path: within(folder, target.path.value) };
}

const KNOWN: KnownOptions = {
  values: 'osbBmCFcS',
  longValues: [
    '--output',
    '--output-directory',
    '--source',
    '--message',
    '--file',
    '--branch',
    '--depth',
    '--directory',
    '--pathspec-from-file',
  ],
  long: ['--cached', '--staged', '--worktree', '--global', '--system', '--check', '--stat', '--hard', '--merge', '--keep', '--dry-run'],
};

function written(command: string, args: readonly Argument[]): WriteTarget[] {
  const read = readLeniently(args, KNOWN);
  const into = valuesOf(read, ['--output', ...(command === 'archive' ? ['-o'] : [])]).map((path): WriteTarget => ({ path, kind: 'file' }));
  return [...into, ...byCommand(command, args, read)];
}

function byCommand(command: string, args: readonly Argument[], read: LenientArguments): WriteTarget[] {
  const { operands } = read;
  const trees = (paths: readonly Argument[]): WriteTarget[] => paths.map((path) => ({ path, kind: 'tree' }));
  const everything: WriteTarget = { path: literal('.'), kind: 'below' };
  switch (command) {
    case 'rm':
      return hasAny(read, ['--cached', '-n', '--dry-run']) ? [] : trees(operands);
    case 'mv':
      return [...scanCopy(args, 'mv').targets];
    case 'restore':
      return hasAny(read, ['-S', '--staged']) && !hasAny(read, ['-W', '--worktree']) ? [] : trees(operands);
    case 'checkout': {
      const end = args.findIndex(({ value }) => value === '--');
      if (end >= 0) return trees(args.slice(end + 1));
      return hasAny(read, ['-b', '-B', '--orphan']) && operands.length === 0 ? [] : [everything];
    }
    case 'clean':
      return hasAny(read, ['-n', '--dry-run'])
        ? []
        : operands.length > 0
          ? operands.map((path) => ({ path, kind: 'below' }))
          : [everything];
    case 'reset':
      return hasAny(read, ['--hard', '--merge', '--keep']) ? [everything] : [];
    case 'apply':
      return hasAny(read, ['--cached', '--check', '--stat']) ? [] : [everything];
    case 'stash':
      return WITHOUT_CHANGE.has(operands[0]?.value ?? '') ? [] : [everything];
    case 'format-patch':
      return valuesOf(read, ['-o', '--output-directory']).map((path) => ({ path, kind: 'below' }));
    case 'bundle':
      return operands[0]?.value === 'create' && operands[1] !== undefined ? [{ path: operands[1], kind: 'file' }] : [];
    case 'clone':
      return trees(operands.length > 1 ? operands.slice(1, 2) : operands.slice(0, 1).map(clonedName));
    case 'init':
      return operands.length > 0 ? trees(operands.slice(0, 1)) : [everything];
    case 'worktree':
      return operands[0]?.value === 'add' ? trees(operands.slice(1, 2)) : [];
    case 'config': {
      if (hasAny(read, ['--get', '--get-all', '--get-regexp', '--list', '-l']) || operands[0]?.value === 'get') return [];
      const file = hasAny(read, ['--global']) ? '~/.gitconfig' : hasAny(read, ['--system']) ? '/etc/gitconfig' : null;
      if (file !== null)
        return [
          { path: { value: file.startsWith('/') ? file : null, start: file[0]!, single: true, pattern: false, text: file }, kind: 'file' },
        ];
      return valuesOf(read, ['--file']).map((path) => ({ path, kind: 'file' }));
    }
    default:
      return ANYWHERE.has(command) && !WITHOUT_CHANGE.has(operands[0]?.value ?? '') ? [everything] : [];
  }
}

function clonedName(address: Argument): Argument {
  const name = lastName(address);
  return name === null ? address : literal(name.replace(/\.git$/, '').replace(/^.*:/, ''));
}
