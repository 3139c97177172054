// Has a pack read files, in a thread that is started for it and ends with it.

import { Worker } from 'node:worker_threads';

const STACK_MB = 512;
const HEAP_MB = 1024;
const TIMEOUT_MS = 10_000;

export interface ReadFile {
  readonly path: string;
  readonly text: string;
}

/** What each file says; null for one that the thread could not read. Never rejects. */
export async function readWithPack(address: string, files: readonly ReadFile[]): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  let worker: Worker | null = null;
  for (const file of files) {
    worker ??= start(address);
    const answer = await ask(worker, file);
    found.set(file.path, answer?.facts ?? null);
    if (answer) continue;
    await worker.terminate();
    worker = null;
  }
  await worker?.terminate();
  return found;
}

const start = (address: string): Worker =>
  new Worker(new URL('./pack-thread.ts', import.meta.url), {
    workerData: address,
    resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: HEAP_MB },
    execArgv: [],
  });

interface Answer {
  readonly facts: unknown;
}

/** Null when the thread broke or took too long. */
function ask(worker: Worker, file: ReadFile): Promise<Answer | null> {
  const { promise, resolve } = Promise.withResolvers<Answer | null>();
  const timer = setTimeout(() => resolve(null), TIMEOUT_MS);
  const onEnd = () => resolve(null);
  worker.once('message', resolve).once('error', onEnd).once('exit', onEnd);
  worker.postMessage(file);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off('message', resolve).off('error', onEnd).off('exit', onEnd);
  });
}
