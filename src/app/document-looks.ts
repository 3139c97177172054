// Looks at the documents that humans edit in a work tree, as agents' sessions begin, go on and end. What they say is told to the kernel with
// what can be told about who wrote it: whether an agent was about since the last look, and whether git put it there.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Kernel, SessionEntry } from '../kernel/index.ts';
import { Fault, type Mode } from '../protocol/index.ts';
import { INTENTS_FILE, isAsInGitIndex, readIntentsFile } from '../workspace/index.ts';
import { readConfig } from './config.ts';
import { processStarted } from './process-tree.ts';

export interface DocumentLooksOptions {
  readonly kernel: Kernel;
  readonly locate: (dir: string) => Promise<{ readonly id: string; readonly root: string }>;
  readonly minimumMode: (root: string) => Promise<Mode | null>;
  /** Resolves when what the ledger says has been written to the files: a file that lags was not edited. */
  readonly viewsWritten: () => Promise<void>;
  readonly now: () => Date;
}

/** A session that nobody has closed counts as at work for so long after it was last heard of, unless its process is known. */
const AT_WORK_MS = 30 * 60_000;
/** A file's time and the record's are two clocks. */
const CLOCKS_MS = 5_000;

export class DocumentLooks {
  private readonly options: DocumentLooksOptions;
  /** By work tree: when this daemon last looked. */
  private readonly looked = new Map<string, number>();

  constructor(options: DocumentLooksOptions) {
    this.options = options;
  }

  /** `inSession`: an agent is at work. A file that cannot be read changes nothing, nor does a ledger that cannot be written. */
  async look(dir: string, inSession: boolean): Promise<void> {
    const { kernel, locate, minimumMode, viewsWritten, now } = this.options;
    const { id: workspace, root } = await locate(dir);
    const begun = now().getTime();
    const about = async (file: string) => inSession || this.isAgentAbout(workspace, root, await changedMs(path.join(root, file)));
    const unlessUnwritable = (error: unknown) => {
      if (!(error instanceof Fault && error.code === 'AUDIT_UNAVAILABLE')) throw error;
    };

    const config = await readConfig(root).catch(() => null);
    if (config) {
      const newest = await Promise.all(CONFIG_FILES.map(about));
      const { pin, minimum } = config.mode;
      await kernel.documents.lookAtDial(workspace, root, { pin, minimum }, { agentAbout: newest.some(Boolean) }).catch(unlessUnwritable);
    }
    const first = await readIntentsFile(root).catch(() => undefined);
    const isOther = first !== undefined && !kernel.documents.isAsSeen(root, first ?? []);
    if (isOther) await viewsWritten();
    const written = isOther ? await readIntentsFile(root).catch(() => undefined) : undefined;
    // No file any more: every intent that stood in it was taken out.
    if (written !== undefined && (written !== null || kernel.state.documents.seenIn(root))) {
      const strict = (await minimumMode(root)) === 'STRICT';
      const agentAbout = await about(INTENTS_FILE);
      const byGit = await isAsInGitIndex(root, INTENTS_FILE).catch(() => false);
      await kernel.documents.lookAtIntents(workspace, root, written ?? [], { strict, agentAbout, byGit }).catch(unlessUnwritable);
    }
    this.looked.set(root, begun);
  }

  private isAgentAbout(workspace: string, root: string, changed: number | null): boolean {
    const { kernel, now } = this.options;
    const since = this.looked.get(root) ?? null;
    return [...kernel.state.sessions.values()].some((session) => {
      if (session.workspace !== workspace) return false;
      if (this.isAtWork(session, now().getTime())) return true;
      const [from, to] = [Date.parse(session.openedAt), Date.parse(session.lastAt)];
      // Another daemon looked last: the time of the change has to tell.
      return since === null ? changed === null || (from - CLOCKS_MS <= changed && changed <= to + CLOCKS_MS) : to > since;
    });
  }

  private isAtWork({ id, open, lastAt }: SessionEntry, now: number): boolean {
    if (!open) return false;
    const known = [...this.options.kernel.state.processes.values()].filter(({ session }) => session === id);
    return known.length > 0 ? known.some(({ pid, started }) => processStarted(pid) === started) : now - Date.parse(lastAt) < AT_WORK_MS;
  }
}

const CONFIG_FILES = ['.ai/config/base.json', '.ai/config/repo.json', '.ai/config/env.local.json'];

/** When its content, name or rights were last changed: a program can set every other time. Null: there is no such file. */
async function changedMs(file: string): Promise<number | null> {
  const folder = path.dirname(file);
  const found = (await stat(file).catch(() => null)) ?? (await stat(folder).catch(() => null));
  return found?.ctimeMs ?? null;
}
