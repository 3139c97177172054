// sed: what it rewrites in place, and the files that its script writes. A script is read command by command; what cannot be read makes the
// result incomplete, and is never ignored.

import { hasAny, readLeniently, valuesOf } from './lenient-options.ts';
import { literal } from './words.ts';
import type { WriteScan, WriteTarget } from './write-target.ts';

export const scanSed: WriteScan = (args) => {
  const read = readLeniently(args, {
    values: 'efl',
    attached: 'i',
    longValues: ['--expression', '--file', '--line-length'],
    long: ['--in-place', '--null-data', '--separate', '--quiet', '--silent', '--regexp-extended'],
  });
  const given = valuesOf(read, ['-e', '--expression']);
  const fromFile = hasAny(read, ['-f', '--file']);
  const ownScript = given.length === 0 && !fromFile;
  const scripts = ownScript ? read.operands.slice(0, 1) : given;
  const targets: WriteTarget[] = [];
  let complete = !read.unsure && !fromFile;

  const inPlace = read.options.filter(({ name }) => name === '-i' || name === '--in-place');
  if (inPlace.length > 0) {
    const suffix = inPlace.at(-1)!.value;
    for (const path of read.operands.slice(ownScript ? 1 : 0)) {
      targets.push({ path, kind: 'file' });
      if (suffix === null) continue;
      if (path.value === null || suffix.value === null || suffix.value.includes('*')) complete = false;
      else targets.push({ path: literal(path.value + suffix.value), kind: 'file' });
    }
  }
  // Pieces given with -e are lines of one script.
  const script = scripts.every((each) => each.value !== null) ? writesOfScript(scripts.map((each) => each.value!).join('\n')) : null;
  if (script === null) complete = false;
  for (const path of script?.paths ?? []) targets.push({ path: literal(path), kind: 'file' });
  return { targets, complete: complete && script?.runs !== true };
};

interface ScriptWrites {
  readonly paths: readonly string[];
  /** The script runs a command. */
  readonly runs: boolean;
}

const ADDRESS = /(?:\d+(?:~\d+)?|\$|[+~]\d+)/y;

/** Null when the script is not understood. */
function writesOfScript(script: string): ScriptWrites | null {
  const paths: string[] = [];
  let runs = false;
  let at = 0;
  /** Behind the next delimiter; -1 without one, or where it may be in brackets, which versions of sed read differently. */
  const past = (delimiter: string, from: number): number => {
    let bracket = false;
    for (let i = from; i < script.length; i++) {
      if (script[i] === '\\') i++;
      else if (script[i] === delimiter) return bracket ? -1 : i + 1;
      else if (script[i] === '[') bracket = true;
      else if (script[i] === ']') bracket = false;
    }
    return -1;
  };
  const line = (): string => {
    const end = script.indexOf('\n', at);
    const text = script.slice(at, end < 0 ? script.length : end);
    at = end < 0 ? script.length : end;
    return text;
  };
  const address = (): boolean => {
    if (script[at] === '/' || script[at] === '\\') {
      const delimiter = script[at] === '/' ? '/' : (script[++at] ?? '');
      at = past(delimiter, at + 1);
      if (at < 0) return false;
      while (script[at] === 'I' || script[at] === 'M') at++;
      return true;
    }
    ADDRESS.lastIndex = at;
    at += ADDRESS.exec(script)?.[0].length ?? 0;
    return true;
  };
  while (at < script.length) {
    if (/[\s;{}]/.test(script[at]!)) {
      at++;
      continue;
    }
    if (!address()) return null;
    while (/\s/.test(script[at] ?? '')) at++;
    if (script[at] === ',') {
      at++;
      while (script[at] === ' ') at++;
      if (!address()) return null;
    }
    while (/[\s!]/.test(script[at] ?? '')) at++;
    const command = script[at++];
    if (command === undefined) return null;
    if ('{}'.includes(command)) continue;
    if ('=dDgGhHnNpPxzF'.includes(command)) continue;
    if ('lqQL'.includes(command)) {
      while (/[ \d]/.test(script[at] ?? '')) at++;
      continue;
    }
    if (':btT'.includes(command)) {
      while (at < script.length && !/[;\n]/.test(script[at]!)) at++;
      continue;
    }
    if (command === '#') {
      line();
      continue;
    }
    if ('aic'.includes(command)) {
      while (line().endsWith('\\') && at < script.length) at++;
      continue;
    }
    if ('rR'.includes(command)) {
      line();
      continue;
    }
    if ('wW'.includes(command)) {
      paths.push(line().trimStart());
      continue;
    }
    if (command === 'e') {
      runs = true;
      line();
      continue;
    }
    if (command !== 's' && command !== 'y') return null;
    const delimiter = script[at] ?? '';
    const middle = past(delimiter, at + 1);
    const end = middle < 0 ? -1 : past(delimiter, middle);
    if (end < 0) return null;
    at = end;
    if (command === 'y') continue;
    for (; at < script.length && /[gpiImMe\dw]/.test(script[at]!); at++) {
      if (script[at] === 'e') runs = true;
      if (script[at] === 'w') {
        at++;
        paths.push(line().trimStart());
        break;
      }
    }
    if (at < script.length && !/[\s;}]/.test(script[at]!)) return null;
  }
  return { paths, runs };
}
