// The kernel's state as it may be shown: rows, never entries. All queries read this.

import { type CommandRuleEntry, isGrantOpen, openQuestions, type Settings, settingValues, type State } from '../kernel/index.ts';
import type { Config, EditedTask, Level, QUERIES, QueryName, QueryOutput, Status, Task, WorkspaceRow } from '../protocol/index.ts';
import type { Conversations } from './conversations.ts';
import { inboxOf } from './inbox.ts';
import { actionRow, approvalRow, grantRow, intentRow, sessionRow, toolOf } from './rows.ts';
import { pauser } from './signatory.ts';
import { waitingEdits } from './waiting-edits.ts';
import { workRows } from './work-rows.ts';

/** A question, parsed. */
export type Asked<Name extends QueryName> = ReturnType<(typeof QUERIES)[Name]['input']['parse']>;

export class StateView {
  private readonly state: State;
  private readonly now: () => Date;
  private readonly conversations: Pick<Conversations, 'waitingEndpoints'>;

  constructor(state: State, now: () => Date, conversations: Pick<Conversations, 'waitingEndpoints'>) {
    this.state = state;
    this.now = now;
    this.conversations = conversations;
  }

  counts(roots: ReadonlyMap<string, string>, workspace?: string): Status['counts'] {
    const actions = [...this.state.actions.values()].filter(({ action }) => is(workspace, action.workspace));
    const count = (which: string) => actions.filter(({ state }) => state === which).length;
    return { waiting: this.inbox(roots, workspace).length, unknown: count('unknown'), open: count('admitted') };
  }

  /** `roots`: the work tree of each workspace. */
  inbox(roots: ReadonlyMap<string, string>, workspace?: string): QueryOutput<'inbox'> {
    return inboxOf(this.state, roots, workspace, this.conversations.waitingEndpoints(workspace));
  }

  works(workspace: string | undefined, { limit }: Asked<'works'>): QueryOutput<'works'> {
    return workRows(this.state, workspace, limit);
  }

  actions({ workspace, session, state: wanted, limit }: Asked<'actions'>): QueryOutput<'actions'> {
    return newest(
      [...this.state.actions.values()],
      limit,
      ({ action, state }) => is(workspace, action.workspace) && is(session, action.session) && is(wanted, state),
    ).map(actionRow);
  }

  /** As the agent called it; null: the action is not kept any more. */
  toolOf(action: string | null): string | null {
    const entry = this.state.actions.get(action ?? '');
    return entry ? toolOf(entry.action) : null;
  }

  approvals({ workspace, id, state: wanted, limit }: Asked<'approvals'>): QueryOutput<'approvals'> {
    return newest(
      [...this.state.approvals.values()],
      limit,
      ({ approval, state }) => is(workspace, approval.workspace) && is(id, approval.id) && is(wanted, state),
    ).map((entry) => approvalRow(entry, this.state));
  }

  grants({ workspace, all, limit }: Asked<'grants'>): QueryOutput<'grants'> {
    const { grants, approvers } = this.state;
    const isOpen = (entry: Parameters<typeof isGrantOpen>[0]) => isGrantOpen(entry, this.now());
    return newest(grants.all(), limit, (entry) => is(workspace, entry.grant.workspace) && (all || isOpen(entry))).map((entry) =>
      grantRow(entry, approvers, entry.ended ? 'ended' : isOpen(entry) ? 'open' : 'expired'),
    );
  }

  approvers(): QueryOutput<'approvers'> {
    return this.state.approvers
      .all()
      .map(({ key, publicKey, name, proof, at, removedAt }) => ({
        key,
        public_key: publicKey,
        name,
        proof,
        enrolled_at: at,
        removed_at: removedAt,
      }))
      .toReversed();
  }

  commandRules(workspace: string | undefined, { all, limit }: Asked<'command_rules'>): QueryOutput<'command_rules'> {
    const isShown = ({ rule, state }: CommandRuleEntry) => is(workspace, rule.workspace) && (all || state !== 'ended');
    return newest(this.state.commandRules.all(), limit, isShown).map(({ rule, state }) => ({ ...rule, state }));
  }

  sessions({ workspace, limit }: Asked<'sessions'>): QueryOutput<'sessions'> {
    const { sessions, observing } = this.state;
    return newest([...sessions.values()], limit, (session) => is(workspace, session.workspace)).map((session) =>
      sessionRow(session, observing),
    );
  }

