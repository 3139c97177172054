// Git's settings while commands of a session run, also those that stay in the background: a program that is named there would be run by the
// human's next `git status`, long before or after the command settles. Looks a few times a second, and only as long as a command runs.

import { type BeforeCommand, keepSettings } from './settle-walls.ts';

const EVERY_MS = 250;

interface Watched {
  before: BeforeCommand;
  readonly hasCommands: () => boolean;
  readonly timer: NodeJS.Timeout;
}

export class SettingsWatch {
  private readonly watched = new Map<string, Watched>();
  private readonly taken = new Map<string, string[]>();
  private readonly aside: string;

  constructor(aside: string) {
    this.aside = aside;
  }

  /** `key`: the session and its tree. While it is watched already, what counts is what was there first. */
  begin(key: string, before: BeforeCommand, hasCommands: () => boolean): void {
    if (this.watched.has(key)) return;
    const timer = setInterval(() => this.look(key), EVERY_MS).unref();
    this.watched.set(key, { before, hasCommands, timer });
  }

  private look(key: string): void {
    const each = this.watched.get(key);
    if (each === undefined) return;
    // Asked first: what the last process wrote before it ended is still seen below.
    const isOver = !each.hasCommands();
    const { taken, before } = keepSettings(each.before, this.aside);
    each.before = before;
    if (taken.length > 0) this.taken.set(key, [...(this.taken.get(key) ?? []), ...taken]);
    if (!isOver) return;
    clearInterval(each.timer);
    this.watched.delete(key);
  }

  /** What was taken back since this was last asked. */
  takenSince(key: string): string[] {
    this.look(key);
    const taken = this.taken.get(key) ?? [];
    this.taken.delete(key);
    return taken;
  }
}
