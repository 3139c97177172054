// A kernel as the daemon wires it, over a real store and a real work tree in a temporary folder. Only the clock is replaced.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { MEMORY_FOLDER } from '../../test/lab/memory-folder.ts';
import { commandRunner } from '../tools/command-runner/command-runner.ts';
import { findSandbox } from '../sandbox/sandbox.ts';
import { type LedgerKeys, loadOrCreateKeys } from '../ledger/index.ts';
import { Memory } from '../memory/index.ts';
import type { Policy } from '../policy/index.ts';
import {
  type Event,
  type EventOf,
  type EventType,
  Fault,
  FIRST_DOORS,
  type IntentStatus,
  type LedgerRecord,
  type Mode,
  type MutationClass,
  type Proof,
  type ToolCall,
  type ToolRegistry,
} from '../protocol/index.ts';
import { type EventStore, openEmbeddedStore } from '../stores/index.ts';
import { codePort, createRegistry, ownPack, type PlansPort, type ToolDeps } from '../tools/index.ts';
import type { QualityPort } from '../quality/index.ts';
import { emptySnapshot, locateWorkspace, NO_PATH_CONFIG, readConfig, workTrees } from '../workspace/index.ts';
import {
  type ActionRequest,
  type CallerJudgement,
  type EventLog,
  Kernel,
  type Recorded,
  type RecordedOutcome,
  Redactor,
  type SessionIdentity,
  type TurnPorts,
} from './index.ts';

export const AGENT = 'test-agent';
export const STARTED_AT = Date.parse('2026-01-02T03:04:05.000Z');
/** The settings without an `.ai/config`. */
export const TTL_SECONDS = 900;
export const RULES = 'rules-1';

/** Tests of the kernel are not about what kind of change it was. */
const UNREAD: MutationClass = { class: 'INTENT_EVOLUTION', because: 'not looked at' };

/** Nothing else changes these trees. */
const runnerFor = (dir: string, images: EventStore) =>
  commandRunner({
    configOf: readConfig,
    ...{ sandbox: () => findSandbox(), images, privateFolders: [dir] },
    knownTree: async () => emptySnapshot(),
    openWindow: () => ({ whyNotOurs: () => null, end: () => {} }),
  });

const NO_CHECKS: QualityPort = {
  checksOf: async () => [],
  validate: async () => ({ ok: true, checks: [], formatted: [], notes: [] }),
  contentOf: async () => null,
};

/** Only the test edits these trees, they have no checks, and their commands no walls. */
const NO_TURN_WORK: TurnPorts = {
  syncDocuments: async () => {},
  noticeEdits: async () => {},
  reconcile: async () => null,
  checkAtStop: async () => null,
  takeCheckNotes: () => null,
  senders: { reporterOf: async () => null, maySpeakFor: () => true },
  walls: {
    stateOf: async () => ({ level: 'off', missing: 'they are switched off' }),
    admit: () => {},
    settled: () => null,
    end: async () => {},
  },
};

const FILES: Readonly<Record<string, string>> = {
  'src/a.ts': 'export const a = 1;\n',
  'src/b.ts': 'export const b = 1;\n',
  'docs/c.md': '# c\n',
  'build/out.js': '1\n',
};

export const human = (proof: Proof = 'login'): CallerJudgement => ({ kind: 'human', human: { proof, via: 'cli' } });

/** A gate is closed with its test, so tests need no cleanup. */
export async function gateForThisTest(options: GateOptions = {}): Promise<Gate> {
  const gate = await Gate.open(options);
  onTestFinished(() => gate.destroy());
  return gate;
}

export interface GateOptions {
  /** Tools that only this test has, by name; all others are the real ones. */
  readonly tools?: Readonly<Record<string, Omit<ToolCall, 'tool' | 'input' | 'command'>>>;
  /** Instead of the real ones. */
  readonly policies?: readonly Policy[];
  /** Instead of a new embedded one; whoever opened it closes it. */
  readonly store?: EventStore;
  /** Another gate whose store and tree this one shares. */
  readonly beside?: Gate;
  /** Around commands that agents run by themselves. */
  readonly walls?: TurnPorts['walls'];
  /** Wraps the store that the kernel gets. */
  readonly link?: (log: EventLog) => EventLog;
}

