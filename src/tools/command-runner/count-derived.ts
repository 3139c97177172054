// How many derived files a command made or changed. They are counted and not traced, and no further than a large folder of dependencies.

import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathClass, type PathConfig } from '../../workspace/index.ts';
import type { CommandAccess } from '../../sandbox/index.ts';

const MAX_ENTRIES = 20_000;

export function countDerived(
  { root, open, whole }: Pick<CommandAccess, 'root' | 'open' | 'whole'>,
  paths: PathConfig,
  sinceMs: number,
): number {
  let entries = 0;
  let changed = 0;
  const visit = (folder: string, goesDown: boolean): void => {
    for (const entry of entriesOf(path.join(root, folder))) {
      if (++entries > MAX_ENTRIES) return;
      const place = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        const isDerived = pathClass(`${place}/_`, paths) === 'derived';
        if (entry.name !== '.git' && (goesDown || isDerived)) visit(place, goesDown || isDerived);
      } else if (pathClass(place, paths) === 'derived' && changedAt(path.join(root, place)) >= sinceMs) changed++;
    }
  };
  for (const folder of open) visit(folder, whole.has(folder));
  return changed;
}

function changedAt(file: string): number {
  return lstatSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
