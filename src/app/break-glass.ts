// Break-glass, the daemon's side: notes left while it was down are recorded, and hooks are restored when the time is over.

import { rm } from 'node:fs/promises';
import os from 'node:os';
import { type Note, restoreHooks, readNotes } from '../install/break-glass.ts';
import type { Kernel, Recorded } from '../kernel/index.ts';
import type { EventOf } from '../protocol/index.ts';

export interface BreakGlassOptions {
  readonly home: string;
  readonly kernel: Pick<Kernel, 'gaps' | 'views'>;
  readonly locate: (dir: string) => Promise<{ readonly id: string }>;
  readonly now: () => Date;
  readonly log: (message: string) => void;
}

/** The note of a pause whose hooks are not restored yet. */
interface OpenNote {
  readonly file: string;
  readonly note: Note;
  readonly workspace: string;
}

export class BreakGlass {
  private readonly options: BreakGlassOptions;
  private openNotes: OpenNote[] = [];

  constructor(options: BreakGlassOptions) {
    this.options = options;
  }

  /** At the daemon's start. A note is recorded once, also when the daemon starts again before its time is over. */
  async record(): Promise<void> {
    const { home, kernel, locate, log } = this.options;
    for (const { file, note } of await readNotes(home)) {
      try {
        const { id: workspace } = await locate(note.root);
        const { root, from, until, command, reason } = note;
        await kernel.gaps.recordUnwired({ workspace, root, from, until, command, reason });
        if (command === 'pause') this.openNotes.push({ file, note, workspace });
        else await rm(file, { force: true });
      } catch (error) {
        log(`break-glass: ${file}: ${String(error)}`);
      }
    }
  }

  /** Restores the hooks of pauses whose time is over. */
  async expire(): Promise<void> {
    const expired = this.openNotes.filter(({ note }) => note.until !== null && Date.parse(note.until) <= this.options.now().getTime());
    for (const each of expired) await this.close(each, 'expired');
  }

  /** A human ends the pause of this work tree. Null: there was none. */
  async end(root: string): Promise<Recorded | null> {
    let last: Recorded | null = null;
    for (const each of this.openNotes.filter(({ note }) => note.root === root)) last = await this.close(each, 'human');
    return last;
  }

  private async close({ file, note, workspace }: OpenNote, because: EventOf<'gate_rewired'>['data']['because']): Promise<Recorded> {
    const { home, kernel } = this.options;
    this.openNotes = this.openNotes.filter((each) => each.file !== file);
    const observing = kernel.views.isObserving(workspace);
    const result = await restoreHooks(home, { root: note.root, userHome: os.homedir() }, note.files, observing);
    const recorded = await kernel.gaps.recordRewired({ workspace, root: note.root, because, ...result });
    await rm(file, { force: true });
    return recorded;
  }
}