interface Append {
  readonly types: readonly EventType[];
  readonly durable: boolean;
}

interface Place {
  /** The daemon's folder. */
  readonly dir: string;
  readonly root: string;
  readonly workspace: string;
  readonly keys: LedgerKeys;
}

async function newPlace(): Promise<Place> {
  const base = realpathSync(mkdtempSync(join(MEMORY_FOLDER, 'countersign-gate-')));
  const tree = join(base, 'tree');
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), content);
  }
  const { id, root } = await locateWorkspace(tree);
  return { dir: join(base, 'home'), root, workspace: id, keys: await loadOrCreateKeys(join(base, 'keys')) };
}

const NO_CODE_SANDBOX = new Proxy({} as ToolDeps['codeSandbox'], { get: () => unavailable() });
const NO_CONNECTORS = new Proxy({} as ToolDeps['connectors'], { get: () => unavailable() });

const NO_PLANS = new Proxy({} as PlansPort, { get: () => unavailable() });

const NO_CODE = codePort({ tree: () => unavailable(), rewrite: () => unavailable() }, () => unavailable());

function unavailable(): never {
  throw new Fault('DAEMON_UNAVAILABLE', 'This test has no code index.');
}

export class Gate implements Place {
  readonly dir: string;
  readonly root: string;
  readonly workspace: string;
  readonly keys: LedgerKeys;
  readonly clock: { ms: number };
  /** The kernel's appends, and whether each waited for the disk. */
  readonly appends: readonly Append[];
  private running: { readonly store: EventStore; readonly kernel: Kernel; readonly tools: ToolRegistry };
  private readonly start: (policyRevision: string) => Promise<Gate['running']>;

  private constructor(
    { dir, root, workspace, keys }: Place,
    life: Pick<Gate, 'clock' | 'appends'>,
    start: Gate['start'],
    running: Gate['running'],
  ) {
    this.dir = dir;
    this.root = root;
    this.workspace = workspace;
    this.keys = keys;
    this.clock = life.clock;
    this.appends = life.appends;
    this.start = start;
    this.running = running;
  }

  static async open(options: GateOptions = {}): Promise<Gate> {
    const { dir, root, workspace, keys } = options.beside ?? (await newPlace());
    const clock = { ms: STARTED_AT };
    const now = () => new Date(clock.ms);
    const appends: Append[] = [];
    const { link = (log) => log } = options;
    const start = async (policyRevision: string) => {
      const store = options.beside?.store ?? options.store ?? (await openEmbeddedStore({ dir, keys, clock: now }));
      const memory = new Memory();
      for await (const record of store.read()) memory.apply(record);
      store.subscribe((records) => records.forEach((record) => memory.apply(record)));
      const deps = { memory, now, privateFolders: [dir], pathsOf: async () => NO_PATH_CONFIG };
      const registry = createRegistry([
        ownPack({
          ...deps,
          runCommand: runnerFor(dir, store),
          quality: NO_CHECKS,
          code: NO_CODE,
          plans: NO_PLANS,
          connectors: NO_CONNECTORS,
          codeSandbox: NO_CODE_SANDBOX,
          templateTags: () => unavailable(),
        }),
      ]);
      const tools = withCalls(registry, options.tools ?? {});
      const ports = {
        log: link(watched(store, appends)),
        tools,
        workspace: workTrees({
          configOf: readConfig,
          privateFolders: [dir],
          classifyMutation: async () => UNREAD,
          changedBy: async () => [],
        }),
        turns: options.walls ? { ...NO_TURN_WORK, walls: options.walls } : NO_TURN_WORK,
        symbolsOf: async () => [],
        staleIn: async () => [],
        seal: (text: string) => keys.hmac(text).slice(0, 20),
        redactor: new Redactor(keys.hmac),
        now,
      };
      const kernel = await Kernel.start(ports, store.read(), {
        ...{ policyRevision, version: '0.0.0', pid: process.pid },
        ...(options.policies === undefined ? {} : { policies: options.policies }),
      });
      return { store, kernel, tools };
    };
    return new Gate({ dir, root, workspace, keys }, { clock, appends }, start, await start(RULES));
  }

