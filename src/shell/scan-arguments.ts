// Commands that name what they write in their own way: one operand's form, actions, or a program as an argument.

import { hasAny, readLeniently, valuesOf } from './lenient-options.ts';
import { type Argument, literal, UNKNOWN } from './words.ts';
import type { WriteScan, WriteTarget } from './write-target.ts';

export const scanDd: WriteScan = (args) => ({
  targets: args.filter((arg) => arg.start.startsWith('of=')).map((arg) => ({ path: after(arg, 'of='), kind: 'file' })),
  complete: args.every((arg) => arg.start !== ''),
});

function after(arg: Argument, prefix: string): Argument {
  const rest = arg.start.slice(prefix.length);
  return arg.value === null ? { ...arg, start: rest, text: arg.text.slice(prefix.length) } : literal(rest);
}

const SUFFIXES: Readonly<Record<string, string>> = { gzip: '.gz', bzip2: '.bz2', xz: '.xz', zstd: '.zst' };

/** gzip and its like: the operand is replaced by one with, or without, the suffix. */
export const scanPack: WriteScan = (args, command) => {
  const read = readLeniently(args, {
    values: 'SbTMoD',
    longValues: ['--suffix', '--threads', '--output-dir-flat'],
    long: ['--stdout', '--to-stdout', '--list', '--test', '--decompress', '--uncompress', '--recursive'],
  });
  const [into] = valuesOf(read, ['-o']);
  const complete = !read.unsure && !hasAny(read, ['-r', '--recursive', '-S', '--suffix', '--output-dir-flat']);
  if (hasAny(read, ['-c', '--stdout', '--to-stdout', '-l', '--list', '-t', '--test'])) return { targets: [], complete };
  const unpacks = /^(?:gun|bun|un)/.test(command) || hasAny(read, ['-d', '--decompress', '--uncompress']);
  const suffix = SUFFIXES[command] ?? '';
  const made = (path: Argument): Argument =>
    into ?? (path.value === null ? { ...UNKNOWN, text: path.text } : literal(unpacks ? unpacked(path.value) : path.value + suffix));
  return {
    targets: read.operands.flatMap((path): WriteTarget[] => [path, made(path)].map((each) => ({ path: each, kind: 'file' }))),
    complete,
  };
};

const unpacked = (path: string): string => path.replace(/\.(?:gz|bz2|xz|zst|lzma|z|Z)$/, '').replace(/\.t(?:gz|bz2?|xz|zst)$/, '.tar');

const FIND_FILES = new Set(['-fprint', '-fprint0', '-fls', '-fprintf']);
const FIND_VALUES =
  /^-(?:i?name|i?path|i?wholename|i?regex|regextype|x?type|size|[mac](?:time|min)|[ac]?newer\w*|m(?:ax|in)depth|user|group|[ug]id|perm|links|inum|samefile|i?lname|fstype|printf)$/;

/** `-type f -name '*.bak' -delete` and nothing else: then only such names are deleted. */
function onlyNamed(tests: readonly Argument[]): Pick<WriteTarget, 'only'> {
  const form = tests.map(({ value }) => value ?? '?').join(' ');
  const [, name] = /^(?:-(?:max|min)depth \d+ )*(?:-type f )?-name (\S+)(?: -type f)?(?: -print)? -delete$/.exec(form) ?? [];
  return name === undefined ? {} : { only: name };
}

export const scanFind: WriteScan = (args) => {
  const targets: WriteTarget[] = [];
  const first = args.findIndex((arg) => arg.value !== null && /^(?:-[a-zA-Z]{2}|[(!])/.test(arg.value));
  const starts = (first < 0 ? args : args.slice(0, first)).filter((arg) => !/^-[HLPOD]/.test(arg.start));
  for (let i = Math.max(0, first); i < args.length; i++) {
    const word = args[i]!.value ?? '';
    if (FIND_FILES.has(word) && args[i + 1] !== undefined) targets.push({ path: args[++i]!, kind: 'file' });
    else if (FIND_VALUES.test(word)) i++;
    else if (word === '-delete')
      targets.push(
        ...(starts.length > 0 ? starts : [literal('.')]).map((path): WriteTarget => ({
          path,
          kind: 'below',
          ...onlyNamed(args.slice(Math.max(0, first))),
        })),
      );
  }
  return { targets, complete: args.every((arg) => arg.start !== '') };
};

/** An awk program: what it redirects to, and the text that it gives to a shell. */
export const scanAwk: WriteScan = (args) => {
  const read = readLeniently(args, { values: 'Fvfi', longValues: ['--file', '--assign', '--field-separator', '--include'] });
  const program = hasAny(read, ['-f', '--file']) ? '' : (read.operands[0]?.text ?? '');
  const inPlace = valuesOf(read, ['-i', '--include']).some(({ value }) => value === 'inplace');
  const written = [...program.matchAll(/>>?\s*"((?:[^"\\]|\\.)*)"/g)].map(([, path]) => literal(path!));
  const scripts = [...program.matchAll(/(?:system\s*\(|\|&?)\s*"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"\s*\|&?\s*getline/g)];
  return {
    targets: [...written, ...(inPlace ? read.operands.slice(1) : [])].map((path) => ({ path, kind: 'file' })),
    complete: false,
    scripts: scripts.map(([, run, asked]) => run ?? asked ?? ''),
  };
};

/** `perl -i` and `ruby -i` rewrite their operands. */
export const scanPerl: WriteScan = (args) => {
  const read = readLeniently(args, { values: 'eEIMmrC', attached: 'i0l' });
  const given = hasAny(read, ['-e', '-E']);
  const rewritten = hasAny(read, ['-i']) ? read.operands.slice(given ? 0 : 1) : [];
  return { targets: rewritten.map((path) => ({ path, kind: 'file' })), complete: false };
};

/** Options that are whole words, with the file or the folder in the next one or behind an equals sign: `-out a`, `--outDir=a`. */
export function scanAfter({
  files = [],
  folders = [],
}: {
  readonly files?: readonly string[];
  readonly folders?: readonly string[];
}): WriteScan {
  return (args) => {
    const targets: WriteTarget[] = [];
    for (const [i, arg] of args.entries()) {
      const [name, ...rest] = arg.start.split('=');
      const kind = files.includes(name!) ? 'file' : folders.includes(name!) ? 'below' : null;
      if (kind === null) continue;
      const path =
        rest.length > 0
          ? { ...arg, value: arg.value === null ? null : rest.join('='), start: rest.join('='), text: arg.text.slice(name!.length + 1) }
          : args[i + 1];
      if (path !== undefined) targets.push({ path, kind });
    }
    return { targets, complete: false };
  };
}
