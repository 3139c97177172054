// The daemon's memory: the ledger's events, folded in order. Facts are read from here, never from an index that may lag. Folded
// from the ledger at every start, or restored from a snapshot and folded on from there.

import {
  type Action,
  type ActionState,
  type Decision,
  type LedgerRecord,
  mutates,
  type Receipt,
  type StateEvent,
} from '../protocol/index.ts';
import { countRefusal, refusalKey } from './breaker.ts';
import { noteFailure } from './failures.ts';
import { ForeignText } from './foreign-text.ts';
import { CommandRules } from './command-rules.ts';
import { restoreFields, savedFields } from './fold-fields.ts';
import { forgetBeyond, forgetOldest } from './forget-oldest.ts';
import { Approvers } from './approvers.ts';
import { DocumentEdits } from './document-edits.ts';
import { Gaps } from './gaps.ts';
import { GivenIds } from './given-ids.ts';
import { Grants } from './grants.ts';
import { Leases } from './leases.ts';
import { MemoryMarks } from './memory-marks.ts';
import { ModeLimits } from './mode-limits.ts';
import { newestQuestion } from './newest-question.ts';
import { Positions } from './positions.ts';
import { Presence } from './presence.ts';
import { readWhole, see, type SeenFile } from './seen-files.ts';
import { TaskBooks } from './task-books.ts';
import { forgetDetails, openedSession } from './opened-session.ts';
import type { ActionEntry, ApprovalEntry, IntentEntry, SessionEntry } from './state-entries.ts';
import { foldTurn, noteNode } from './fold-turn.ts';
import { type WorkEntry, Works } from './works.ts';
import { writesOnlyScratch } from './turn.ts';

/** Ended sessions and actions and answered approvals kept in memory for the page; older ones are in the ledger. */
const KEEP_ENDED = 500;
/** Not every agent reports its end. */
const IDLE_MS = 7 * 24 * 3600 * 1000;
/** Receipts that a completed task cites at most. */
const RECEIPTS_OF_WORK = 50;
const ENDS = { approval_spent: 'spent', approval_expired: 'expired', approval_withdrawn: 'withdrawn' } as const;

export class State {
  readonly sessions = new Map<string, SessionEntry>();
  readonly actions = new Map<string, ActionEntry>();
  readonly leases = new Leases();
  readonly approvals = new Map<string, ApprovalEntry>();
  /** By workspace, then by intent id. */
  readonly intents = new Map<string, Map<string, IntentEntry>>();
  readonly presence = new Presence();
  readonly modeLimits = new ModeLimits();
  /** Workspaces where verdicts are only recorded, and since when. */
  readonly observing = new Map<string, string>();
  readonly grants = new Grants();
  readonly approvers = new Approvers();
  /** Pauses, and times without hooks. */
  readonly gaps = new Gaps();
  readonly documents = new DocumentEdits();
  readonly commandRules = new CommandRules();
  readonly memoryMarks = new MemoryMarks();
  /** Tasks whose text a human confirmed, by work tree. */
  readonly confirmedTasks = new Map<string, Set<string>>();
  readonly taskBooks = new TaskBooks();
  readonly positions = new Positions();
  readonly givenIds = new GivenIds();
  readonly works = new Works();
  readonly foreignText = new ForeignText();

  save(): unknown {
    return savedFields(this);
  }

  /** Only into a state that has folded nothing yet. */
  restore(saved: unknown): void {
    restoreFields(this, saved);
    for (const entry of this.actions.values()) this.leases.note(entry);
  }

  /** Whether verdicts about this session are only recorded. */
  isObserved(session: string): boolean {
    return this.observing.has(this.sessions.get(session)?.workspace ?? '');
  }

