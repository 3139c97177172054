// The query registry, filled: answers from the folded state, receipts through the index.

import { type CommandRuleEntry, isGrantOpen, openQuestions, type Settings, type State } from '../kernel/index.ts';
import {
  type Ask,
  type EventOf,
  Fault,
  leavesOf,
  type Level,
  QUERIES,
  type QueryName,
  type QueryOutput,
  type SandboxKind,
  type Status,
  type TaskList,
  type UntrackedRow,
  type WorkspaceRow,
} from '../protocol/index.ts';
import type { VerifyReport } from '../ledger/index.ts';
import { type Memory, rowsOf } from '../memory/index.ts';
import type { EventStore } from '../stores/index.ts';
import { readConfig, readTasks, TASKS_FILE } from '../workspace/index.ts';
import { blame } from './blame.ts';
import type { FileChanges } from './file-changes.ts';
import type { CodeIndex } from '../codeindex/index.ts';
import { codeAnswers } from './code-queries.ts';
import { graphAnswers } from './graph-queries.ts';
import type { GraphSyncs } from './graph-syncs.ts';
import type { Untracked } from './reconcile/fold.ts';
import type { Reconciler } from './reconcile/reconciler.ts';
import { waitingEdits } from './waiting-edits.ts';
import { actionRow, approvalRow, grantRow, intentRow, sessionRow } from './rows.ts';
import { SessionPlaces } from './session-places.ts';
import { pauser } from './signatory.ts';
import { judgeStamps } from './stamps.ts';
import { StatsFold } from './stats.ts';
import type { TreeGraphs } from './tree-graphs.ts';
import { countViolations, violations } from './violations.ts';

export interface QueryContext {
  readonly state: State;
  readonly store: EventStore;
  /** Workspaces that this daemon has seen, by id, with the newest root. */
  readonly roots: ReadonlyMap<string, string>;
  readonly locate: (dir: string) => Promise<{ readonly id: string; readonly root: string }>;
  /** Whether some agent's hooks are in this work tree now. */
  readonly isWired: (root: string) => Promise<boolean>;
  /** Changes that no receipt explains. */
  readonly untracked: (root: string) => Promise<WorkspaceRow['untracked']>;
  readonly reconciler: Pick<Reconciler, 'reconcile' | 'reconcileForCommit' | 'unexplained'>;
  readonly minimumMode: (root: string) => Promise<WorkspaceRow['minimum_mode']>;
  /** What stands around commands that the gate runs. */
  readonly sandbox: () => Promise<SandboxKind>;
  readonly memory: Memory;
  readonly changes: FileChanges;
  readonly graphs: TreeGraphs;
  readonly graphSyncs: GraphSyncs;
  readonly codeIndex: Pick<CodeIndex, 'tree'>;
  readonly privateFolders: readonly string[];
  readonly seal: (text: string) => string;
  /** The whole ledger, HMACs too. */
  readonly verifyRecord: () => Promise<VerifyReport>;
  readonly now: () => Date;
  readonly about: () => Pick<Status, 'version' | 'pid' | 'address' | 'home'>;
}

type Answers = { readonly [N in QueryName]: (input: ParsedInput<N>) => Promise<QueryOutput<N>> };
type ParsedInput<N extends QueryName> = ReturnType<(typeof QUERIES)[N]['input']['parse']>;

const LEVEL_NOTES: Record<Level, string> = {
  observing: 'Verdicts are recorded and nothing is blocked.',
  advisory: "Only Countersign's own tools are gated: an agent's shell and editor are not.",
  hooked: "The agent's own hooks ask the gate before each tool; what a shell command did is looked up when it ends.",
  sealed: 'The agent works in a sandbox and only the gate merges.',
};

const WITHOUT_SANDBOX = ' Commands that the gate runs have no sandbox here: bubblewrap is missing, or the system does not let it work.';

