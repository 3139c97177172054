// The end of a turn: the checks run when the turn changed something, and new failures are sent back to the agent, once a turn. Older
// failures are one line, reported once. Long checks only run on request.

import { setTimeout as delay } from 'node:timers/promises';
import type { CheckName, CheckResult, ChecksAtStop, JudgedFinding, QualityReport } from '../protocol/index.ts';
import { sha256Of } from '../workspace/index.ts';
import { NO_TIME } from './check-runs.ts';
import type { Quality } from './quality.ts';

/** What the end of a turn needs to know about its session. */
export interface EndingTurn {
  readonly workspace: string;
  readonly turn: string;
  /** Whether the turn changed something. */
  readonly changed: boolean;
  /** Whether the session may still change something: the gate's own change is refused where the session's would be. */
  readonly mayChange: boolean;
  /** Whether the gate enforces here: it is neither observing only nor paused. */
  readonly enforced: boolean;
  /** Files as the session knows them, by path. */
  readonly seen: ReadonlyMap<string, string>;
}

interface Reported {
  /** The turn in which the agent was sent back. */
  turn: string | null;
  /** What it was sent back for. */
  readonly failures: Set<string>;
  /** The files as they were when they were last checked. */
  checked: string | null;
  /** What else was reported last. */
  note: string | null;
  /** What the agent has not been shown yet. */
  left: string | null;
}

const FINDINGS_NAMED = 10;
const SESSIONS_KEPT = 500;
/** The longest wait at the end of a turn. */
const MAX_WAIT_MS = 60_000;
const MIN_WAIT_MS = 1_000;
/** The part of it for recording the result. */
const SETTLING_MS = 2_000;

export function qualityAtStop(
  quality: Quality,
  turnOf: (session: string) => EndingTurn | null,
  log: (message: string) => void,
): ChecksAtStop {
  const sessions = new Map<string, Reported>();
  /** Checks that did not end in time, by tree. */
  const tooLong = new Map<string, Set<CheckName>>();

  const check: ChecksAtStop['checkAtStop'] = async ({ root, session, withinMs, maySendBack }) => {
    try {
      const entry = turnOf(session);
      if (!entry?.changed || !entry.mayChange || !entry.enforced) return null;
      const available = new Set((await quality.checksOf(root)).map(({ check }) => check));
      const checks = [...available].filter((check) => !tooLong.get(root)?.has(check));
      if (checks.length === 0) return null;
      const past = await quality.changedBy(session, root);
      if (past.size === 0) return null;
      const reported = sessions.get(session) ?? { turn: null, failures: new Set<string>(), checked: null, note: null, left: null };
      remember(sessions, session, reported);
      const marked = () =>
        sha256Of(Buffer.from(JSON.stringify([...past.keys()].map((file) => [file, turnOf(session)?.seen.get(file) ?? null]))));
      if (reported.checked === marked()) return null;

      const limit = Math.min(withinMs - SETTLING_MS, MAX_WAIT_MS);
      if (limit < MIN_WAIT_MS) return null;
      const report = await quality.validateAtStop({ session, workspace: entry.workspace, root }, checks, limit);
      if (!report) return null;
      reported.checked = marked();
      for (const result of report.checks) if (tookTooLong(result)) tooLong.set(root, (tooLong.get(root) ?? new Set()).add(result.check));

      const caused = report.checks.flatMap(({ findings }) => findings.filter(({ origin }) => origin === 'caused'));
      const isNew = caused.some((finding) => !reported.failures.has(keyOf(finding)));
      const note = noteOf(report);
      const isSaid = reported.note === note;
      reported.note = note;
      if (caused.length > 0 && isNew && maySendBack && reported.turn !== entry.turn) {
        reported.turn = entry.turn;
        for (const finding of caused) reported.failures.add(keyOf(finding));
        return { sendBack: [causedWords(caused, report), note].filter((part) => part !== null).join('\n'), note: null };
      }
      const still = caused.length > 0 ? causedWords(caused, report) : null;
      reported.left = still;
      return { sendBack: null, note: [still, isSaid ? null : note].filter((part) => part !== null).join('\n') || null };
    } catch (error) {
      // The end of a turn does not wait for an impossible check.
      log(`quality ${root}: ${String(error)}`);
      return null;
    }
  };
  return {
    checkAtStop: async (where) => {
      const done = new AbortController();
      const checked = check(where).finally(() => done.abort());
      const late = delay(Math.max(0, where.withinMs), null, { signal: done.signal, ref: false }).catch(() => null);
      return Promise.race([checked, late]);
    },
    takeCheckNotes: (session) => {
      const reported = sessions.get(session);
      const left = reported?.left ?? null;
      if (reported) reported.left = null;
      return left;
    },
  };
}

function remember(sessions: Map<string, Reported>, session: string, reported: Reported): void {
  sessions.delete(session);
  sessions.set(session, reported);
  const [oldest] = sessions.keys();
  if (sessions.size > SESSIONS_KEPT && oldest !== undefined) sessions.delete(oldest);
}

const keyOf = ({ check, file, rule, message }: JudgedFinding): string => JSON.stringify([check, file, rule ?? message]);

function causedWords(caused: readonly JudgedFinding[], { checks }: QualityReport): string {
  const all = checks.reduce((sum, { counts }) => sum + counts.caused, 0);
  const lines = caused
    .slice(0, FINDINGS_NAMED)
    .map(
      ({ check, file, line, rule, message }) =>
        `- ${check} ${file ?? '(no file)'}${line === null ? '' : `:${line}`}${rule === undefined ? '' : ` [${rule}]`}: ${firstLine(message)}`,
    );
  return [
    `Countersign: ${all === 1 ? 'a check fails' : `${all} checks fail`} that did not before your changes:`,
    ...lines,
    ...(all > lines.length ? [`- and ${all - lines.length} more`] : []),
    'Fix this, or say why it is right as it is. The tool validate runs the checks again and tells all of it.',
  ].join('\n');
}

function noteOf({ checks, notes }: QualityReport): string | null {
  const count = (origin: 'before' | 'unclear') => checks.reduce((sum, { counts }) => sum + counts[origin], 0);
  const before = count('before');
  const unclear = count('unclear');
  const late = checks.filter(tookTooLong).map(({ check }) => check);
  const unbegun = checks.filter(({ summary }) => summary === NO_TIME).map(({ check }) => check);
  const parts = [
    ...(before > 0
      ? [`${before} ${before === 1 ? 'failure was' : 'failures were'} there before and ${before === 1 ? 'is' : 'are'} not yours`]
      : []),
    ...(unclear > 0
      ? [
          `of ${unclear} ${unclear === 1 ? 'failure' : 'failures'} it is unknown whether ${unclear === 1 ? 'it was' : 'they were'} there before`,
        ]
      : []),
    ...(late.length > 0
      ? [`${late.join(' and ')} did not end in time; from now on only validate runs ${late.length === 1 ? 'it' : 'them'}`]
      : []),
    ...(unbegun.length > 0 ? [`there was no time left for ${unbegun.join(' and ')}`] : []),
    ...notes,
  ];
  return parts.length > 0 ? `Countersign: ${parts.join('; ')}.` : null;
}

const tookTooLong = ({ outcome, summary }: CheckResult): boolean => outcome === 'timed_out' && summary !== NO_TIME;

const firstLine = (text: string): string => text.split('\n', 1)[0]!.slice(0, 300);
