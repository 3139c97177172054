// Reads the documents that humans edit in a work tree, as agents' sessions begin, continue and end. Passes their content to the kernel
// with what is known about the writer: whether an agent was present since the last sync, and whether git wrote it.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Kernel, SessionEntry } from '../kernel/index.ts';
import { Fault, type Mode } from '../protocol/index.ts';
import { INTENTS_FILE, isAsInGitIndex, readConfig, readIntentsFile } from '../workspace/index.ts';

export interface DocumentSyncOptions {
  readonly kernel: Kernel;
  /** Until when each session's agent was, or may have been, present. */
  readonly agents: { untils(): readonly { readonly session: SessionEntry; readonly until: number }[] };
  readonly locate: (dir: string) => Promise<{ readonly id: string; readonly root: string }>;
  readonly minimumMode: (root: string) => Promise<Mode | null>;
  /** Resolves when what the ledger says has been written to the files: a file that lags was not edited. */
  readonly viewsWritten: () => Promise<void>;
  readonly now: () => Date;
}

/** A file's time and the record's are two clocks. */
const CLOCKS_MS = 5_000;

export class DocumentSync {
  private readonly options: DocumentSyncOptions;
  /** By work tree: when this daemon last synced, and could read. */
  private readonly synced = new Map<string, { workspace: string; at: number }>();

  /**
   * By work tree: pin and minimum of the settings, where they last changed while an agent was present. Such a pending change is not
   * recorded: that the agent has left since does not prove that a human wrote it.
   */
  private readonly saidUnderAgents = new Map<string, string>();

  constructor(options: DocumentSyncOptions) {
    this.options = options;
  }

  /** `inSession`: an agent's session is open. A file that cannot be read changes nothing, nor does a ledger that cannot be written. */
  async sync(dir: string, inSession: boolean): Promise<void> {
    const { kernel, locate, minimumMode, viewsWritten, now } = this.options;
    const { id: workspace, root } = await locate(dir);
    const begun = now().getTime();
    const isAgentPresent = () => inSession || this.wasAgentPresentSince(workspace, root);
    const isFromThen = async (file: string) => this.isChangeOfAgents(workspace, await changedMs(path.join(root, file)));
    let recorded = true;
    const unlessUnwritable = (error: unknown) => {
      if (!(error instanceof Fault && error.code === 'AUDIT_UNAVAILABLE')) throw error;
      recorded = false;
    };

    const config = await readConfig(root).catch(() => null);
    if (config) {
      const { pin, minimum } = config.mode;
      const said = JSON.stringify([pin, minimum]);
      const agentPresent =
        isAgentPresent() ||
        this.saidUnderAgents.get(root) === said ||
        (!this.synced.has(root) && (await Promise.all(CONFIG_FILES.map(isFromThen))).some(Boolean));
      if (agentPresent) this.saidUnderAgents.set(root, said);
      else this.saidUnderAgents.delete(root);
      await kernel.documents.observeDial(workspace, root, { pin, minimum }, { agentPresent }).catch(unlessUnwritable);
    }
    const first = await readIntentsFile(root).catch(() => undefined);
    const isOther = first !== undefined && !kernel.documents.isAsSeen(root, first ?? []);
    if (isOther) await viewsWritten();
    const written = isOther ? await readIntentsFile(root).catch(() => undefined) : undefined;
    // The file is gone: every intent in it was removed.
    if (written !== undefined && (written !== null || kernel.state.documents.seenIn(root))) {
      const strict = (await minimumMode(root)) === 'STRICT';
      // Another daemon read it last: only the time of the change can decide.
      const agentPresent = isAgentPresent() || (!this.synced.has(root) && (await isFromThen(INTENTS_FILE)));
      const byGit = await isAsInGitIndex(root, INTENTS_FILE).catch(() => false);
      await kernel.documents.observeIntents(workspace, root, written ?? [], { strict, agentPresent, byGit }).catch(unlessUnwritable);
    }
    // What cannot be read now is compared with the last sync that could, whoever was present since then.
    if (config && first !== undefined && recorded) this.synced.set(root, { workspace, at: begun });
  }

  /** Called when the last agent has just left: every edit until now was made while it was present. */
  async syncWhereAgentsLeft(): Promise<void> {
    const now = this.options.now().getTime();
    const left = new Map<string, number>();
    for (const { session, until } of this.options.agents.untils())
      if (until <= now) left.set(session.workspace, Math.max(until, left.get(session.workspace) ?? 0));
    for (const [root, { workspace, at }] of this.synced) {
      if ((left.get(workspace) ?? 0) <= at) continue;
      // A work tree that was removed has no documents.
      await this.sync(root, true).catch(() => this.synced.delete(root));
    }
  }

  /** Some agent was present since this daemon's last sync; false where it has not. */
  private wasAgentPresentSince(workspace: string, root: string): boolean {
    const since = this.synced.get(root)?.at;
    return (
      since !== undefined && this.options.agents.untils().some(({ session, until }) => session.workspace === workspace && until > since)
    );
  }

  /** Some agent was present when the file was last changed; null: the time of that change is unknown. */
  private isChangeOfAgents(workspace: string, changed: number | null): boolean {
    return this.options.agents
      .untils()
      .some(
        ({ session, until }) =>
          session.workspace === workspace &&
          (changed === null || (Date.parse(session.openedAt) - CLOCKS_MS <= changed && changed <= until + CLOCKS_MS)),
      );
  }
}

const CONFIG_FILES = ['.ai/config/base.json', '.ai/config/repo.json', '.ai/config/env.local.json'];

/** When its content, name or rights were last changed: a program can set every other time. Null: there is no such file. */
async function changedMs(file: string): Promise<number | null> {
  const folder = path.dirname(file);
  const found = (await stat(file).catch(() => null)) ?? (await stat(folder).catch(() => null));
  return found?.ctimeMs ?? null;
}