export function answerQueries(context: QueryContext): Ask {
  const { state, store, roots, memory } = context;
  const places = new SessionPlaces(store);
  /** What each tinyTasks.md last held that could be read: it serves looks until the file is fixed. */
  const lastTasks = new Map<string, TaskList[]>();
  /** One reading of the whole ledger at a time, for all who ask meanwhile. */
  let verifying: Promise<VerifyReport> | null = null;

  const answers: Answers = {
    ...graphAnswers(context),
    ...codeAnswers(context),
    status: async () => {
      const { size, chain } = store.head();
      const entries = [...state.actions.values()];
      const count = (which: string) => entries.filter((entry) => entry.state === which).length;
      return {
        ...context.about(),
        ledger: { size, chain, writable: store.writable() },
        workspaces: await Promise.all([...roots].map(([id, root]) => workspaceRow(context, id, root))),
        counts: {
          waiting: [...state.approvals.values()].filter((entry) => entry.state === 'pending').length,
          unknown: count('unknown'),
          open: count('admitted'),
        },
      };
    },
    verification: () => (verifying ??= context.verifyRecord().finally(() => (verifying = null))),
    actions: async ({ workspace, session, state: wanted, limit }) =>
      newest(
        [...state.actions.values()],
        limit,
        ({ action, state }) => is(workspace, action.workspace) && is(session, action.session) && is(wanted, state),
      ).map(actionRow),
    approvals: async ({ workspace, id, state: wanted, limit }) =>
      newest(
        [...state.approvals.values()],
        limit,
        ({ approval, state }) => is(workspace, approval.workspace) && is(id, approval.id) && is(wanted, state),
      ).map((entry) => approvalRow(entry, state.approvers)),
    grants: async ({ workspace, all, limit }) =>
      newest(state.grants.all(), limit, (entry) => is(workspace, entry.grant.workspace) && (all || isGrantOpen(entry, context.now()))).map(
        (entry) => grantRow(entry, state.approvers, entry.ended ? 'ended' : isGrantOpen(entry, context.now()) ? 'open' : 'expired'),
      ),
    approvers: async () =>
      state.approvers
        .all()
        .map(({ key, publicKey, name, proof, at, removedAt }) => ({
          ...{ key, public_key: publicKey, name, proof },
          ...{ enrolled_at: at, removed_at: removedAt },
        }))
        .toReversed(),
    command_rules: async ({ workspace: given, cwd, all, limit }) => {
      const workspace = cwd === undefined ? given : (await context.locate(cwd)).id;
      const isShown = ({ rule, state }: CommandRuleEntry) => is(workspace, rule.workspace) && (all || state !== 'ended');
      return newest(state.commandRules.all(), limit, isShown).map(({ rule, state }) => ({ ...rule, state }));
    },
    sessions: async ({ workspace, limit }) =>
      newest([...state.sessions.values()], limit, (session) => is(workspace, session.workspace)).map((session) =>
        sessionRow(session, state.observing),
      ),
    intents: async ({ workspace: given, cwd, id, limit }) => {
      const workspace = cwd === undefined ? given : (await context.locate(cwd)).id;
      return newest(
        [...state.intents.values()].flatMap((byId) => [...byId.values()]),
        limit,
        (entry) => is(workspace, entry.workspace) && is(id, entry.intent.id),
      ).map((entry) => {
        const edited = state.documents.waitingFor(entry.workspace, entry.intent.id)?.intent;
        return { ...intentRow(entry, state.approvers), ...(edited ? { edited } : {}) };
      });
    },
    modes: async ({ cwd }) => {
      const { id, root } = await context.locate(cwd);
      const { mode } = await readConfig(root);
      const settings = { pinnedMode: mode.pin, minimumMode: mode.minimum };
      const { pinnedMode, minimumMode } = state.modeLimits.over<Pick<Settings, 'minimumMode' | 'pinnedMode'>>(
        settings,
        id,
        null,
        state.documents.dialOf(root),
      );
      const limitOf = (intent: string | null) => state.modeLimits.of(id, intent) ?? { pin: null, minimum: null };
      const intents = [...(state.intents.get(id)?.keys() ?? [])].map((intent) => ({ intent, ...limitOf(intent) }));
      return {
        pin: pinnedMode,
        minimum: minimumMode,
        observing: state.observing.has(id),
        settings: { pin: mode.pin, minimum: mode.minimum },
        workspace: limitOf(null),
        intents: intents.filter(({ pin, minimum }) => pin !== null || minimum !== null),
      };
    },
    tasks: async ({ cwd }) => {
      const { root } = await context.locate(cwd);
      const { lists, exists, trouble } = await tasksIn(root, lastTasks);
      const confirmed = state.confirmedTasks.get(root);
      const isConfirmed = (list: TaskList) => leavesOf(list.tasks).every(({ id, checked }) => checked || confirmed?.has(id));
      return { file: TASKS_FILE, exists, trouble, lists: lists.map((list) => ({ ...list, confirmed: isConfirmed(list) })) };
    },
    memory: async ({ cwd, workspace: given, query, id, limit }) => {
      const place = cwd === undefined ? null : await context.locate(cwd);
      const workspace = place?.id ?? given;
      const root = place?.root ?? roots.get(workspace ?? '');
      if (workspace === undefined || root === undefined)
        throw new Fault('BAD_REQUEST', 'memory: say which workspace', { fix: 'Give cwd, a folder of the workspace' });
      const one = id === undefined ? null : memory.get(workspace, id);
      const found = id !== undefined ? (one ? [one] : []) : query === undefined ? memory.recent(workspace, limit) : null;
      const hits = found
        ? found.map((claim) => ({ claim, times: memory.timesOf(workspace, claim.id), score: null, why: [] }))
        : memory.recall(workspace, { query: query!, limit, now: context.now() });
      return rowsOf(
        memory,
        { workspace, root, lastChange: state.memoryMarks.lastChange(workspace), privateFolders: context.privateFolders },
        hits,
      );
    },
    violations: async ({ workspace, session, rule, limit }) => violations(store, { workspace, session, rule }, limit),
    violation_counts: async ({ workspace }) => countViolations(store, { workspace }),
    stats: async ({ cwd, workspace }) => {
      const fold = new StatsFold();
      for await (const record of store.read()) fold.apply(record);
      return fold.rows(cwd === undefined ? workspace : (await context.locate(cwd)).id);
    },
    stamps: async ({ text, session, turn, cwd }) => {
      const workspace = cwd === undefined ? undefined : (await context.locate(cwd)).id;
      return judgeStamps({ store, places, seal: context.seal }, text, { session, turn, workspace });
    },
    blame: async (wish) => {
      const { id: workspace } = await context.locate(wish.cwd);
      const intentName = (id: string) => state.intent(workspace, id)?.intent.name ?? null;
      return blame({ store, changes: context.changes, locate: context.locate, privateFolders: context.privateFolders, intentName }, wish);
    },
    reconciliation: async ({ cwd, before_commit }) => {
      const { root } = await context.locate(cwd);
      const { at, files, found, byGit, postponed, troubles } = await (before_commit
        ? context.reconciler.reconcileForCommit(root)
        : context.reconciler.reconcile(root));
      const unexplained = await context.reconciler.unexplained(root);
      return {
        root,
        at,
        files,
        found: found.map(untrackedRow),
        unexplained: unexplained.map(untrackedRow),
        by_git: byGit,
        postponed,
        troubles: [...troubles],
      };
    },
    untracked: async ({ workspace, all, limit }) => {
      const places = [...roots].filter(([id]) => is(workspace, id));
      const unexplained = await Promise.all(places.map(([, root]) => context.reconciler.unexplained(root)));
      return unexplained
        .flat()
        .filter(({ acknowledged }) => all || !acknowledged)
        .toSorted((a, b) => (a.window.to < b.window.to ? 1 : -1))
        .slice(0, limit)
        .map((row) => ({ workspace: row.workspace, root: row.root, ...untrackedRow(row) }));
    },
    receipts: async ({ workspace, session, id, limit }) => {
      const found: QueryOutput<'receipts'> = [];
      let before: number | undefined;
      while (found.length < limit) {
        const records = await store.find({
          types: ['action_settled', 'action_observed'],
          limit: 500,
          ...(before === undefined ? {} : { before }),
        });
        if (records.length === 0) break;
        for (const { event, seq, signature } of records) {
          const receipt = (event as EventOf<'action_settled' | 'action_observed'>).data.receipt;
          if (
            !receipt ||
            !is(id, receipt.receipt_id) ||
            !is(session, receipt.task_id) ||
            (workspace !== undefined && (await places.ofReceipt(receipt))?.workspace !== workspace)
          )
            continue;
          if (found.push({ ...receipt, seq, signature, signature_alg: 'HMAC-SHA256' }) === limit) break;
        }
        before = records.at(-1)?.seq;
      }
      return found;
    },
  };
  return async (name, input) => (answers[name] as (input: unknown) => Promise<never>)(QUERIES[name].input.parse(input));
}

