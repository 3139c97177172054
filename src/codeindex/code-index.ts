// Reads code in a separate thread: the daemon is not blocked, a file that takes too long only loses its own answer, and the thread's stack
// holds what would overflow the daemon's and crash it.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { MutationClass } from '../protocol/index.ts';
import type { PathConfig, Visibility } from '../workspace/index.ts';
import { type Codemod, declined, type Rewritten } from './codemods/codemod.ts';
import type { TreeIndex } from './model.ts';
import type { CodeSymbol } from './symbols-of.ts';
import type { Answer, Question } from './thread-messages.ts';
import { openTreeIndex } from './tree/tree-index.ts';

/** Measured: the worst text that `tooLarge` lets through takes less than half of it. Only what is used is ever taken. */
const STACK_MB = 512;
/** A text can be written that needs far more; it then costs its own answer, and not the daemon's memory. */
const HEAP_MB = 1024;
const TIMEOUT_MS = 10_000;

export interface CodeIndex {
  /** What kind of change leads from one text to the other. Null: no such file. Never rejects. */
  classifyMutation(path: string, before: string | null, after: string | null): Promise<MutationClass>;
  /** What the file declares; nothing for a language that is not known. Never rejects. */
  symbolsOf(path: string, text: string): Promise<readonly CodeSymbol[]>;
  /** The text after these codemods, or why nothing is changed. Never rejects. */
  rewrite(path: string, text: string, codemods: readonly Codemod[]): Promise<Rewritten>;
  /** The index of a work tree, by its real path: opened on first use, and kept. */
  tree(root: string): TreeIndex;
  /** Ends the threads. What is still asked is answered as not known. */
  close(): Promise<void>;
}

export interface TreeSettings extends Visibility {
  /** Where the indexes of trees are kept; without it, only in memory. */
  readonly cacheDir?: string | undefined;
  /** Follow changes as they happen; otherwise a tree is scanned when it is opened or refreshed. */
  readonly watch?: boolean | undefined;
  /** What a human's settings say is derived; asked again with every question. Never rejects. */
  readonly pathsOf?: ((root: string) => Promise<PathConfig>) | undefined;
  /** Addresses of the modules of packs; see `pack.ts`. */
  readonly packs?: readonly string[] | undefined;
  /** How many threads parse at a time; without it, as many as there are cores, up to four. */
  readonly threads?: number | undefined;
}

/** The thread starts with the first question, and keeps the process alive only while one waits. */
export function openCodeIndex(waitTimeoutMs: number = TIMEOUT_MS, settings: TreeSettings = {}): CodeIndex {
  const trees = new Map<string, TreeIndex>();
  let worker: Worker | null = null;
  let isClosed = false;
  let lastId = 0;
  /** The thread answers in order, so that the first one here is the one it works on. */
  const waiting = new Map<number, { readonly question: Question; readonly settle: (answer: Answer | string) => void }>();
  let timer: NodeJS.Timeout | undefined;

  const start = (): Worker => {
    const started = new Worker(new URL('./parser-thread.ts', import.meta.url), {
      resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: HEAP_MB },
      execArgv: [],
    });
    started.on('message', ({ id, answer }: { readonly id: number; readonly answer: Answer }) => settle(id, answer));
    started.on('error', (error) => replace(started, `the parser failed (${error instanceof Error ? error.message : 'no reason given'})`));
    started.on('exit', () => replace(started, 'the parser ended'));
    return started;
  };

  const settle = (id: number, answer: Answer | string): void => {
    const asked = waiting.get(id);
    waiting.delete(id);
    watch();
    asked?.settle(answer);
  };

  /** The first question is given up with its thread, the others are asked again. */
  const replace = (failed: Worker, why: string): void => {
    if (worker !== failed) return;
    worker = null;
    failed.terminate().catch(() => undefined);
    const [first] = waiting.keys();
    if (first !== undefined) settle(first, why);
    if (waiting.size === 0 || isClosed) return;
    worker = start();
    for (const [id, { question }] of waiting) worker.postMessage({ id, question });
    watch();
  };

  const watch = (): void => {
    clearTimeout(timer);
    const current = worker;
    if (current === null) return;
    if (waiting.size === 0) return current.unref();
    current.ref();
    timer = setTimeout(() => replace(current, `the parser took longer than ${waitTimeoutMs} ms`), waitTimeoutMs);
    timer.unref();
  };

  const ask = (question: Question): Promise<Answer | string> =>
    new Promise((resolve) => {
      if (isClosed) return resolve('the code index is closed');
      worker ??= start();
      const id = ++lastId;
      waiting.set(id, { question, settle: resolve });
      worker.postMessage({ id, question });
      if (waiting.size === 1) watch();
    });

  return {
    async rewrite(path, text, codemods) {
      const answer = await ask({ kind: 'rewrite', path, text, codemods });
      if (typeof answer === 'object' && answer.kind === 'rewrite') return answer.rewritten;
      return declined(typeof answer === 'string' ? answer : 'the parser gave no answer');
    },
    async classifyMutation(path, before, after) {
      const answer = await ask({ kind: 'classify', path, before, after });
      if (typeof answer === 'object' && answer.kind === 'classify') return answer.mutation;
      return { class: 'INTENT_EVOLUTION', because: typeof answer === 'string' ? answer : 'the parser gave no answer' };
    },
    async symbolsOf(path, text) {
      const answer = await ask({ kind: 'symbols', path, text });
      return typeof answer === 'object' && answer.kind === 'symbols' ? answer.symbols : [];
    },
    tree(root) {
      let tree = trees.get(root);
      if (!tree) {
        const { cacheDir, watch = false, threads, packs, pathsOf, ...visibility } = settings;
        const folder = cacheDir === undefined ? null : join(cacheDir, createHash('sha256').update(root).digest('hex').slice(0, 16));
        tree = openTreeIndex({ root, folder, visibility, watch, threads, packs }, pathsOf && (() => pathsOf(root)));
        trees.set(root, tree);
      }
      return tree;
    },
    async close() {
      isClosed = true;
      const opened = [...trees.values()];
      trees.clear();
      const last = worker;
      worker = null;
      clearTimeout(timer);
      for (const { settle: end } of waiting.values()) end('the code index is closed');
      waiting.clear();
      await Promise.all([last?.terminate(), ...opened.map((tree) => tree.close())]);
    },
  };
}