  apply(record: LedgerRecord): void {
    const { event, at } = record as LedgerRecord & { readonly event: StateEvent };
    this.positions.apply(record);
    this.works.apply(record, this);
    switch (event.type) {
      case 'session_opened': {
        const { session, parent, inherited } = event.data;
        const above = inherited && parent ? this.sessions.get(parent) : undefined;
        this.sessions.set(session, openedSession(event.data, at, this.sessions.get(session), above));
        forgetOldest(this.sessions, KEEP_ENDED, (entry) => this.presence.isOver(entry, at, IDLE_MS), forgetDetails);
        break;
      }
      case 'agent_process_reported':
      case 'agent_process_proven':
      case 'agent_processes_ended':
        this.presence.apply(event, at);
        break;
      case 'turn_begun':
      case 'mode_declared':
      case 'intent_selected':
      case 'recall_done':
      case 'stamp_issued':
      case 'stamp_demanded':
      case 'stamp_missing':
      case 'steps_observed':
      case 'work_abandoned':
      case 'walls_used':
      case 'session_closed':
        this.touch(event.data.session, at, (session) => foldTurn(session, record));
        break;

      case 'action_observed':
        Object.assign(this.enter(event.data.action, event.data.decision, 'observed', null, at), {
          receipt: event.data.receipt,
          observing: event.data.observing ?? false,
          paused: event.data.paused ?? false,
        });
        this.ended(event.data.action, event.data.receipt, event.data.code, at);
        this.see(event.data.action.session, readWhole(event.data.action, event.data.decision.facts.files));
        break;
      case 'action_refused': {
        const { action, decision, approval } = event.data;
        this.enter(action, decision, 'refused', approval, at);
        const leading = decision.verdicts.find(({ outcome }) => outcome === decision.outcome);
        if (leading && leading.outcome !== 'allow') this.repeated(action, leading.code, at);
        // The refusal says what changed, so the agent has seen it: each conflict is reported once.
        const shown = decision.facts.files.filter(({ since, sha256 }) => since !== null || sha256 === null);
        if (leading?.outcome === 'deny' && leading.code === 'STALE_FILE') this.see(action.session, shown);
        break;
      }
      case 'action_waiting':
        this.enter(event.data.action, event.data.decision, 'waiting', event.data.approval, at);
        break;
      case 'action_admitted':
        Object.assign(this.enter(event.data.action, event.data.decision, 'admitted', event.data.approval, at), {
          fence: record.seq,
          observing: event.data.observing ?? false,
          paused: event.data.paused ?? false,
        });
        // An action that a human approved individually used no grant.
        if (event.data.approval === null) this.grants.use(event.data.decision.facts.allowance?.grants ?? [], at);
        if (mutates(event.data.action.effects)) {
          // It succeeded: earlier refusals are not a loop.
          this.touch(event.data.action.session, at, (session) => {
            session.streaks.clear();
            noteNode(session, event.data.decision.facts.plan?.node ?? null);
          });
          // Whether a command changed a file is known when it has ended.
          if (event.data.action.effects.includes('write') && !writesOnlyScratch(event.data.decision)) this.noteChange(event.data.action);
          this.noteCurrentTask(event.data.action, event.data.decision);
        }
        break;
      case 'action_lapsed':
        this.move(event.data.action, 'refused', event.data.reason);
        break;
      case 'action_unknown':
        this.move(event.data.action, 'unknown', event.data.reason);
        this.noteUnknown(event.data.action, at);
        forgetBeyond(this.actions, KEEP_ENDED, ({ state }) => state === 'unknown');
        break;
      case 'action_settled': {
        this.move(event.data.action, 'settled', null);
        const entry = this.actions.get(event.data.action);
        if (entry) {
          entry.receipt = event.data.receipt;
          entry.overtakenBy = event.data.overtaken_by ?? null;
          // An action that changed no file leaves the evidence of earlier commands as it was.
          if (event.data.receipt.file_refs.length > 0) {
            this.memoryMarks.changed(entry.action.workspace, at);
            if (!entry.action.effects.includes('write')) this.noteChange(entry.action);
          }
          for (const { path, after_sha256 } of event.data.receipt.file_refs)
            this.see(entry.action.session, [{ real: path, sha256: after_sha256 }]);
          const session = this.sessions.get(entry.action.session);
          if (session && event.data.receipt.walls) session.walls = event.data.receipt.walls.level;
          this.ended(entry.action, event.data.receipt, event.data.code, at);
        }
        break;
      }

      case 'approval_requested': {
        const { approval } = event.data;
        // Written in one append right after the `action_waiting` that asks.
        const asking = this.actions.get(approval.action);
        if (asking) {
          const { action, decision } = asking;
          this.approvals.set(approval.id, { approval, action, decision, state: 'pending', reason: null, human: null, fence: null });
          forgetOldest(this.approvals, KEEP_ENDED, ({ state }) => state !== 'pending' && state !== 'approved');
        }
        break;
      }
      case 'approval_answered': {
        const { approval, answer: state, reason, human } = event.data;
        this.answer(approval, { state, reason, human, fence: record.stream_seq });
        this.noteAnswer(approval, state);
        break;
      }
      case 'approval_spent':
      case 'approval_expired':
      case 'approval_withdrawn':
        this.answer(event.data.approval, { state: ENDS[event.type] });
        break;

      case 'grant_made':
        this.grants.make(event.data);
        break;
      case 'tool_remembered':
        this.grants.remember(event.data);
        break;
      case 'grant_ended':
        this.grants.end(event.data.grant);
        break;
      case 'command_rules_proposed':
        this.commandRules.propose(event.data);
        break;
      case 'command_rule_decided':
        this.commandRules.decide(event.data);
        break;

      case 'intent_proposed':
        this.enterIntent({ workspace: event.data.workspace, intent: event.data.intent, human: null, at });
        break;
      case 'intent_confirmed':
        this.enterIntent({ workspace: event.data.workspace, intent: event.data.intent, human: event.data.human, at });
        this.documents.settle(event.data.workspace, event.data.intent.id);
        break;
      case 'intents_file_seen':
      case 'intent_edit_waiting':
      case 'settings_dial_taken':
      case 'settings_taken':
      case 'settings_edit_waiting':
        this.documents.apply(event, at);
        break;
      case 'approver_enrolled':
      case 'approver_removed':
        this.approvers.apply(event, at);
        break;
      case 'gate_paused':
      case 'pause_ended':
      case 'gate_unwired':
      case 'gate_rewired':
        this.gaps.apply(event, at);
        break;

      case 'mode_limited':
        this.modeLimits.set(event.data);
        break;
      case 'observing_set':
        if (event.data.observing) this.observing.set(event.data.workspace, at);
        else this.observing.delete(event.data.workspace);
        break;
      case 'tasks_changed': {
        const { session, change, receipts } = event.data;
        this.taskBooks.changed(event.data, this.turnOf(session));
        this.touch(session, at, (entry) => {
          entry.turnLog.tasks += 1;
          if (change === 'completed' || change === 'added') entry.work = { receipts: [], actions: 0 };
          if (change === 'completed') entry.turnLog.completed += receipts.length > 0 ? 1 : 0;
        });
        break;
      }
      case 'tasks_confirmed': {
        const known = this.confirmedTasks.get(event.data.root) ?? new Set<string>();
        for (const task of event.data.tasks) known.add(task);
        this.confirmedTasks.set(event.data.root, known);
        this.taskBooks.take(event.data.root, event.data.edited ?? []);
        break;
      }
      case 'tasks_edited':
        this.taskBooks.edited(event.data);
        break;
      case 'claim_kept':
      case 'claim_merged':
        this.memoryMarks.kept(record);
        break;
      case 'claim_approved':
        this.memoryMarks.approved(event.data.workspace, event.data.claim, record.seq);
        break;

      case 'changes_undone':
        this.memoryMarks.changed(event.data.workspace, at);
        for (const id of event.data.actions ?? []) {
          const entry = this.actions.get(id);
          if (entry) entry.undoneBy = event.data.receipt?.receipt_id ?? null;
        }
        break;
      case 'changes_merged':
        this.memoryMarks.changed(event.data.workspace, at);
        break;
      case 'untracked_mutation': {
        const { workspace, attribution, actions, path, after_sha256 } = event.data;
        this.memoryMarks.changed(workspace, at);
        // A formatter that the agent itself ran does not make its next edit stale.
        const own = attribution === 'window' && actions.length === 1 ? this.actions.get(actions[0]!) : undefined;
        if (own) this.see(own.action.session, [{ real: path, sha256: after_sha256 }]);
        break;
      }

      // Folded by `works`, or kept on the record only.
      default:
    }
  }

