// Commands of the gate's own that are under way: what each may write, and who else was at a file meanwhile. Until the receipt of a command
// is written, reconciliation leaves what it may write alone.

import type { ReconcileFold } from './fold.ts';

export interface CommandWindow {
  /** Why a change of this file cannot be attributed to the command, in words that complete "because …"; null: nothing else changed it. */
  readonly whyNotOurs: (path: string, sha256: string | null) => string | null;
  readonly end: () => void;
}

interface Window {
  readonly root: string;
  /** Null: it leaves no receipt. */
  readonly action: string | null;
  readonly mayWrite: (path: string) => boolean;
  readonly sinceMs: number;
  readonly sinceSeq: number;
  /** Others that were under way at some time of this one. */
  readonly met: Set<Window>;
  ended: boolean;
}

export class CommandWindows {
  private readonly fold: ReconcileFold;
  private readonly now: () => Date;
  private windows: Window[] = [];

  constructor(fold: ReconcileFold, now: () => Date) {
    this.fold = fold;
    this.now = now;
  }

  open(root: string, action: string | null, mayWrite: (path: string) => boolean): CommandWindow {
    const met = new Set(this.under(root));
    const window: Window = { root, action, mayWrite, sinceMs: this.now().getTime(), sinceSeq: this.fold.seq, met, ended: false };
    for (const other of met) other.met.add(window);
    this.windows.push(window);
    return {
      whyNotOurs: (path, sha256) => this.whyNotOurs(window, path, sha256),
      end: () => {
        window.ended = true;
      },
    };
  }

  /** What commands may be writing now, or have written without a receipt so far. */
  writable(root: string): (path: string) => boolean {
    const windows = this.under(root);
    return (path) => windows.some(({ mayWrite }) => mayWrite(path));
  }

  private under(root: string): Window[] {
    const open = new Set(this.fold.openSpans(root).map(({ id }) => id));
    const isUnderWay = ({ root: where, action, ended }: Window) => where !== root || !ended || (action !== null && open.has(action));
    this.windows = this.windows.filter(isUnderWay);
    return this.windows.filter((window) => window.root === root);
  }

  private whyNotOurs({ root, action, sinceMs, sinceSeq, met }: Window, path: string, sha256: string | null): string | null {
    const latest = this.fold.explainedAt(root, path);
    if (latest && latest.seq > sinceSeq)
      return latest.sha256 === sha256 ? 'it was changed by another action meanwhile' : 'another action changed it too';
    const walled = new Set([...met].map((window) => window.action));
    for (const { id, executes, paths, toMs } of this.fold.spansSince(root, sinceMs)) {
      if (id === action) continue;
      if (toMs === null && paths.has(path)) return `${id} is changing it right now`;
      if (executes && !walled.has(id)) return `${id} was running too, and may have done it`;
    }
    const other = [...met].find(({ mayWrite }) => mayWrite(path));
    return other ? `${other.action ?? 'a check of the gate'} was running too, and may have done it` : null;
  }
}
