// Writes one planned change of an agent's file.

import { chmod, mkdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { ensureFolder, replaceFile } from '../../workspace/index.ts';
import type { FileChange, WirePlaces } from './wired-file.ts';

export async function writeChange({ root, userHome }: WirePlaces, change: FileChange): Promise<void> {
  const { file, target, place, document, after, executable } = change;
  const folder = path.dirname(target);
  if (after === null) {
    await rm(target);
    // An empty agent folder would look like a sign of the agent.
    if (place !== 'git') await removeEmpty(folder, place === 'home' ? userHome : root);
    return;
  }
  // Git's own folder may be elsewhere, as in a linked work tree.
  if (place !== 'workspace') await mkdir(folder, { recursive: true });
  else if (path.dirname(file) !== '.') await ensureFolder(root, path.dirname(file));
  await replaceFile(target, document, Buffer.from(after));
  if ((place === 'git' || executable) && document === null) await chmod(target, 0o755);
}

async function removeEmpty(folder: string, root: string): Promise<void> {
  for (let at = folder; at.startsWith(`${root}/`); at = path.dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      return;
    }
  }
}
