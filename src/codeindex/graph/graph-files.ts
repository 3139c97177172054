// The files below `.ai/graph`: seeds and Cypher that people write, deltas that are written for them.

import path from 'node:path';
import { Fault } from '../../protocol/index.ts';
import { ensureFolder, listMatches, readDocument, readInRoot, replaceFile, textOf } from '../../workspace/index.ts';
import { type SeedFile, SEED_FOLDER } from './seed-rows.ts';

export const CYPHER_FOLDER = '.ai/graph/cypher';
export const OUT_FOLDER = '.ai/graph/out';

const FILES_MAX = 10_000;

export const readSeedFiles = (root: string): Promise<readonly SeedFile[]> => readAll(root, SEED_FOLDER, '**/*.jsonl');
export const readCypherFiles = (root: string): Promise<readonly SeedFile[]> => readAll(root, CYPHER_FOLDER, '**/*.cypher');

/** In the order of their paths. */
async function readAll(root: string, folder: string, glob: string): Promise<readonly SeedFile[]> {
  const listed = await listMatches(root, folder, glob, FILES_MAX, {}).catch((error: unknown) => {
    if (error instanceof Fault && error.code === 'NOT_FOUND') return { files: [], complete: true };
    throw error;
  });
  if (!listed.complete) throw new Fault('TOO_LARGE', `${folder} holds more than ${FILES_MAX} files.`);
  const read: SeedFile[] = [];
  for (const name of listed.files) {
    const file = await readInRoot(root, name);
    if (file) read.push({ path: name, text: textOf(name, file.bytes) });
  }
  return read;
}

/** The same content again changes nothing. */
export async function writeOut(root: string, name: string, text: string): Promise<string> {
  await ensureFolder(root, OUT_FOLDER);
  const file = `${OUT_FOLDER}/${name}`;
  await replaceFile(path.join(root, file), await readDocument(root, file), new TextEncoder().encode(text));
  return file;
}
