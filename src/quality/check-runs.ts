// Runs checks on copies of trees. A finished check is not run again on the same content: its result is kept by the command and the hash of
// the tree.

import path from 'node:path';
import { summaryIn } from '../claims/index.ts';
import type { Finding } from '../protocol/index.ts';
import type { Check } from './check.ts';
import { readFindings } from './read-findings.ts';
import type { PathConfig } from '../workspace/index.ts';
import { ContentGone, treeHash, TreeCopy, type TreeState } from './tree-copy.ts';

export interface CheckPlace {
  /** The copy. */
  readonly dir: string;
  /** A cache that tools may keep between runs. */
  readonly cache: string;
  /** Outside the copy, read-only: the targets of its links. */
  readonly shown: readonly string[];
}

/** Runs a command on a copy. Its output is the last part of both streams. */
export type RunCheck = (
  command: string,
  place: CheckPlace,
  withinMs: number,
) => Promise<{ readonly exitCode: number | null; readonly timedOut: boolean; readonly output: string }>;

export interface Ran {
  readonly outcome: 'passed' | 'failed' | 'timed_out' | 'unavailable';
  readonly findings: readonly Finding[];
  readonly summary: string | null;
  /** The end of the output, for a failure without a location. */
  readonly tail: string;
}

export interface Trees {
  readonly now: TreeState;
  readonly paths: PathConfig;
}

/** The summary of a check that was never started. */
export const NO_TIME = 'there was no time left for it';
const KEPT_RUNS = 300;
const TAIL_LINES = 5;
const UNAVAILABLE = /No module named pytest\b|pyenv: \S+: command not found/;
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

export class QualityRuns {
  private readonly copies = new Map<string, TreeCopy>();
  private readonly kept = new Map<string, Ran>();
  private readonly dir: string;
  private readonly run: RunCheck;
  private readonly contentOf: (sha256: string) => Promise<Uint8Array | null>;

  constructor(dir: string, run: RunCheck, contentOf: (sha256: string) => Promise<Uint8Array | null>) {
    this.dir = dir;
    this.run = run;
    this.contentOf = contentOf;
  }

  copyOf(root: string): TreeCopy {
    const known =
      this.copies.get(root) ??
      new TreeCopy({ root, dir: path.join(this.dir, String(this.copies.size), 'tree'), contentOf: this.contentOf });
    this.copies.set(root, known);
    return known;
  }

  /** On `state`: the tree now or before. Null when that state cannot be restored. */
  async check(
    root: string,
    check: Check,
    command: string,
    state: TreeState,
    trees: Trees,
    how: { withinMs: number; fresh: boolean },
  ): Promise<Ran | null> {
    const key = JSON.stringify([root, command, treeHash(state)]);
    const known = how.fresh ? undefined : this.kept.get(key);
    if (known) return known;
    const ran = await this.onCopy(root, check, command, state, trees, how.withinMs);
    if (ran && (ran.outcome === 'passed' || ran.outcome === 'failed')) this.keep(key, ran);
    return ran;
  }

  /** What a formatter does to `state`: the files that it changed. */
  async format(
    root: string,
    check: Check,
    command: string,
    state: TreeState,
    trees: Trees,
    withinMs: number,
  ): Promise<{ readonly ran: Ran; readonly changed: ReadonlyMap<string, Uint8Array> } | null> {
    const ran = await this.onCopy(root, check, command, state, trees, withinMs);
    if (!ran) return null;
    const copy = this.copyOf(root);
    const changed = new Map<string, Uint8Array>();
    for (const [file, sha256] of await copy.scan(trees.paths)) {
      const before = state.get(file);
      if (before !== undefined && before !== sha256) changed.set(file, await copy.content(file));
    }
    return { ran, changed };
  }

  private async onCopy(
    root: string,
    check: Check,
    command: string,
    state: TreeState,
    { now, paths }: Trees,
    withinMs: number,
  ): Promise<Ran | null> {
    if (withinMs <= 0) return { outcome: 'timed_out', findings: [], summary: NO_TIME, tail: '' };
    const copy = this.copyOf(root);
    let shown: readonly string[];
    try {
      shown = await copy.update(state, now, paths);
    } catch (error) {
      if (error instanceof ContentGone) return null;
      throw error;
    }
    const place = { dir: copy.dir, cache: path.join(path.dirname(copy.dir), 'cache'), shown };
    const { exitCode, timedOut, output } = await this.run(command, place, withinMs);
    const findings = readFindings(check.check, output, { root: copy.dir, files: state.keys() });
    const summary = check.check === 'test' ? summaryIn(output).line : null;
    const tail = output.trim().split('\n').slice(-TAIL_LINES).join('\n').replaceAll(`${copy.dir}/`, '');
    const isThere = exitCode !== NOT_FOUND && exitCode !== NOT_EXECUTABLE && !(findings.length === 0 && UNAVAILABLE.test(output));
    if (timedOut) return { outcome: 'timed_out', findings: [], summary, tail };
    if (exitCode === 0) return { outcome: 'passed', findings, summary, tail };
    return { outcome: isThere ? 'failed' : 'unavailable', findings, summary, tail };
  }

  private keep(key: string, ran: Ran): void {
    this.kept.delete(key);
    this.kept.set(key, ran);
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT_RUNS && oldest !== undefined) this.kept.delete(oldest);
  }
}
