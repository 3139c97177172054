// Which findings are new: those that the same check did not have before the change. Lines may have moved.

import type { Finding } from '../protocol/index.ts';

/** Test messages contain numbers and times that change; a test that failed before is not new, whatever its message. */
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

/** As many as there were before are not blamed; among equal ones, those on the same line are the old ones. */
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
