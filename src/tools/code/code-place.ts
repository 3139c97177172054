// What the tools on the code index have in common: the index of the caller's work tree, its graph, and citations that plans and claims take.

import path from 'node:path';
import { z } from 'zod';
import {
  type CodeCitation,
  type CodeIndex,
  firstScan,
  type Graph,
  LATE,
  type TreeGraph,
  type TreeIndex,
  unlessLate,
} from '../../codeindex/index.ts';
import { Citation, type Declaration, Fault, type RunContext } from '../../protocol/index.ts';
import { touches } from '../native/file-place.ts';

/** The index and the graph of a work tree, opened with the first question about it. */
export interface CodePort {
  readonly indexOf: (root: string) => TreeIndex;
  readonly rewrite: CodeIndex['rewrite'];
  readonly graphOf: (root: string, workspace: string) => Pick<TreeGraph, 'current'>;
  /** Which folders are anchors. */
  readonly anchorsOf: (root: string) => Promise<{ readonly maxDepth: number; readonly exclude: readonly string[] }>;
}

interface Graphs extends Pick<CodePort, 'anchorsOf'> {
  readonly of: (root: string, workspace: string) => { readonly graph: Pick<TreeGraph, 'current'> };
}

/** `graphs`: read at the first call, because they are opened after the tools. */
export const codePort = (index: Pick<CodeIndex, 'tree' | 'rewrite'>, graphs: () => Graphs): CodePort => ({
  indexOf: (root) => index.tree(root),
  rewrite: (...text) => index.rewrite(...text),
  graphOf: (root, workspace) => graphs().of(root, workspace).graph,
  anchorsOf: (root) => graphs().anchorsOf(root),
});

export const DEFAULT_LIMIT = 50;
export const Limit = z.int().min(1).max(500).optional().describe(`How many at most; ${DEFAULT_LIMIT} without it`);
export const Name = z.string().trim().min(1).max(1_024);

/** A place in the code, and the lines as a plan or a claim cites them. */
export const Cited = z.looseObject({ citation: Citation });

/** The index covers the whole work tree, without what agents may not see. */
export const readsTree = (_input: unknown, { root }: { readonly root: string }): Declaration => touches('read', root, { deep: true });

/** Exactly the four fields that a plan and a claim take. */
export const citationOf = ({ path: file, start_line, end_line, sha256 }: CodeCitation): Citation => ({
  path: file,
  start_line,
  end_line,
  sha256,
});

/** Waits a moment for an index that is being built; then it answers with what it has, and `indexState` says so. */
export async function openIndex({ indexOf }: CodePort, root: string): Promise<TreeIndex> {
  const index = indexOf(root);
  await firstScan(index);
  return index;
}

export async function indexState(index: TreeIndex, incomplete: string | null): Promise<{ incomplete?: string }> {
  const { state, trouble } = await index.status();
  const whyNot = state === 'ready' ? null : (trouble ?? 'the index is still being built: ask again for the rest');
  const notes = [incomplete, whyNot].filter((note) => note !== null);
  return notes.length > 0 ? { incomplete: notes.join('; ') } : {};
}

export async function openGraph(
  code: CodePort,
  { place: { root }, session: { workspace } }: Pick<RunContext, 'place' | 'session'>,
): Promise<{ readonly graph: Graph; readonly notes: readonly string[] }> {
  await firstScan(code.indexOf(root));
  const current = await unlessLate(code.graphOf(root, workspace).current());
  if (current === LATE)
    throw new Fault('DAEMON_UNAVAILABLE', 'The graph of this tree is still being made.', { fix: 'Call again in a moment' });
  return current;
}

/** As the index names files: relative to the root, with slashes. */
export const fromRoot = ({ root, cwd }: { readonly root: string; readonly cwd: string }, file: string): string =>
  path.relative(root, path.resolve(cwd, file)).split(path.sep).join('/');
