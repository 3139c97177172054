// References and renames as the TypeScript compiler sees them. It is large and slow to start: it has a thread of its own, which
// begins with the first question and ends when none came for a while.

import { Worker } from 'node:worker_threads';
import { Fault } from '../../protocol/plain.ts';
import { languageOf } from '../extract/language-of.ts';
import { LineFinder } from '../extract/line-finder.ts';
import type { Definition, Found, Reference, ReferenceHit, ReferenceQuery, RenameEdit } from '../model.ts';
import { decodeReference } from '../segment/decode.ts';
import { definitionsNamed } from './definitions.ts';
import { covering, type TreeView } from './tree-view.ts';

export interface PreciseQuestion {
  readonly root: string;
  readonly path: string;
  readonly offset: number;
  /** The programs of the tree, for one without a configuration. */
  readonly files: readonly string[];
  /** The new name; null asks for references. */
  readonly to: string | null;
  /** Without it, the newest available. */
  readonly engine?: 'typescript6' | undefined;
}

export interface Spot {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** Of a rename: what comes there. */
  readonly text?: string;
}

export interface PreciseAnswer {
  readonly engine: 'typescript7' | 'typescript6';
  readonly spots: readonly Spot[];
  readonly refusal?: string;
}

const TIMEOUT_MS = 120_000;
const IDLE_MS = 300_000;
const HEAP_MB = 4_096;
const DEFINITIONS_MAX = 20;
const FILES_MAX = 5_000;

/** Asks the compiler. The caller that opens it closes it. */
export class Compilers {
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  readonly #waiting = new Map<number, (answer: PreciseAnswer) => void>();

  ask(question: PreciseQuestion): Promise<PreciseAnswer> {
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#lastId;
    clearTimeout(this.#idle);
    return new Promise((resolve) => {
      const late = setTimeout(() => this.close(`the compiler took longer than ${TIMEOUT_MS} ms`), TIMEOUT_MS);
      this.#waiting.set(id, (answer) => {
        clearTimeout(late);
        resolve(answer);
      });
      worker.ref();
      worker.postMessage({ id, question });
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./precise-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      execArgv: [],
    });
    worker.on('message', ({ id, answer }: { readonly id: number; readonly answer: PreciseAnswer }) => {
      this.#waiting.get(id)?.(answer);
      this.#waiting.delete(id);
      if (this.#waiting.size > 0) return;
      worker.unref();
      this.#idle = setTimeout(() => this.close('nothing was asked'), IDLE_MS);
      this.#idle.unref();
    });
    worker.on('error', (error) => this.close(error instanceof Error ? error.message : 'the compiler failed'));
    return worker;
  }

  close(why: string): void {
    clearTimeout(this.#idle);
    this.#worker?.terminate().catch(() => undefined);
    this.#worker = null;
    for (const settle of this.#waiting.values()) settle({ engine: 'typescript6', spots: [], refusal: why });
    this.#waiting.clear();
  }
}

export interface PreciseContext {
  readonly root: string;
  readonly view: TreeView;
  readonly compilers: Compilers;
  readonly engine?: 'typescript6' | undefined;
}

const isProgram = (path: string): boolean => ['typescript', 'javascript'].includes(languageOf(path));

/** The offset of its name; -1 when the text has changed. */
function nameOffset(view: TreeView, { path, line, name }: Definition): number {
  const text = view.textOf(path)?.text ?? '';
  return text.indexOf(name, new LineFinder(text).startOf(line));
}

const programsOf = (view: TreeView): readonly string[] => [...view.store.entries.keys()].filter(isProgram).slice(0, FILES_MAX);

/** Of definitions that the compiler knows its answer counts; of others what was found without it. */
export async function preciseReferences(
  { root, view, compilers, engine }: PreciseContext,
  query: ReferenceQuery,
  otherwise: Found<ReferenceHit>,
): Promise<Found<ReferenceHit>> {
  const wanted = definitionsNamed(view, query.name).filter(({ path }) => isProgram(path));
  if (wanted.length === 0) return otherwise;
  const covers = covering(query.glob);
  const files = programsOf(view);
  const own = new Set(wanted.map((definition) => `${definition.path}\0${nameOffset(view, definition)}`));
  const found = new Map<string, ReferenceHit>();
  for (const definition of wanted.slice(0, DEFINITIONS_MAX)) {
    const offset = nameOffset(view, definition);
    if (offset < 0) continue;
    const { spots, refusal } = await compilers.ask({ root, path: definition.path, offset, files, to: null, engine });
    if (refusal !== undefined) return { ...otherwise, incomplete: `the compiler could not be asked: ${refusal}` };
    for (const spot of spots) {
      const hit = covers(spot.path) && !own.has(`${spot.path}\0${spot.start}`) ? hitAt(view, spot, definition) : null;
      if (hit && (query.roles === undefined || query.roles.includes(hit.role))) found.set(`${hit.path}\0${hit.line}\0${hit.column}`, hit);
    }
  }
  const hits = [...found.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.column - b.column));
  const limit = query.limit ?? hits.length;
  return { hits: hits.slice(0, limit), incomplete: hits.length > limit ? `more than ${limit} references` : null };
}

/** The use that the index saw there, or a plain one: the compiler also counts what is local. */
function hitAt(view: TreeView, { path, start, end }: Spot, definition: Definition): ReferenceHit | null {
  const read = view.textOf(path);
  const file = view.store.file(path);
  if (!read || !file) return null;
  const lines = new LineFinder(read.text);
  const line = lines.line(start);
  const column = lines.column(start);
  const definitions = view.definitionsIn(path);
  const [first, last] = file.segment.rowsOf(file.slot, 'references');
  let reference: Reference = { name: read.text.slice(start, end), role: 'read', path, line, column, of: null, within: null };
  for (let row = first; row < last; row++) {
    const seen = decodeReference(file.segment, row, path, definitions);
    if (seen.line === line && seen.column === column) reference = seen;
  }
  const citation = view.cite(path, line, line);
  return citation ? { ...reference, citation, certainty: 'precise', targets: [definition.id] } : null;
}

/** Nothing is written: the caller applies the edits, through the gate. */
export async function renameEdits({ root, view, compilers }: PreciseContext, name: string, to: string): Promise<readonly RenameEdit[]> {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(to)) throw new Fault('BAD_REQUEST', `${JSON.stringify(to)} is not a name`);
  const wanted = definitionsNamed(view, name).filter(({ path }) => isProgram(path));
  const [definition] = wanted;
  if (!definition) throw new Fault('NOT_FOUND', `No TypeScript or JavaScript definition is called ${name}`);
  const places = new Set(wanted.map(({ path, container }) => `${path}\0${container}`));
  if (places.size > 1)
    throw new Fault('BAD_REQUEST', `${wanted.length} definitions are called ${name}`, {
      fix: `Name one by its id: ${wanted
        .slice(0, 5)
        .map(({ id }) => id)
        .join(', ')}`,
    });
  const { spots, refusal } = await compilers.ask({
    root,
    path: definition.path,
    offset: nameOffset(view, definition),
    files: programsOf(view),
    to,
  });
  if (refusal !== undefined) throw new Fault('CONFLICT', `${name} cannot be renamed: ${refusal}`);
  return spots.flatMap(({ path, start, end, text }): RenameEdit[] => {
    const read = view.textOf(path);
    return read ? [{ path, file_sha256: read.sha256, start, end, line: new LineFinder(read.text).line(start), text: text ?? to }] : [];
  });
}
