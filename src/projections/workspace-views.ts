// Views of the ledger in the work tree: the Agent Trace, the intents file, the intent map and the shared brain. They follow the ledger,
// can be rebuilt from it, and cannot fail a request: errors here are logged and skipped.

import { existsSync, readFileSync } from 'node:fs';
import type { State } from '../kernel/index.ts';
import type { Event, EventType, Intent, LedgerRecord } from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';
import type { Memory } from '../memory/index.ts';
import {
  appendTrace,
  archiveTasks,
  NO_PATH_CONFIG,
  pathClass,
  type PathConfig,
  readTasks,
  traceRecord,
  updateIntentInFile,
  writePrivateFile,
} from '../workspace/index.ts';
import type { IntentMapView } from './intent-map-view.ts';
import { PLAN_TASK_EVENTS, PlanTaskView } from './plan-tasks.ts';
import { SessionPlaces } from './session-places.ts';
import { refreshBrain, restsOn } from './shared-brain.ts';

export interface ProjectionOptions {
  readonly store: EventStore;
  readonly state: State;
  readonly memory: Memory;
  readonly intentMap: IntentMapView;
  /** Remembers how far the views have come. */
  readonly cursorFile: string;
  readonly version: string;
  readonly rootOf: (workspace: string) => string | undefined;
  readonly pathsOf: (root: string) => Promise<PathConfig>;
  readonly log: (message: string) => void;
}

/** The types that `project` uses. Others are not even read. */
const PROJECTED: readonly EventType[] = [
  ...(['action_settled', 'untracked_mutation', 'intent_confirmed', 'breaker_tripped'] as const),
  ...(['claim_kept', 'claim_merged', 'claim_checked', 'claim_approved', 'claim_retired'] as const),
  ...PLAN_TASK_EVENTS,
];

/** How much of the past is held in memory at once. */
const HELD_RECORDS = 256;

export class Projections {
  private readonly options: ProjectionOptions;
  private readonly places: SessionPlaces;
  private readonly planTasks: PlanTaskView;
  private chain: Promise<void> = Promise.resolve();
  private done: number;
  /** Commands whose last run failed since this daemon began. */
  private readonly failing = new Set<string>();
  /** Records that arrive while the past is still being read: projected at once, they would mark all earlier ones as projected. */
  private heldBack: LedgerRecord[] | null = null;

  constructor(options: ProjectionOptions) {
    this.options = options;
    this.places = new SessionPlaces(options.store);
    this.planTasks = new PlanTaskView(options.state);
    this.done = readCursor(options.cursorFile);
  }

  /** Projects what happened before this start. Listeners must be attached first: a record is projected once, by its position. */
  async catchUp(): Promise<void> {
    const { store } = this.options;
    this.heldBack = [];
    try {
      let held = 0;
      for await (const record of store.read(this.done + 1, PROJECTED)) {
        this.queue(record);
        if (++held % HELD_RECORDS === 0) await this.chain;
      }
    } finally {
      for (const record of this.heldBack) this.queue(record);
      this.heldBack = null;
    }
    await this.settled();
  }

  follow(record: LedgerRecord): void {
    if (!PROJECTED.includes(record.event.type)) return;
    if (this.heldBack) this.heldBack.push(record);
    else this.queue(record);
  }

  private queue(record: LedgerRecord): void {
    this.chain = this.chain
      .then(() => this.project(record))
      .catch((error: unknown) => this.options.log(`view of record ${record.seq}: ${String(error)}`));
  }

  /** Resolves when all that was followed so far has been projected. */
  async caughtUp(): Promise<void> {
    await this.chain;
  }

  /** The same, and it is remembered. */
  async settled(): Promise<void> {
    await this.chain;
    await writePrivateFile(this.options.cursorFile, JSON.stringify({ seq: this.done }));
  }

