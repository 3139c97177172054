// The query registry, filled: answers from views of what is folded, receipts through the index.

import {
  type Ask,
  type EventOf,
  Fault,
  leavesOf,
  type Level,
  QUERIES,
  type QueryName,
  type QueryOutput,
  type RunRow,
  type SandboxKind,
  type Status,
  type TaskList,
  type UntrackedRow,
  type WorkspaceRow,
  wordOfReceipt,
} from '../protocol/index.ts';
import type { VerifyReport } from '../ledger/index.ts';
import type { SettingsInForce } from '../kernel/index.ts';
import { type Memory, rowsOf } from '../memory/index.ts';
import type { EventStore } from '../stores/index.ts';
import { configOrigins, headRevision, locateWorkspace, readConfig, readIntentsFile, readTasks, TASKS_FILE } from '../workspace/index.ts';
import { blame } from './blame.ts';
import type { FileChanges } from './file-changes.ts';
import type { CodeIndex } from '../codeindex/index.ts';
import { codeAnswers } from './code-queries.ts';
import { type ConversationContext, conversationAnswers } from './conversation-queries.ts';
import { type StoryContext, storyAnswers } from './story-queries.ts';
import { keptPack } from './kept-pack.ts';
import { graphAnswers } from './graph-queries.ts';
import type { GraphSyncs } from './graph-syncs.ts';
import type { Untracked } from './reconcile/fold.ts';
import type { Reconciler } from './reconcile/reconciler.ts';
import { SessionPlaces } from './session-places.ts';
import { receiptDiff } from './receipt-diff.ts';
import { signedReceipt } from './signed-receipt.ts';
import { judgeStamps } from './stamps.ts';
import type { Asked, StateView } from './state-view.ts';
import { StatsFold } from './stats.ts';
import type { TreeGraphs } from './tree-graphs.ts';
import { countViolations, violations } from './violations.ts';

export interface QueryContext extends ConversationContext, StoryContext {
  /** Reads the documents that humans edit where they have changed; `cwd` undefined: of every work tree. */
  readonly noticeEdits: (cwd: unknown) => Promise<void>;
  readonly runs: () => RunRow[];
  readonly view: StateView;
  readonly store: EventStore;
  /** Workspaces that this daemon has seen, by id, with the newest root. */
  readonly roots: ReadonlyMap<string, string>;
  readonly locate: (dir: string) => Promise<{ readonly id: string; readonly root: string }>;
  /** Why commands of an agent that is wired here run without walls, in words; null: they have walls. */
  readonly wallsMissing: (root: string) => Promise<string | null>;
  /** Whether some agent's hooks are in this work tree now. */
  readonly isWired: (root: string) => Promise<boolean>;
  /** Changes that no receipt explains. */
  readonly untracked: (root: string) => Promise<WorkspaceRow['untracked']>;
  readonly reconciler: Pick<Reconciler, 'reconcile' | 'reconcileForCommit' | 'unexplained'>;
  readonly minimumMode: (root: string) => Promise<WorkspaceRow['minimum_mode']>;
  /** The settings that hold. */
  readonly configOf: SettingsInForce;
  /** The sandbox of commands that the gate runs. */
  readonly sandbox: () => Promise<SandboxKind>;
  readonly memory: Memory;
  readonly changes: FileChanges;
  readonly graphs: TreeGraphs;
  readonly graphSyncs: GraphSyncs;
  readonly codeIndex: Pick<CodeIndex, 'tree'>;
  readonly privateFolders: readonly string[];
  /** What a path names that is secret, in words; null: nothing. */
  readonly secretIn: (absolute: string) => string | null;
  readonly seal: (text: string) => string;
  /** The whole ledger, HMACs too. */
  readonly verifyRecord: () => Promise<VerifyReport>;
  readonly now: () => Date;
  readonly about: () => Pick<Status, 'version' | 'pid' | 'address' | 'home'>;
}

/** Answers about all work trees that depend on what humans wrote into their files. */
const ABOUT_DOCUMENTS: ReadonlySet<QueryName> = new Set<QueryName>(['status', 'intents', 'inbox']);

/** Asked about a folder, these do not make it a workspace. */
const LOOKS_ONLY: ReadonlySet<QueryName> = new Set<QueryName>([
  ...(['status', 'inbox', 'receipts', 'violations', 'violation_counts', 'actions', 'sessions'] as const),
]);

type Answers = { readonly [N in QueryName]: (input: Asked<N>) => Promise<QueryOutput<N>> };

const LEVEL_NOTES: Record<Level, string> = {
  observing: 'Verdicts are recorded and nothing is blocked.',
  advisory: "Only Countersign's own tools are gated: an agent's shell and editor are not.",
  hooked: "The agent's own hooks ask the gate before each tool; what a shell command did is looked up when it ends.",
  walled:
    "The agent's own hooks ask the gate before each tool, and its commands run behind walls: they write only in scope and read no keys.",
  sealed: 'The agent works in a sandbox and only the gate merges.',
};

