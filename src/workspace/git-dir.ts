// Where git keeps its things for a work tree, read by hand: a repository's config can make even read-only git commands run
// programs, so git itself is never started to answer this. Every call of every agent needs this several times, so it is synchronous: a trip
// to another thread costs ten times as much.

import { realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Fault } from '../protocol/plain.ts';
import { readPlainFile, statsOf } from './plain-file.ts';

export interface GitDir {
  /** The folder that holds `.git`. */
  readonly top: string;
  /** This work tree's own part: HEAD, index. */
  readonly gitDir: string;
  /** What all work trees share: refs, objects, info. */
  readonly commonDir: string;
}

const POINTER_MAX = 64 * 1024;

/** The repository that a real folder is in, or null. An invalid `.git` folder is skipped, as in git. */
export async function findGitDir(folder: string): Promise<GitDir | null> {
  for (let top = folder; ; top = dirname(top)) {
    const found = await gitDirAt(top);
    if (found || top === dirname(top)) return found;
  }
}

/** `top` is a real path. */
export async function gitDirAt(top: string): Promise<GitDir | null> {
  const dotGit = join(top, '.git');
  const named = statsOf(dotGit);
  if (!named) return null;
  // A path below a real one that is no link is real itself.
  if (named.isDirectory()) return describe(top, dotGit);
  const stats = named.isSymbolicLink() ? statOrNull(dotGit) : named;
  if (stats?.isDirectory()) return describe(top, realOrNull(dotGit));
  if (!stats?.isFile()) return null;

  const text = await readPointer(dotGit);
  const target = text?.startsWith('gitdir: ') ? text.slice('gitdir: '.length) : null;
  const found = target === null ? null : await describe(top, realOrNull(resolve(top, target)));
  if (found) return found;
  throw new Fault('DOCUMENT_INVALID', `${dotGit}:1: does not lead to a git directory`, {
    fix: 'Run `git worktree repair` in the main work tree, or remove the file if this folder is no work tree',
  });
}

/** `gitDir` is a real path; null when there is nothing. */
async function describe(top: string, gitDir: string | null): Promise<GitDir | null> {
  if (gitDir === null) return null;
  const common = await readPointer(join(gitDir, 'commondir'));
  const commonDir = common === null ? gitDir : realOrNull(resolve(gitDir, common));
  if (commonDir === null) return null;
  const isFolder = (name: string) => statOrNull(join(commonDir, name))?.isDirectory() ?? false;
  if (!statOrNull(join(gitDir, 'HEAD')) || !isFolder('objects') || !isFolder('refs')) return null;
  return { top, gitDir, commonDir };
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

async function readPointer(path: string): Promise<string | null> {
  const file = await readPlainFile(path, POINTER_MAX, { follow: true });
  return file.kind === 'file'
    ? Buffer.from(file.bytes)
        .toString('utf8')
        .replace(/[\r\n]+$/, '')
    : null;
}

function statOrNull(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
