// Folders for temporary files, whose content is not kept. A place there is scratch by its real path only: not through a link that leads out,
// not in another workspace, and not where the work tree itself lies in such a folder.

import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';

export const SCRATCH_FOLDERS: readonly string[] = [...new Set(['/tmp', '/var/tmp', tmpdir()])];

const realFolders = (): string[] => SCRATCH_FOLDERS.flatMap((folder) => realOf(folder) ?? []);

/** The scratch folder that holds this real path; null: none, or it holds more than scratch. */
export function scratchFolderOf(real: string, root: string): string | null {
  const folder = realFolders().find((each) => real.startsWith(each + sep));
  if (folder === undefined || `${root}${sep}`.startsWith(folder + sep)) return null;
  // Another workspace is somebody's work, wherever it lies.
  for (let at = real; at !== folder; at = dirname(at)) if (existsSync(join(at, '.orchestration'))) return null;
  return folder;
}

/** The same for a path as it is written: links in it are followed as far as it exists. */
export function staysInScratch(path: string, root: string): boolean {
  const real = realOf(path);
  return real !== null && scratchFolderOf(real, root) !== null;
}

/** Of a path that need not exist yet; null: it is unknown. */
function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const above = isMissing && dirname(path) !== path ? realOf(dirname(path)) : null;
    // A link to nowhere would be written through.
    return above === null || isLink(path) ? null : join(above, basename(path));
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
