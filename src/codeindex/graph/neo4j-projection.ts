// Keeps Neo4j in step with the graph of a tree, and says why where it is not. Small changes are written before a query is answered; for
// larger ones a human runs a sync, since no query should wait for that.

import { Fault } from '../../protocol/index.ts';
import type { Graph, GraphContent } from './graph-model.ts';
import { connectNeo4j, type Neo4jConnection, type Neo4jSettings } from './neo4j-connection.ts';
import { Neo4jGraph, type Projection, projectionOf } from './neo4j-graph.ts';
import { changeBetween, digestOf, projectChange, projectWhole, sizeOf } from './neo4j-project.ts';
import type { SeedFile } from './seed-rows.ts';

const CHANGES_MAX = 5_000;
/** How long a server that did not answer is left alone. */
const REST_MS = 5_000;

export class Neo4jProjection {
  readonly #name: string;
  readonly #now: () => Date;
  #line: { readonly key: string; readonly open: Neo4jConnection } | null = null;
  /** What this process last saw Neo4j to hold. */
  #held: { readonly projection: Projection; readonly content: GraphContent } | null = null;
  #failed: { readonly at: number; readonly why: string } | null = null;

  constructor(name: string, now: () => Date) {
    this.#name = name;
    this.#now = now;
  }

  /** Neo4j's graph when it holds this content, otherwise in words why not. */
  async inStep(settings: Neo4jSettings, content: GraphContent): Promise<Graph | string> {
    if (this.#failed && this.#now().getTime() - this.#failed.at < REST_MS) return this.#failed.why;
    try {
      const line = await this.#connect(settings);
      const there = await projectionOf(line, this.#name);
      if (there === null) return `Neo4j at ${settings.address} holds no graph of this tree yet: countersign graph sync. ${EMBEDDED}`;
      if (!(await this.#catchUp(line, there, content)))
        return `Neo4j at ${settings.address} holds the graph of ${there.synced_at}, and much changed since: countersign graph sync. ${EMBEDDED}`;
      return new Neo4jGraph(line, this.#name);
    } catch (error) {
      return this.#rest(settings, error);
    }
  }

  /** Replaces the current content. Returns in words why that failed; an invalid script is a Fault. */
  async replace(settings: Neo4jSettings, content: GraphContent, scripts: readonly SeedFile[]): Promise<string | null> {
    this.#failed = null;
    try {
      const line = await this.#connect(settings);
      const projection = await projectWhole(line, { name: this.#name, content, scripts, now: this.#now });
      this.#held = { projection, content };
      return null;
    } catch (error) {
      if (error instanceof Fault) throw error;
      return this.#rest(settings, error);
    }
  }

  async close(): Promise<void> {
    await this.#line?.open.close();
    this.#line = null;
  }

  async #connect(settings: Neo4jSettings): Promise<Neo4jConnection> {
    const key = JSON.stringify(settings);
    if (this.#line?.key === key) return this.#line.open;
    await this.close();
    this.#held = null;
    const open = await connectNeo4j(settings);
    this.#line = { key, open };
    return open;
  }

  async #catchUp(line: Neo4jConnection, there: Projection, content: GraphContent): Promise<boolean> {
    const isOurs = this.#held?.projection.graph === there.graph && this.#held.projection.digest === there.digest;
    if (!isOurs) {
      // Another process, or this one before a restart, wrote it.
      if (there.digest !== digestOf(content)) return false;
      this.#held = { projection: there, content };
      return true;
    }
    if (this.#held!.content === content) return true;
    const change = changeBetween(this.#held!.content, content);
    if (change === null || sizeOf(change) > CHANGES_MAX) return false;
    const next = { digest: digestOf(content), synced_at: this.#now().toISOString() };
    const projection = sizeOf(change) === 0 ? there : await projectChange(line, this.#name, there, change, next);
    this.#held = { projection, content };
    return true;
  }

  #rest({ address }: Neo4jSettings, error: unknown): string {
    if (error instanceof Fault) throw error;
    const said = error instanceof Error ? error.message.split('\n')[0]! : 'no reason given';
    this.#failed = { at: this.#now().getTime(), why: `Neo4j at ${address} did not answer (${said}). ${EMBEDDED}` };
    return this.#failed.why;
  }
}

const EMBEDDED = 'The embedded graph answers.';
