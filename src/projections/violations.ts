// What agents tried and were refused, and what they most likely changed past the gate, by the rule that it broke. Read from the
// ledger, so it survives restarts. A refusal that names no rule, such as for a human's file that cannot be read, is not a
// violation; nor is a change with no agent's action near it.

import { refusalOf } from '../policy/index.ts';
import {
  type Code,
  CODES,
  type Event,
  type EventOf,
  type LedgerRecord,
  outputIn,
  type ViolationCount,
  type ViolationRow,
} from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';
import { subjectOf } from './rows.ts';

export interface ViolationFilter {
  readonly workspace?: string | undefined;
  readonly session?: string | undefined;
  readonly rule?: string | undefined;
}

const PAGE = 500;
const NO_RULE = 'none';

/** Newest first. */
export async function violations(store: EventStore, filter: ViolationFilter, limit: number): Promise<ViolationRow[]> {
  const found: ViolationRow[] = [];
  for await (const row of all(store)) {
    if (!fits(row, filter)) continue;
    if (found.push(row) === limit) break;
  }
  return found;
}

/** Most frequent first. */
export async function countViolations(store: EventStore, filter: ViolationFilter): Promise<ViolationCount[]> {
  const counts = new Map<string, ViolationCount>();
  for await (const row of all(store)) {
    // A change that a human acknowledged or allowed is listed, but counts as no agent's violation.
    if (!fits(row, filter) || row.label) continue;
    const { rule, agent, session } = row;
    const key = JSON.stringify([rule, agent, session]);
    counts.set(key, { rule, agent, session, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count || (a.rule < b.rule ? -1 : 1));
}

async function* all(store: EventStore): AsyncGenerator<ViolationRow> {
  let before: number | undefined;
  const acknowledged = new Set<string>();
  for (;;) {
    const records = await store.find({
      types: ['action_refused', 'action_settled', 'untracked_mutation', 'stamp_missing', 'changes_acknowledged'],
      limit: PAGE,
      ...(before === undefined ? {} : { before }),
    });
    for (const record of records) {
      const { event } = record;
      // Newest first: a human signs after the finding, so the signature is read before it.
      if (event.type === 'changes_acknowledged') {
        for (const file of event.data.files) acknowledged.add(keyOf(event.data.root, file));
        continue;
      }
      const row = await rowOf(store, record);
      if (row && row.rule !== NO_RULE) yield { ...row, ...labelOf(event, acknowledged) };
    }
    if (records.length < PAGE) return;
    before = records.at(-1)?.seq;
  }
}

const keyOf = (root: string, { path, after_sha256 }: { readonly path: string; readonly after_sha256: string | null }): string =>
  JSON.stringify([root, path, after_sha256]);

function labelOf(event: Event, acknowledged: ReadonlySet<string>): Pick<ViolationRow, 'label'> {
  if (event.type !== 'untracked_mutation') return {};
  if (acknowledged.has(keyOf(event.data.root, event.data))) return { label: 'acknowledged' };
  return event.data.paused ? { label: 'paused' } : {};
}

function rowOf(store: EventStore, record: LedgerRecord): Promise<ViolationRow | null> | ViolationRow {
  if (record.event.type === 'action_refused') return refused(record);
  if (record.event.type === 'stamp_missing') return unstamped(store, record);
  return record.event.type === 'untracked_mutation' ? pastTheGate(store, record) : refusedByTool(store, record);
}

function refused({ event, at }: LedgerRecord): ViolationRow {
  const { data } = event as EventOf<'action_refused'>;
  const { error_code, message, also_missing } = refusalOf(data.decision);
  return row(
    data,
    at,
    error_code,
    message,
    also_missing.map((other) => other.error_code),
  );
}

/** A tool that was admitted and then refused itself: a task out of order, a fact without evidence. */
async function refusedByTool(store: EventStore, { event, stream, seq, at }: LedgerRecord): Promise<ViolationRow | null> {
  const { action: id, code, receipt } = (event as EventOf<'action_settled'>).data;
  if (code === undefined || CODES[code as Code]?.kind !== 'refusal') return null;
  const action = await admitted(store, id, seq, stream);
  return action && row(action, at, code, messageIn(outputIn(receipt)) ?? code, []);
}

/** Attributed to the first action that could have done it; the message says how certain that is. */
async function pastTheGate(store: EventStore, { event, seq, at }: LedgerRecord): Promise<ViolationRow | null> {
  const { path, attribution, actions } = (event as EventOf<'untracked_mutation'>).data;
  const action = actions[0] === undefined ? null : await admitted(store, actions[0], seq);
  const whose =
    attribution === 'window' ? 'by this action' : `by this action or ${actions.length > 1 ? 'another' : 'what it left running'}`;
  return action && row(action, at, 'UNTRACKED_MUTATION', `${path} changed without a receipt, most likely ${whose}.`, []);
}

/** A turn that ended without its stamp, by its last change. */
async function unstamped(store: EventStore, { event, seq, at }: LedgerRecord): Promise<ViolationRow | null> {
  const { action: id, turn, times } = (event as EventOf<'stamp_missing'>).data;
  const action = await admitted(store, id, seq);
  const asked = times === 0 ? 'STRICT requires one' : `it was asked for ${times === 1 ? 'once' : `${times} times`}`;
  return action && row(action, at, 'STAMP_MISSING', `The turn ${turn} ended without a stamp after its last change; ${asked}.`, []);
}

async function admitted(store: EventStore, id: string, seq: number, stream?: string): Promise<Acted | null> {
  let before = seq;
  for (;;) {
    const records = await store.find({ types: ['action_admitted'], before, limit: PAGE, ...(stream === undefined ? {} : { stream }) });
    const found = records.find((record) => (record.event as EventOf<'action_admitted'>).data.action.id === id);
    if (found) return (found.event as EventOf<'action_admitted'>).data;
    if (records.length < PAGE) return null;
    before = records.at(-1)!.seq;
  }
}

function messageIn(output: string): string | null {
  try {
    const { message } = JSON.parse(output) as { message?: unknown };
    return typeof message === 'string' ? message : null;
  } catch {
    return null;
  }
}

type Acted = Pick<EventOf<'action_refused'>['data'], 'action' | 'decision'>;

const row = ({ action, decision }: Acted, at: string, code: string, message: string, also: string[]): ViolationRow => {
  const { id, actor, session, workspace, tool, native } = action;
  const entry = CODES[code as Code];
  return {
    action: id,
    at,
    rule: entry && 'rule' in entry ? entry.rule : NO_RULE,
    code,
    message,
    agent: actor.agent,
    session,
    workspace,
    tool: native?.tool ?? tool,
    subject: subjectOf(action),
    intent: decision.facts.intent.selected?.id ?? null,
    also,
  };
};

const fits = (row: ViolationRow, { workspace, session, rule }: ViolationFilter): boolean =>
  (workspace === undefined || workspace === row.workspace) &&
  (session === undefined || session === row.session) &&
  (rule === undefined || rule === row.rule);
