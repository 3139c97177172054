// A workspace is a git common directory, or a plain folder; its linked work trees are roots in it.

import { hash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { base32, Fault } from '../protocol/index.ts';
import { findGitDir } from './git-dir.ts';

export interface Workspace {
  /** The same for all work trees of a repository, on every start: made from the real place, not from chance. */
  readonly id: `wsp_${string}`;
  /** The real path of the work tree. */
  readonly root: string;
  readonly gitCommonDir: string | null;
}

export async function locateWorkspace(dir: string): Promise<Workspace> {
  const folder = realFolder(dir);
  const git = await findGitDir(folder);
  const identity = git?.commonDir ?? folder;
  const digest = hash('sha256', identity, 'buffer');
  return { id: `wsp_${base32(digest, 26)}`, root: git?.top ?? folder, gitCommonDir: git?.commonDir ?? null };
}

function realFolder(dir: string): string {
  let folder: string;
  try {
    folder = realpathSync.native(dir);
  } catch (cause) {
    throw missing(dir, 'does not exist or cannot be entered', cause);
  }
  if (!statSync(folder).isDirectory()) throw missing(dir, 'is not a folder');
  return folder;
}

const missing = (dir: string, why: string, cause?: unknown): Fault =>
  new Fault('NOT_FOUND', `${JSON.stringify(dir)} ${why}`, { fix: 'Name a folder that exists, or run the command inside one', cause });
