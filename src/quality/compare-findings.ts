// Which findings came with a change: those that a run of the same check before it did not have. Lines may have moved.

import type { Finding } from '../protocol/index.ts';

/** What a test says changes with numbers and times; a test that failed before is not the agent's, whatever it says now. */
const keyOf = ({ check, file, rule, message }: Finding): string =>
  JSON.stringify([
    check,
    file,
    rule ?? null,
    check === 'test' && rule !== undefined ? null : message.replaceAll(/\d+(?:\.\d+)? ?m?s\b/g, 'time'),
  ]);

export interface Compared {
  readonly caused: readonly Finding[];
  readonly before: readonly Finding[];
}

/** As often as it was there before it is not blamed; of equal ones, those that stayed in their line are the old ones. */
export function compareFindings(now: readonly Finding[], before: readonly Finding[]): Compared {
  const old = Map.groupBy(before, keyOf);
  const caused: Finding[] = [];
  const there: Finding[] = [];
  for (const [key, same] of Map.groupBy(now, keyOf)) {
    const lines = (old.get(key) ?? []).map(({ line }) => line);
    const stayed = same.filter(({ line }) => takeFrom(lines, line));
    const rest = same.filter((each) => !stayed.includes(each));
    there.push(...stayed, ...rest.slice(0, lines.length));
    caused.push(...rest.slice(lines.length));
  }
  return { caused, before: there };
}

function takeFrom<T>(list: T[], value: T): boolean {
  const at = list.indexOf(value);
  if (at < 0) return false;
  list.splice(at, 1);
  return true;
}
