// Readers for test runners: the name of each test that failed is its rule, so that the same failure is found again when lines move.

import type { RawFinding, Reader } from './read-findings.ts';

/** How far the message and the place of a failure are from its head. */
const WITHIN = 80;

interface Failure {
  readonly file: string | null;
  readonly name: string;
  readonly message: string;
  readonly place?: RegExpExecArray | null;
}

/** `place` matched a file, a line and perhaps a column, in this order. */
function failure({ file, name, message, place }: Failure): RawFinding {
  const [, where, line, column] = place ?? [];
  return {
    file: file ?? where ?? null,
    line: line === undefined ? null : Number(line),
    ...(column === undefined ? {} : { column: Number(column) }),
    rule: name,
    message,
    severity: 'error',
  };
}

function firstMatch(lines: readonly string[], from: number, to: number, pattern: RegExp): RegExpExecArray | null {
  for (let at = from; at < to; at++) {
    const found = pattern.exec(lines[at] ?? '');
    if (found) return found;
  }
  return null;
}

function endOf(lines: readonly string[], from: number, end: RegExp, within = WITHIN): number {
  for (let at = from; at < Math.min(lines.length, from + within); at++) if (end.test(lines[at] ?? '')) return at;
  return Math.min(lines.length, from + within);
}

const firstText = (lines: readonly string[], from: number, to: number): string =>
  lines
    .slice(from, to)
    .find((line) => line.trim() !== '')
    ?.trim() ?? '';

