// The facts for one action, read once: from the folded state, the settings and the tree.

import {
  type Action,
  type Facts,
  Fault,
  type FileFact,
  type FileObservation,
  type Intent,
  leavesMark,
  leavesOf,
  type Mode,
  mutates,
  type Objection,
  type PlanFact,
  type Proof,
  type RecallFact,
  type Task,
  type TaskList,
  type TasksFact,
  type ToolCall,
} from '../protocol/index.ts';
import { sha256Hex } from '../ledger/index.ts';
import { strongerProof } from '../policy/index.ts';
import { failureKey } from './failures.ts';
import { effectiveMode } from './mode-limits.ts';
import { allowanceFor } from './allowance.ts';
import { planFact } from './plan-facts.ts';
import type { KernelPorts, Observed, Settings } from './ports.ts';
import type { HiddenNames } from './redaction/hidden-names.ts';
import type { ApprovalEntry, SessionEntry } from './state-entries.ts';
import type { State } from './state.ts';

/** Nothing known, so nothing claimed. Every change is refused by the fault itself until a human has fixed the file. */
const SETTINGS_UNREADABLE: Settings = {
  minimumMode: null,
  pinnedMode: null,
  approvalTtlSeconds: 900,
  paths: { derived: [], companions: {} },
  network: false,
  allowedCommands: [],
  destructiveProof: null,
};

export interface SettingsRead {
  readonly settings: Settings;
  readonly fault: Fault | null;
}

export async function readSettings(ports: KernelPorts, root: string): Promise<SettingsRead> {
  const { value, fault } = await orFault(ports.workspace.settings(root));
  return { settings: value ?? SETTINGS_UNREADABLE, fault };
}

/** What is wrong with the files of humans that say what agents may do. */
export async function faultsIn(ports: KernelPorts, root: string): Promise<{ intents: Fault | null; settings: Fault | null }> {
  const [intents, settings] = await Promise.all([orFault(ports.workspace.checkIntents(root)), orFault(ports.workspace.settings(root))]);
  return { intents: intents.fault, settings: settings.fault };
}

export interface Gathered {
  readonly facts: Facts;
  readonly settings: Settings;
  readonly preImages: readonly Uint8Array[];
  /** Faults met while gathering. They deny a change and let a read pass. */
  readonly trouble: readonly Objection[];
}

export async function gather(
  ports: KernelPorts,
  state: State,
  policyRevision: string,
  action: Action,
  cwd: string,
  call: Pick<ToolCall, 'command' | 'readIn' | 'resources' | 'wallsMissing' | 'leaves'>,
  names: HiddenNames,
  given?: SettingsRead,
): Promise<Gathered> {
  const { workspace, root } = action;
  const session = state.sessions.get(action.session);
  const selected = session?.intent ? (state.intent(workspace, session.intent)?.intent ?? null) : null;
  const read = given ?? (await readSettings(ports, root));
  const settings = state.modeLimits.applyTo(read.settings, workspace, session?.intent ?? null, state.documents.dialOf(root));
  // The list of tasks applies only to changes of the tree, so it is read only for those.
  const tasks = mutates(action.effects) ? await orFault(ports.workspace.tasks(root, selected)) : NO_TASKS;
  const written = mutates(action.effects) ? await orFault(ports.workspace.allTasks(root)) : NO_TASKS;
  const scope = selected?.owned_scope ?? null;
  const { paths } = settings;
  const observed = await ports.workspace.observe({ root, cwd, resources: call.resources, scope, paths });
  const shown = observed.files.map((file) => names.shownFile(file));
  const approval = answerFor(state, action, policyRevision, ports.now(), shown);
  const command = call.readIn?.({ scope, paths, network: settings.network }) ?? call.command;
  const effective = effectiveMode(session?.mode ?? null, settings.minimumMode, settings.pinnedMode);

  const grants = selected ? state.grants.openFor(workspace, selected.id, ports.now()) : [];
  const plan = mutates(action.effects) ? await planOf(ports, state, action, call, selected, observed) : null;
  const granted = allowanceFor(action, command, [...settings.allowedCommands, ...state.commandRules.allowedIn(workspace)], grants);

  const facts: Facts = ports.redactor.value({
    mode: { declared: session?.mode ?? null, minimum: settings.minimumMode, pinned: settings.pinnedMode, effective },
    intent: {
      selected,
      active: state.activeIntents(workspace).map(({ intent }) => ({
        id: intent.id,
        name: intent.name,
        covers: ports.workspace.covers(intent.owned_scope, observed.files),
      })),
      ...proposedFor(state, workspace, (intent) => ports.workspace.covers(intent.owned_scope, observed.files)),
    },
    recall: recallFact(state, workspace, session, selected, effective, plan?.node ?? null),
    tasks: tasksFact(state, action, tasks.value, written.value ?? []),
    files: await Promise.all(shown.map((file, index) => held(ports, state, action, file, observed.files[index]?.real ?? ''))),
    command,
    approval:
      approval && approval.state !== 'spent' && approval.state !== 'expired' && approval.state !== 'withdrawn'
        ? { id: approval.approval.id, state: approval.state, reason: approval.reason, proof: approval.human?.proof ?? null }
        : null,
    ...failuresOf(session, action),
    ...state.foreignText.factFor(action, cwd),
    ...proofNeeded(state, settings.destructiveProof),
    ...(granted.allowance ? granted : (plannedHook(plan) ?? remembered(state, action))),
    ...(call.wallsMissing === undefined ? {} : { walls_missing: call.wallsMissing }),
    ...(plan ? { plan } : {}),
  });
  const faults = leavesMark(action.effects) ? [read.fault, tasks.fault].filter((fault) => fault !== null) : [];
  return { facts, settings, preImages: observed.preImages, trouble: faults.map(objectionOf) };
}

