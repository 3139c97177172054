// The quality loop: the workspace's own formatter, linter, type check and tests, on what a session changed. On request, and at the end of a
// turn that changed something.
//
//   what changed → format the changed files → lint, typecheck, test → whatever fails, once more on the tree as it was → whose is it
//
// Everything runs on a copy (`tree-copy.ts`). The tree itself is changed in one way only: the formatter's result for files that the session
// changed passes the gate as an action of its own.

import {
  type Action,
  type CheckName,
  type CheckResult,
  type Config,
  type Door,
  doorOf,
  doorThat,
  type QualityReport,
  type Refusal,
  traitsOf,
} from '../protocol/index.ts';
import type { Check } from './check.ts';
import { commandFor, detectChecks } from './detect-checks.ts';
import type { QualityPort } from './quality-port.ts';
import { adoptScan, emptySnapshot, scanTree, sha256Of, type TreeSnapshot, TreeTooLarge } from '../workspace/index.ts';
import { failuresOf, isFine, judge, resultOf } from './judge.ts';
import { treeStateOf, type TreeState } from './tree-copy.ts';
import type { QualityRuns, Trees } from './check-runs.ts';
import { filesOf } from './workspace-files.ts';

export interface QualityParts {
  /** Passes the loop's own change through the gate, as an action of its own. */
  readonly pass: (work: OwnWork) => Promise<PassedWork>;
  /** The files that a session changed, as they were before its first change; null: the file did not exist. */
  readonly changedBy: (session: string, root: string) => Promise<Map<string, string | null>>;
  readonly runs: QualityRuns;
  readonly configOf: (root: string) => Promise<Config>;
  readonly putBlob: (bytes: Uint8Array) => Promise<string>;
  readonly contentOf: QualityPort['contentOf'];
}

export interface OwnWork extends Pick<Action, 'session' | 'workspace' | 'root' | 'actor' | 'tool' | 'input'> {
  readonly door: Door;
  readonly cwd: string;
  readonly parent?: string;
  readonly signal: AbortSignal;
}

export interface PassedWork {
  readonly kind: string;
  readonly refusal: Refusal | null;
  readonly output: unknown;
}

interface CheckRequest {
  readonly root: string;
  /** Null: no session is judged, and nothing is formatted. */
  readonly session: string | null;
  readonly action: Action | null;
  readonly checks: readonly CheckName[] | null;
  readonly withinMs: number;
  /** Also rerun checks that already finished on the same content. */
  readonly fresh: boolean;
}

/** Larger trees are not copied. */
const MAX_FILES = 50_000;
const MAX_BYTES = 1024 ** 3;
const ASKED_WITHIN_MS = 540_000;
const FORMATTED_AT_ONCE = 500;
/** Never copied, so that no check can read them. */
const SECRET = /^\.ai\/auth\//;

export class Quality implements QualityPort {
  readonly contentOf: QualityPort['contentOf'];
  private readonly parts: QualityParts;
  private readonly snapshots = new Map<string, TreeSnapshot>();
  private readonly running = new Map<string, Promise<unknown>>();
  /** The time limit for the end of a turn, set by the waiting hook. */
  private readonly stopWithin = new Map<string, number>();

  constructor(parts: QualityParts) {
    this.parts = parts;
    this.contentOf = parts.contentOf;
  }

  validate: QualityPort['validate'] = ({ action, checks }) => {
    const { root, session } = action;
    // Where agents use their own tools, only the gate itself calls it.
    const atStop = traitsOf(action).executes === 'agent' ? (this.stopWithin.get(session) ?? 0) : null;
    return this.check({ root, session, action, checks, withinMs: atStop ?? ASKED_WITHIN_MS, fresh: atStop === null });
  };

  /** For a human: everything, as it is. */
  validateAll(root: string, checks: readonly CheckName[] | null): Promise<QualityReport> {
    return this.check({ root, session: null, action: null, checks, withinMs: ASKED_WITHIN_MS, fresh: true });
  }

