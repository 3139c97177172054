// A unified diff for a person who is asked "shall I write this?". Files are settings: small.

/** Three lines of context, as everybody knows it; `@@` where lines are left out before. Empty when nothing changes. */
export function textDiff(name: string, before: string | null, after: string | null): string {
  if (before === after) return '';
  const old = linesOf(before);
  const next = linesOf(after);
  const steps = compare(old, next);
  const near = steps.map((_, at) => steps.slice(Math.max(0, at - 3), at + 4).some(({ mark }) => mark !== ' '));
  const shown = steps.flatMap(({ mark, line }, at) => (near[at] ? [...(at > 0 && !near[at - 1] ? ['@@'] : []), `${mark}${line}`] : []));
  return [`--- ${before === null ? '(new file)' : name}`, `+++ ${after === null ? '(removed)' : name}`, ...shown].join('\n');
}

const linesOf = (text: string | null): string[] => (text === null || text === '' ? [] : text.replace(/\n$/, '').split('\n'));

interface Step {
  readonly mark: ' ' | '-' | '+';
  readonly line: string;
}

/** Longest common subsequence by the textbook table. */
function compare(old: readonly string[], next: readonly string[]): Step[] {
  const width = next.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = next.length - 1; j >= 0; j--)
      lengths[i * width + j] = old[i] === next[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const steps: Step[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < next.length) {
    if (i < old.length && j < next.length && old[i] === next[j]) {
      steps.push({ mark: ' ', line: old[i] as string });
      i++;
      j++;
    } else if (i < old.length && (j === next.length || at(i + 1, j) >= at(i, j + 1))) steps.push({ mark: '-', line: old[i++] as string });
    else steps.push({ mark: '+', line: next[j++] as string });
  }
  return steps;
}