const sameFile = (place: RegExpExecArray | null, file: string): boolean =>
  place !== null && (place[1] ?? '').endsWith(file.replace(/^\.\//, ''));

/** ` FAIL  src/a.test.ts > group > name`, then the error and ` ❯ src/a.test.ts:3:5`. */
const vitest: Reader = (lines, at) => {
  const head = /^ FAIL {2}(?:\|[^|]+\| )?([^\s>]+)(?: > (.+)| \[ .+ \])$/.exec(lines[at] ?? '');
  if (!head) return null;
  const [, file = '', name = 'the file itself'] = head;
  const end = endOf(lines, at + 1, /^ FAIL {2}|^⎯{4,}/);
  // The place in the test itself is better than one in what it called.
  const own = firstMatch(lines, at + 1, end, new RegExp(`^ ❯ (?:.+ )?(${literal(file)}):(\\d+):(\\d+)$`));
  const place = own ?? firstMatch(lines, at + 1, end, /^ ❯ (?:.+ )?([^\s:]+):(\d+):(\d+)$/);
  return { findings: [failure({ file, name, message: firstText(lines, at + 1, end), place })], lines: 1 };
};

const literal = (text: string): string => text.replaceAll(/[^\w\s/-]/g, String.raw`\$&`);

/** `FAIL src/a.test.js`, then `● group › name` with the error and `at … (src/a.test.js:3:5)`. */
const jest: Reader = (lines, at) => {
  const file = /^FAIL (?:\S+ )?([^\s()]+\.\w+)(?: \([\d.]+ m?s\))?$/.exec(lines[at] ?? '')?.[1];
  if (file === undefined) return null;
  const findings: RawFinding[] = [];
  const end = endOf(lines, at + 1, /^(?:FAIL|PASS) |^Test Suites:/, 2_000);
  for (let next = at + 1; next < end; next++) {
    const name = /^ {2}● (.+)$/.exec(lines[next] ?? '')?.[1];
    if (name === undefined || /^(?:Console|Deprecation Warning)/.test(name)) continue;
    const stop = Math.min(end, endOf(lines, next + 1, /^ {2}● /));
    const place = firstMatch(lines, next + 1, stop, /\bat (?:.+ \()?([^\s()]+):(\d+):(\d+)\)?$/);
    findings.push(failure({ file, name, message: firstText(lines, next + 1, stop), place: sameFile(place, file) ? place : null }));
  }
  return findings.length === 0 ? null : { findings, lines: end - at };
};

/** `test at src/a.test.js:3:1`, then `✖ name` and the error. */
const nodeSpec: Reader = (lines, at) => {
  const place = /^test at (.+):(\d+):(\d+)$/.exec(lines[at] ?? '');
  const name = /^✖ (.+?)(?: \([\d.]+ms\))?$/.exec(lines[at + 1] ?? '')?.[1];
  if (!place || name === undefined) return null;
  const end = endOf(lines, at + 2, /^test at /, 5);
  return { findings: [failure({ file: place[1] ?? null, name, message: firstText(lines, at + 2, end), place })], lines: 2 };
};

/** `not ok 1 - name`, then a block with `location` and `error`. */
const tap: Reader = (lines, at) => {
  const head = /^\s*not ok \d+ - (.+)$/.exec(lines[at] ?? '');
  if (!head || / # (?:TODO|SKIP)/i.test(head[1] ?? '')) return null;
  const end = endOf(lines, at + 1, /^\s*\.\.\.$/);
  // A group fails with its parts, which are reported themselves.
  if (firstMatch(lines, at + 1, end, /^\s*failureType: 'subtestsFailed'$/)) return { findings: [], lines: 1 };
  const place = firstMatch(lines, at + 1, end, /^\s*location: '(.+):(\d+):(\d+)'$/);
  const error = firstMatch(lines, at + 1, end, /^\s*error: '?([^|].*?)'?$/)?.[1];
  const block = lines.findIndex((line, index) => index > at && index < end && /^\s*error: \|-?$/.test(line));
  const message = error ?? (block < 0 ? '' : (lines[block + 1]?.trim() ?? ''));
  return { findings: [failure({ file: place?.[1] ?? null, name: head[1] ?? '', message, place })], lines: Math.max(1, end - at) };
};

/** A title between underscores, lines that begin with E, and `test_a.py:4: AssertionError`. */
const pytestBlock: Reader = (lines, at) => {
  const title = /^_{2,} (\S.*?) _{2,}$/.exec(lines[at] ?? '')?.[1];
  if (title === undefined) return null;
  const end = endOf(lines, at + 1, /^(?:_{2,} \S.* _{2,}|=+ .+ =+)$/, 400);
  const collecting = /^ERROR collecting (.+)$/.exec(title)?.[1];
  const message = firstMatch(lines, at + 1, end, /^E\s+(\S.*)$/)?.[1] ?? '';
  let place: RegExpExecArray | null = null;
  for (let next = at + 1; next < end; next++) {
    const found = /^([^\s:]+\.py):(\d+): /.exec(lines[next] ?? '');
    if (found && (collecting === undefined || found[1] === collecting)) place = found;
  }
  const name = collecting === undefined ? title.replace(/^ERROR at (?:setup|teardown) of /, '') : 'collecting';
  return place === null && message === ''
    ? null
    : { findings: [failure({ file: collecting ?? null, name, message, place })], lines: end - at };
};

/** `FAILED test_a.py::TestMore::test_b - message`, at the end. */
const pytestSummary: Reader = (lines, at) => {
  const found = /^(?:FAILED|ERROR) ([^\s:]+\.py)(?:::(\S+))?(?: - (.+))?$/.exec(lines[at] ?? '');
  if (!found) return null;
  const [, file = '', name, message = ''] = found;
  return { findings: [failure({ file, name: name?.replaceAll('::', '.') ?? 'collecting', message })], lines: 1 };
};

/** `--- FAIL: TestAdd (0.00s)`, then `    cart_test.go:7: message`. */
const goTest: Reader = (lines, at) => {
  const name = /^\s*--- FAIL: (\S+) \(/.exec(lines[at] ?? '')?.[1];
  if (name === undefined) return null;
  const next = lines[at + 1] ?? '';
  // A test with parts, which are reported themselves.
  if (/^\s+--- FAIL: /.test(next)) return { findings: [], lines: 1 };
  const place = /^\s+(\S+\.go):(\d+): (.*)$/.exec(next);
  const message = place?.[3] ?? next.trim();
  return {
    findings: [{ ...failure({ file: place?.[1] ?? null, name, message }), line: place ? Number(place[2]) : null }],
    lines: place ? 2 : 1,
  };
};

/** `---- tests::adds stdout ----`, then `thread … panicked at src/lib.rs:11:9:` and the message. */
const cargoTest: Reader = (lines, at) => {
  const name = /^---- (\S+) stdout ----$/.exec(lines[at] ?? '')?.[1];
  if (name === undefined) return null;
  const end = endOf(lines, at + 1, /^---- \S+ stdout ----$|^failures:$/);
  for (let next = at + 1; next < end; next++) {
    const place = /^thread '.*' .*panicked at ([^\s:]+):(\d+):(\d+):$/.exec(lines[next] ?? '');
    if (place)
      return { findings: [failure({ file: place[1] ?? null, name, message: lines[next + 1] ?? '', place })], lines: next - at + 1 };
  }
  return { findings: [failure({ file: null, name, message: firstText(lines, at + 1, end) })], lines: 1 };
};

export const testReaders: readonly Reader[] = [vitest, jest, nodeSpec, tap, pytestBlock, pytestSummary, goTest, cargoTest];
