// A unified diff for people. Large files are fine: only what differs is searched.

import { byteLines } from './line-merge.ts';
import { matchInOrder, numbering } from './line-match.ts';

const CONTEXT = 3;

const SHOWN_LINES = 500;

/** A unified diff that is short enough for a screen: of lines that are not shown it says how many there are. */
export function shortDiff(name: string, before: Uint8Array | null, after: Uint8Array | null): string {
  const diff = unifiedDiff(name, before, after);
  const lines = diff.split('\n');
  return lines.length <= SHOWN_LINES ? diff : [...lines.slice(0, SHOWN_LINES), `… ${lines.length - SHOWN_LINES} more lines`].join('\n');
}

/** Null: no such file. Empty when nothing changes. */
export function unifiedDiff(name: string, before: Uint8Array | null, after: Uint8Array | null): string {
  const head = [`--- ${before === null ? '/dev/null' : name}`, `+++ ${after === null ? '/dev/null' : name}`];
  if ([before, after].some((bytes) => bytes?.includes(0))) return [...head, 'Binary content.'].join('\n');
  const steps = compare(before === null ? [] : byteLines(before), after === null ? [] : byteLines(after));
  const changed = steps.flatMap(({ mark }, at) => (mark === ' ' ? [] : [at]));
  if (changed.length === 0) return before === null || after === null ? head.join('\n') : '';
  const hunks: { from: number; to: number }[] = [];
  for (const at of changed) {
    const from = Math.max(0, at - CONTEXT);
    const to = Math.min(steps.length, at + CONTEXT + 1);
    const last = hunks.at(-1);
    if (last && from <= last.to) last.to = to;
    else hunks.push({ from, to });
  }
  return [...head, ...hunks.flatMap(({ from, to }) => hunkText(steps, from, to))].join('\n');
}

interface Step {
  readonly mark: ' ' | '-' | '+';
  readonly line: string;
  /** Lines of either side before this one. */
  readonly old: number;
  readonly next: number;
}

function compare(before: readonly string[], after: readonly string[]): Step[] {
  const number = numbering();
  const matched = matchInOrder(number(before), number(after));
  /** For each new line: the old line that matches it, or that matches the next new line with a match. */
  const followed = new Int32Array(after.length + 1).fill(before.length);
  for (let next = after.length - 1; next >= 0; next--) followed[next] = matched[next]! >= 0 ? matched[next]! : followed[next + 1]!;
  const steps: Step[] = [];
  let old = 0;
  const removeUpTo = (to: number, next: number) => {
    for (; old < to; old++) steps.push({ mark: '-', line: before[old]!, old, next });
  };
  after.forEach((line, next) => {
    const from = matched[next]!;
    if (from < 0) {
      // What replaces lines is shown below them.
      removeUpTo(followed[next]!, next);
      steps.push({ mark: '+', line, old, next });
      return;
    }
    removeUpTo(from, next);
    steps.push({ mark: ' ', line, old, next });
    old++;
  });
  removeUpTo(before.length, after.length);
  return steps;
}

function hunkText(steps: readonly Step[], from: number, to: number): string[] {
  const part = steps.slice(from, to);
  const first = part[0]!;
  const count = (side: '-' | '+') => part.filter(({ mark }) => mark === ' ' || mark === side).length;
  const place = (start: number, lines: number) => `${lines === 0 ? start : start + 1}${lines === 1 ? '' : `,${lines}`}`;
  return [
    `@@ -${place(first.old, count('-'))} +${place(first.next, count('+'))} @@`,
    ...part.flatMap(({ mark, line }) => [
      `${mark}${Buffer.from(line, 'latin1').toString('utf8').replace(/\n$/, '')}`,
      ...(line.endsWith('\n') ? [] : ['\\ No newline at end of file']),
    ]),
  ];
}