  /** Runs the checks at the end of a turn, as an action of the gate. Null when not allowed. */
  async validateAtStop(
    action: Pick<Action, 'session' | 'workspace' | 'root'>,
    checks: readonly CheckName[],
    withinMs: number,
  ): Promise<QualityReport | null> {
    this.stopWithin.set(action.session, withinMs);
    try {
      const passed = await this.parts.pass({
        session: action.session,
        workspace: action.workspace,
        root: action.root,
        cwd: action.root,
        actor: { agent: 'countersign' },
        door: doorThat({ executes: 'agent' }),
        tool: 'validate',
        input: { checks },
        signal: AbortSignal.timeout(Math.ceil(withinMs)),
      });
      return passed.kind === 'settled' && passed.refusal === null ? (passed.output as QualityReport) : null;
    } finally {
      this.stopWithin.delete(action.session);
    }
  }

  async checksOf(root: string): Promise<Check[]> {
    return detectChecks(filesOf(root), (await this.parts.configOf(root)).quality);
  }

  changedBy(session: string, root: string): Promise<Map<string, string | null>> {
    return this.parts.changedBy(session, root);
  }

  /** One at a time in a tree: they share its copy. */
  private check(request: CheckRequest): Promise<QualityReport> {
    const deadline = performance.now() + request.withinMs;
    const run = (this.running.get(request.root) ?? Promise.resolve()).then(() =>
      this.checkNow(request, () => deadline - performance.now()),
    );
    this.running.set(
      request.root,
      run.catch(() => {}),
    );
    return run;
  }

  private async checkNow(request: CheckRequest, leftMs: () => number): Promise<QualityReport> {
    const { root, session, checks: wanted } = request;
    const checks = (await this.checksOf(root)).filter(({ check }) => wanted === null || wanted.includes(check));
    const report = { ok: true, checks: [] as CheckResult[], formatted: [] as string[], notes: [] as string[] };
    if (checks.length === 0) return { ...report, notes: ['No checks are configured, and none were found that are installed here.'] };
    const { paths } = await this.parts.configOf(root);
    const now = await this.scan(root, paths);
    if (now === null) return { ...report, notes: [`The tree is too large to copy: checks do not run on it.`] };

    const past = session === null ? null : await this.changedBy(session, root);
    const work = { request, now, past, leftMs, trees: (): Trees => ({ now, paths }) };
    for (const check of checks) {
      if (check.check === 'format') await this.format(check, work, report);
      else report.checks.push(await this.checkOne(check, work));
    }
    return { ...report, ok: report.checks.every(isFine) };
  }

  private async checkOne(check: Check, { request, now, past, leftMs, trees }: Work): Promise<CheckResult> {
    const { root, fresh } = request;
    const command = commandFor(check, past && [...past.keys()].filter((file) => now.has(file)));
    if (command === null) return resultOf(check, check.command, 'skipped');
    const ran = await this.parts.runs.check(root, check, command, now, trees(), { withinMs: leftMs(), fresh });
    if (ran === null) return resultOf(check, command, 'unavailable');
    if (ran.outcome !== 'failed') return resultOf(check, command, ran.outcome, ran.summary);
    if (past === null) return resultOf(check, command, 'failed', ran.summary, failuresOf(check, ran));

    const was = asItWas(now, past);
    const commandThen = commandFor(
      check,
      [...past.keys()].filter((file) => was.has(file)),
    );
    const nothing = { outcome: 'passed', findings: [], summary: null, tail: '' } as const;
    const before =
      commandThen === null
        ? nothing
        : await this.parts.runs.check(root, check, commandThen, was, trees(), { withinMs: leftMs(), fresh: false });
    return resultOf(check, command, 'failed', ran.summary, judge(check, ran, before));
  }