/** Null: the session works by no plan. A plan of work that is over holds nothing. */
async function planOf(
  ports: KernelPorts,
  state: State,
  action: Action,
  call: Pick<ToolCall, 'leaves'>,
  intent: Intent | null,
  { files, preImages }: Observed,
): Promise<PlanFact | null> {
  const work = state.workOf(action.session);
  if (!work?.plan || work.ended !== null) return null;
  const contents = new Map(preImages.map((bytes) => [sha256Hex(bytes), bytes]));
  const before = ({ sha256 }: FileObservation) => {
    const bytes = sha256 === null ? null : contents.get(sha256);
    return bytes && new TextDecoder().decode(bytes);
  };
  const { works } = state;
  const agentOf = (session: string) => state.sessions.get(session)?.agent ?? 'an agent';
  const { symbolsOf, staleIn } = ports;
  return planFact({ works, work, plan: work.plan, action, call, files, intent, before, symbolsOf, staleIn, agentOf, now: ports.now() });
}

/** A check of a plan that a human approved was read by them with it. */
const plannedHook = (plan: PlanFact | null): Pick<Facts, 'allowance'> | null =>
  plan?.hook && plan.approval === 'approved' ? { allowance: { by: 'plan', patterns: [plan.work], grants: [] } } : null;

/** Calls that were made before the last failure was out are one try. */
function failuresOf(session: SessionEntry | undefined, action: Action): Pick<Facts, 'failures'> {
  const known = session?.failures.get(failureKey(action));
  return known && action.at > known.answeredAt ? { failures: known.rounds } : {};
}

/** So that an agent that tries again is reminded of what it has proposed, and does not propose it twice. */
function proposedFor(state: State, workspace: string, covers: (intent: Intent) => boolean): Pick<Facts['intent'], 'proposed'> {
  if (state.activeIntents(workspace).length > 0) return {};
  const waiting = [...(state.intents.get(workspace)?.values() ?? [])].flatMap(({ intent }) =>
    intent.status === 'proposed' ? [intent] : [],
  );
  const proposed = waiting.filter(covers).map(({ id }) => id);
  return proposed.length > 0 ? { proposed } : {};
}

/** A setting may ask for more than what is enrolled, never for less. */
function proofNeeded(state: State, setting: Proof | null): { proof_needed?: Proof } {
  const needed = strongerProof(state.approvers.strongestProof(), setting ?? 'login');
  return needed === 'login' ? {} : { proof_needed: needed };
}

/** The question about this very input, unless a file that it names has changed since: a human said yes to what it was then. */
function answerFor(
  state: State,
  action: Action,
  policyRevision: string,
  now: Date,
  files: readonly FileObservation[],
): ApprovalEntry | null {
  const found = state.approvalFor(action, policyRevision, now);
  const then = found?.decision.facts.files ?? [];
  const isSame = (file: FileObservation) =>
    then.find(({ path, access }) => path === file.path && access === file.access)?.sha256 === file.sha256;
  return found && files.every(isSame) ? found : null;
}

