// Threads that parse. A batch whose parser dies or takes too long is cut in halves until the bad file is alone; that file is then left out,
// and reported.

import { Worker } from 'node:worker_threads';
import type { IndexEvent } from '../model.ts';
import type { Stamp } from './stamp.ts';

/** See `code-index.ts`: what the parser needs for the worst text that it is given. */
const STACK_MB = 512;
const HEAP_MB = 768;
/** Trees of syntax die young: with room for them they are not copied around. */
const YOUNG_MB = 48;
const TIMEOUT_MS = 20_000;
const IDLE_MS = 20_000;

export interface ParseJob {
  readonly root: string;
  readonly paths: readonly string[];
  /** By path: content that needs no new segment when it is still the same. */
  readonly known: Readonly<Record<string, string>>;
}

export interface ParsedFile {
  readonly path: string;
  /** Null: it is gone or cannot be opened. */
  readonly stamp: Stamp | null;
  /** Its number in the segment; -1: it is not in there. */
  readonly slot: number;
  /** The content is the one that was known. */
  readonly same: boolean;
  readonly sha256: string | null;
  readonly event: IndexEvent | null;
}

export interface ParsedBatch {
  readonly segment: ArrayBuffer | null;
  readonly files: readonly ParsedFile[];
}

interface Thread {
  readonly worker: Worker;
  current: { readonly job: ParseJob; readonly done: (batch: ParsedBatch[]) => void } | null;
  timer: NodeJS.Timeout | undefined;
  /** Counts the files that it began. */
  readonly begun: Int32Array;
}

/** What a thread is started with. */
export interface ParseThreadStart {
  readonly begun: Int32Array;
  readonly packs: readonly string[];
}

export class ParsePool {
  readonly #size: number;
  readonly #threads = new Set<Thread>();
  readonly #waiting: { readonly job: ParseJob; readonly done: (batches: ParsedBatch[]) => void }[] = [];
  readonly #packs: readonly string[];
  readonly #waitTimeoutMs: number;
  #isClosed = false;
  #idle: NodeJS.Timeout | undefined;

  /** `packs`: the addresses of their modules. */
  constructor(size: number, packs: readonly string[], waitTimeoutMs = TIMEOUT_MS) {
    this.#size = size;
    this.#packs = packs;
    this.#waitTimeoutMs = waitTimeoutMs;
  }

  /** One batch, or several when it had to be cut. Never rejects. */
  parse(job: ParseJob): Promise<ParsedBatch[]> {
    return new Promise((done) => {
      if (this.#isClosed) return done([lost(job, 'the index is closed')]);
      this.#waiting.push({ job, done });
      this.#next();
    });
  }

  /** Has a thread ready, so that the next file does not wait for one to start. */
  warm(): void {
    if (this.#threads.size === 0 && !this.#isClosed) this.#start();
  }

  /** Ends what has nothing to do: a thread that read a whole tree holds much more than the next file needs. */
  rest(): void {
    for (const thread of [...this.#threads].filter(({ current }) => current === null)) this.#end(thread);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    for (const { job, done } of this.#waiting.splice(0)) done([lost(job, 'the index is closed')]);
    const threads = [...this.#threads];
    this.#threads.clear();
    for (const thread of threads) {
      clearTimeout(thread.timer);
      thread.current?.done([lost(thread.current.job, 'the index is closed')]);
    }
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  }

  #next(): void {
    while (this.#waiting.length > 0) {
      const free = [...this.#threads].find((thread) => thread.current === null) ?? (this.#threads.size < this.#size ? this.#start() : null);
      if (!free) return;
      this.#give(free, this.#waiting.shift()!);
    }
    // All but one end when there is nothing to do.
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      for (const thread of [...this.#threads].filter(({ current }) => current === null).slice(1)) this.#end(thread);
    }, IDLE_MS);
    this.#idle.unref();
  }

  #give(thread: Thread, task: { readonly job: ParseJob; readonly done: (batches: ParsedBatch[]) => void }): void {
    thread.current = task;
    thread.worker.ref();
    thread.worker.postMessage(task.job);
    this.#beginWaiting(thread);
  }

  /** Each file has the whole time limit: on a machine with much else to do a batch takes many times as long. */
  #beginWaiting(thread: Thread): void {
    const begun = Atomics.load(thread.begun, 0);
    thread.timer = setTimeout(() => {
      if (Atomics.load(thread.begun, 0) === begun) this.#fail(thread, `took the parser longer than ${this.#waitTimeoutMs} ms`);
      else this.#beginWaiting(thread);
    }, this.#waitTimeoutMs);
    thread.timer.unref();
  }

  #start(): Thread {
    const begun = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(new URL('./parse-thread.ts', import.meta.url), {
      workerData: { begun, packs: this.#packs } satisfies ParseThreadStart,
      resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
      execArgv: [],
    });
    const thread: Thread = { worker, current: null, timer: undefined, begun };
    worker.on('message', (batch: ParsedBatch) => {
      const task = thread.current;
      thread.current = null;
      worker.unref();
      clearTimeout(thread.timer);
      task?.done([batch]);
      this.#next();
    });
    worker.on('error', (error) =>
      this.#fail(thread, `made the parser fail (${error instanceof Error ? error.message : 'no reason given'})`),
    );
    worker.on('exit', () => this.#fail(thread, 'made the parser end'));
    worker.unref();
    this.#threads.add(thread);
    return thread;
  }

  #end(thread: Thread): void {
    this.#threads.delete(thread);
    clearTimeout(thread.timer);
    thread.worker.terminate().catch(() => undefined);
  }

  #fail(thread: Thread, why: string): void {
    if (!this.#threads.has(thread)) return;
    const task = thread.current;
    this.#end(thread);
    if (task === null) return;
    const { job, done } = task;
    if (job.paths.length <= 1) done([lost(job, why)]);
    else {
      const half = job.paths.length >> 1;
      const parse = async (): Promise<void> => {
        const both = await Promise.all([job.paths.slice(0, half), job.paths.slice(half)].map((paths) => this.parse({ ...job, paths })));
        done(both.flat());
      };
      parse().catch(() => undefined);
    }
    this.#next();
  }
}

const lost = (job: ParseJob, why: string): ParsedBatch => ({
  segment: null,
  files: job.paths.map((path) => ({ path, stamp: null, slot: -1, same: false, sha256: null, event: { kind: 'skipped', path, why } })),
});
