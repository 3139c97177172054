// Finds what a simple command writes, by the rule that names it. Null: no rule, so its writes are unknown.

import type { ArgumentFacts } from './condition.ts';
import { hasAny, type KnownOptions, readLeniently, valuesOf } from './lenient-options.ts';
import { firstRule } from './rules-by-name.ts';
import type { Argument } from './words.ts';
import { WRITE_RULES } from './write-rules.ts';
import type { FoundWrites, WriteOptions, WriteScan, WriteTarget } from './write-target.ts';

const writeRule = firstRule(
  WRITE_RULES.map(({ commands, when, writes }) => ({
    commands,
    ...(when === undefined ? {} : { when }),
    find: typeof writes === 'function' ? writes : amongOperands(writes),
  })),
);

export function findWrites(name: string, facts: ArgumentFacts): FoundWrites | null {
  return writeRule(name, facts)?.find(facts.args, name) ?? null;
}

function amongOperands(options: WriteOptions): WriteScan {
  const known = knownOptions(options);
  return (args) => writtenAmong(args, options, known);
}

function knownOptions({ into = [], folder = [], silent = [], more = [], values = '', longValues = [] }: WriteOptions): KnownOptions {
  const letters = [...into, ...folder].filter((name) => name.length === 2).map((name) => name[1]!);
  return {
    values: values + letters.join(''),
    longValues: [...longValues, ...[...into, ...folder].filter((name) => name.startsWith('--'))],
    long: [...silent, ...more].filter((name) => name.startsWith('--')),
  };
}

function writtenAmong(args: readonly Argument[], options: WriteOptions, known: KnownOptions): FoundWrites {
  const { into = [], folder = [], silent = [], more = [], kind = 'file' } = options;
  const read = readLeniently(args, known);
  const complete = !read.unsure && options.opaque !== true && !hasAny(read, more);
  if (hasAny(read, silent)) return { targets: [], complete };
  const named: WriteTarget[] = [
    ...valuesOf(read, into).map((path): WriteTarget => ({ path, kind: 'file' })),
    ...valuesOf(read, folder).map((path): WriteTarget => ({ path, kind: 'below' })),
  ];
  const written = pick(read.operands, options.operands).map((path): WriteTarget => ({ path, kind }));
  return { targets: [...named, ...written].filter(({ path }) => path.value !== '-'), complete };
}

function pick(operands: readonly Argument[], which: WriteOptions['operands']): readonly Argument[] {
  switch (which) {
    case 'all':
      return operands;
    case 'first':
      return operands.slice(0, 1);
    case 'second':
      return operands.slice(1, 2);
    case 'after-first':
      return operands.slice(1);
    case 'last':
      return operands.slice(-1);
    case 'none':
      return [];
  }
}
