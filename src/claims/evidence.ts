// Checks evidence. Files are read here; commands are run by their owner, behind the gate.

import { RE2JS, RE2JSException } from 're2js';
import { type Evidence, type EvidenceCheck, Fault } from '../protocol/index.ts';
import { summaryIn } from './test-summaries.ts';
import { findFile, readLines, type Tree } from './tree-file.ts';

export interface EvidencePorts extends Tree {
  readonly now: () => Date;
  readonly runCommand: (command: string) => Promise<CommandEnd>;
  /** The commit that is checked out. */
  readonly revision?: () => Promise<string | null>;
}

export interface CommandEnd {
  readonly exitCode: number | null;
  readonly output: string;
  readonly timedOut: boolean;
}

export type Finding = Pick<EvidenceCheck, 'result' | 'detail'> & {
  /** Of a search: the lines that it found. */
  readonly lines?: readonly string[];
};
export type FileEvidence = Extract<Evidence, { path: string }>;
export type CommandEvidence = Extract<Evidence, { command: string }>;

/** Instructions of the pattern times characters of the file: linear time is long, too, when both are large. About a second at worst. */
const GREP_WORK_MAX = 100_000_000;
const DETAIL_MAX = 200;
/** Of the lines that a search found, so many are compared with the statement. */
const LINES_MAX = 1_000;

/** Returns the result and never throws for what the evidence contains; a refused command is a result too. */
export async function checkEvidence(evidence: Evidence, ports: EvidencePorts): Promise<EvidenceCheck> {
  const { result, detail } = 'path' in evidence ? await checkFile(evidence, ports) : await runIt(evidence, ports);
  const revision = 'command' in evidence && ports.revision ? { revision: await ports.revision() } : {};
  return { evidence, result, detail, checked_at: ports.now().toISOString(), ...revision };
}

/** Cheap and without effects, so it is repeated on every read. */
export async function checkFile(evidence: FileEvidence, tree: Tree): Promise<Finding> {
  if (evidence.type === 'grep_hit') return grep(evidence.path, evidence.pattern, tree);
  const file = await findFile(tree, evidence.path);
  return file.kind === 'file' ? passed(`${file.path} exists`) : notFound(evidence.path, file);
}

async function grep(path: string, pattern: string, tree: Tree): Promise<Finding> {
  const expression = compile(pattern);
  if (typeof expression === 'string') return unchecked(`the pattern cannot be read: ${expression}`);
  const file = await readLines(tree, path);
  if (file.kind !== 'file') return notFound(path, file);
  const characters = file.lines.reduce((sum, line) => sum + line.length + 1, 0);
  if (characters * expression.programSize() > GREP_WORK_MAX)
    return unchecked(`the pattern is too large for a file as large as ${file.path}`);
  const at = file.lines.findIndex((line) => expression.test(line));
  if (at < 0) return failed(`no line of ${file.path} matches`);
  const lines = file.lines.slice(at).filter((line) => expression.test(line));
  return { ...passed(`found at ${file.path}:${at + 1}`), lines: lines.slice(0, LINES_MAX) };
}

/** A string says why the pattern is invalid. */
function compile(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) return error.message;
    throw error;
  }
}

async function runIt(evidence: CommandEvidence, ports: EvidencePorts): Promise<Finding> {
  let end: CommandEnd;
  try {
    end = await ports.runCommand(evidence.command);
  } catch (error) {
    if (error instanceof Fault) return unchecked(`the command was not run: ${error.message}`);
    throw error;
  }
  if (end.timedOut) return unchecked('the command did not end in time');
  if (end.exitCode === null) return failed('the command was ended by a signal');
  if (end.exitCode !== 0) return failed(`the command ended with exit code ${end.exitCode}`);
  return evidence.type === 'test_pass' ? weighTests(evidence.command, end.output) : passed('the command ended with exit code 0');
}

/** Exit code 0 is already known. The summary must come from the runner: one that is part of the command was only printed. */
function weighTests(command: string, output: string): Finding {
  const { passed: good, failed: bad, line } = summaryIn(output);
  if (line === null) return unchecked('exit code 0, but no summary of a known test runner in the output');
  if (command.includes(line)) return unchecked(`exit code 0, but the command itself says "${line}"`);
  if (bad > 0) return failed(`exit code 0, but tests failed: ${line}`);
  return good > 0 ? passed(`exit code 0 and ${good} passed: ${line}`) : failed(`exit code 0, but no test ran: ${line}`);
}

const passed = (detail: string): Finding => ({ result: 'passed', detail: plain(detail) });
const failed = (detail: string): Finding => ({ result: 'failed', detail: plain(detail) });
const unchecked = (detail: string): Finding => ({ result: 'unchecked', detail: plain(detail) });

const notFound = (path: string, file: { readonly kind: 'missing' | 'withheld'; readonly why: string }): Finding =>
  (file.kind === 'missing' ? failed : unchecked)(`${path} ${file.why}`);

/** Details are stored and shown: short, on one line, and without characters that hide or reorder text. */
const plain = (detail: string): string => {
  const line = detail.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]+/gu, ' ');
  const characters = Array.from(line.slice(0, 2 * DETAIL_MAX));
  return characters.length > DETAIL_MAX ? `${characters.slice(0, DETAIL_MAX - 1).join('')}…` : characters.join('');
};
