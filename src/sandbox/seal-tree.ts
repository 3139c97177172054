// The tree of a sealed run: the real one as it is now, with changes that are not committed. With git it is a repository of its own that
// only borrows objects: no commit, branch or hook made inside reaches the real one. Git's ignored files are not in it.

import { execFile } from 'node:child_process';
import { cp, lstat, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Fault } from '../protocol/index.ts';
import { NO_PATH_CONFIG, pathClass } from '../workspace/index.ts';

export interface SealedTree {
  /** Folders that the tree's repository reads its objects from. */
  readonly borrowed: readonly string[];
}

export interface TreeOrder {
  readonly root: string;
  readonly target: string;
  /** Null: no git here. */
  readonly gitCommonDir: string | null;
  /** Files that are copied even where git ignores them. */
  readonly documents: readonly string[];
}

/** The repository may name programs for git to run: none of them is run here. */
const PLAIN = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'protocol.file.allow=always'];
const OUTPUT_BYTES = 256 * 1024 * 1024;

export async function makeSealedTree({ root, target, gitCommonDir, documents }: TreeOrder): Promise<SealedTree> {
  const head = gitCommonDir === null ? null : await git(root, 'rev-parse', '--verify', 'HEAD').catch(() => null);
  if (gitCommonDir === null || head === null) await copyFolder(root, target);
  else await cloneTree(root, target, head.trim());
  for (const file of documents) {
    if (await lstat(path.join(root, file)).catch(() => null)) await copyEntry(root, target, file);
  }
  return { borrowed: gitCommonDir === null || head === null ? [] : await objectFolders(gitCommonDir) };
}

async function cloneTree(root: string, target: string, head: string): Promise<void> {
  await git(root, 'clone', '--quiet', '--shared', '--no-checkout', '--no-tags', root, target);
  const branch = (await git(root, 'symbolic-ref', '--quiet', '--short', 'HEAD').catch(() => '')).trim();
  await git(target, 'checkout', '--quiet', '--force', ...(branch === '' ? ['--detach', head] : ['-B', branch, head]));
  await git(target, 'remote', 'remove', 'origin');
  for (const name of ['user.name', 'user.email']) {
    const value = (await git(root, 'config', '--get', name).catch(() => '')).trim();
    if (value !== '') await git(target, 'config', name, value);
  }
  const changed = await git(
    root,
    ...(await withoutFilters(root)),
    ...['--no-optional-locks', 'status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=all'],
  );
  for (const entry of changed.split('\0').filter(Boolean)) await copyEntry(root, target, entry.slice(3));
}

/** To compare a file, git runs the filter that .gitattributes and the settings name for it. Without it, such a file is copied as it is. */
async function withoutFilters(root: string): Promise<string[]> {
  const names = (await git(root, 'config', '--list', '--name-only', '-z')).split('\0');
  const filters = new Set(names.flatMap((name) => /^filter\.([^]+)\.[^.]+$/.exec(name)?.[1] ?? []));
  return [...filters].flatMap((filter) => {
    if (filter.includes('=')) throw new Fault('BAD_REQUEST', 'The name of a git filter has an equals sign.', { fix: 'Rename the filter' });
    return ['clean=', 'smudge=', 'process=', 'required=false'].flatMap((setting) => ['-c', `filter.${filter}.${setting}`]);
  });
}

/** As it is now: a file that is gone goes. Other repositories inside stay out. */
async function copyEntry(root: string, target: string, file: string): Promise<void> {
  const from = path.join(root, file);
  const to = path.join(target, file);
  const entry = await lstat(from).catch(() => null);
  if (entry?.isDirectory() && file.endsWith('/')) return;
  await rm(to, { recursive: true, force: true });
  if (entry === null) return;
  await mkdir(path.dirname(to), { recursive: true });
  await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}

async function copyFolder(root: string, target: string): Promise<void> {
  const isKept = (file: string): boolean => {
    const name = path.relative(root, file);
    return name === '' || (name !== '.git' && pathClass(`${name}/_`, NO_PATH_CONFIG) !== 'derived');
  };
  await cp(root, target, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter: isKept });
}

/** With those that they borrow from in turn. */
async function objectFolders(gitCommonDir: string): Promise<string[]> {
  const folders = [path.join(gitCommonDir, 'objects')];
  for (const folder of folders) {
    const others = await readFile(path.join(folder, 'info/alternates'), 'utf8').catch(() => '');
    for (const line of others.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
      const other = path.resolve(folder, line);
      if (!folders.includes(other)) folders.push(other);
    }
  }
  return folders;
}

async function git(cwd: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1' };
  const { stdout } = await promisify(execFile)('git', [...PLAIN, ...args], { cwd, env, maxBuffer: OUTPUT_BYTES });
  return stdout;
}
