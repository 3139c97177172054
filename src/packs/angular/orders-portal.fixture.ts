// The Angular application of `examples/orders-portal` in a folder of its own, with its index and its graph.

import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ANCHOR_DEFAULTS } from '../../codeindex/index.ts';
import { plainIndex, type PlainIndex } from '../../codeindex/graph/plain-index.fixture.ts';
import { TreeGraph } from '../../codeindex/graph/tree-graph.ts';
import { CODE_PACKS } from '../code-packs.ts';
import { pack } from './pack.ts';

const PORTAL = new URL('../../../examples/orders-portal', import.meta.url);

export interface Portal {
  readonly root: string;
  readonly index: PlainIndex;
  readonly tree: TreeGraph;
  readonly remove: () => Promise<void>;
}

export async function openPortal(): Promise<Portal> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'countersign-portal-')));
  cpSync(PORTAL, root, { recursive: true });
  const index = await plainIndex(root, [pack]);
  const tree = new TreeGraph({
    ...{ root, name: 'portal', index, now: () => new Date('2026-03-01T12:00:00Z') },
    ...{ anchors: async () => ANCHOR_DEFAULTS, memories: () => [], neo4j: async () => null, packs: CODE_PACKS },
  });
  return {
    ...{ root, index, tree },
    remove: async () => {
      await tree.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
