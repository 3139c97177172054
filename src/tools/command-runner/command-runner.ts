// Runs a command that the gate has admitted, inside walls, and reports what it wrote: the tree before and after, judged file by file.
//
//   what may be written → the tree as it is → the command → the tree as it became → kept, reverted, left

import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { type Config, escapeGlob, Fault, type ImageStore } from '../../protocol/index.ts';
import type { CommandEnd, CommandOrder } from '../index.ts';
import {
  adoptScan,
  IMAGE_MAX_BYTES,
  locateWorkspace,
  resolveInRoot,
  scanTree,
  ScopeImages,
  type TreeScan,
  type TreeSnapshot,
  TreeTooLarge,
} from '../../workspace/index.ts';
import { judgeChanges } from './judge-changes.ts';
import { countDerived } from './count-derived.ts';
import {
  type CommandAccess,
  GIT_REDIRECTION,
  readOnlyAccess,
  mayWrite,
  type ProcessEnd,
  type Sandbox,
  watchedPlaces,
  writingAccess,
} from '../../sandbox/index.ts';

/** A running command of the gate. */
export interface CommandWindow {
  /** Why a change of this file cannot be attributed to the command, in words that complete "because …"; null: it can. */
  readonly whyNotOurs: (path: string, sha256: string | null) => string | null;
  readonly end: () => void;
}

export interface CommandRunnerDeps {
  /** The settings that hold. */
  readonly configOf: (root: string) => Promise<Config>;
  readonly sandbox: () => Promise<Sandbox>;
  readonly privateFolders: readonly string[];
  readonly images: ImageStore;
  /** A copy of what is known of a tree. */
  readonly knownTree: (root: string) => Promise<TreeSnapshot>;
  /** Until its receipt is written, the command is responsible for everything that it may write. */
  readonly openWindow: (root: string, action: string | null, mayWrite: (path: string) => boolean) => CommandWindow;
}

/** Views of the ledger, and files that decide what agents may do; a scan skips some of them. */
const GATE_FOLDERS = ['.ai', '.orchestration'];
const WITHIN_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;

export function commandRunner(deps: CommandRunnerDeps): (order: CommandOrder) => Promise<CommandEnd> {
  const images = new ScopeImages(deps.privateFolders, IMAGE_MAX_BYTES);
  return async (order) => {
    const { root, scope } = order;
    const sandbox = await deps.sandbox();
    const config = await deps.configOf(root);
    const { gitCommonDir } = await locateWorkspace(root);
    const run = async (access: CommandAccess) => endOf(await runIn(sandbox, deps, order, access, config), sandbox.kind);
    if (scope === null) return { ...(await run(readOnlyAccess(root, gitCommonDir))), ...NOTHING_CHANGED };

    const known = await deps.knownTree(root);
    const made = makeGateFolders(root);
    const access = writingAccess({ root, gitCommonDir, scope, paths: config.paths, files: known.files.keys() });
    const isWalled = sandbox.kind !== 'none';
    const writable = (file: string): boolean => !isWalled || mayWrite(access, file);
    const window = deps.openWindow(root, order.action, writable);
    try {
      if (isWalled) await images.keep(root, globsOf(access, known), deps.images);
      const watched = isWalled ? watchedPlaces(access) : undefined;
      const isRedirected = gitCommonDir !== null && (await isThere(path.join(gitCommonDir, GIT_REDIRECTION)));
      await scan(root, known, watched, config).then((before) => before && adoptScan(known, before));
      const sinceMs = Date.now();
      const end = await run(access);

      const now = watched && new Set([...watched, ...(watchedPlaces(access) ?? [])]);
      const found = await scan(root, known, now, config);
      const judged = await judgeChanges(found?.changes ?? [], {
        root,
        scope,
        paths: config.paths,
        mayWrite: writable,
        whyNotOurs: window.whyNotOurs,
        isWalled,
        contentOf: (sha256) => deps.images.getBlob(sha256),
        wasFolder: (place) => known.folders.has(place),
      });
      const redirection = gitCommonDir === null || isRedirected ? [] : await withoutRedirection(gitCommonDir);
      return {
        ...end,
        changed: judged.changed,
        left: judged.left,
        rolled_back: [...judged.rolledBack, ...redirection],
        derived: countDerived(access, config.paths, sinceMs),
        // The tree is too large to scan: reconciliation reports files with receipts.
        ...(found === null ? { unseen: true as const } : {}),
      };
    } finally {
      window.end();
      for (const folder of made) if (readdirSync(folder).length === 0) rmdirSync(folder);
    }
  };
}

