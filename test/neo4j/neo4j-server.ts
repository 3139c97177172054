// A real Neo4j for the tests: a folder of its own, a free port on loopback, a password set as its users set it, a small heap.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Neo4jSettings } from '../../src/codeindex/graph/neo4j-connection.ts';

export interface Neo4jServer extends Neo4jSettings {
  /** By its process id; what it kept is gone with it. */
  readonly stop: () => Promise<void>;
}

const STARTED_WITHIN_MS = 90_000;
/** Small, and quick to start rather than quick in the end. */
const JVM = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/** `lib` holds the jars of the server; `scripts/needs.mjs` says where. */
export async function startNeo4j(lib: string): Promise<Neo4jServer> {
  const home = mkdtempSync(path.join(tmpdir(), 'countersign-neo4j-'));
  const conf = path.join(home, 'conf');
  mkdirSync(conf);
  const port = await freePort();
  writeFileSync(path.join(conf, 'neo4j.conf'), configuration(port));
  const password = randomBytes(12).toString('hex');
  const java = ['-cp', path.join(lib, '*')];
  const set = spawnSync('java', [...JVM, ...java, 'org.neo4j.cli.AdminTool', 'dbms', 'set-initial-password', password], {
    env: { ...process.env, NEO4J_HOME: home, NEO4J_CONF: conf },
    encoding: 'utf8',
  });
  if (set.status !== 0) throw new Error(`the password could not be set: ${set.stderr}`);
  const server = spawn('java', [...JVM, ...java, 'org.neo4j.server.CommunityEntryPoint', `--home-dir=${home}`, `--config-dir=${conf}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)));
  const stop = async (): Promise<void> => {
    await end(server);
    rmSync(home, { recursive: true, force: true });
  };
  try {
    await answers(server, port);
  } catch (error) {
    await stop();
    throw new Error(`Neo4j did not start: ${said}`, { cause: error });
  }
  return { address: `bolt://127.0.0.1:${port}`, user: 'neo4j', password, database: null, stop };
}

const configuration = (port: number): string =>
  [
    'server.default_listen_address=127.0.0.1',
    'server.bolt.enabled=true',
    `server.bolt.listen_address=127.0.0.1:${port}`,
    'server.http.enabled=false',
    'server.https.enabled=false',
    'dbms.security.auth_enabled=true',
    'dbms.usage_report.enabled=false',
    'server.memory.pagecache.size=64m',
    'db.tx_log.preallocate=false',
    '',
  ].join('\n');

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function answers(server: ChildProcess, port: number): Promise<void> {
  for (const until = Date.now() + STARTED_WITHIN_MS; Date.now() < until;) {
    if (server.exitCode !== null) throw new Error(`it ended with ${server.exitCode}`);
    if (await isOpen(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('it did not answer in time');
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}
