// The project's own source files, for the tests that judge the project itself.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface SourceFile {
  /** From the project's root, with slashes. */
  readonly path: string;
  readonly text: string;
}

const FOLDERS = ['bin', 'clients', 'scripts', 'src', 'test'];
const NOT_OURS = new Set(['node_modules', 'dist']);
const SOURCE = /\.(?:tsx?|mts|cts|[cm]?js|jsx)$/;

export function sourceFiles(): readonly SourceFile[] {
  return FOLDERS.flatMap((folder) => filesBelow(folder))
    .filter((path) => SOURCE.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Tests, and the parts that only tests use. */
const TEST_PARTS = new Set(['src/stores/contract.ts', 'src/stores/embedded/append-child.ts', 'scripts/scratch-clone.ts']);
export const isTestPart = (path: string): boolean =>
  path.startsWith('test/') || /\.(?:test|fixture)\.[a-z]+$/.test(path) || TEST_PARTS.has(path);