  intents(workspace: string | undefined, { id, limit }: Asked<'intents'>): QueryOutput<'intents'> {
    const { intents, documents, approvers } = this.state;
    return newest(
      [...intents.values()].flatMap((byId) => [...byId.values()]),
      limit,
      (entry) => is(workspace, entry.workspace) && is(id, entry.intent.id),
    ).map((entry) => {
      const edited = documents.waitingFor(entry.workspace, entry.intent.id)?.intent;
      return { ...intentRow(entry, approvers), ...(edited ? { edited } : {}) };
    });
  }

  intentName(workspace: string, id: string): string | null {
    return this.state.intent(workspace, id)?.intent.name ?? null;
  }

  /** `mode`: what the settings of the work tree say. */
  modes(workspace: string, root: string, mode: Config['mode']): QueryOutput<'modes'> {
    const { modeLimits, documents, intents, observing } = this.state;
    const settings = { pinnedMode: mode.pin, minimumMode: mode.minimum };
    const { pinnedMode, minimumMode } = modeLimits.applyTo<Pick<Settings, 'minimumMode' | 'pinnedMode'>>(
      settings,
      workspace,
      null,
      documents.dialOf(root),
    );
    const limitOf = (intent: string | null) => modeLimits.of(workspace, intent) ?? { pin: null, minimum: null };
    const ofIntents = [...(intents.get(workspace)?.keys() ?? [])].map((intent) => ({ intent, ...limitOf(intent) }));
    return {
      pin: pinnedMode,
      minimum: minimumMode,
      observing: observing.has(workspace),
      settings: { pin: mode.pin, minimum: mode.minimum },
      workspace: limitOf(null),
      intents: ofIntents.filter(({ pin, minimum }) => pin !== null || minimum !== null),
    };
  }

  /** Whether a human confirmed the text of a task. */
  isTaskConfirmed(root: string, task: string): boolean {
    return this.state.confirmedTasks.get(root)?.has(task) ?? false;
  }

  /** Of the tasks of all lists: checked or removed past the task tools. */
  editedTasks(root: string, tasks: readonly Task[]): EditedTask[] {
    return this.state.taskBooks.edits(root, undefined, tasks);
  }

  /** When a change in the workspace was last let through. */
  lastChange(workspace: string): string | null {
    return this.state.memoryMarks.lastChange(workspace);
  }

  /** `isWired`: whether some agent's hooks are in the work tree now. Both count: a hook that really fired, and hooks still in place. */
  async levelOf(workspace: string, isWired: () => Promise<boolean>): Promise<Level> {
    const { sessions, observing } = this.state;
    if (observing.has(workspace)) return 'observing';
    const fired = [...sessions.values()].some((session) => session.workspace === workspace && session.level === 'hooked');
    return fired && (await isWired()) ? 'hooked' : 'advisory';
  }

  /** `config`: the settings that hold. */
  settings(workspace: string, root: string, config: Config) {
    const waiting = this.state.documents.waitingSettings(root)?.values ?? {};
    return {
      settings: Object.entries(settingValues(config)).map(([key, value]) => ({
        ...{ key, value },
        ...(Object.hasOwn(waiting, key) ? { waiting: waiting[key] } : {}),
      })),
      edits: waitingEdits(this.state, workspace, root).filter(({ intent }) => intent === null),
    };
  }

  pauseOf(workspace: string): WorkspaceRow['paused'] {
    const { gaps, approvers } = this.state;
    const gap = gaps.openAt(workspace, this.now());
    return (
      gap && {
        from: gap.from,
        until: gap.until,
        reason: gap.reason,
        proof: gap.proof,
        by: gap.human && gap.until ? pauser({ workspace, until: gap.until, reason: gap.reason, human: gap.human }, approvers) : null,
        // Without hooks nothing is enforced, whatever is still asked.
        waiting: gap.kind === 'paused' ? openQuestions(this.state, workspace, this.now()) : [],
      }
    );
  }

  editsIn(workspace: string, root: string): WorkspaceRow['edits'] {
    return waitingEdits(this.state, workspace, root);
  }
}

const is = (wanted: string | undefined, actual: string | undefined): boolean => wanted === undefined || wanted === actual;

const newest = <T>(entries: readonly T[], limit: number, which: (entry: T) => boolean): T[] =>
  entries.filter(which).slice(-limit).reverse();
