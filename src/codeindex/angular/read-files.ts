// Reads the files of an Angular application in a thread that is started for it and ends with it.

import { Worker } from 'node:worker_threads';
import type { FilePart } from '../graph/file-part.ts';
import { type AngularFacts, NO_ANGULAR_FACTS } from './angular-facts.ts';

const STACK_MB = 512;
const HEAP_MB = 1024;
const PATIENCE_MS = 10_000;

const PACKAGES = /^(?:@angular\/|@angular-architects\/|@ag-grid|ag-grid|@module-federation|@nx\/|@softarc\/native-federation)/;
const CONFIGURATION = /(?:^|\/)(?:[\w.-]*federation[\w.-]*|webpack[\w.-]*)\.[cm]?[jt]s$/;
const MANIFEST = /(?:^|\/)[\w.-]*manifest[\w.-]*\.json$/;

/** Whether the file can say anything that the pack reads. */
export const isForAngular = ({ file, imports }: FilePart): boolean =>
  CONFIGURATION.test(file.path) || MANIFEST.test(file.path) || imports.some(({ specifier }) => PACKAGES.test(specifier));

export interface ReadFile {
  readonly path: string;
  readonly text: string;
}

export interface AngularRead {
  readonly facts: ReadonlyMap<string, AngularFacts>;
  /** Files that the parser could not be brought to read. */
  readonly failed: readonly string[];
}

/** Never rejects. */
export async function readAngularFiles(files: readonly ReadFile[]): Promise<AngularRead> {
  const facts = new Map<string, AngularFacts>();
  const failed: string[] = [];
  let worker: Worker | null = null;
  for (const file of files) {
    worker ??= start();
    const answer = await ask(worker, file);
    facts.set(file.path, answer ?? NO_ANGULAR_FACTS);
    if (answer) continue;
    failed.push(file.path);
    await worker.terminate();
    worker = null;
  }
  await worker?.terminate();
  return { facts, failed };
}

const start = (): Worker =>
  new Worker(new URL('./angular-thread.ts', import.meta.url), {
    resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: HEAP_MB },
    execArgv: [],
  });

/** Null when the thread broke or took too long. */
function ask(worker: Worker, file: ReadFile): Promise<AngularFacts | null> {
  const { promise, resolve } = Promise.withResolvers<AngularFacts | null>();
  const timer = setTimeout(() => resolve(null), PATIENCE_MS);
  const onMessage = (answer: { readonly facts: AngularFacts }) => resolve(answer.facts);
  const onEnd = () => resolve(null);
  worker.once('message', onMessage).once('error', onEnd).once('exit', onEnd);
  worker.postMessage(file);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
  });
}
