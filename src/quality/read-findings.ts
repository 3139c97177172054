// What a check printed, as findings with file and line. It never throws, and every result is bounded: unreadable output is left out, and
// the exit code still shows that the check failed.

import type { CheckName, Finding } from '../protocol/index.ts';
import { lintReaders } from './read-lint.ts';
import { testReaders } from './read-tests.ts';

/** For one place in the output: its findings, and how many lines they take. Null from a reader that does not know the line. */
export interface Reading {
  readonly findings: readonly RawFinding[];
  readonly lines: number;
}
export type RawFinding = Omit<Finding, 'check'>;
export type Reader = (lines: readonly string[], at: number) => Reading | null;

export interface OutputPlace {
  /** Where the check ran; paths become relative to it. */
  readonly root: string;
  /** Files of the tree: Go names a test's file without its folder. */
  readonly files?: Iterable<string>;
}

const OUTPUT_MAX = 256 * 1024;
const LINES_MAX = 5_000;
const LINE_MAX = 2_000;
const JSON_LINE_MAX = OUTPUT_MAX;
const MESSAGE_MAX = 500;
export const FINDINGS_MAX = 200;
const CONTROL = /\u001b(?:\[[\d;?]*[A-Za-z]|\([A-Z])/g;

export function readFindings(check: CheckName, output: string, place: OutputPlace): Finding[] {
  const lines = output
    .slice(-OUTPUT_MAX)
    .split(/\r?\n/)
    .slice(-LINES_MAX)
    .map((line) =>
      line
        .replace(CONTROL, '')
        .slice(0, line.startsWith('[{') ? JSON_LINE_MAX : LINE_MAX)
        .trimEnd(),
    );
  const found = new Map<string, Finding>();
  for (let at = 0; at < lines.length && found.size < FINDINGS_MAX;) {
    const reading = readAt(lines, at);
    for (const raw of reading?.findings ?? []) {
      const finding = settled(check, raw, place);
      const key = keyOf(finding);
      const known = found.get(key);
      // Runners report a failure twice: where it happened, and at the end without the line.
      if (found.size < FINDINGS_MAX && (!known || (known.line === null && finding.line !== null))) found.set(key, finding);
    }
    at += Math.max(1, reading?.lines ?? 1);
  }
  return [...found.values()];
}

function readAt(lines: readonly string[], at: number): Reading | null {
  if (lines[at] === '') return null;
  for (const reader of [...testReaders, ...lintReaders]) {
    const reading = reader(lines, at);
    if (reading) return reading;
  }
  return null;
}

const keyOf = ({ check, file, line, column, rule, message }: Finding): string =>
  JSON.stringify(check === 'test' && rule !== undefined ? [file, rule] : [file, line, column, rule, message]);

function settled(check: CheckName, { file, line, column, rule, message, severity }: RawFinding, place: OutputPlace): Finding {
  const real = file === null ? null : inTree(file, place);
  return {
    check,
    file: real,
    line: real !== null && isPlace(line) ? line : null,
    ...(real !== null && isPlace(column) ? { column } : {}),
    ...(rule === undefined || rule === '' ? {} : { rule: rule.slice(0, MESSAGE_MAX).toWellFormed() }),
    message: (message.replaceAll(`${place.root}/`, '').trim() || 'failed').slice(0, MESSAGE_MAX).toWellFormed(),
    severity,
  };
}

const isPlace = (value: number | null | undefined): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** Null for a file outside of the tree. */
function inTree(name: string, { root, files }: OutputPlace): string | null {
  const plain = name
    .replace(/^file:\/\//, '')
    .replaceAll('\\', '/')
    .toWellFormed();
  const relative = plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain.replace(/^(?:\.\/)+/, '');
  if (relative === '' || relative.startsWith('/') || relative.split('/').includes('..')) return null;
  if (relative.includes('/') || files === undefined) return relative;
  const named: string[] = [];
  for (const file of files) {
    if (file === relative) return relative;
    if (file.endsWith(`/${relative}`)) named.push(file);
  }
  return named.length === 1 ? named[0]! : relative;
}
