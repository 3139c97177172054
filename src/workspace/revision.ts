// The commit that a work tree is at, read by hand for the reason that `git-dir.ts` gives.

import { join } from 'node:path';
import { type GitDir, gitDirAt } from './git-dir.ts';
import { readPlainFile } from './plain-file.ts';

const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Refs that every work tree has for itself; all others are shared. */
const OWN_REFS = /^refs\/(?:bisect|worktree|rewritten)\//;
const LINKS_MAX = 5;
const REF_MAX = 64 * 1024;
const PACKED_REFS_MAX = 64 * 1024 * 1024;

/** Null for a plain folder, a branch without a commit, and a ref store that cannot be read by hand (reftable). */
export async function headRevision(root: string): Promise<string | null> {
  const git = await gitDirAt(root);
  return git && revisionIn(git);
}

export async function revisionIn(git: GitDir): Promise<string | null> {
  let name = 'HEAD';
  for (let links = 0; links <= LINKS_MAX; links++) {
    const home = name === 'HEAD' || OWN_REFS.test(name) ? git.gitDir : git.commonDir;
    const text = (await readText(join(home, name), REF_MAX))?.trim();
    if (text === undefined) return packedRevision(git.commonDir, name);
    if (OBJECT_ID.test(text)) return text;
    const target = /^ref: *(refs\/\S+)$/.exec(text)?.[1];
    // A ref's name is a path below the git directory; one with `..` in it would read a file elsewhere.
    if (target === undefined || target.split('/').includes('..')) return null;
    name = target;
  }
  return null;
}

async function packedRevision(commonDir: string, name: string): Promise<string | null> {
  const packed = await readText(join(commonDir, 'packed-refs'), PACKED_REFS_MAX);
  for (const line of packed?.split('\n') ?? []) {
    const gap = line.indexOf(' ');
    if (line.slice(gap + 1).trimEnd() === name && OBJECT_ID.test(line.slice(0, gap))) return line.slice(0, gap);
  }
  return null;
}

async function readText(path: string, maxBytes: number): Promise<string | undefined> {
  const file = await readPlainFile(path, maxBytes, { follow: true });
  return file.kind === 'file' ? Buffer.from(file.bytes).toString('utf8') : undefined;
}
