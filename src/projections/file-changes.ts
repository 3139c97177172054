// Every recorded change of a file, in the order of the ledger: what blame replays and undo takes back. Read from the ledger on
// demand, and only what is new since the last time.

import type { State } from '../kernel/index.ts';
import type { Attribution, EventOf, FileRef, Human, LedgerRecord, Receipt } from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';
import { SessionPlaces } from './session-places.ts';

export interface Author {
  readonly receipt: string;
  readonly action: string;
  readonly session: string;
  readonly agent: string;
  readonly model: string | null;
  readonly tool: string;
  readonly intent: string | null;
}

/** Files that changed at once, and by whom as far as is recorded. */
export interface RecordedChange {
  readonly seq: number;
  readonly at: string;
  readonly files: readonly FileRef[];
  readonly by:
    | { readonly kind: 'receipt'; readonly author: Author }
    /** Seen afterwards. `actions` were open then. */
    | { readonly kind: 'seen'; readonly attribution: Attribution; readonly actions: readonly string[] }
    | { readonly kind: 'undo'; readonly target: string; readonly human: Human };
}

interface Acknowledgement {
  readonly human: Human;
  readonly at: string;
  readonly reason: string | undefined;
}

const TYPES = ['action_settled', 'untracked_mutation', 'changes_undone', 'changes_merged', 'changes_acknowledged'] as const;
type ChangeEvent = EventOf<(typeof TYPES)[number]>;
const PAGE = 500;

export class FileChanges {
  private readonly store: EventStore;
  private readonly state: State;
  private readonly places: SessionPlaces;
  private readonly byRoot = new Map<string, RecordedChange[]>();
  private readonly authors = new Map<string, Author>();
  /** Who signed for a content that no receipt explains, by work tree, path and hash. */
  private readonly acknowledged = new Map<string, Acknowledgement>();
  /** Of the look that was added last, which may have found more. */
  private lastScan: { readonly key: string; readonly files: FileRef[]; readonly paths: Set<string> } | null = null;
  private seen = 0;
  private reading: Promise<void> = Promise.resolve();

  constructor(store: EventStore, state: State) {
    this.store = store;
    this.state = state;
    this.places = new SessionPlaces(store);
  }

  /** Oldest first. */
  async in(root: string): Promise<readonly RecordedChange[]> {
    const reading = this.reading.then(() => this.catchUp());
    // The next reader tries again.
    this.reading = reading.catch(() => {});
    await reading;
    return this.byRoot.get(root) ?? [];
  }

  /** Who did an action, by its receipt. */
  authorOf(action: string): Author | undefined {
    return this.authors.get(action);
  }

  acknowledgedBy(root: string, path: string, sha256: string | null): Acknowledgement | undefined {
    return this.acknowledged.get(JSON.stringify([root, path, sha256]));
  }

  /** The only action that can have made a change; null when there is none or it is unknown. */
  actionOf({ by }: RecordedChange): string | null {
    if (by.kind === 'receipt') return by.author.action;
    const [action, ...more] = by.kind === 'seen' ? by.actions : [];
    const isAttributed = by.kind === 'seen' && (by.attribution === 'exact' || by.attribution === 'window');
    return isAttributed && action !== undefined && more.length === 0 ? action : null;
  }

  /** The files that a session and its sub-agents changed, as they were before the first change; null: the file did not exist. */
  async changedBy(session: string, root: string): Promise<Map<string, string | null>> {
    const before = new Map<string, string | null>();
    for (const change of await this.in(root)) {
      const action = this.actionOf(change);
      const by = action === null ? undefined : this.authorOf(action)?.session;
      if (by === undefined || (by !== session && this.state.sessions.get(by)?.parent !== session)) continue;
      for (const { path, before_sha256 } of change.files) if (!before.has(path)) before.set(path, before_sha256);
    }
    return before;
  }

  private async catchUp(): Promise<void> {
    const news: LedgerRecord[] = [];
    for (let before: number | undefined; ; before = news.at(-1)?.seq) {
      const page = await this.store.find({ types: TYPES, limit: PAGE, ...(before === undefined ? {} : { before }) });
      news.push(...page.filter(({ seq }) => seq > this.seen));
      if (page.length < PAGE || page.some(({ seq }) => seq <= this.seen)) break;
    }
    for (const record of news.reverse()) {
      await this.add(record, record.event as ChangeEvent);
      this.seen = record.seq;
    }
  }

  private async add({ seq, at }: LedgerRecord, event: ChangeEvent): Promise<void> {
    if (event.type === 'action_settled') {
      const { receipt } = event.data;
      const author = authorIn(receipt);
      this.authors.set(author.action, author);
      const place = receipt.file_refs.length > 0 ? await this.places.ofReceipt(receipt) : null;
      if (place) this.listOf(place.root).push({ seq, at: receipt.timestamp, files: receipt.file_refs, by: { kind: 'receipt', author } });
    } else if (event.type === 'changes_undone') {
      const { root, files, target, human } = event.data;
      if (files.length > 0) this.listOf(root).push({ seq, at, files, by: { kind: 'undo', target, human } });
    } else if (event.type === 'changes_merged') {
      const { root, files } = event.data;
      // Each file is its agent's work, as in the run's own tree.
      for (const [action, own] of Map.groupBy(files, (file) => file.action)) {
        const author = this.authors.get(action);
        if (author) this.listOf(root).push({ seq, at, files: own, by: { kind: 'receipt', author } });
      }
    } else if (event.type === 'changes_acknowledged') {
      const { root, files, human, reason } = event.data;
      for (const { path, after_sha256 } of files) this.acknowledged.set(JSON.stringify([root, path, after_sha256]), { human, at, reason });
    } else this.addSeen(seq, event.data);
  }

  /** What one look found is one change: a file that was renamed is two findings of it. */
  private addSeen(seq: number, { root, path, before_sha256, after_sha256, window, attribution, actions }: SeenData): void {
    const list = this.listOf(root);
    const key = [root, window.from, window.to, attribution, ...actions].join('\n');
    const file: FileRef = { path, before_sha256, after_sha256, ranges: [] };
    const isSame = this.lastScan?.key === key && this.lastScan.files === list.at(-1)?.files && !this.lastScan.paths.has(path);
    if (this.lastScan && isSame) {
      this.lastScan.files.push(file);
      this.lastScan.paths.add(path);
      return;
    }
    this.lastScan = { key, files: [file], paths: new Set([path]) };
    list.push({ seq, at: window.to, files: this.lastScan.files, by: { kind: 'seen', attribution, actions } });
  }

  private listOf(root: string): RecordedChange[] {
    const list = this.byRoot.get(root) ?? [];
    this.byRoot.set(root, list);
    return list;
  }
}

type SeenData = EventOf<'untracked_mutation'>['data'];

function authorIn({ receipt_id, action_id, task_id, agent_id, model, tool_id, intent }: Receipt): Author {
  return { receipt: receipt_id, action: action_id, session: task_id, agent: agent_id, model: model ?? null, tool: tool_id, intent };
}
