// One graph for each work tree, opened with the first question about it.

import { createHash } from 'node:crypto';
import { type AnchorSettings, NEO4J_DEFAULT_ADDRESS, type Neo4jSettings, TreeGraph, type TreeIndex } from '../codeindex/index.ts';
import type { Memory } from '../memory/index.ts';
import { CODE_PACKS } from '../packs/index.ts';
import { type Config, Fault } from '../protocol/index.ts';
import { readToken } from '../workspace/index.ts';

export interface TreeGraphsContext {
  /** The settings that hold. */
  readonly configOf: (root: string) => Promise<Config>;
  readonly indexOf: (root: string) => TreeIndex;
  readonly memory: Memory;
  readonly now: () => Date;
}

/** The password of Neo4j's user; stored like any other token: only its owner can read it. */
const TOKEN_FILE = '.ai/auth/neo4j.token';
const MEMORIES_MAX = 10_000;

export class TreeGraphs {
  readonly #context: TreeGraphsContext;
  readonly #open = new Map<string, TreeGraph>();

  constructor(context: TreeGraphsContext) {
    this.#context = context;
  }

  of(root: string, workspace: string): { readonly graph: TreeGraph; readonly index: TreeIndex } {
    const { indexOf, memory, now } = this.#context;
    const index = indexOf(root);
    const known = this.#open.get(root);
    if (known) return { graph: known, index };
    const graph = new TreeGraph({
      root,
      index,
      now,
      packs: CODE_PACKS,
      // A workspace may have several roots, and each its own code.
      name: `${workspace}:${createHash('sha256').update(root).digest('hex').slice(0, 12)}`,
      anchors: () => this.anchorsOf(root),
      memories: () => memory.recent(workspace, MEMORIES_MAX),
      neo4j: async () => neo4jOf(root, (await this.#context.configOf(root)).graph),
    });
    this.#open.set(root, graph);
    return { graph, index };
  }

  /** The settings of the memory system that say which folders are anchors. */
  async anchorsOf(root: string): Promise<AnchorSettings> {
    const { anchorAutoSeedMaxDepth: maxDepth, anchorExcludePatterns: exclude } = (await this.#context.configOf(root)).memory;
    return { maxDepth, exclude };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((graph) => graph.close()));
    this.#open.clear();
  }
}

async function neo4jOf(root: string, { neo4j }: Config['graph']): Promise<Neo4jSettings | null> {
  if (neo4j === null) return null;
  const { address = NEO4J_DEFAULT_ADDRESS, user = 'neo4j', database = null } = neo4j;
  const password = await readToken(root, TOKEN_FILE);
  if (password === null)
    throw new Fault('DOCUMENT_INVALID', `Neo4j is configured, and ${TOKEN_FILE} is not there.`, {
      fix: `Write the password of ${user} into ${TOKEN_FILE}, with mode 600`,
    });
  return { address, user, password, database };
}
