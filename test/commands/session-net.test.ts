// A network of a session's own, with real namespaces: programs inside reach what was granted and nothing else, and a human reaches a
// port inside.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect } from 'vitest';
import { type HostFilter, openHostFilter, openPort, portsInside, proxyEnvironment, relayCommand } from '../../src/sandbox/index.ts';
import { verifies } from '../verifies.ts';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'countersign-net-')));
const control = path.join(folder, 'control');
const filterSocket = path.join(folder, 'filter');
const servers: Server[] = [];
const children: ChildProcess[] = [];
let filter: HostFilter;
let relayPort: number;
let holder: number;
let plainPort: number;
let securePort: number;

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

const firstLine = (child: ChildProcess) => new Promise<string>((done) => child.stdout!.once('data', (chunk) => done(String(chunk).trim())));

function started(command: readonly string[], stdio: 'pipe' | 'ignore' = 'pipe'): ChildProcess {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: [stdio, 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

beforeAll(async () => {
  const answer = (_request: http.IncomingMessage, response: http.ServerResponse) => void response.end('outside');
  plainPort = await listening(http.createServer(answer));
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name)) as [string, string];
  const made = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=models.test',
  ];
  execFileSync('openssl', [...made, '-addext', 'subjectAltName=DNS:models.test', '-keyout', key, '-out', cert], { stdio: 'ignore' });
  securePort = await listening(https.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, answer));
  filter = await openHostFilter({ socket: filterSocket, resolve: async () => ['127.0.0.1'] });
  const box = ['bwrap', '--unshare-net', '--cap-drop', 'ALL', '--die-with-parent', '--bind', '/', '/', '--dev', '/dev'];
  const relay = started([...box, ...relayCommand(control, [{ port: 0, socket: filterSocket }])]);
  relayPort = Number(await firstLine(relay));
  holder = Number(readFileSync(`/proc/${relay.pid}/task/${relay.pid}/children`, 'utf8').trim().split(' ')[0]);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const server of servers) server.close();
  await filter.close();
  rmSync(folder, { recursive: true });
});

const joined = (script: string) => {
  const user = process.getuid?.() === 0 ? [] : ['-U', '--preserve-credentials'];
  return ['nsenter', '-t', String(holder), ...user, '-n', '--', process.execPath, '-e', script];
};

/** A program in the session's network, with a grant of its own. */
async function inside(script: string, ...hosts: string[]): Promise<{ said: string; refused: readonly string[] }> {
  const grant = filter.grant(hosts);
  const [program = '', ...args] = joined(script);
  const env = { ...process.env, ...proxyEnvironment(relayPort, grant.credential), NODE_EXTRA_CA_CERTS: path.join(folder, 'cert.pem') };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const said = await text(child.stdout);
  grant.withdraw();
  return { said: said.trim(), refused: grant.refused() };
}

const fetched = (address: string) =>
  `fetch(${JSON.stringify(address)}).then(async (a) => console.log(a.status, (await a.text()).trim()), (e) => console.log('failed', e.cause?.message))`;

verifies('N12', 'inside a network of its own a program reaches granted hosts through the relay, and nothing without it', async () => {
  const plain = `http://models.test:${plainPort}/`;
  expect(await inside(fetched(plain), `models.test:${plainPort}`)).toEqual({ said: '200 outside', refused: [] });
  const secure = `https://models.test:${securePort}/`;
  expect(await inside(fetched(secure), `models.test:${securePort}`)).toEqual({ said: '200 outside', refused: [] });

  const other = await inside(fetched(plain), `other.test:${plainPort}`);
  expect(other).toEqual({ said: expect.stringMatching(/^failed/), refused: [`models.test:${plainPort}`] });
  expect((await inside(fetched(secure))).refused).toEqual([`models.test:${securePort}`]);

  const direct = (host: string) =>
    `require('net').connect(${plainPort}, '${host}').on('error', (e) => console.log(e.code)).on('connect', () => console.log('IN'))`;
  expect((await inside(direct('127.0.0.1'))).said).toBe('ECONNREFUSED');
  expect((await inside(direct('192.0.2.1'))).said).toBe('ENETUNREACH');
});

verifies('N12', 'a port that a human opens leads to the server inside, and only while it is open', async () => {
  const server = `require('http').createServer((q, s) => s.end('inside')).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;
  const child = started(joined(server), 'ignore');
  const port = Number(await firstLine(child));
  expect(await portsInside(control)).toEqual([port]);
  const get = (at: number) =>
    fetch(`http://127.0.0.1:${at}/`).then(
      (answer) => answer.text(),
      () => 'nothing',
    );
  const opened = await openPort(control, port);
  expect(opened.port).toBe(port);
  const twin = await openPort(control, port);
  expect(twin.port).not.toBe(port);
  expect(await Promise.all([get(opened.port), get(twin.port)])).toEqual(['inside', 'inside']);
  await twin.close();
  child.kill('SIGKILL');
  await new Promise((done) => child.once('exit', done));
  expect(await get(opened.port)).toBe('nothing');
  await opened.close();
});
