// Reads the documents that humans edit in a work tree, as agents' sessions begin, continue and end. Passes their content to the kernel
// with what is known about the writer: whether an agent was present since the last sync, and whether git wrote it.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Kernel, SessionEntry } from '../kernel/index.ts';
import { Fault, type Mode } from '../protocol/index.ts';
import { INTENTS_FILE, isAsInGitIndex, readConfig, readIntentsFile } from '../workspace/index.ts';

export interface DocumentSyncOptions {
  readonly kernel: Kernel;
  /** Until when the agent of each session was, or may have been, present. */
  readonly agents: { presenceEnds(): readonly { readonly session: SessionEntry; readonly until: number }[] };
  readonly locate: (dir: string) => Promise<{ readonly id: string; readonly root: string }>;
  readonly minimumMode: (root: string) => Promise<Mode | null>;
  /** Resolves when what the ledger says has been written to the files: a file that lags was not edited. */
  readonly viewsWritten: () => Promise<void>;
  readonly now: () => Date;
}

/** The file system's clock and ours may differ by this much. */
const CLOCK_SKEW_MS = 5_000;
const CONFIG_FILES = ['.ai/config/base.json', '.ai/config/repo.json', '.ai/config/env.local.json'];

interface Tree {
  readonly workspace: string;
  readonly root: string;
  /** Some agent was present at some time since this daemon's last sync. */
  readonly isAgentPresent: () => boolean;
  /** Before this daemon's first sync of the tree, the time of the change decides: an agent was present when one of the files changed. */
  readonly wasChangedBesideAgent: (files: readonly string[]) => Promise<boolean>;
}

export class DocumentSync {
  private readonly options: DocumentSyncOptions;
  /** By work tree: this daemon's last sync that could read and record everything. */
  private readonly synced = new Map<string, { workspace: string; at: number }>();

  /**
   * By work tree: pin and minimum of the settings, where they last changed while an agent was present. Such a pending change is not
   * recorded: that the agent has left since does not prove that a human wrote it.
   */
  private readonly dialsBesideAgents = new Map<string, string>();

  constructor(options: DocumentSyncOptions) {
    this.options = options;
  }

  /** `inSession`: an agent's session is open. A file that cannot be read changes nothing, nor does a ledger that cannot be written. */
  async sync(dir: string, inSession: boolean): Promise<void> {
    const { id: workspace, root } = await this.options.locate(dir);
    const begun = this.options.now().getTime();
    const tree: Tree = {
      workspace,
      root,
      isAgentPresent: () => inSession || this.wasAgentPresentSince(workspace, root),
      wasChangedBesideAgent: async (files) => {
        if (this.synced.has(root)) return false;
        const times = await Promise.all(files.map((file) => changedMs(path.join(root, file))));
        return times.some((changed) => this.wasAgentPresentAt(workspace, changed));
      },
    };
    const isDialSynced = await this.syncDial(tree);
    const areIntentsSynced = await this.syncIntents(tree);
    // What cannot be read now is compared with the last sync that could, whoever was present since then.
    if (isDialSynced && areIntentsSynced) this.synced.set(root, { workspace, at: begun });
  }

  /** False: the settings could not be read, or the ledger not written. */
  private async syncDial({ workspace, root, ...tree }: Tree): Promise<boolean> {
    const config = await readConfig(root).catch(() => null);
    if (!config) return false;
    const { pin, minimum } = config.mode;
    const dial = JSON.stringify([pin, minimum]);
    const agentPresent =
      tree.isAgentPresent() || this.dialsBesideAgents.get(root) === dial || (await tree.wasChangedBesideAgent(CONFIG_FILES));
    if (agentPresent) this.dialsBesideAgents.set(root, dial);
    else this.dialsBesideAgents.delete(root);
    return isWritten(this.options.kernel.documents.observeDial(workspace, root, { pin, minimum }, { agentPresent }));
  }

  /** False: the file could not be read, or the ledger not written. */
  private async syncIntents({ workspace, root, ...tree }: Tree): Promise<boolean> {
    const { kernel, minimumMode, viewsWritten } = this.options;
    const read = () => readIntentsFile(root).catch(() => undefined);
    const found = await read();
    if (found === undefined) return false;
    if (kernel.documents.isAsSeen(root, found ?? [])) return true;
    // It differs from the ledger: edited, or the ledger's newest state is only on its way to the file.
    await viewsWritten();
    const intents = await read();
    // No file, where there was one before: every intent in it was removed.
    const isNew = intents !== undefined && (intents !== null || kernel.state.documents.seenIn(root));
    if (!isNew) return true;
    const strict = (await minimumMode(root)) === 'STRICT';
    const agentPresent = tree.isAgentPresent() || (await tree.wasChangedBesideAgent([INTENTS_FILE]));
    const byGit = await isAsInGitIndex(root, INTENTS_FILE).catch(() => false);
    return isWritten(kernel.documents.observeIntents(workspace, root, intents ?? [], { strict, agentPresent, byGit }));
  }

  /** Called when the last agent has just left: every edit until now was made while it was present. */
  async syncWhereAgentsLeft(): Promise<void> {
    const now = this.options.now().getTime();
    const left = new Map<string, number>();
    for (const { session, until } of this.options.agents.presenceEnds())
      if (until <= now) left.set(session.workspace, Math.max(until, left.get(session.workspace) ?? 0));
    for (const [root, { workspace, at }] of this.synced) {
      if ((left.get(workspace) ?? 0) <= at) continue;
      // A work tree that was removed has no documents.
      await this.sync(root, true).catch(() => this.synced.delete(root));
    }
  }

  /** Since this daemon's last sync of the tree; false where there was none. */
  private wasAgentPresentSince(workspace: string, root: string): boolean {
    const since = this.synced.get(root)?.at;
    return (
      since !== undefined &&
      this.options.agents.presenceEnds().some(({ session, until }) => session.workspace === workspace && until > since)
    );
  }

  /** Null: the time is not known, so any agent counts. */
  private wasAgentPresentAt(workspace: string, changed: number | null): boolean {
    return this.options.agents
      .presenceEnds()
      .some(
        ({ session, until }) =>
          session.workspace === workspace &&
          (changed === null || (Date.parse(session.openedAt) - CLOCK_SKEW_MS <= changed && changed <= until + CLOCK_SKEW_MS)),
      );
  }
}

/** False: the ledger cannot be written now. */
async function isWritten(recording: Promise<unknown>): Promise<boolean> {
  try {
    await recording;
    return true;
  } catch (error) {
    if (error instanceof Fault && error.code === 'AUDIT_UNAVAILABLE') return false;
    throw error;
  }
}

/**
 * When its content, name or rights were last changed: a program can set every other time. Of a file that is gone, the time of its folder;
 * null: there is no folder either.
 */
async function changedMs(file: string): Promise<number | null> {
  const folder = path.dirname(file);
  const found = (await stat(file).catch(() => null)) ?? (await stat(folder).catch(() => null));
  return found?.ctimeMs ?? null;
}