  get store(): EventStore {
    return this.running.store;
  }

  get kernel(): Kernel {
    return this.running.kernel;
  }

  get tools(): ToolRegistry {
    return this.running.tools;
  }

  /** As a daemon that ends and is started again, perhaps with other rules. */
  async restart(policyRevision = RULES): Promise<void> {
    await this.store.close();
    this.running = await this.start(policyRevision);
  }

  async destroy(): Promise<void> {
    await this.store.close();
    rmSync(dirname(this.dir), { recursive: true, force: true });
  }

  identity(nativeSession: string, agentId?: string): SessionIdentity {
    const { workspace, root } = this;
    return { workspace, root, agent: AGENT, nativeSession, level: 'hooked', ...(agentId === undefined ? {} : { agentId }) };
  }

  async session(nativeSession = 'main', declared: Mode | null = null, agentId?: string): Promise<string> {
    return (await this.kernel.turns.openSession(this.identity(nativeSession, agentId), declared, null)).session;
  }

  /** A session that may change `src`: it has recalled, its mode is declared and an intent is cited. */
  async working(nativeSession = 'main', scope: readonly string[] = ['src/**']): Promise<string> {
    const session = await this.session(nativeSession, 'GUARDED');
    const intent = await this.intent(scope);
    await this.recall(session);
    await this.pass(session, 'select_active_intent', { intent_id: intent });
    return session;
  }

  recall(session: string): Promise<RecordedOutcome> {
    return this.pass(session, 'memory_query', { query: 'work' });
  }

  async intent(ownedScope: readonly string[] = ['src/**'], caller: CallerJudgement = human()): Promise<string> {
    const { outcome } = await this.kernel.authority.declareIntent(caller, {
      workspace: this.workspace,
      name: 'a piece of work',
      ownedScope,
      constraints: [],
      acceptanceCriteria: [],
    });
    return (outcomeOf(outcome, 'noted').output as { id: string }).id;
  }

  async setIntent(id: string, status: IntentStatus, caller: CallerJudgement = human()): Promise<RecordedOutcome> {
    return (await this.kernel.authority.setIntentStatus(caller, this.workspace, id, status)).outcome;
  }

  request(session: string, tool: string, input: Record<string, unknown>, more: Partial<ActionRequest> = {}): ActionRequest {
    const { workspace, root } = this;
    const signal = new AbortController().signal;
    return {
      session,
      workspace,
      root,
      cwd: root,
      actor: { agent: AGENT },
      door: FIRST_DOORS.hook,
      tool,
      input,
      waitTimeoutMs: 0,
      signal,
      ...more,
    };
  }

  async pass(session: string, tool: string, input: Record<string, unknown>, more: Partial<ActionRequest> = {}): Promise<RecordedOutcome> {
    return (await this.kernel.spine.pass(this.request(session, tool, input, more))).outcome;
  }

  async before(session: string, tool: string, input: Record<string, unknown>, more: Partial<ActionRequest> = {}): Promise<RecordedOutcome> {
    return (await this.kernel.spine.before(this.request(session, tool, input, more))).outcome;
  }

  command(session: string, command: string, more: Partial<ActionRequest> = {}): Promise<RecordedOutcome> {
    return this.before(session, 'run_command', { command }, more);
  }

  write(session: string, path: string, content = 'export const a = 2;\n'): Promise<RecordedOutcome> {
    return this.before(session, 'write_file', { path, content });
  }

