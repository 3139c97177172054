// What agents and humans stored, folded from the ledger, a shelf for each workspace.
//
// INVARIANT: a record costs next to nothing when it is applied; text is only read for a query, and then only new text.

import type { Claim, ClaimKind, LedgerRecord } from '../protocol/index.ts';
import { contradict, type Reading, readingOf, SUBJECT_OVERLAP } from './contradiction.ts';
import { exportLines } from './exchange.ts';
import { joinChecks, KIND_ORDER, mayMerge, merge } from './merge.ts';
import { fieldsOf, type Hit, type Ranked, type RecallQuery, recallFrom, weightOf } from './recall.ts';
import { statementKey } from './statement.ts';
import { stem } from './stem.ts';
import { TextIndex } from './text-index.ts';
import { wordsOf } from './words.ts';

export class Memory {
  readonly #shelves = new Map<string, Shelf>();

  apply(record: LedgerRecord): void {
    const { event } = record;
    switch (event.type) {
      case 'claim_kept':
        return this.#shelf(event.data.workspace).keep(event.data.claim);
      case 'claim_merged':
        return this.#shelf(event.data.workspace).join(event.data.into, event.data.addition);
      case 'claim_checked': {
        const { checks } = event.data;
        return this.#shelf(event.data.workspace).change(event.data.claim, (claim) => ({
          ...claim,
          checks: joinChecks(claim.checks, checks),
        }));
      }
      case 'claim_approved': {
        const { human } = event.data;
        return this.#shelf(event.data.workspace).change(event.data.claim, (claim) => ({ ...claim, approved: human }));
      }
      case 'claim_retired':
        return this.#shelf(event.data.workspace).retire(event.data.claim);
      default:
    }
  }

  save(): unknown {
    return new Map([...this.#shelves].map(([workspace, shelf]) => [workspace, shelf.save()]));
  }

  restore(saved: unknown): void {
    for (const [workspace, entries] of saved as Map<string, SavedEntry[]>) this.#shelf(workspace).restore(entries);
  }

  /** Best first; nothing for a question without a hit. */
  recall(workspace: string, asked: RecallQuery): Hit[] {
    return this.#shelves.get(workspace)?.recall(asked) ?? [];
  }

  /** The latest statements, newest first. */
  recent(workspace: string, limit: number): Claim[] {
    return this.#shelves.get(workspace)?.recent(limit) ?? [];
  }

  get(workspace: string, id: string): Claim | null {
    return this.#shelves.get(workspace)?.get(id)?.claim ?? null;
  }

  size(workspace: string): number {
    return this.#shelves.get(workspace)?.size ?? 0;
  }

  /** How often it was said; 0 for an unknown claim. */
  timesOf(workspace: string, id: string): number {
    return this.#shelves.get(workspace)?.get(id)?.times ?? 0;
  }

  /** The claim that says the same already (see `statementKey`) and that one of this kind may be merged into. */
  duplicateOf(workspace: string, statement: string, kind: ClaimKind): Claim | null {
    return this.#shelves.get(workspace)?.duplicateOf(statement, kind) ?? null;
  }

  /** Ids of the claims that contradict it (see `contradict`). */
  contradictionsOf(workspace: string, claim: Claim): string[] {
    return this.#shelves.get(workspace)?.contradictionsOf(claim) ?? [];
  }

  /** Oldest first, one line each, after a line that names the format. */
  exportLines(workspace: string): Iterable<string> {
    return exportLines(this.#shelves.get(workspace)?.claims() ?? []);
  }

  #shelf(workspace: string): Shelf {
    let shelf = this.#shelves.get(workspace);
    if (!shelf) this.#shelves.set(workspace, (shelf = new Shelf()));
    return shelf;
  }
}

interface Entry extends Ranked {
  claim: Claim;
  times: number;
  saidAt: number;
  retired: boolean;
  /** Where it is in the index, and the claim whose text that is. */
  indexed: { readonly number: number; readonly as: Claim } | null;
  reading: Reading | null;
}

type SavedEntry = Pick<Entry, 'claim' | 'times' | 'saidAt'>;

/** Of the memories that share a rare word with a claim, so many of the newest are compared with it. */
const COMPARED_PER_WORD = 500;

class Shelf {
  /** In the order in which they were last said. */
  readonly #entries = new Map<string, Entry>();
  /** Both null until the first query. */
  #index: TextIndex<Entry> | null = null;
  #byStatement: Map<string, Set<Entry>> | null = null;
  readonly #unread = new Set<Entry>();

  get size(): number {
    return this.#entries.size;
  }

  save(): SavedEntry[] {
    return [...this.#entries.values()].map(({ claim, times, saidAt }) => ({ claim, times, saidAt }));
  }

  restore(saved: readonly SavedEntry[]): void {
    for (const entry of saved) this.#entries.set(entry.claim.id, { ...entry, retired: false, indexed: null, reading: null });
  }

  keep(claim: Claim): void {
    const entry: Entry = { claim, times: 1, saidAt: Date.parse(claim.written_at), retired: false, indexed: null, reading: null };
    this.#entries.set(claim.id, entry);
    if (this.#index) this.#unread.add(entry);
    if (this.#byStatement) file(this.#byStatement, entry);
  }

  join(id: string, addition: Claim): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.change(id, (claim) => merge(claim, addition));
    entry.times++;
    entry.saidAt = Math.max(entry.saidAt, Date.parse(addition.written_at));
    this.#entries.delete(id);
    this.#entries.set(id, entry);
  }

  change(id: string, next: (claim: Claim) => Claim): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.claim = next(entry.claim);
    if (this.#index) this.#unread.add(entry);
  }

  retire(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.retired = true;
    this.#entries.delete(id);
    this.#byStatement?.get(statementKey(entry.claim.statement))?.delete(entry);
    if (this.#index) this.#unread.add(entry);
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  *claims(): Generator<Claim> {
    for (const { claim } of this.#entries.values()) yield claim;
  }

  recall(asked: RecallQuery): Hit[] {
    return recallFrom(this.#read(), asked);
  }

  recent(limit: number): Claim[] {
    return limit < 1 ? [] : [...this.claims()].slice(-limit).toReversed();
  }

  duplicateOf(statement: string, kind: ClaimKind): Claim | null {
    if (this.#byStatement === null) {
      this.#byStatement = new Map();
      for (const entry of this.#entries.values()) file(this.#byStatement, entry);
    }
    const same = [...(this.#byStatement.get(statementKey(statement)) ?? [])]
      .map(({ claim }) => claim)
      .filter((claim) => mayMerge(claim.kind, kind));
    const order = (claim: Claim): number => (claim.kind === kind ? -1 : KIND_ORDER.indexOf(claim.kind));
    return same.toSorted((a, b) => order(a) - order(b))[0] ?? null;
  }

  contradictionsOf(claim: Claim): string[] {
    const index = this.#read();
    const reading = readingOf(claim.statement);
    const found = new Set<string>();
    const seen = new Set<Entry>();
    for (const term of rareTerms(index, reading)) {
      let compared = 0;
      for (const entry of index.having(term)) {
        if (compared++ === COMPARED_PER_WORD) break;
        if (seen.has(entry)) continue;
        seen.add(entry);
        if (entry.claim.id !== claim.id && contradict(reading, (entry.reading ??= readingOf(entry.claim.statement))))
          found.add(entry.claim.id);
      }
    }
    return [...found].toSorted();
  }

  /** Brings the index up to what is on the shelf. */
  #read(): TextIndex<Entry> {
    let unread: Iterable<Entry> = this.#unread;
    if (this.#index === null || this.#index.wantsRebuilding) {
      this.#index = new TextIndex();
      for (const entry of this.#entries.values()) entry.indexed = null;
      unread = this.#entries.values();
    }
    for (const entry of unread) this.#readOne(this.#index, entry);
    this.#unread.clear();
    return this.#index;
  }

  #readOne(index: TextIndex<Entry>, entry: Entry): void {
    const before = entry.indexed;
    const fields = fieldsOf(entry.claim);
    if (before && !entry.retired && sameFields(fields, fieldsOf(before.as)))
      return index.mark(before.number, weightOf(entry.claim), entry.saidAt);
    if (before) index.remove(before.number, fieldsOf(before.as));
    entry.indexed = entry.retired ? null : { number: index.add(fields, entry), as: entry.claim };
    if (entry.indexed) index.mark(entry.indexed.number, weightOf(entry.claim), entry.saidAt);
  }
}

function file(byStatement: Map<string, Set<Entry>>, entry: Entry): void {
  const key = statementKey(entry.claim.statement);
  const same = byStatement.get(key);
  if (same) same.add(entry);
  else byStatement.set(key, new Set([entry]));
}

const sameFields = (one: ReturnType<typeof fieldsOf>, other: ReturnType<typeof fieldsOf>): boolean =>
  one.statement === other.statement && one.rationale === other.rationale && one.paths === other.paths;

/** Two statements whose subjects overlap enough share at least one of so many of the rarest words. */
function rareTerms(index: TextIndex<Entry>, { subject, names }: Reading): string[] {
  const terms = new Set([...subject].map(stem));
  // Names must be the same in both, so one of them is enough.
  const [name] = names;
  for (const { parts } of name === undefined ? [] : wordsOf(name)) for (const { term } of parts) terms.add(term);
  const needed = terms.size - Math.ceil(SUBJECT_OVERLAP * terms.size) + 1;
  return [...terms].toSorted((a, b) => index.frequency(a) - index.frequency(b) || (a < b ? -1 : 1)).slice(0, needed);
}