const untrackedRow = ({ workspace: _workspace, root: _root, acknowledged, ...row }: Untracked): UntrackedRow => ({
  ...row,
  ...(acknowledged ? { acknowledged: acknowledged.proof } : {}),
});

async function workspaceRow(
  { state, isWired, minimumMode, untracked, sandbox, now }: QueryContext,
  id: string,
  root: string,
): Promise<WorkspaceRow> {
  // Both: a hook that really fired, and hooks that are still there.
  const fired = [...state.sessions.values()].some((session) => session.workspace === id && session.level === 'hooked');
  const level: Level = state.observing.has(id) ? 'observing' : fired && (await isWired(root)) ? 'hooked' : 'advisory';
  const level_note = `${LEVEL_NOTES[level]}${(await sandbox()) === 'none' ? WITHOUT_SANDBOX : ''}`;
  const gap = state.gaps.openAt(id, now());
  const paused = gap && {
    ...{ from: gap.from, until: gap.until, reason: gap.reason, proof: gap.proof },
    by: gap.human && gap.until ? pauser({ workspace: id, until: gap.until, reason: gap.reason, human: gap.human }, state.approvers) : null,
    // Without hooks nothing is held, whatever is still asked.
    waiting: gap.kind === 'paused' ? openQuestions(state, id, now()) : [],
  };
  const edits = await waitingEdits(state, id, root);
  return { id, root, level, level_note, minimum_mode: await minimumMode(root), untracked: await untracked(root), paused, edits };
}

async function tasksIn(
  root: string,
  last: Map<string, TaskList[]>,
): Promise<{ lists: TaskList[]; exists: boolean; trouble: string | null }> {
  try {
    const read = await readTasks(root);
    const lists = [...(read?.lists ?? [])];
    last.set(root, lists);
    return { lists, exists: read !== null, trouble: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { lists: last.get(root) ?? [], exists: true, trouble: error.message };
  }
}

const is = (wanted: string | undefined, actual: string | undefined): boolean => wanted === undefined || wanted === actual;

const newest = <T>(entries: readonly T[], limit: number, which: (entry: T) => boolean): T[] =>
  entries.filter(which).slice(-limit).reverse();