  async answer(
    id: string,
    answer: 'approved' | 'rejected',
    caller: CallerJudgement = human(),
    reason: string | null = null,
  ): Promise<RecordedOutcome> {
    return (await this.kernel.approvals.answer(caller, id, answer, reason)).outcome;
  }

  /** Asks for a command and leaves the question open. */
  async ask(session: string, command: string): Promise<string> {
    return outcomeOf(await this.command(session, command), 'refused').refusal.approval_id as string;
  }

  configure(config: unknown): void {
    mkdirSync(join(this.root, '.ai/config'), { recursive: true });
    writeFileSync(join(this.root, '.ai/config/repo.json'), typeof config === 'string' ? config : JSON.stringify(config));
  }

  /** As a human might leave it. */
  writeIntents(text: string): void {
    mkdirSync(join(this.root, '.orchestration'), { recursive: true });
    writeFileSync(join(this.root, '.orchestration/active_intents.yaml'), text);
  }

  async records(from = 1): Promise<LedgerRecord[]> {
    const records: LedgerRecord[] = [];
    for await (const record of this.store.read(from)) records.push(record);
    return records;
  }

  async events<T extends EventType>(...types: readonly T[]): Promise<EventOf<T>[]> {
    const events = (await this.records()).map(({ event }) => event);
    return events.filter((event: Event): event is EventOf<T> => (types as readonly EventType[]).includes(event.type));
  }

  /** The next event of this type that is written. */
  next<T extends EventType>(type: T): Promise<EventOf<T>> {
    const { promise, resolve } = Promise.withResolvers<EventOf<T>>();
    const leave = this.store.subscribe((records) => {
      const found = records.find(({ event }) => event.type === type);
      if (!found) return;
      leave();
      resolve(found.event as EventOf<T>);
    });
    return promise;
  }

  /** What is on the disk right now, past every cache of the store: the events' types, in order. */
  typesOnDisk(): string[] {
    const ledger = join(this.dir, 'ledger');
    const segments = readdirSync(ledger).filter((name) => name.endsWith('.jsonl'));
    const lines = segments.toSorted().flatMap((name) => readFileSync(join(ledger, name), 'utf8').split('\n').slice(0, -1));
    return lines.flatMap((line) => (JSON.parse(line) as { type?: string }).type ?? []);
  }
}

/** The store itself; it only logs the calls. */
const watched = (store: EventStore, appends: Append[]): EventLog => ({
  append: (parts, options) => {
    appends.push({ types: parts.flatMap(({ events }) => events.map(({ type }) => type)), durable: options?.durable ?? true });
    return store.append(parts, options);
  },
  ...(store.isShared === undefined ? {} : { isShared: store.isShared }),
  positions: (streams) => store.positions(streams),
  subscribe: (listener) => store.subscribe(listener),
  putBlob: (bytes, options) => store.putBlob(bytes, options),
  getBlob: (sha256) => store.getBlob(sha256),
});

const withCalls = (registry: ToolRegistry, own: NonNullable<GateOptions['tools']>): ToolRegistry => ({
  ...registry,
  describeCall: (request) => {
    const mine = own[request.tool];
    return mine ? { tool: request.tool, input: request.input, command: null, ...mine } : registry.describeCall(request);
  },
});

export function outcomeOf<K extends RecordedOutcome['kind']>(outcome: RecordedOutcome, kind: K): Extract<RecordedOutcome, { kind: K }> {
  if (outcome.kind !== kind) throw new Error(`expected ${kind}, not ${JSON.stringify(outcome)}`);
  return outcome as Extract<RecordedOutcome, { kind: K }>;
}

/** How it ended and the code that leads, if any: all that most tests need of an outcome. */
export function summaryOf(outcome: RecordedOutcome | Recorded): string {
  const what = 'outcome' in outcome ? outcome.outcome : outcome;
  const code = 'refusal' in what ? (what.refusal?.error_code ?? null) : null;
  return code === null ? what.kind : `${what.kind} ${code}`;
}
