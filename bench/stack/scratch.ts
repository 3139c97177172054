// A short folder for a bench; a socket's path has little room. In memory where asked: a sync costs nothing there, so that what is measured
// is the program.

import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : null;

export function scratchFolder(parent: string = tmpdir()): { readonly path: string; readonly remove: () => void } {
  const path = realpathSync(mkdtempSync(join(parent, 'csb-')));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}
