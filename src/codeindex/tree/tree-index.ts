// The index of one tree, reached from another thread. The thread starts with the first question, and keeps the process alive only
// while one waits.

import { Worker } from 'node:worker_threads';
import { Fault, type FaultCode } from '../../protocol/plain.ts';
import type { IndexChange, TreeIndex } from '../model.ts';
import type { PathConfig } from '../../workspace/plain.ts';
import { type KeeperOptions, threadEnvironment } from './keeper-options.ts';

export type TreeQuestion = Exclude<keyof TreeIndex, 'onChange'>;

export interface Asked {
  readonly id: number;
  readonly method: TreeQuestion | 'usePaths';
  readonly given: readonly unknown[];
}

export type Said =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | {
      readonly kind: 'refusal';
      readonly id: number;
      readonly message: string;
      readonly code: FaultCode | null;
      readonly fix: string | null;
    }
  | { readonly kind: 'change'; readonly change: IndexChange };

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** What the index keeps in memory for a very large tree; its texts are bounded by themselves. */
const HEAP_MB = 2_048;

/** `pathsOf`: what a human's settings call derived, requested with every question; never rejects. */
export function openTreeIndex(options: KeeperOptions, pathsOf?: () => Promise<PathConfig>): TreeIndex {
  const waiting = new Map<number, Waiting>();
  const listeners = new Set<(change: IndexChange) => void>();
  let worker: Worker | null = null;
  let isClosed = false;
  let lastId = 0;
  let paths = options.visibility.paths;

  const end = (why: string): void => {
    worker = null;
    for (const { reject } of waiting.values()) reject(new Fault('DAEMON_UNAVAILABLE', why));
    waiting.clear();
  };

  const start = (): Worker => {
    const started = new Worker(new URL('./index-thread.ts', import.meta.url), {
      workerData: { ...options, visibility: { ...options.visibility, ...(paths ? { paths } : {}) } } satisfies KeeperOptions,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      env: threadEnvironment(options.folder),
      execArgv: [],
    });
    started.on('message', (said: Said) => {
      if (said.kind === 'change') return listeners.forEach((listener) => listener(said.change));
      const asked = waiting.get(said.id);
      waiting.delete(said.id);
      if (waiting.size === 0) started.unref();
      if (said.kind === 'answer') asked?.resolve(said.answer);
      else
        asked?.reject(
          said.code === null ? new Error(said.message) : new Fault(said.code, said.message, said.fix === null ? {} : { fix: said.fix }),
        );
    });
    started.on(
      'error',
      (error) => started === worker && end(`the code index failed (${error instanceof Error ? error.message : 'no reason given'})`),
    );
    started.on('exit', () => started === worker && end('the code index ended'));
    return started;
  };

  const followSettings = async (): Promise<void> => {
    const now = await pathsOf?.();
    if (now === undefined || isClosed || JSON.stringify(now) === JSON.stringify(paths)) return;
    paths = now;
    if (worker) post('usePaths', [now]).catch(() => undefined);
  };

  const ask =
    (method: TreeQuestion) =>
    async (...given: readonly unknown[]): Promise<never> => {
      if (method !== 'close') await followSettings();
      return post(method, given);
    };

  const post = (method: Asked['method'], given: readonly unknown[]): Promise<never> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new Fault('DAEMON_UNAVAILABLE', 'The code index is closed'));
      worker ??= start();
      const id = ++lastId;
      waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject });
      worker.ref();
      worker.postMessage({ id, method, given } satisfies Asked);
    });

  return {
    status: ask('status'),
    ready: ask('ready'),
    refresh: ask('refresh'),
    files: ask('files'),
    facts: ask('facts'),
    events: ask('events'),
    definitions: ask('definitions'),
    references: ask('references'),
    callers: ask('callers'),
    callees: ask('callees'),
    outline: ask('outline'),
    search: ask('search'),
    rank: ask('rank'),
    symbolGraph: ask('symbolGraph'),
    rename: ask('rename'),
    cite: ask('cite'),
    text: ask('text'),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      const last = worker;
      if (isClosed) return;
      if (last !== null) await (ask('close')() as Promise<void>).catch(() => undefined);
      isClosed = true;
      worker = null;
      await last?.terminate();
      end('The code index is closed');
    },
  };
}
