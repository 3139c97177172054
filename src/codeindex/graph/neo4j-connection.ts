// The line to Neo4j. The driver is loaded with the first question, and only where Neo4j is configured.

import type { Driver } from 'neo4j-driver';
import { Fault } from '../../protocol/index.ts';

export const NEO4J_DEFAULT_ADDRESS = 'bolt://127.0.0.1:7687';

export interface Neo4jSettings {
  /** `bolt://` on this machine. */
  readonly address: string;
  readonly user: string;
  readonly password: string;
  /** Null: the server's own default. */
  readonly database: string | null;
}

export type Row = Readonly<Record<string, unknown>>;

export interface Neo4jConnection {
  readonly address: string;
  readonly read: (cypher: string, parameters: Row) => Promise<readonly Row[]>;
  /** All statements, or none. */
  readonly write: (statements: readonly { readonly cypher: string; readonly parameters: Row }[]) => Promise<readonly Row[]>;
  /** One statement outside of a transaction of ours: schema, and what a script wants for itself. */
  readonly run: (cypher: string, parameters: Row) => Promise<readonly Row[]>;
  /** A number that Cypher takes for a whole one. */
  readonly whole: (value: number) => unknown;
  readonly close: () => Promise<void>;
}

const CONNECT_WITHIN_MS = 2_000;
/** The driver would otherwise try for half a minute whether a server that is down comes back. */
const RETRY_WITHIN_MS = 500;
const LOOPBACK = /^bolt:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?\/?$/;

export function assertLocal(address: string): void {
  if (LOOPBACK.test(address)) return;
  throw new Fault('BAD_REQUEST', `graph.neo4j.address is ${JSON.stringify(address)}: only bolt:// on this machine is used.`, {
    fix: `Write an address such as ${NEO4J_DEFAULT_ADDRESS}`,
  });
}

export async function connectNeo4j({ address, user, password, database }: Neo4jSettings): Promise<Neo4jConnection> {
  assertLocal(address);
  const { default: neo4j } = await import('neo4j-driver');
  const driver: Driver = neo4j.driver(address, neo4j.auth.basic(user, password), {
    disableLosslessIntegers: true,
    connectionTimeout: CONNECT_WITHIN_MS,
    connectionAcquisitionTimeout: 2 * CONNECT_WITHIN_MS,
    maxTransactionRetryTime: RETRY_WITHIN_MS,
    userAgent: 'countersign',
    telemetryDisabled: true,
  });
  const session = async <T>(work: (open: ReturnType<Driver['session']>) => Promise<T>): Promise<T> => {
    const open = driver.session(database === null ? {} : { database });
    try {
      return await work(open);
    } finally {
      await open.close();
    }
  };
  const rowsOf = (result: { records: readonly { toObject(): object }[] }): readonly Row[] =>
    result.records.map((record) => record.toObject() as Row);
  return {
    address,
    read: (cypher, parameters) =>
      session((open) => open.executeRead(async (transaction) => rowsOf(await transaction.run(cypher, parameters)))),
    write: (statements) =>
      session((open) =>
        open.executeWrite(async (transaction) => {
          let last: readonly Row[] = [];
          for (const { cypher, parameters } of statements) last = rowsOf(await transaction.run(cypher, parameters));
          return last;
        }),
      ),
    run: (cypher, parameters) => session(async (open) => rowsOf(await open.run(cypher, parameters))),
    whole: (value) => neo4j.int(value),
    close: () => driver.close(),
  };
}
