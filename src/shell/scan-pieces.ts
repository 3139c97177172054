// Commands that make names of their own: pieces of a file behind a prefix, temporary files from a template.

import { hasAny, readLeniently, valuesOf } from './lenient-options.ts';
import { type Argument, literal, within } from './words.ts';
import type { WriteScan, WriteTarget } from './write-target.ts';

/** Of the pieces, the first: where one may be written, the others beside it may be too. `--filter` hands each to a shell instead. */
export const scanSplit: WriteScan = (args) => {
  const read = readLeniently(args, {
    values: 'abClnt',
    longValues: '--suffix-length --bytes --line-bytes --lines --number --separator --additional-suffix --filter'.split(' '),
    attached: 'dx',
    long: ['--numeric-suffixes', '--hex-suffixes', '--verbose', '--elide-empty-files', '--unbuffered'],
  });
  const filters = valuesOf(read, ['--filter']);
  if (filters.length > 0) return { targets: [], complete: false, scripts: filters.map(({ text }) => text) };
  const isCounted = hasAny(read, ['-d', '-x', '--numeric-suffixes', '--hex-suffixes']);
  const length = Number(valuesOf(read, ['-a', '--suffix-length']).at(-1)?.value) || 2;
  const more = valuesOf(read, ['--additional-suffix']).at(-1)?.value ?? '';
  return firstPiece(read.operands[1] ?? literal('x'), (isCounted ? '0' : 'a').repeat(Math.min(length, 20)) + more);
};

export const scanCsplit: WriteScan = (args) => {
  const read = readLeniently(args, { values: 'bfn', longValues: ['--suffix-format', '--prefix', '--digits'] });
  return firstPiece(valuesOf(read, ['-f', '--prefix']).at(-1) ?? literal('xx'), '00');
};

const firstPiece = (prefix: Argument, suffix: string): { targets: WriteTarget[]; complete: false } => {
  const path = prefix.value === null ? { ...prefix, text: prefix.text + suffix } : literal(prefix.value + suffix);
  return { targets: [{ path, kind: 'file' }], complete: false };
};

/** In the folder that is named, or where the template leads; otherwise in the one for temporary files, which is in no scope. */
export const scanMktemp: WriteScan = (args) => {
  const read = readLeniently(args, {
    values: 'p',
    longValues: ['--suffix'],
    long: ['--tmpdir', '--dry-run', '--directory', '--quiet'],
  });
  const folder = valuesOf(read, ['-p', '--tmpdir']).findLast(({ value }) => value !== '');
  const isAmongOthers = folder === undefined && hasAny(read, ['-t', '--tmpdir']);
  const [template] = read.operands;
  if (hasAny(read, ['-u', '--dry-run']) || isAmongOthers || (folder ?? template) === undefined) return { targets: [], complete: false };
  const name = template?.value ?? 'tmp.XXXXXXXXXX';
  const path = folder === undefined ? template! : within(folder, name);
  return { targets: [{ path: path.value === null ? path : drawn(path.value), kind: 'file' }], complete: false };
};

/** The last run of X is random. */
function drawn(template: string): Argument {
  const text = template.replace(/X+(?=[^X/]*$)/, '*');
  return { value: null, start: text.slice(0, text.lastIndexOf('*')), single: true, pattern: true, text };
}
