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

/** An agent could start any number. Those that live are never dropped; of the others, the time in which they lived is kept. */
const MAX_KEPT = 500;
const SLACK_MS = 1_000;

export interface CommandRun {
  readonly action: string;
  /** While it ran. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The agent's own processes. */
  readonly isAgents: (link: ProcessLink) => boolean;
}

export class Survivors {
  private readonly kept = new Map<string, Survivor>();
  /** From the first to the last moment of those that were dropped. */
  private readonly dropped = { startedAtMs: Infinity, goneByMs: -Infinity };

  /** `table`: to be read once where several commands are noted. */
  note({ action, fromMs, toMs, isAgents }: CommandRun, table: readonly ProcessEntry[] = allProcesses()): void {
    for (const found of leftBehind(table, { fromMs, toMs }, isAgents)) {
      const key = `${found.pid} ${found.started}`;
      if (!this.kept.has(key)) this.kept.set(key, { ...found, action, goneByMs: Infinity });
    }
    if (this.kept.size <= MAX_KEPT) return;
    this.noteEnded();
    for (const [key, { startedAtMs, goneByMs }] of this.kept) {
      if (this.kept.size <= MAX_KEPT) break;
      if (goneByMs === Infinity) continue;
      this.kept.delete(key);
      this.dropped.startedAtMs = Math.min(this.dropped.startedAtMs, startedAtMs);
      this.dropped.goneByMs = Math.max(this.dropped.goneByMs, goneByMs);
    }
  }

  /** To be called often: what such a process started itself was started before its end was seen. */
  noteEnded(): void {
    for (const each of this.kept.values())
      if (each.goneByMs === Infinity && processStarted(each.pid) !== each.started) each.goneByMs = Date.now();
  }

  /** Some of them lived at this time. */
  livedAt(atMs: number): boolean {
    return this.actionsAt(atMs).length > 0 || (this.dropped.startedAtMs <= atMs && atMs <= this.dropped.goneByMs);
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
