// Words that a command fills in before it runs another: what xargs reads, what find finds.

import { type Argument, UNKNOWN } from './words.ts';

/** What xargs runs: with the words that it reads at the end, or where they are inserted. */
export function fed(
  own: readonly Argument[],
  inner: readonly Argument[],
  piped: readonly string[],
  said: readonly string[],
): readonly Argument[] {
  const at = own.findIndex(({ start }) => /^-(?:I|i|J|-replace)/.test(start));
  const read = { ...UNKNOWN, ...(said.length > 0 ? { may: said } : {}), ...(piped.length > 0 ? { among: piped } : {}) };
  if (at < 0) return [...inner, { ...read, text: '(what xargs reads)' }];
  const mark =
    own[at]!.text.replace(/^-(?:[IiJ]|-replace=?)/, '') || (own[at]!.start.startsWith('-i') ? '{}' : (own[at + 1]?.text ?? '{}'));
  return filled(inner, mark, said).map((arg, i) => (arg === inner[i] || piped.length === 0 ? arg : { ...arg, among: piped }));
}

/** For a word that contains the mark, the folder before the mark is known: the inserted text names something below it. */
export const filled = (args: readonly Argument[], mark: string, names: readonly string[]): readonly Argument[] =>
  args.map((arg) => {
    const at = arg.text.indexOf(mark);
    if (at < 0) return arg;
    const start = arg.value === null ? '' : arg.value.slice(0, at);
    const may = names.length === 0 ? {} : { may: names.map((name) => arg.text.replaceAll(mark, name)) };
    if (!start.includes('/') || /\s/.test(arg.text)) return { ...UNKNOWN, text: arg.text, ...may };
    return { value: null, start, single: true, pattern: true, text: arg.text.replaceAll(mark, '*'), ...may };
  });

/** What `find a -name b` finds, as patterns: everything below where it starts, and names that it asks for. */
export function foundNames(command: string, args: readonly Argument[]): readonly string[] {
  if (command !== 'find' && command !== 'bfs') return [];
  const first = args.findIndex(({ start }) => /^[-(!]/.test(start));
  const starts = (first < 0 ? args : args.slice(0, first)).flatMap(({ text, may }) => may ?? [text]);
  const names = args.flatMap(({ value }, i) => (/^-(?:i?name|i?path|i?wholename)$/.test(value ?? '') ? (args[i + 1]?.text ?? []) : []));
  return (starts.length > 0 ? starts : ['.'])
    .slice(0, 8)
    .flatMap((start) => [start, ...(names.length > 0 ? names : ['*']).map((name) => `${start}/${name}`)]);
}
