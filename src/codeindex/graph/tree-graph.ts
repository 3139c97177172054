// The graph of one work tree: assembled from the index, the seeds and memory, answered by Neo4j where one is configured and in step,
// otherwise by the embedded graph, which then says why.
//
// INVARIANT: a sync that fails leaves the graph as it was, in both places.

import { type Claim, Fault } from '../../protocol/index.ts';
import type { AnchorSettings } from './anchors.ts';
import { assemble } from './assemble.ts';
import { EmbeddedGraph } from './embedded-graph.ts';
import { type Delta, deltaBetween } from './graph-delta.ts';
import { readCypherFiles, readSeedFiles, writeOut } from './graph-files.ts';
import type { Graph, GraphContent, GraphEdge, GraphSummary } from './graph-model.ts';
import { memoryContent } from './memory-content.ts';
import { Neo4jProjection } from './neo4j-projection.ts';
import type { Neo4jSettings } from './neo4j-connection.ts';
import { NO_SEEDS, parseSeeds, type Seeds } from './seed-rows.ts';
import { type GraphIndex, TreeContent } from './tree-content.ts';

export interface TreeGraphPorts {
  readonly root: string;
  /** What the graph is called in Neo4j. */
  readonly name: string;
  readonly index: GraphIndex;
  readonly anchors: () => Promise<AnchorSettings>;
  readonly memories: () => readonly Claim[];
  /** Null: none is configured. */
  readonly neo4j: () => Promise<Neo4jSettings | null>;
  readonly now: () => Date;
  /** Addresses of the modules of packs; see `pack.ts`. */
  readonly packs: readonly string[];
}

export interface CurrentGraph {
  readonly graph: Graph;
  /** What a reader of the answer should know: why Neo4j did not answer, which seeds are unreadable. */
  readonly notes: readonly string[];
}

export interface SyncReport {
  readonly rows: number;
  readonly summary: GraphSummary;
  /** Edges of rows and memories that lead to code that is not there. */
  readonly dangling: readonly GraphEdge[];
  readonly neo4j: { readonly address: string; readonly why_not: string | null } | null;
  readonly cypher: readonly { readonly path: string; readonly ran: boolean }[];
  readonly notes: readonly string[];
}

export interface ExportReport extends Delta {
  readonly backend: Graph['backend'];
  /** Null when the graph says what the seeds say. */
  readonly file: string | null;
  readonly notes: readonly string[];
}

interface Built {
  readonly graph: EmbeddedGraph;
  readonly dangling: readonly GraphEdge[];
  readonly from: readonly (GraphContent | string)[];
}

export class TreeGraph {
  readonly #ports: TreeGraphPorts;
  readonly #tree: TreeContent;
  readonly #neo4j: Neo4jProjection;
  #seeds: Seeds | null = null;
  #seedTrouble: string | null = null;
  #built: Built | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(ports: TreeGraphPorts) {
    this.#ports = ports;
    this.#tree = new TreeContent(ports.index, ports.packs);
    this.#neo4j = new Neo4jProjection(ports.name, ports.now);
  }

  /** The graph as the tree is now. */
  current(): Promise<CurrentGraph> {
    return this.#oneByOne(async () => {
      await this.#firstSeeds();
      const { graph } = await this.#build(this.#seeds ?? NO_SEEDS);
      const notes = await this.#notes();
      const settings = await this.#ports.neo4j();
      if (settings === null) return { graph, notes };
      const answer = await this.#neo4j.inStep(settings, graph.content);
      return typeof answer === 'string' ? { graph, notes: [...notes, answer] } : { graph: answer, notes };
    });
  }

  /** Drop, constraints, upsert: seeds, code and memory again. */
  sync(): Promise<SyncReport> {
    return this.#oneByOne(async () => {
      const seeds = parseSeeds(await readSeedFiles(this.#ports.root));
      const scripts = await readCypherFiles(this.#ports.root);
      const built = await this.#build(seeds);
      const settings = await this.#ports.neo4j();
      const whyNot = settings === null ? null : await this.#neo4j.replace(settings, built.graph.content, scripts);
      this.#seeds = seeds;
      this.#seedTrouble = null;
      return {
        rows: seeds.rows.size,
        summary: await built.graph.summary(),
        dangling: built.dangling,
        neo4j: settings === null ? null : { address: settings.address, why_not: whyNot },
        cypher: scripts.map(({ path }) => ({ path, ran: settings !== null && whyNot === null })),
        notes: await this.#notes(),
      };
    });
  }

  /** Writes what the graph says of policies, recipes and memories otherwise than the seeds do. */
  async export(): Promise<ExportReport> {
    const { graph, notes } = await this.current();
    const seeds = parseSeeds(await readSeedFiles(this.#ports.root));
    const delta = await deltaBetween(graph, seeds, this.#ports.now());
    const file = delta.text === '' ? null : await writeOut(this.#ports.root, `delta-${delta.digest.slice(0, 12)}.jsonl`, delta.text);
    return { ...delta, backend: graph.backend, file, notes };
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#neo4j.close();
  }

  async #firstSeeds(): Promise<void> {
    if (this.#seeds !== null) return;
    try {
      this.#seeds = parseSeeds(await readSeedFiles(this.#ports.root));
      this.#seedTrouble = null;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#seedTrouble = `The seeds are not in the graph: ${error.message}`;
    }
  }

  async #build(seeds: Seeds): Promise<Built> {
    const anchors = await this.#ports.anchors();
    const tree = await this.#tree.current(anchors);
    const memories = memoryContent(this.#ports.memories(), anchors);
    const from = [...tree, seeds, JSON.stringify(memories)];
    if (this.#built?.from.length === from.length && this.#built.from.every((part, index) => part === from[index])) return this.#built;
    const assembled = assemble([...tree, seeds, memories]);
    this.#built = { graph: new EmbeddedGraph(assembled), dangling: assembled.dangling, from };
    return this.#built;
  }

  async #notes(): Promise<readonly string[]> {
    const { state, pending } = await this.#ports.index.status();
    const unread = this.#tree.unread;
    return [
      ...(state === 'ready' && pending === 0 ? [] : [`The index is ${state}, with ${pending} files to go: the graph is of what it has.`]),
      ...(this.#seedTrouble === null ? [] : [this.#seedTrouble]),
      ...(unread.length === 0 ? [] : [`The parser could not read ${unread.join(', ')}.`]),
    ];
  }

  #oneByOne<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(work, work);
    this.#turn = next.catch(() => undefined);
    return next;
  }
}
