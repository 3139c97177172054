// Processes that agents' commands left running. When such a command has settled, whatever was born while it ran and has either lost its parents or
// is below the agent is noted. A line of processes that begins later, while one of these lived, may be its doing.

import type { ProcessLink } from '../protocol/index.ts';
import { allProcesses, type ProcessEntry, processStarted } from './process-tree.ts';

export interface Survivor extends ProcessLink {
  readonly action: string;
  readonly startedAtMs: number;
  /** It was seen to be gone then; Infinity: it lives. */
  goneByMs: number;
}

/** The oldest are dropped first: an agent could start any number. */
const MAX_KEPT = 500;
const SLACK_MS = 1_000;

export class Survivors {
  private readonly kept = new Map<string, Survivor>();

  /** `window`: while the command ran. `isAgents`: the agent itself, or a process below it. */
  note(action: string, window: { readonly fromMs: number; readonly toMs: number }, isAgents: (link: ProcessLink) => boolean): void {
    for (const found of leftBehind(allProcesses(), window, isAgents)) {
      const key = `${found.pid} ${found.started}`;
      if (!this.kept.has(key)) this.kept.set(key, { ...found, action, goneByMs: Infinity });
    }
    for (const key of this.kept.keys()) {
      if (this.kept.size <= MAX_KEPT) break;
      this.kept.delete(key);
    }
  }

  /** To be called often: what such a process started itself was started before its end was seen. */
  noteEnded(): void {
    for (const each of this.kept.values())
      if (each.goneByMs === Infinity && processStarted(each.pid) !== each.started) each.goneByMs = Date.now();
  }

  /** Some of them lived at this time. */
  livedAt(atMs: number): boolean {
    return this.actionsAt(atMs).length > 0;
  }

  /** The commands that left something running which lived at this time. */
  actionsAt(atMs: number): string[] {
    this.noteEnded();
    const lived = [...this.kept.values()].filter(({ startedAtMs, goneByMs }) => startedAtMs <= atMs && atMs <= goneByMs);
    return [...new Set(lived.map(({ action }) => action))];
  }
}

/** Pure over a process table. A child of a living parent that is not the agent's belongs to whoever that is. */
export function leftBehind(
  table: readonly ProcessEntry[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  isAgents: (link: ProcessLink) => boolean,
): { readonly pid: number; readonly started: string; readonly startedAtMs: number }[] {
  const byPid = new Map(table.map((entry) => [entry.pid, entry]));
  const comesFrom = (entry: ProcessEntry): boolean => {
    for (let at: ProcessEntry | undefined = entry, steps = 0; at && steps < table.length; at = byPid.get(at.parent), steps++) {
      if (isAgents(at)) return true;
      if (at.parent === 1 || at.parent === 0 || byPid.get(at.parent)?.name === 'systemd') return at.startedAtMs >= fromMs - SLACK_MS;
    }
    return false;
  };
  return table
    .filter(
      (entry) => entry.startedAtMs >= fromMs - SLACK_MS && entry.startedAtMs <= toMs + SLACK_MS && entry.parent !== 2 && comesFrom(entry),
    )
    .map(({ pid, started, startedAtMs }) => ({ pid, started, startedAtMs }));
}
