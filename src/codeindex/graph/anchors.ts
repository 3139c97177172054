// Folders as places that policies and memories can be about. Every folder down to a depth is a `DomainAnchor`; `CONTAINS` leads
// from each to those inside of it and to the files that no deeper one holds.

import { DEFAULT_MEMORY_SETTINGS } from '../../protocol/index.ts';
import { ANCHOR, anchorId, fileId, type GraphContent, type GraphEdge, type GraphNode } from './graph-model.ts';

export interface AnchorSettings {
  /** How many folders deep; the root itself is at 0. */
  readonly maxDepth: number;
  /** Names of folders that are left out with all that they hold; `*` stands for any part of a name. */
  readonly exclude: readonly string[];
}

export const ANCHOR_DEFAULTS: AnchorSettings = {
  maxDepth: DEFAULT_MEMORY_SETTINGS.anchorAutoSeedMaxDepth,
  exclude: DEFAULT_MEMORY_SETTINGS.anchorExcludePatterns,
};

export const ROOT_FOLDER = '.';

/** The folders around a file that are anchors, the nearest first, the root last. */
export function anchorFoldersOf(path: string, { maxDepth, exclude }: AnchorSettings): readonly string[] {
  const excluded = exclusion(exclude);
  const names = path.split('/').slice(0, -1);
  const end = names.findIndex(excluded);
  const usable = names.slice(0, Math.min(end < 0 ? names.length : end, maxDepth));
  return [...usable.map((_, index) => usable.slice(0, index + 1).join('/')).reverse(), ROOT_FOLDER];
}

export function anchorContent(paths: readonly string[], settings: AnchorSettings): GraphContent {
  const nodes = new Map<string, GraphNode>([[ROOT_FOLDER, anchorNode(ROOT_FOLDER)]]);
  const edges: GraphEdge[] = [];
  for (const path of paths) {
    const folders = anchorFoldersOf(path, settings);
    edges.push(contains(folders[0]!, fileId(path)));
    for (const [index, folder] of folders.entries()) {
      if (nodes.has(folder)) break;
      nodes.set(folder, anchorNode(folder));
      edges.push(contains(folders[index + 1]!, anchorId(folder)));
    }
  }
  return { nodes: [...nodes.values()], edges };
}

const anchorNode = (folder: string): GraphNode => ({
  id: anchorId(folder),
  label: ANCHOR,
  name: folder === ROOT_FOLDER ? ROOT_FOLDER : folder.slice(folder.lastIndexOf('/') + 1),
  path: folder,
  line: null,
  data: { depth: folder === ROOT_FOLDER ? 0 : folder.split('/').length },
});

const contains = (folder: string, to: string): GraphEdge => ({ from: anchorId(folder), type: 'CONTAINS', to, path: null, line: null });

function exclusion(patterns: readonly string[]): (name: string) => boolean {
  const plain = new Set(patterns.filter((pattern) => !pattern.includes('*')));
  const globs = patterns
    .filter((pattern) => pattern.includes('*'))
    .map((pattern) => {
      const parts = pattern.split('*');
      return (name: string): boolean => matchesParts(name, parts);
    });
  return (name) => plain.has(name) || globs.some((matches) => matches(name));
}

/** Part by part from the left, so that no pattern takes longer than the name is long times its parts. */
function matchesParts(name: string, parts: readonly string[]): boolean {
  const first = parts[0]!;
  const last = parts.at(-1)!;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > name.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}