  /** The work that a session, or one of its parents, has opened. */
  workOf(session: string): WorkEntry | null {
    return this.works.of([...this.chainOf(session)].map(({ id }) => id));
  }

  activeIntents(workspace: string): IntentEntry[] {
    return [...(this.intents.get(workspace)?.values() ?? [])].filter(({ intent }) => intent.status === 'active');
  }

  intent(workspace: string, id: string): IntentEntry | undefined {
    return this.intents.get(workspace)?.get(id);
  }

  approvalFor(action: Action, policyRevision: string, now: Date): ApprovalEntry | undefined {
    return newestQuestion(this.approvals.values(), action, policyRevision, now);
  }

  /** The session at the top that a session works for, and its turn. */
  turnOf(session: string): { readonly session: string; readonly turn: string } {
    let top = { session, turn: '0' };
    for (const { id, turn } of this.chainOf(session)) top = { session: id, turn };
    return top;
  }

  /** The agent changed a governed file: what was stamped before does not speak for it. What the gate does by itself owes no stamp. */
  private noteChange({ id, session, actor }: Action): void {
    if (actor.agent !== this.sessions.get(session)?.agent) return;
    for (const { turnLog } of this.chainOf(session)) {
      turnLog.mutations += 1;
      turnLog.changedBy = id;
      turnLog.stamp = null;
    }
  }