/** As `doctor` says it. */
const NOT_FIRED = 'Until the first hook fires. The hooks are in place; the next session of the agent proves them.';

const WITHOUT_SANDBOX = ' Commands that the gate runs have no sandbox here: bubblewrap is missing, or the system does not let it work.';

export function answerQueries(context: QueryContext): Ask {
  const { view, store, roots, memory } = context;
  const places = new SessionPlaces(store);
  /** The last readable content of each tinyTasks.md: it answers questions until the file is fixed. */
  const lastTasks = new Map<string, TaskList[]>();
  /** One reading of the whole ledger at a time, for all concurrent requests. */
  let verifying: Promise<VerifyReport> | null = null;
  const workspaceIn = async ({ cwd, workspace }: { cwd?: string | undefined; workspace?: string | undefined }) =>
    cwd === undefined ? workspace : (await context.locate(cwd)).id;
  /** For those that only look. */
  const workspaceAt = async ({ cwd, workspace }: { cwd?: string | undefined; workspace?: string | undefined }) =>
    cwd === undefined ? workspace : (await locateWorkspace(cwd)).id;

  const answers: Answers = {
    ...graphAnswers(context),
    ...codeAnswers(context),
    ...conversationAnswers(context),
    ...storyAnswers(context),
    status: async ({ cwd }) => {
      const { size, chain } = store.head();
      const here = await workspaceAt({ cwd });
      const counts = view.counts(roots, here);
      return {
        ...context.about(),
        ledger: { size, chain, writable: store.writable(), suspicions: await suspicionsIn(store) },
        workspaces: await Promise.all([...roots].flatMap(([id, root]) => (is(here, id) ? [workspaceRow(context, id, root)] : []))),
        counts,
        ...(here === undefined ? {} : { waiting_elsewhere: view.inbox(roots).length - counts.waiting }),
      };
    },
    verification: () => (verifying ??= context.verifyRecord().finally(() => (verifying = null))),
    actions: async (asked) => view.actions({ ...asked, workspace: await workspaceAt(asked) }),
    approvals: async (asked) => view.approvals(asked),
    inbox: async (asked) => view.inbox(roots, await workspaceAt(asked)),
    grants: async (asked) => view.grants(asked),
    approvers: async () => view.approvers(),
    command_rules: async (asked) => view.commandRules(await workspaceIn(asked), asked),
    runs: async () => context.runs(),
    context_pack: async ({ ref }) => {
      const pack = await keptPack(store, ref);
      if (!pack) throw new Fault('NOT_FOUND', `There is no context pack ${ref}.`, { fix: 'Use the contextPackRef of an answer to a plan' });
      return pack;
    },
    works: async (asked) => view.works(await workspaceAt(asked), asked),
    sessions: async (asked) => view.sessions({ ...asked, workspace: await workspaceAt(asked) }),
    intents: async (asked) => view.intents(await workspaceIn(asked), asked),
    modes: async ({ cwd }) => {
      const { id, root } = await context.locate(cwd);
      return view.modes(id, root, (await context.configOf.orAccepted(root)).mode);
    },
    settings: async ({ cwd }) => {
      const { id, root } = await context.locate(cwd);
      const [trouble = null] = await troublesIn([readConfig(root)]);
      const { settings, edits } = view.settings(id, root, await context.configOf.orAccepted(root));
      const origins = trouble === null ? await configOrigins(root) : [];
      const originsOf = (key: string) =>
        origins.filter((each) => each.key === key || each.key.startsWith(`${key}.`)).map((each) => ({ ...each }));
      return { trouble, settings: settings.map((each) => ({ ...each, origins: originsOf(each.key) })), edits };
    },
    tasks: async ({ cwd }) => {
      const { root } = await context.locate(cwd);
      const { lists, exists, trouble } = await tasksIn(root, lastTasks);
      const isConfirmed = (list: TaskList) => leavesOf(list.tasks).every(({ id, checked }) => checked || view.isTaskConfirmed(root, id));
      const written = lists.flatMap(({ tasks }) => tasks);
      return {
        ...{ file: TASKS_FILE, exists, trouble, edited: view.editedTasks(root, written) },
        lists: lists.map((list) => ({ ...list, confirmed: isConfirmed(list) })),
      };
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
      const { privateFolders } = context;
      const lastChange = view.lastChange(workspace);
      return rowsOf(memory, { workspace, root, lastChange, privateFolders, revision: () => headRevision(root) }, hits);
    },
    violations: async ({ session, rule, limit, ...asked }) =>
      violations(store, { workspace: await workspaceAt(asked), session, rule }, limit),
    violation_counts: async (asked) => countViolations(store, { workspace: await workspaceAt(asked) }),
    stats: async ({ cwd, workspace }) => {
      const fold = new StatsFold();
      for await (const record of store.read()) fold.apply(record);
      return fold.rows(await workspaceIn({ cwd, workspace }));
    },
    stamps: async ({ text, session, turn, cwd }) => {
      const workspace = await workspaceIn({ cwd });
      return judgeStamps({ store, places, seal: context.seal }, text, { session, turn, workspace });
    },
    blame: async (request) => {
      const { id: workspace } = await context.locate(request.cwd);
      const intentName = (id: string) => view.intentName(workspace, id);
      return blame(
        { store, changes: context.changes, locate: context.locate, privateFolders: context.privateFolders, intentName },
        request,
      );
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
    receipt_diff: ({ id }) => receiptDiff(context, id),
    receipts: async ({ session, id, limit, ...asked }) => {
      const workspace = await workspaceAt(asked);
      const found: QueryOutput<'receipts'> = [];
      // Newest first, so an undo is met before what it took back.
      const undone = new Map<string, string>();
      let before: number | undefined;
      while (found.length < limit) {
        const records = await store.find({
          types: ['action_settled', 'action_observed', 'changes_undone'],
          limit: 500,
          ...(before === undefined ? {} : { before }),
        });
        if (records.length === 0) break;
        for (const record of records) {
          const receipt = signedReceipt(record);
          if (record.event.type === 'changes_undone')
            for (const action of record.event.data.actions ?? []) undone.set(action, record.event.data.receipt?.receipt_id ?? '');
          if (
            !receipt ||
            !is(id, receipt.receipt_id) ||
            !is(session, receipt.task_id) ||
            (workspace !== undefined && (await places.ofReceipt(receipt))?.workspace !== workspace)
          )
            continue;
          const undone_by = receipt.action_id === null ? undefined : undone.get(receipt.action_id);
          const word = wordOfReceipt(receipt.status, undone_by !== undefined, record.event.type === 'action_observed');
          const tool = view.toolOf(receipt.action_id) ?? receipt.tool_id;
          if (found.push({ ...receipt, tool, word, ...(undone_by ? { undone_by } : {}) }) === limit) break;
        }
        before = records.at(-1)?.seq;
      }
      return found;
    },
  };
  return async (name, input) => {
    const asked = QUERIES[name].input.parse(input);
    const cwd = 'cwd' in asked ? asked.cwd : undefined;
    // A folder that is only looked at stays unknown; its files are read once something works there.
    const isUnknown = LOOKS_ONLY.has(name) && cwd !== undefined && !roots.has((await locateWorkspace(cwd)).id);
    if (!isUnknown && (cwd !== undefined || ABOUT_DOCUMENTS.has(name))) await context.noticeEdits(cwd);
    return (answers[name] as (input: unknown) => Promise<never>)(asked);
  };
}

const untrackedRow = ({ workspace: _workspace, root: _root, acknowledged, ...row }: Untracked): UntrackedRow => ({
  ...row,
  ...(acknowledged ? { acknowledged: acknowledged.proof } : {}),
});

async function workspaceRow(
  { view, isWired, wallsMissing, minimumMode, untracked, sandbox }: QueryContext,
  id: string,
  root: string,
): Promise<WorkspaceRow> {
  const wired = await view.levelOf(id, () => isWired(root));
  const missing = wired === 'hooked' ? await wallsMissing(root) : null;
  const level = wired === 'hooked' && missing === null ? 'walled' : wired;
  const without = missing === null ? '' : ` Its commands have no walls: ${missing}.`;
  const isNew = level === 'advisory' && (await isWired(root));
  const level_note = `${isNew ? NOT_FIRED : LEVEL_NOTES[level]}${without}${(await sandbox()) === 'none' ? WITHOUT_SANDBOX : ''}`;
  const [paused, edits] = [view.pauseOf(id), view.editsIn(id, root)];
  const troubles = await troublesIn([readConfig(root), readIntentsFile(root)]);
  return { id, root, level, level_note, minimum_mode: await minimumMode(root), untracked: await untracked(root), paused, edits, troubles };
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

/** Why files cannot be read. */
async function troublesIn(readings: readonly Promise<unknown>[]): Promise<string[]> {
  const read = await Promise.allSettled(readings);
  return read.flatMap((each) => (each.status === 'fulfilled' ? [] : [each.reason instanceof Error ? each.reason.message : 'unreadable']));
}

const is = (wanted: string | undefined, actual: string | null | undefined): boolean => wanted === undefined || wanted === actual;

/** What starts found missing in the ledger. */
async function suspicionsIn(store: EventStore): Promise<string[]> {
  const found = await store.find({ types: ['ledger_suspected'], limit: MAX_SUSPICIONS });
  return found.map(({ event, at }) => `${at}: ${(event as EventOf<'ledger_suspected'>).data.detail}`);
}

const MAX_SUSPICIONS = 10;
