// Runs a piece of code that an agent wrote: each in a thread of its own, which is ended when the code has ended, or when its time is over, whatever it does.
// The next thread is started meanwhile, so that a caller does not wait for the start.

import { Worker } from 'node:worker_threads';
import type { CodeEnd, CodeOrder, ThreadOrder } from './code-limits.ts';

/** The engine's own memory is in WebAssembly and has its own limit; this is for everything else of the thread. */
const THREAD_MB = 64;

export class CodeSandbox {
  #spare: Worker | null = null;
  readonly #running = new Set<Worker>();
  #isClosed = false;

  async run({ code, inputs, timeoutMs, memoryMb }: CodeOrder, signal: AbortSignal): Promise<CodeEnd> {
    if (signal.aborted) return { kind: 'stopped', why: 'cancelled' };
    const worker = this.#spare ?? startThread();
    this.#spare = null;
    worker.ref();
    this.#running.add(worker);
    const { promise, resolve, reject } = Promise.withResolvers<CodeEnd>();
    // Its time counts from when the thread is ready: a busy machine must not shorten it.
    let timer: NodeJS.Timeout | undefined;
    const start = () => {
      timer = setTimeout(() => resolve({ kind: 'stopped', why: 'time' }), timeoutMs);
      worker.postMessage({ code, inputs: JSON.stringify(inputs), memoryMb } satisfies ThreadOrder);
    };
    const cancel = () => resolve({ kind: 'stopped', why: 'cancelled' });
    signal.addEventListener('abort', cancel, { once: true });
    if (readyThreads.has(worker)) start();
    worker.on('message', (said: 'ready' | CodeEnd) => (said === 'ready' ? start() : resolve(said)));
    worker.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve({ kind: 'stopped', why: 'memory' }) : reject(error),
    );
    worker.once('exit', () => resolve({ kind: 'stopped', why: this.#isClosed ? 'cancelled' : 'memory' }));
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      await worker.terminate();
      this.#running.delete(worker);
      if (!this.#isClosed) this.#spare ??= startThread();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const open = [...this.#running, ...(this.#spare ? [this.#spare] : [])];
    this.#spare = null;
    await Promise.all(open.map((worker) => worker.terminate()));
  }
}

const readyThreads = new WeakSet<Worker>();

function startThread(): Worker {
  const worker = new Worker(new URL('./code-thread.ts', import.meta.url), {
    ...{ execArgv: [], argv: [], env: {}, stdin: false, stdout: true, stderr: true },
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MB, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });
  // A spare one that fails is noticed when it is used.
  worker.on('error', () => undefined);
  worker.once('message', () => readyThreads.add(worker));
  // One that is not used must not keep the daemon alive.
  worker.unref();
  return worker;
}