  /** Its outcome is not known, so it may have changed files. */
  private noteUnknown(id: string, at: string): void {
    const action = this.actions.get(id)?.action;
    if (action && mutates(action.effects)) this.memoryMarks.changed(action.workspace, at);
  }

  private noteCurrentTask({ root, session }: Action, { facts }: Decision): void {
    const current = facts.tasks.list?.current;
    if (current && !this.works.isNodeTask(root, current.title))
      this.taskBooks.seenOpen(root, this.sessions.get(session)?.intent ?? null, current);
  }

  /** A human's answer to a question of the session says what is next. */
  private noteAnswer(approval: string, state: 'approved' | 'rejected'): void {
    const action = this.approvals.get(approval)?.action;
    if (action && state === 'approved' && action.resources.some(({ kind }) => kind === 'human')) {
      this.taskBooks.answered(this.turnOf(action.session).session);
      this.sessions.get(action.session)?.failures.clear();
    }
  }

  private touch(session: string, at: string, change: (entry: SessionEntry) => void): void {
    const entry = this.sessions.get(session);
    if (!entry) return;
    entry.lastAt = at;
    change(entry);
  }

  private enter(action: Action, decision: Decision, state: ActionState, approval: string | null, at: string): ActionEntry {
    const entry: ActionEntry = {
      action,
      decision,
      state,
      approval,
      fence: null,
      receipt: null,
      note: null,
      overtakenBy: null,
      undoneBy: null,
      observing: false,
      paused: false,
    };
    this.actions.delete(action.id);
    this.actions.set(action.id, entry);
    this.leases.note(entry);
    this.givenIds.note(action, this.sessions.get(action.session)?.turn);
    this.touch(action.session, at, () => {});
    forgetOldest(this.actions, KEEP_ENDED, ({ state }) => state !== 'waiting' && state !== 'admitted' && state !== 'unknown');
    return entry;
  }

  /** An action ended: its changes are evidence for the current task, its failure counts towards the breaker. */
  private ended(action: Action, receipt: Receipt | null, code: string | undefined, at: string): void {
    const session = this.sessions.get(action.session);
    if (!session) return;
    if (code !== undefined) this.repeated(action, code, at);
    if (receipt && mutates(action.effects)) noteFailure(session.failures, action, receipt, at);
    const command = this.actions.get(action.id)?.decision.facts.command ?? null;
    this.foreignText.note(action, command, receipt, session.parent === null ? [] : [session.parent]);
    if (action.effects.includes('remember')) session.turnLog.memory[code === undefined ? 'kept' : 'refused'] += 1;
    // An action on only the gate's or the agent's own records is not work.
    if (
      code !== undefined ||
      receipt?.status === 'failed' ||
      !action.resources.some(({ kind }) => kind === 'file' || kind === 'command' || kind === 'url')
    )
      return;
    for (const worker of this.chainOf(session.id)) {
      worker.work.actions += 1;
      if (receipt && worker.work.receipts.length < RECEIPTS_OF_WORK) worker.work.receipts.push(receipt.receipt_id);
    }
  }

  private see(session: string, files: readonly SeenFile[]): void {
    const entry = this.sessions.get(session);
    if (entry) see(entry.seen, files);
  }

  /** A session and its parents: a sub-agent works for them. */
  private *chainOf(session: string): Generator<SessionEntry> {
    for (let entry = this.sessions.get(session); entry; entry = this.sessions.get(entry.parent ?? '')) yield entry;
  }

  private repeated(action: Action, code: string, at: string): void {
    const streaks = this.sessions.get(action.session)?.streaks;
    if (streaks) countRefusal(streaks, refusalKey(action, code), action.at, at);
  }

  private move(id: string, state: ActionState, note: string | null): void {
    const entry = this.actions.get(id);
    if (!entry) return;
    entry.state = state;
    entry.note = note;
    this.leases.note(entry);
  }

  private answer(id: string, became: Partial<ApprovalEntry>): void {
    const entry = this.approvals.get(id);
    if (entry) Object.assign(entry, became);
  }

  private enterIntent(entry: IntentEntry): void {
    const known = this.intents.get(entry.workspace) ?? new Map<string, IntentEntry>();
    known.set(entry.intent.id, entry);
    this.intents.set(entry.workspace, known);
  }
}