/** An unknown tool that a human said yes to before, with an input of the same form. */
function remembered(state: State, action: Action): Pick<Facts, 'allowance'> {
  const tools = state.grants.remembered(action);
  return tools ? { allowance: { by: 'remembered', patterns: tools.map(({ tool }) => tool), grants: tools.map(({ id }) => id) } } : {};
}

/** How long an admitted change keeps others from a file whose outcome is not reported. */
const LEASE_MS = 120_000;

/** A file's state between sessions: what this one last saw of it, and whether another is changing it. */
async function held(ports: KernelPorts, state: State, action: Action, file: FileObservation, onDisk: string): Promise<FileFact> {
  if (file.real === null || file.access === 'read' || file.governance !== null) return { ...file, seen: null, since: null, lease: null };
  const named = action.resources.find((resource) => resource.kind === 'file' && resource.path === file.path);
  const base = named?.kind === 'file' ? (named.base_sha256 ?? null) : null;
  const seen = base ?? state.sessions.get(action.session)?.seen.get(file.real) ?? null;
  const stale = seen !== null && file.sha256 !== null && seen !== file.sha256;
  const since = stale ? await ports.workspace.diffSince(action.root, onDisk, seen, ports.log) : null;
  return { ...file, seen, since, lease: state.leases.on(action, file.real, ports.now().getTime() - LEASE_MS) };
}

/** Freshness is for one intent and one turn, in STRICT also for one node of the plan, and is not used up. */
export function recallFact(
  state: State,
  workspace: string,
  session: SessionEntry | undefined,
  selected: Intent | null,
  effective: Mode,
  node: string | null,
): RecallFact {
  const recall = session?.recall ?? null;
  const missing = (): string | null => {
    if (!session || !recall) return 'nothing was recalled yet';
    if (recall.turn !== session.turn) return 'the last recall was in an earlier turn';
    if (recall.intent !== null && recall.intent !== session.intent) return `the last recall was for ${recall.intent}`;
    if (recall.how === 'injected' && effective === 'STRICT') return 'STRICT asks for a recall of your own';
    if (effective === 'STRICT' && node !== null && recall.node !== undefined && recall.node !== node)
      return `the last recall was for node ${recall.node} of the plan, and this is node ${node}`;
    if (state.memoryMarks.isNewConstraint(workspace, recall.seq, selected?.owned_scope ?? []))
      return 'a human approved a constraint for these paths since';
    return null;
  };
  return { last: recall && { at: recall.at, found: recall.found, how: recall.how }, missing: missing() };
}

/** `written`: the tasks of all lists. */
function tasksFact(state: State, { session: id, root }: Action, list: TaskList | null, written: readonly Task[]): TasksFact {
  const session = state.sessions.get(id);
  const intent = session?.intent ?? null;
  const current = list?.tasks.find((task) => task.id === list.current) ?? null;
  const isFinishedNow = current === null && state.taskBooks.isFinishedIn(root, intent, state.turnOf(id));
  const edited = state.taskBooks.edits(root, intent, written);
  return {
    steps: [...(session?.steps ?? [])],
    list: list && {
      goal: list.goal,
      current: current && { id: current.id, title: current.title },
      total: leavesOf(list.tasks).length,
      confirmed: current !== null && (state.confirmedTasks.get(root)?.has(current.id) ?? false),
      ...(isFinishedNow ? { finished_now: true } : {}),
    },
    ...(edited.length > 0 ? { edited } : {}),
  };
}

const NO_TASKS = { value: null, fault: null };

/** A fault is a fact like any other; any other error is a defect. */
async function orFault<T>(reading: Promise<T>): Promise<{ value: T | null; fault: Fault | null }> {
  try {
    return { value: await reading, fault: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { value: null, fault: error };
  }
}

const objectionOf = (fault: Fault): Objection => ({
  policy: 'gather',
  outcome: 'deny',
  code: fault.code,
  message: fault.message,
  required_action: fault.fix ?? 'Tell a human: what the gate needs to know cannot be read',
  remedy: null,
});
