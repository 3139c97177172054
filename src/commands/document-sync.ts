// Reads the documents that humans edit in a work tree: as agents' sessions begin, continue and end, before every action and before every
// answer about them. Passes their content to the kernel with what is known about the writer: whether an agent was present since the last
// look, and whether git wrote it.

import { lstatSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { isUnavailable, type Kernel, type SessionEntry } from '../kernel/index.ts';
import { CONFIG_LAYERS, type Mode } from '../protocol/index.ts';
import { INTENTS_FILE, isAsInGitIndex, readConfig, readIntentsFile } from '../workspace/index.ts';

export interface DocumentSyncOptions {
  readonly kernel: Kernel;
  /** Until when each session's agent was, or may have been, present. */
  readonly agents: { presenceEnds(): readonly { readonly session: SessionEntry; readonly until: number }[] };
  readonly locate: (dir: string) => Promise<{ readonly id: string; readonly root: string }>;
  readonly minimumMode: (root: string) => Promise<Mode | null>;
  /** Resolves when what the ledger says has been written to the files: a file that lags was not edited. */
  readonly viewsWritten: () => Promise<void>;
  readonly now: () => Date;
}

interface Looked {
  readonly workspace: string;
  readonly at: number;
  /** Of each document; null: one may change again without another stamp. */
  readonly stamps: readonly string[] | null;
}

/** The file system’s clock and ours may differ by this much. */
const CLOCK_SKEW_MS = 5_000;
/** A file that is younger than this may change again without another time stamp. */
const SETTLED_AFTER_MS = 100;
const DOCUMENTS = [...CONFIG_LAYERS, INTENTS_FILE];

export class DocumentSync {
  private readonly options: DocumentSyncOptions;
  /** By work tree: when this daemon last looked, and could read. */
  private readonly looked = new Map<string, Looked>();
  /** By work tree: looks come one after the other, or an older content could be recorded after a newer one. */
  private readonly looking = new Map<string, Promise<void>>();

  constructor(options: DocumentSyncOptions) {
    this.options = options;
  }

  /** The same where a document has changed since the last look. Otherwise it only stats the files: microseconds. */
  async syncIfChanged(dir: string, inSession: boolean): Promise<void> {
    const last = this.looked.get(dir);
    const stamps = last && stampsOf(dir);
    if (!last || !stamps || last.stamps === null || stamps.some((stamp, at) => stamp !== last.stamps?.[at]))
      return this.sync(dir, inSession);
    this.looked.set(dir, { ...last, at: this.options.now().getTime() });
  }

  /** Every work tree that this daemon has looked at. One that was removed has no documents. */
  async syncAllIfChanged(): Promise<void> {
    for (const root of this.looked.keys()) await this.syncIfChanged(root, false).catch(() => this.looked.delete(root));
  }

  /** `inSession`: an agent's session is open. A file that cannot be read changes nothing, nor does a ledger that cannot be written. */
  async sync(dir: string, inSession: boolean): Promise<void> {
    const { id: workspace, root } = await this.options.locate(dir);
    const before = this.looking.get(root) ?? Promise.resolve();
    const look = before.catch(() => undefined).then(() => this.look(workspace, root, inSession));
    this.looking.set(root, look);
    await look.finally(() => this.looking.get(root) === look && this.looking.delete(root));
  }

  private async look(workspace: string, root: string, inSession: boolean): Promise<void> {
    const { kernel, minimumMode, viewsWritten, now } = this.options;
    const begun = now().getTime();
    const last = this.looked.get(root);
    const stamps = stampsOf(root);
    const isAbout = () => inSession || this.isAboutSince(workspace, root);
    const isFromThen = async (file: string) => this.isChangeOfAgents(workspace, await changedMs(path.join(root, file)));
    let recorded = true;
    const unlessUnwritable = (error: unknown) => {
      if (!isUnavailable(error)) throw error;
      recorded = false;
    };

    const config = await readConfig(root).catch(() => null);
    if (config) {
      const agentPresent = isAbout() || (!last && (await Promise.all(CONFIG_LAYERS.map(isFromThen))).some(Boolean));
      const isUnchanged = (at: number) => stamps !== null && stamps[at] === last?.stamps?.[at];
      const ours = await Promise.all(CONFIG_LAYERS.map(async (file, at) => isUnchanged(at) || isGits(root, file)));
      await kernel.settings.observe(workspace, root, config, { agentPresent, byGit: ours.every(Boolean) }).catch(unlessUnwritable);
    }
    const first = await readIntentsFile(root).catch(() => undefined);
    const isOther = first !== undefined && !kernel.documents.isAsSeen(root, first ?? []);
    if (isOther) await viewsWritten();
    const written = isOther ? await readIntentsFile(root).catch(() => undefined) : undefined;
    // No file yet: what a human's command writes into it next is not an edit, and what is edited then is one.
    if (first === null && !kernel.documents.hasSeen(root)) await kernel.documents.noteNoFile(workspace, root).catch(unlessUnwritable);
    // The file is gone: every intent in it was removed.
    if (written !== undefined && (written !== null || kernel.documents.hasSeen(root))) {
      const strict = (await minimumMode(root)) === 'STRICT';
      // Another daemon looked last: only the time of the change can decide.
      const agentPresent = isAbout() || (!last && (await isFromThen(INTENTS_FILE)));
      const byGit = await isGits(root, INTENTS_FILE);
      await kernel.documents.observeIntents(workspace, root, written ?? [], { strict, agentPresent, byGit }).catch(unlessUnwritable);
    }
    // What cannot be read now is compared with the last look that could, whoever was present since then.
    if (config && first !== undefined && recorded) this.looked.set(root, { workspace, at: begun, stamps });
  }

  /** Called when the last agent has just left: every edit until now was made while it was present. */
  async syncWhereAgentsLeft(): Promise<void> {
    const now = this.options.now().getTime();
    const left = new Map<string, number>();
    for (const { session, until } of this.options.agents.presenceEnds())
      if (until <= now) left.set(session.workspace, Math.max(until, left.get(session.workspace) ?? 0));
    for (const [root, { workspace, at }] of this.looked) {
      if ((left.get(workspace) ?? 0) <= at) continue;
      // A work tree that was removed has no documents.
      await this.sync(root, true).catch(() => this.looked.delete(root));
    }
  }

  /** Some agent was present since this daemon's last look; false where it has not looked. */
  private isAboutSince(workspace: string, root: string): boolean {
    const since = this.looked.get(root)?.at;
    return (
      since !== undefined &&
      this.options.agents.presenceEnds().some(({ session, until }) => session.workspace === workspace && until > since)
    );
  }

  /** Some agent was present when the file was last changed; null: the time of that change is unknown. */
  private isChangeOfAgents(workspace: string, changed: number | null): boolean {
    return this.options.agents
      .presenceEnds()
      .some(
        ({ session, until }) =>
          session.workspace === workspace &&
          (changed === null || (Date.parse(session.openedAt) - CLOCK_SKEW_MS <= changed && changed <= until + CLOCK_SKEW_MS)),
      );
  }
}

const isGits = (root: string, file: string): Promise<boolean> => isAsInGitIndex(root, file).catch(() => false);

/** Null: a document changed just now. */
function stampsOf(root: string): readonly string[] | null {
  const settled = Date.now() - SETTLED_AFTER_MS;
  const stamps: string[] = [];
  for (const file of DOCUMENTS) {
    try {
      const found = lstatSync(path.join(root, file), { throwIfNoEntry: false });
      if (found && found.ctimeMs > settled) return null;
      stamps.push(found ? [found.dev, found.ino, found.size, found.mtimeMs, found.ctimeMs].join(' ') : '');
    } catch {
      // A folder of its path is a file, or cannot be entered.
      return null;
    }
  }
  return stamps;
}

/** When its content, name or rights were last changed: a program can set every other time. Null: there is no such file. */
async function changedMs(file: string): Promise<number | null> {
  const folder = path.dirname(file);
  const found = (await stat(file).catch(() => null)) ?? (await stat(folder).catch(() => null));
  return found?.ctimeMs ?? null;
}
