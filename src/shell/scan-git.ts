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
  const scripts: string[] = [];
  for (; at < args.length && args[at]!.start.startsWith('-'); at++) {
    const name = args[at]!.value;
    if (name === '-C') folder = fromFolder(folder, args[at + 1] ?? null);
    if (name === '-c') scripts.push(...programIn(args[at + 1]?.text ?? ''));
    if (name !== null && /^(?:-C|-c|--git-dir|--work-tree|--namespace|--config-env|--super-prefix)$/.test(name)) at++;
  }
  const rest = args.slice(at + 1);
  scripts.push(...scriptsOf(args[at]?.value ?? '', rest));
  const targets = written(args[at]?.value ?? '', rest);
  const placed = folder === null ? targets : targets.map((target) => inFolder(target, folder));
  return { targets: placed, complete: false, scripts, named: putsBackFiles(args[at]?.value ?? '', rest, targets) };
};

/** `git checkout -- a.ts`: files that look like files, not folders, whose content the gate keeps. */
const putsBackFiles = (command: string, args: readonly Argument[], targets: readonly WriteTarget[]): boolean =>
  (command === 'restore' || (command === 'checkout' && args.some(({ value }) => value === '--'))) &&
  !args.some(({ start }) => /^(?:-[pfm]|--(?:patch|force|merge|ours|theirs|pathspec))/.test(start)) &&
  targets.every(
    ({ path }) => path.value !== null && /[^/.][^/]*\.[\w-]+$|(?:^|\/)[A-Z]\w*file$/.test(path.value) && !/[*?[:]/.test(path.value),
  );

/** The value of a setting that git would run: `alias.x=!cmd`, `core.pager=cmd`. */
function programIn(setting: string): string[] {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(setting) ?? [];
  if (key === undefined || value === undefined || value === '') return [];
  if (/^alias\./i.test(key)) return value.startsWith('!') ? [value.slice(1)] : [];
  return /(?:pager|editor|command|cmd|program|textconv|clean|smudge|process|driver|fsmonitor|external|helper|uploadpack|receivepack|difffilter|hook|askpass)$/i.test(
    key,
  )
    ? [value.replace(/^!/, '')]
    : [];
}

/** The arguments as one text of the shell again. */
const shellText = (args: readonly Argument[]): string =>
  args.map(({ text }) => (/^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)).join(' ');

/** Commands of git that run shell text from their arguments. */
function scriptsOf(command: string, args: readonly Argument[]): string[] {
  const read = readLeniently(args, {
    values: 'x',
    longValues: ['--exec', '--tree-filter', '--index-filter', '--msg-filter', '--env-filter', '--commit-filter', '--extcmd'],
  });
  if (command === 'bisect' && args[0]?.value === 'run') return [shellText(args.slice(1))];
  if (command === 'submodule' && args.some(({ value }) => value === 'foreach')) {
    const from = args.findIndex(({ value }) => value === 'foreach') + 1;
    const rest = args.slice(from).filter(({ start }) => !start.startsWith('--'));
    return [rest.length === 1 ? rest[0]!.text : shellText(rest)];
  }
  if (!/^(?:rebase|filter-branch|difftool)$/.test(command)) return [];
  return read.options.flatMap(({ name, value }) =>
    value !== null && /^(?:-x|--exec|--\w+-filter|--extcmd)$/.test(name) ? [value.text] : [],
  );
}

/** Each `-C` counts from the one before it. */
function fromFolder(folder: Argument | null, next: Argument | null): Argument | null {
  if (folder === null || next === null || next.start.startsWith('/')) return next;
  return next.value === null ? { ...UNKNOWN, text: `${folder.text}/${next.text}` } : within(folder, next.value);
}

function inFolder(target: WriteTarget, folder: Argument): WriteTarget {
  if (target.path.value === null || /^[/~]/.test(target.path.value)) return target;
  return { ...target, path: within(folder, target.path.value) };
}

/** Options of any command that name a file to write. */
const SIDE_FILES = ['--export-marks', '--separate-git-dir', '--index-output', '--prefix'];

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
    ...SIDE_FILES,
  ],
  long: [
    '--cached',
    '--staged',
    '--worktree',
    '--global',
    '--system',
    '--check',
    '--stat',
    '--hard',
    '--merge',
    '--keep',
    '--dry-run',
    '--in-place',
  ],
};

function written(command: string, args: readonly Argument[]): WriteTarget[] {
  const read = readLeniently(args, command === 'config' ? { ...KNOWN, values: `${KNOWN.values}f` } : KNOWN);
  const side = SIDE_FILES.filter((name) => name !== '--prefix' || command === 'checkout-index');
  const into = valuesOf(read, ['--output', ...side, ...(command === 'archive' || command === 'index-pack' ? ['-o'] : [])]).map(
    (path): WriteTarget => ({ path, kind: 'file' }),
  );
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
    case 'bugreport':
    case 'diagnose':
    case 'mailsplit':
      return valuesOf(read, ['-o', '--output-directory']).map((path) => ({ path, kind: 'below' }));
    case 'mailinfo':
      return operands.slice(0, 2).map((path) => ({ path, kind: 'file' }));
    case 'merge-file':
      return operands.slice(0, 1).map((path) => ({ path, kind: 'file' }));
    case 'interpret-trailers':
      return hasAny(read, ['--in-place']) ? operands.map((path) => ({ path, kind: 'file' })) : [];
    case 'pack-objects':
    case 'unpack-file':
      return operands.slice(0, 1).map((path) => ({ path, kind: 'below' }));
    case 'submodule':
      return operands[0]?.value === 'add' ? trees(operands.slice(2, 3)) : anywhereBut(read, everything);
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
      return valuesOf(read, ['--file', '-f']).map((path) => ({ path, kind: 'file' }));
    }
    default:
      return ANYWHERE.has(command) ? anywhereBut(read, everything) : [];
  }
}

const anywhereBut = ({ operands }: LenientArguments, everything: WriteTarget): WriteTarget[] =>
  WITHOUT_CHANGE.has(operands[0]?.value ?? '') ? [] : [everything];

function clonedName(address: Argument): Argument {
  const name = lastName(address);
  return name === null ? address : literal(name.replace(/\.git$/, '').replace(/^.*:/, ''));
}