  private async project({ seq, event }: LedgerRecord): Promise<void> {
    if (seq <= this.done) return;
    this.done = seq;
    const { state, version, rootOf, intentMap, store } = this.options;
    const contentOf = (sha256: string) => store.getBlob(sha256);
    if (event.type === 'action_settled') {
      const { receipt, session } = event.data;
      const place = await this.places.ofReceipt(receipt);
      // Files generated from sources are counted by the receipt, but not traced.
      const paths = place && receipt.file_refs.length > 0 ? await this.options.pathsOf(place.root) : NO_PATH_CONFIG;
      const governed = receipt.file_refs.filter(({ path }) => pathClass(path, paths) === 'governed');
      const trace =
        place &&
        traceRecord(
          { ...receipt, file_refs: governed },
          {
            workspaceId: place.workspace,
            sessionUrl: `urn:countersign:session:${session}`,
            toolVersion: version,
          },
        );
      // Writing would recreate a work tree that was removed.
      if (place && trace && existsSync(place.root)) await appendTrace(place.root, [trace]);
      // A refactoring moves what the map points to.
      if (place && governed.length > 0) await intentMap.write(state, place.workspace, place.root, contentOf);
    }
    if (event.type === 'intent_confirmed') {
      const root = rootOf(event.data.workspace);
      if (root !== undefined && existsSync(root)) {
        // Text from the file itself stays as a human wrote it.
        if (event.data.human.via !== 'file') await updateIntentInFile(root, event.data.intent);
        await putAwayTasks(root, event.data.intent);
        await intentMap.write(state, event.data.workspace, root, contentOf);
      }
    }
    if (PLAN_TASK_EVENTS.includes(event.type)) await this.planTasks.refresh(event.type.startsWith('tasks_'));
    const workspace = (await brainOf(event, this.places, this.options.memory)) ?? (await this.afterFailure(event));
    const root = workspace === undefined ? undefined : rootOf(workspace);
    if (workspace !== undefined && root !== undefined) await refreshBrain({ ...this.options, places: this.places }, workspace, root);
  }

  /** The workspace of a command that failed, or passed after it had failed: its line in the shared brain changes. */
  private async afterFailure(event: Event): Promise<string | undefined> {
    if (event.type !== 'action_settled') return undefined;
    const { receipt } = event.data;
    const { command } = receipt.inputs;
    if (typeof command !== 'string') return undefined;
    const workspace = (await this.places.ofReceipt(receipt))?.workspace;
    const key = JSON.stringify([workspace, command]);
    if (receipt.status === 'failed') this.failing.add(key);
    else if (!this.failing.delete(key)) return undefined;
    return workspace;
  }
}

/** A finished list goes with its intent. */
async function putAwayTasks(root: string, { id, status }: Intent): Promise<void> {
  if (status !== 'done' && status !== 'abandoned') return;
  const list = (await readTasks(root))?.lists.find(({ intent }) => intent === id);
  if (list?.current === null && list.tasks.length > 0) await archiveTasks(root, list);
}

/** The workspace whose shared brain an event may change. */
async function brainOf(event: Event, places: SessionPlaces, memory: Memory): Promise<string | undefined> {
  switch (event.type) {
    case 'claim_kept':
    case 'claim_merged':
    case 'claim_checked':
    case 'claim_approved':
    case 'claim_retired':
      return event.data.workspace;
    case 'breaker_tripped':
      return (await places.of(event.data.session))?.workspace;
    // A fact loses its place as soon as what it rests on has changed.
    case 'action_settled': {
      const paths = event.data.receipt.file_refs.map(({ path }) => path);
      const workspace = paths.length === 0 ? undefined : (await places.ofReceipt(event.data.receipt))?.workspace;
      return workspace !== undefined && restsOn(memory, workspace, paths) ? workspace : undefined;
    }
    case 'untracked_mutation':
      return restsOn(memory, event.data.workspace, [event.data.path]) ? event.data.workspace : undefined;
    default:
      return undefined;
  }
}

function readCursor(file: string): number {
  try {
    const { seq } = JSON.parse(readFileSync(file, 'utf8')) as { seq?: unknown };
    return typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0 ? seq : 0;
  } catch {
    return 0;
  }
}
