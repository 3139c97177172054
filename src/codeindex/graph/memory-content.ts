// Memories as nodes: what is remembered, about which folders, resting on which files.

import type { Claim } from '../../protocol/index.ts';
import { type AnchorSettings, anchorFoldersOf } from './anchors.ts';
import { anchorId, fileId, type GraphContent, type GraphEdge, type GraphNode } from './graph-model.ts';

const NAME_MAX = 120;

export function memoryContent(claims: readonly Claim[], settings: AnchorSettings): GraphContent {
  return { nodes: claims.map(nodeOf), edges: claims.flatMap((claim) => edgesOf(claim, settings)) };
}

function nodeOf({ id, kind, statement, rationale, agent, written_at, approved, scope }: Claim): GraphNode {
  return {
    id,
    label: 'Memory',
    name: statement.length > NAME_MAX ? `${statement.slice(0, NAME_MAX)}…` : statement,
    path: null,
    line: null,
    data: { kind, statement, rationale, scope, updated_at: written_at, updated_by: agent, approved: approved !== null },
  };
}

function edgesOf({ id, scope, citations }: Claim, settings: AnchorSettings): readonly GraphEdge[] {
  return [
    ...scope.map((glob) => {
      const [folder] = anchorFoldersOf(`${staticFolder(glob)}x`, settings);
      return { from: id, type: 'APPLIES_TO', to: anchorId(folder!), path: null, line: null };
    }),
    ...citations.map(({ path, start_line }) => ({ from: id, type: 'CITES', to: fileId(path), path, line: start_line })),
  ];
}

/** `src/auth/` of `src/auth/*.ts`: the folders before the first part that has a wildcard, or the file's name. */
function staticFolder(glob: string): string {
  const parts = glob.split('/');
  const end = parts.findIndex((part) => /[*?[{\\]/.test(part));
  const folders = parts.slice(0, end < 0 ? -1 : end);
  return folders.map((part) => `${part}/`).join('');
}