/** If they are missing, a command could create them: they must exist to be closed. */
function makeGateFolders(root: string): string[] {
  const missing = GATE_FOLDERS.map((name) => path.join(root, name)).filter((folder) => !lstatSync(folder, { throwIfNoEntry: false }));
  for (const folder of missing) mkdirSync(folder);
  return missing;
}

async function runIn(
  sandbox: Sandbox,
  { privateFolders }: CommandRunnerDeps,
  order: CommandOrder,
  access: CommandAccess,
  { commands: { network } }: Config,
): Promise<ProcessEnd> {
  const { command, signal, onOutput } = order;
  const timeoutMs = Math.min(order.timeoutMs ?? WITHIN_MS, MAX_TIMEOUT_MS);
  const cwd = await folderIn(order.root, order.cwd ?? order.root);
  const end = await sandbox.run({ command, cwd, access, privateFolders, network, timeoutMs, signal, onOutput });
  if (end.stopped === null && end.exitCode !== 0 && end.output === '' && end.trouble.startsWith('bwrap:'))
    throw new Fault('CONFLICT', `The sandbox could not be set up: ${end.trouble.trim()}`, { fix: 'Call again; if it stays, tell a human' });
  return end;
}

type RunPart = Pick<CommandEnd, 'exitCode' | 'output' | 'truncated' | 'stopped' | 'sandbox'>;

const endOf = ({ exitCode, stopped, output, truncated }: ProcessEnd, sandbox: Sandbox['kind']): RunPart => ({
  exitCode,
  stopped,
  output,
  truncated,
  sandbox,
});

const NOTHING_CHANGED = { changed: [], rolled_back: [], left: [], derived: 0 };

async function folderIn(root: string, cwd: string): Promise<string> {
  const { real, unresolved } = await resolveInRoot(root, cwd, root);
  const folder = real === null ? null : path.join(root, real);
  if (folder !== null && (await lstat(folder).catch(() => null))?.isDirectory()) return folder;
  throw new Fault('BAD_REQUEST', `${JSON.stringify(cwd)} is no folder of the work tree${unresolved === null ? '' : `: ${unresolved}`}`, {
    fix: 'Name a folder inside the work tree as cwd',
  });
}

async function scan(root: string, known: TreeSnapshot, only: Set<string> | undefined, { paths }: Config): Promise<TreeScan | null> {
  try {
    return await scanTree(root, known, { paths, ...(only ? { only } : {}) });
  } catch (error) {
    if (error instanceof TreeTooLarge) return null;
    throw error;
  }
}

/** Every existing file that may change: a file can only be restored if its content was kept. */
function globsOf(access: CommandAccess, known: TreeSnapshot): string[] {
  const files = [...(watchedPlaces(access) ?? [])].filter((place) => known.files.has(place));
  const folders = [...access.whole]
    .filter((place) => !known.files.has(place))
    .map((place) => (place === '' ? '**' : `${escapeGlob(place)}/**`));
  return [...folders, ...files.map(escapeGlob)];
}

const isThere = async (place: string): Promise<boolean> => (await lstat(place).catch(() => null)) !== null;

/** With it, git would look for hooks elsewhere. */
async function withoutRedirection(commonDir: string): Promise<CommandEnd['rolled_back']> {
  const place = path.join(commonDir, GIT_REDIRECTION);
  if (!(await isThere(place))) return [];
  rmSync(place, { recursive: true, force: true });
  return [{ path: `.git/${GIT_REDIRECTION}`, change: 'created', why: 'git would look for its hooks elsewhere' }];
}
