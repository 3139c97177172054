// One Neo4j for all files of this suite: what takes longest about it is its start. Every test has graphs of its own name.

import type { TestProject } from 'vitest/node';
import type { Neo4jSettings } from '../../src/codeindex/graph/neo4j-connection.ts';
import { startNeo4j } from './neo4j-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly neo4j: Neo4jSettings;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const lib = process.env['COUNTERSIGN_NEO4J'];
  if (lib === undefined) throw new Error("set COUNTERSIGN_NEO4J to the folder of a server's jars; scripts/fetch-needs.mjs brings one");
  const { stop, ...settings } = await startNeo4j(lib);
  project.provide('neo4j', settings);
  return stop;
}
