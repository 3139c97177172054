// The canon index of a story. A model takes facts out of each scene; only those whose quote is in the scene are kept; the compiled text is the
// same for the same facts. A scene that changes makes its own facts stale, and nothing else.

import { findQuoteIn } from '../../../claims/index.ts';
import { CanonExtraction, type CanonFact, CanonMeta, type CanonStatus, readObjects } from '../../../protocol/index.ts';
import type { Vfs, VfsFile } from './vfs.ts';

export const CANON_META_FILE = '.control-room/canon/canon-meta.json';

type SceneFacts = CanonMeta['scenes'][string];

/** Asks a model; its answer is text. Chat providers fill it. */
export type AskModel = (prompt: string, signal: AbortSignal) => Promise<string>;

export const isScene = (path: string): boolean => /^Story\/Scenes\/[^/]+\.(?:md|markdown|txt)$/i.test(path);

export const extractionPrompt = ({ path, lines }: Pick<VfsFile, 'path' | 'lines'>): string =>
  [
    'Take out of the scene below what it establishes about people, places, objects and dates: appearance, age, family, where somebody is, what happened when.',
    'Answer with one JSON object and nothing else: {"facts":[{"entity":"full name","attribute":"eye colour","value":"green","quote":"exact words of the scene"}]}',
    'The quote has to be in the scene word for word. Leave out what is only guessed.',
    '',
    `Scene ${path}:`,
    ...lines,
  ].join('\n');

/** The facts of a model's answer that the scene really has. */
export function readExtraction(answer: string, scene: Pick<VfsFile, 'lines' | 'sha256'>): SceneFacts {
  const failed = (problem: string): SceneFacts => ({ sha256: scene.sha256, facts: [], left_out: 0, problem });
  const read = readObjects(answer);
  if ('problem' in read) return failed(read.problem);
  const parsed = CanonExtraction.safeParse(read.objects[0]);
  if (!parsed.success || read.objects.length > 1) return failed('The answer is not one object with facts.');
  const kept = parsed.data.facts.flatMap((fact) => {
    const found = findQuoteIn(scene.lines, fact.quote);
    return found ? [{ ...fact, line: found.start_line }] : [];
  });
  return { sha256: scene.sha256, facts: kept, left_out: parsed.data.facts.length - kept.length };
}

/** The text of Canon.md. No time and no order of arrival is in it. */
export function compileCanon({ scenes }: CanonMeta): string {
  const all = Object.entries(scenes).flatMap(([path, { facts }]) => facts.map((fact) => ({ ...fact, path })));
  const byEntity = [...Map.groupBy(all, ({ entity }) => plain(entity))].toSorted(([a], [b]) => compare(a, b));
  const sections = byEntity.flatMap(([entity, facts]) => {
    const sorted = facts.toSorted(
      (a, b) => compare(a.attribute, b.attribute) || compare(a.path, b.path) || a.line - b.line || compare(a.value, b.value),
    );
    const lines = sorted.map(
      ({ attribute, value, quote, path, line }) =>
        `- ${plain(attribute).toLowerCase()}: ${plain(value)} — “${plain(quote)}” (${path}:${line})`,
    );
    return ['', `## ${entity}`, '', ...new Set(lines)];
  });
  return `${['# Canon', ...sections].join('\n')}\n`;
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function parseMeta(text: string): CanonMeta | null {
  try {
    const meta = CanonMeta.safeParse(JSON.parse(text));
    return meta.success ? meta.data : null;
  } catch {
    return null;
  }
}

/** Compares the index with the scenes as they are now. */
export function canonStatus(meta: CanonMeta | null, scenes: readonly Pick<VfsFile, 'path' | 'sha256'>[], isRunning: boolean): CanonStatus {
  const known = meta?.scenes ?? {};
  const now = new Map(scenes.map(({ path, sha256 }) => [path, sha256]));
  const stale = [
    ...scenes.flatMap(({ path, sha256 }): CanonStatus['stale'] => {
      const before = Object.hasOwn(known, path) ? known[path]! : null;
      if (before === null) return meta === null ? [] : [{ path, why: 'new' }];
      if (before.sha256 !== sha256) return [{ path, why: 'changed' }];
      return before.problem === undefined ? [] : [{ path, why: 'failed' }];
    }),
    ...Object.keys(known).flatMap((path): CanonStatus['stale'] => (now.has(path) ? [] : [{ path, why: 'gone' }])),
  ];
  const facts = Object.values(known).flatMap((scene) => scene.facts);
  const staleFacts: readonly CanonFact[] = stale.flatMap(({ path }) => (Object.hasOwn(known, path) ? known[path]!.facts : []));
  return {
    state: isRunning ? 'running' : meta === null ? 'none' : stale.length > 0 ? 'stale' : 'current',
    indexed_at: meta?.indexed_at ?? null,
    scenes: Object.keys(known).length,
    facts: facts.length,
    left_out: Object.values(known).reduce((sum, { left_out }) => sum + left_out, 0),
    stale,
    stale_entities: [...new Set(staleFacts.map(({ entity }) => plain(entity)))].toSorted(compare),
  };
}

/** A longer scene is asked about in parts. */
const PART_CHARACTERS = 12_000;

async function extract(scene: VfsFile, ask: AskModel, signal: AbortSignal): Promise<SceneFacts> {
  const parts: string[][] = [[]];
  let length = 0;
  for (const line of scene.lines) {
    if (length + line.length > PART_CHARACTERS && parts.at(-1)!.length > 0) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)!.push(line.slice(0, PART_CHARACTERS));
    length += line.length + 1;
  }
  const read: SceneFacts[] = [];
  for (const lines of parts) read.push(readExtraction(await ask(extractionPrompt({ path: scene.path, lines }), signal), scene));
  const problem = read.find((each) => each.problem !== undefined)?.problem;
  return {
    sha256: scene.sha256,
    facts: read.flatMap(({ facts }) => facts),
    left_out: read.reduce((sum, { left_out }) => sum + left_out, 0),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Asks the model for the scenes that changed, and keeps what it knows of the others. */
export async function indexCanon(
  before: CanonMeta | null,
  vfs: Vfs,
  ask: AskModel,
  now: () => Date,
  signal: AbortSignal,
): Promise<CanonMeta> {
  const scenes: Record<string, SceneFacts> = {};
  for (const { path } of (await vfs.tree()).filter((entry) => isScene(entry.path))) {
    const scene = await vfs.read(path);
    const known = before && Object.hasOwn(before.scenes, path) ? before.scenes[path] : undefined;
    signal.throwIfAborted();
    scenes[path] = known?.sha256 === scene.sha256 && known.problem === undefined ? known : await extract(scene, ask, signal);
  }
  return { version: 1, indexed_at: now().toISOString(), scenes };
}
