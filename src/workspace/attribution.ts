// Which action made a change that no receipt explains, as far as clocks show. A guess is never better than `window`.

import type { Attribution } from '../protocol/index.ts';

/** An action that was let through and could change files. */
export interface ActionSpan {
  readonly id: string;
  readonly session: string;
  readonly root: string;
  readonly fromMs: number;
  /** Null while it is running. */
  toMs: number | null;
  /** When it ended, where that is known before its receipt is written. */
  overMs?: number;
  /** It can change any file, not only those that it names. */
  readonly executes: boolean;
  /** The files that it said it would change. */
  readonly paths: ReadonlySet<string>;
}

export interface UnexplainedChange {
  readonly path: string;
  /** When the file's entry last changed, by the kernel's clock, which cannot be set back; null when the file is gone. */
  readonly changedMs: number | null;
}

export interface ScanWindow {
  readonly fromMs: number;
  readonly toMs: number;
  /** When this daemon began to watch. Changes before that were not observed. */
  readonly daemonSinceMs: number;
  /** Actions that were under way at some time in the window. */
  readonly spans: readonly ActionSpan[];
  /** Commands that left something running which lived at that time, also after their session. */
  readonly leftRunning: (atMs: number) => readonly string[];
}

/** The kernel's file clock lags, and an agent may report an outcome before the last write has arrived. */
const JUST_SETTLED_MS = 2_000;
const CLOCK_LAG_MS = 50;

export interface Attributed {
  readonly attribution: Attribution;
  /** The actions that could have done it. */
  readonly actions: string[];
}

export function attribute({ path, changedMs }: UnexplainedChange, window: ScanWindow): Attributed {
  const { fromMs, toMs, daemonSinceMs } = window;
  // A moved file keeps its old stamp on systems that do not renew it. Outside the window the stamp proves nothing.
  const at = changedMs !== null && changedMs >= fromMs - CLOCK_LAG_MS && changedMs <= toMs + CLOCK_LAG_MS ? changedMs : null;
  const able = window.spans.filter(({ executes, paths }) => executes || paths.has(path));
  if (fromMs < daemonSinceMs && (at === null || at < daemonSinceMs)) return { attribution: 'unknown', actions: idsOf(able) };

  const during = at === null ? able : duringOf(able, at);
  // A command may have left a background process that wrote later.
  const suspects = during.length > 0 ? during : able.filter(({ executes, fromMs: began }) => executes && at !== null && began <= at);
  const left = suspects.length === 0 ? window.leftRunning(at ?? toMs) : [];
  if (left.length > 0) return { attribution: 'ambiguous', actions: [...left] };
  if (suspects.length === 0) return { attribution: 'human-unproven', actions: [] };
  return { attribution: suspects.length === 1 && during.length === 1 ? 'window' : 'ambiguous', actions: idsOf(suspects) };
}

/** Actions that were running, and those just settled, unless their session was already running its next one. */
function duringOf(able: readonly ActionSpan[], at: number): ActionSpan[] {
  const open = able.filter((span) => isWithin(span, at, CLOCK_LAG_MS));
  const sessions = new Set(open.map(({ session }) => session));
  const settled = able.filter((span) => !open.includes(span) && isWithin(span, at, JUST_SETTLED_MS) && !sessions.has(span.session));
  return [...open, ...settled];
}

const isWithin = ({ fromMs, toMs }: ActionSpan, at: number, graceMs: number): boolean =>
  at >= fromMs - CLOCK_LAG_MS && (toMs === null || at <= toMs + graceMs);

const idsOf = (spans: readonly ActionSpan[]): string[] => spans.map(({ id }) => id);
