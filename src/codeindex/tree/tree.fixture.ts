// Trees on disk and their indexes, for tests.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { TreeIndex } from '../model.ts';
import { TreeEngine } from './engine.ts';

export function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'code-index-')));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

export function write(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** In this thread; only parsing has its own. */
export function openTree(root: string, options: { readonly folder?: string; readonly watch?: boolean } = {}): TreeIndex {
  const tree = new TreeEngine({ root, folder: options.folder ?? null, visibility: {}, watch: options.watch ?? false, threads: 1 });
  onTestFinished(() => tree.close());
  return tree;
}