  /** Only files of the session that were formatted before it changed them: one changed line must not reformat a whole file. */
  private async format(
    check: Check,
    { request, now, past, leftMs, trees }: Work,
    report: { checks: CheckResult[]; formatted: string[]; notes: string[] },
  ): Promise<void> {
    const { runs } = this.parts;
    const { root, action } = request;
    const mine = past && [...past.keys()].filter((file) => now.has(file));
    const command = commandFor(check, mine);
    if (command === null || mine?.length === 0) return;
    const made = await runs.format(root, check, command, now, trees(), leftMs());
    if (!made || made.ran.outcome === 'timed_out' || made.ran.outcome === 'unavailable') {
      report.checks.push(resultOf(check, command, made?.ran.outcome ?? 'unavailable'));
      return;
    }
    const files = [...made.changed.keys()].filter((file) => mine === null || mine.includes(file));
    if (!past || !action) {
      const findings = files.map((file) => ({
        check: check.check,
        file,
        line: null,
        message: 'is not formatted',
        severity: 'error' as const,
      }));
      report.checks.push(resultOf(check, command, files.length > 0 ? 'failed' : made.ran.outcome, null, findings));
      return;
    }
    if (files.length > 0) {
      const was = asItWas(now, past);
      const commandThen = commandFor(
        check,
        files.filter((file) => was.has(file)),
      );
      const then = commandThen === null ? null : await runs.format(root, check, commandThen, was, trees(), leftMs());
      const isOurs = (file: string): boolean =>
        !was.has(file) || (then !== null && then.ran.outcome === 'passed' && !then.changed.has(file));
      await this.takeOver(check, action, new Map(files.filter(isOurs).map((file) => [file, made.changed.get(file)!])), now, report);
    }
    // The other checks report what a formatter cannot read.
    report.checks.push(resultOf(check, command, made.ran.outcome === 'failed' ? 'skipped' : 'passed'));
  }

  /** A change like any other, by the formatter: its receipt updates the session's known content of the files. */
  private async takeOver(
    check: Check,
    action: Action,
    made: ReadonlyMap<string, Uint8Array>,
    now: Map<string, string>,
    report: { formatted: string[]; notes: string[] },
  ): Promise<void> {
    const files = [];
    for (const [path, content] of [...made].slice(0, FORMATTED_AT_ONCE)) {
      await this.parts.putBlob(content);
      files.push({ path, base_sha256: now.get(path)!, sha256: sha256Of(content) });
    }
    if (files.length === 0) return;
    const { session, workspace, root, id } = action;
    const { kind, refusal } = await this.parts.pass({
      session,
      workspace,
      root,
      cwd: root,
      door: doorOf(action),
      parent: id,
      actor: { agent: check.tool },
      tool: 'quality_format',
      input: { formatter: check.tool, files },
      signal: new AbortController().signal,
    });
    if (kind !== 'settled' || refusal) {
      report.notes.push(
        `${check.tool} would change ${files.map(({ path }) => path).join(', ')}, which was not done: ${refusal?.message ?? kind}`,
      );
      return;
    }
    for (const { path, sha256 } of files) now.set(path, sha256);
    report.formatted.push(...files.map(({ path }) => path));
  }

  /** Null when it is too large to copy. */
  private async scan(root: string, paths: Config['paths']): Promise<Map<string, string> | null> {
    const snapshot = this.snapshots.get(root) ?? emptySnapshot();
    this.snapshots.set(root, snapshot);
    try {
      adoptScan(snapshot, await scanTree(root, snapshot, { paths, maxFiles: MAX_FILES }));
    } catch (error) {
      if (error instanceof TreeTooLarge) return null;
      throw error;
    }
    if ([...snapshot.files.values()].reduce((sum, { size }) => sum + size, 0) > MAX_BYTES) return null;
    return new Map([...treeStateOf(snapshot.files)].filter(([file]) => !SECRET.test(file)));
  }
}

interface Work {
  readonly request: CheckRequest;
  /** What the tree holds; a formatter's changes are entered. */
  readonly now: Map<string, string>;
  /** What the session changed; null when no session is judged. */
  readonly past: ReadonlyMap<string, string | null> | null;
  readonly leftMs: () => number;
  readonly trees: () => Trees;
}

/** Later changes by others stay in it: they are not the session's. */
function asItWas(now: TreeState, past: ReadonlyMap<string, string | null>): TreeState {
  const was = new Map(now);
  for (const [file, sha256] of past) {
    if (sha256 === null) was.delete(file);
    else was.set(file, sha256);
  }
  return was;
}
