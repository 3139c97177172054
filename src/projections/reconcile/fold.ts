// What the ledger says about the trees: the content that each file should have, contents that were accounted for before, and when
// actions that can change files were under way. Folded from every record, from the first one on.

import type { Action, EventOf, FileRef, Human, LedgerRecord } from '../../protocol/index.ts';
import type { ActionSpan, Explained, Explanations } from '../../workspace/index.ts';

export type Untracked = EventOf<'untracked_mutation'>['data'] & { readonly acknowledged?: Human };

const CONTENTS_PER_PATH = 16;
const SPANS_PER_ROOT = 1_000;
const FOUND_PER_SESSION = 200;

export class ReconcileFold implements Explanations {
  seq = 0;
  private readonly explained = new Map<string, Map<string, Explained>>();
  private readonly spans = new Map<string, Map<string, ActionSpan>>();
  private readonly rootOfAction = new Map<string, string>();
  private readonly contents = new Map<string, Set<string>>();
  private readonly reported = new Map<string, Untracked[]>();
  /** The newest finding about a file, where no receipt explains its content. */
  private readonly untracked = new Map<string, Map<string, Untracked>>();
  private readonly counts = new Map<string, Record<Untracked['attribution'], number>>();
  /** Not part of the folded state. */
  readonly #shown: (path: string) => string;

  constructor(shown: (path: string) => string = (path) => path) {
    this.#shown = shown;
  }

  shown(path: string): string {
    return this.#shown(path);
  }

  apply({ seq, at, event }: LedgerRecord): void {
    this.seq = seq;
    switch (event.type) {
      case 'action_admitted':
        this.begin(event.data.action, event.data.decision.facts.files, at);
        break;
      case 'action_settled': {
        const root = this.end(event.data.action, at);
        if (root !== undefined) for (const ref of event.data.receipt.file_refs) this.explain(root, ref, { seq, at });
        break;
      }
      case 'action_unknown':
        this.end(event.data.action, at);
        break;
      case 'changes_undone':
      case 'changes_merged':
        for (const ref of event.data.files) this.explain(event.data.root, ref, { seq, at });
        break;
      case 'untracked_mutation':
        this.explain(event.data.root, event.data, { seq, at });
        this.untracked.set(event.data.root, (this.untracked.get(event.data.root) ?? new Map()).set(event.data.path, event.data));
        this.count(event.data);
        this.report(event.data);
        break;
      case 'changes_acknowledged':
        for (const file of event.data.files) this.acknowledge(event.data.root, file, event.data.human);
        break;
      case 'turn_begun':
        this.reported.delete(event.data.session);
        break;
      case 'session_closed':
        this.reported.delete(event.data.session);
        break;
      default:
        break;
    }
  }

  explainedSince(root: string, seq: number): Map<string, Explained> {
    return new Map([...(this.explained.get(root) ?? [])].filter(([, entry]) => entry.seq > seq));
  }

  explainedAt(root: string, path: string): Explained | undefined {
    return this.explained.get(root)?.get(this.shown(path));
  }

  /** A content that this path had in some work tree, and that was accounted for. */
  wasSeen(path: string, sha256: string): boolean {
    return this.contents.get(this.shown(path))?.has(sha256) ?? false;
  }

  /** Actions that were under way at some time since then. */
  spansSince(root: string, fromMs: number): ActionSpan[] {
    return [...(this.spans.get(root)?.values() ?? [])].filter(({ toMs }) => toMs === null || toMs > fromMs);
  }

  openSpans(root: string): ActionSpan[] {
    return [...(this.spans.get(root)?.values() ?? [])].filter(({ toMs }) => toMs === null);
  }

  /** The agent reported the action's end, and the tree was looked at since: later changes are not from this action. */
  isOver(action: string, at: Date): void {
    const span = this.spans.get(this.rootOfAction.get(action) ?? '')?.get(action);
    if (span) span.overMs ??= at.getTime();
  }

  /** What was found in this turn that a session's own actions may have done. */
  foundFor(session: string): readonly Untracked[] {
    return this.reported.get(session) ?? [];
  }

  /** Newest last. */
  untrackedIn(root: string): readonly Untracked[] {
    return [...(this.untracked.get(root)?.values() ?? [])];
  }

  countsOf(root: string): Readonly<Record<Untracked['attribution'], number>> {
    return this.counts.get(root) ?? NOTHING_COUNTED;
  }

  private begin(action: Action, files: readonly { readonly real: string | null; readonly access: string }[], at: string): void {
    const executes = action.effects.includes('execute') || action.effects.includes('external');
    const paths = new Set(files.flatMap(({ real, access }) => (real === null || access === 'read' ? [] : [real])));
    if (!executes && paths.size === 0) return;
    const here = this.spans.get(action.root) ?? new Map<string, ActionSpan>();
    here.set(action.id, { id: action.id, session: action.session, root: action.root, fromMs: Date.parse(at), toMs: null, executes, paths });
    this.spans.set(action.root, here);
    this.rootOfAction.set(action.id, action.root);
    for (const [id, { toMs }] of here) {
      if (here.size <= SPANS_PER_ROOT) break;
      if (toMs === null) continue;
      here.delete(id);
      this.rootOfAction.delete(id);
    }
  }

  private end(action: string, at: string): string | undefined {
    const root = this.rootOfAction.get(action);
    const span = root === undefined ? undefined : this.spans.get(root)?.get(action);
    if (span) span.toMs = span.overMs ?? Date.parse(at);
    return root;
  }

  private explain(
    root: string,
    { path, before_sha256, after_sha256 }: Pick<FileRef, 'path' | 'before_sha256' | 'after_sha256'>,
    when: { seq: number; at: string },
  ): void {
    const here = this.explained.get(root) ?? new Map<string, Explained>();
    here.set(path, { sha256: after_sha256, ...when });
    this.untracked.get(root)?.delete(path);
    this.explained.set(root, here);
    const known = this.contents.get(path) ?? new Set<string>();
    for (const sha256 of [before_sha256, after_sha256]) {
      if (sha256 === null) continue;
      known.delete(sha256);
      known.add(sha256);
    }
    for (const oldest of known) {
      if (known.size <= CONTENTS_PER_PATH) break;
      known.delete(oldest);
    }
    this.contents.set(path, known);
  }

  /** Acknowledged by a human: still without a receipt, and no longer counted as open. */
  private acknowledge(root: string, { path, after_sha256 }: Pick<Untracked, 'path' | 'after_sha256'>, human: Human): void {
    const found = this.untracked.get(root)?.get(path);
    if (!found || found.after_sha256 !== after_sha256 || found.acknowledged) return;
    this.untracked.get(root)?.set(path, { ...found, acknowledged: human });
    this.count(found, -1);
  }

  private count({ root, attribution }: Untracked, by: 1 | -1 = 1): void {
    const here = this.counts.get(root) ?? { ...NOTHING_COUNTED };
    here[attribution] += by;
    this.counts.set(root, here);
  }

  private report(found: Untracked): void {
    if (found.attribution !== 'window' && found.attribution !== 'ambiguous') return;
    const spans = this.spans.get(found.root);
    for (const session of new Set(found.actions.flatMap((id) => spans?.get(id)?.session ?? []))) {
      const list = this.reported.get(session) ?? [];
      if (list.length < FOUND_PER_SESSION) list.push(found);
      this.reported.set(session, list);
    }
  }
}

const NOTHING_COUNTED: Readonly<Record<Untracked['attribution'], number>> = {
  exact: 0,
  window: 0,
  ambiguous: 0,
  'human-unproven': 0,
  unknown: 0,
};
