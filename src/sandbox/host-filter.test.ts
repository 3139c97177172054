import { mkdtempSync, rmSync, statSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type GrantedHosts, type HostFilter, openHostFilter } from './host-filter.ts';
import { mayReach, plainHost, reachOf, readHostGrant } from './host-grants.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-filter-'));
let filter: HostFilter;
let port: number;
const seen: string[] = [];
/** Names that a resolver would know; all lead to this machine. */
const NAMES = ['models.test', 'other.test', 'a.wild.test'];

const upstream = http.createServer((request, response) => {
  seen.push(`${request.method} ${request.url} ${request.headers.host} ${request.headers['proxy-authorization'] ?? '-'}`);
  request.pipe(response);
  if (request.method === 'GET') response.end('hello');
});

beforeAll(async () => {
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done));
  port = (upstream.address() as net.AddressInfo).port;
  const resolve = async (host: string) => (NAMES.includes(host) ? ['127.0.0.1'] : []);
  filter = await openHostFilter({ socket: join(folder, 'filter'), resolve, remedy: 'Ask for it.' });
});
afterAll(async () => {
  await filter.close();
  upstream.close();
  rmSync(folder, { recursive: true });
});

const authorization = (credential: string) => ({ 'proxy-authorization': `Basic ${Buffer.from(credential).toString('base64')}` });

function ask(address: string, credential: string | null, { method = 'GET', body = '', headers = {} } = {}): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const sent = { ...headers, ...(credential === null ? {} : authorization(credential)) };
  const request = http.request({ socketPath: filter.socket, method, path: address, headers: sent });
  request.once('error', reject);
  request.once('response', (answer) => void text(answer).then((said) => resolve(`${answer.statusCode} ${said.trim()}`), reject));
  request.end(body);
  return promise;
}

/** A tunnel, and one request through it. */
async function tunnel(target: string, credential: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const request = http.request({ socketPath: filter.socket, method: 'CONNECT', path: target, headers: authorization(credential) });
  request.once('error', reject);
  request.once('connect', (answer, socket, head) => {
    if (answer.statusCode === 200) socket.end(`GET /through HTTP/1.1\r\nHost: ${target}\r\nConnection: close\r\n\r\n`);
    void text(socket).then((rest) => resolve(`${answer.statusCode} ${(head.toString() + rest).split('\r\n\r\n').at(-1)?.trim()}`), reject);
  });
  request.end();
  return promise;
}

function granted(...hosts: string[]): GrantedHosts {
  return filter.grant(hosts);
}

verifies('N12', 'a host that was granted by name is reached, plainly and through a tunnel, and no other is', async () => {
  const one = granted(`models.test:${port}`);
  expect(await ask(`http://models.test:${port}/a?b=1`, one.credential, { headers: { host: 'elsewhere.test' } })).toBe('200 hello');
  expect(await ask(`http://MODELS.test.:${port}/`, one.credential, { method: 'POST', body: 'data' })).toBe('200 data');
  expect(await tunnel(`models.test:${port}`, one.credential)).toBe('200 hello');
  expect(seen).toEqual([`GET /a?b=1 models.test:${port} -`, `POST / models.test.:${port} -`, `GET /through models.test:${port} -`]);
  expect(one.refused()).toEqual([]);

  expect(await ask(`http://other.test:${port}/`, one.credential)).toBe(`403 The host other.test:${port} is not granted. Ask for it.`);
  expect(await tunnel('models.test:22', one.credential)).toBe('403 The host models.test:22 is not granted. Ask for it.');
  expect(await tunnel(`other.test:${port}`, one.credential)).toMatch(/^403 /);
  expect(one.refused()).toEqual([`other.test:${port}`, 'models.test:22']);
  expect(seen).toHaveLength(3);
  expect(statSync(filter.socket).mode & 0o777).toBe(0o600);
});

verifies('N12', 'the grant of one command is of no use to another, and none outlives its command', async () => {
  const one = granted(`models.test:${port}`);
  const two = granted();
  const address = `http://models.test:${port}/`;
  const [user = '', secret = ''] = one.credential.split(':');
  const answers = await Promise.all([null, `${user}:${secret.slice(1)}`, `x:${secret}`, 'nonsense'].map((each) => ask(address, each)));
  expect(answers.map((answer) => answer.slice(0, 3))).toEqual(['407', '407', '407', '407']);
  expect(await ask(address, two.credential)).toMatch(/^403 /);
  expect(await ask(address, one.credential)).toBe('200 hello');

  const open = net.connect(filter.socket);
  const header = `Proxy-Authorization: ${authorization(one.credential)['proxy-authorization']}`;
  open.write(`CONNECT models.test:${port} HTTP/1.1\r\nHost: models.test\r\n${header}\r\n\r\n`);
  await new Promise((done) => open.once('data', done));
  one.withdraw();
  await new Promise((done) => open.resume().once('close', done));
  expect(await ask(address, one.credential)).toMatch(/^407 /);
});

verifies('N12', 'a name that leads to this machine needs a grant of exactly that name and port', async () => {
  const wild = granted(`*.wild.test:${port}`, 'models.test', '*.test');
  const why = 'leads to 127.0.0.1, and a grant for that has to name it exactly, with the port. Ask for it.';
  expect(await ask(`http://a.wild.test:${port}/`, wild.credential)).toBe(`403 The host a.wild.test:${port} ${why}`);
  expect(await ask('http://models.test/', wild.credential)).toBe(`403 The host models.test:80 ${why}`);
  expect(await ask('http://127.0.0.1/', wild.credential)).toMatch(/is not granted/);
  expect(await ask(`http://127.1:${port}/`, granted(`127.0.0.1:${port}`).credential)).toBe('200 hello');
  expect(await ask('http://missing.test/', wild.credential)).toBe('502 The host missing.test has no address.');
  expect(await ask('/only/a/path', wild.credential)).toBe('400 A proxy needs a whole http:// address.');
});

test('what a grant may say, and what it covers', () => {
  const bad = ['', '*', 'http://a.test', 'a.test:0', 'a.test:70000', 'a b', '*.127.0.0.1', '[zz]', 'a.test/x', 'user@a.test', 'a..test'];
  expect(bad.filter((text) => readHostGrant(text) !== null)).toEqual([]);
  expect(() => granted('http://a.test')).toThrow('"http://a.test" is not a host');
  const covers = (grant: string, host: string, address = '93.184.216.34', at = 443) =>
    mayReach([readHostGrant(grant)!], plainHost(host), at, address);
  expect(covers('a.test', 'A.Test.')).toBe(true);
  expect(covers('a.test', 'b.a.test')).toBe(false);
  expect(covers('*.a.test', 'b.a.test')).toBe(true);
  expect(covers('*.a.test', 'a.test')).toBe(false);
  expect(covers('*.a.test', 'xa.test')).toBe(false);
  expect(covers('a.test', 'a.test', '93.184.216.34', 8443)).toBe(false);
  expect(covers('a.test:8443', 'a.test', '93.184.216.34', 8443)).toBe(true);
  expect([covers('a.test', 'a.test', '10.0.0.7'), covers('*.a.test', 'b.a.test', '10.0.0.7')]).toEqual([true, false]);
  expect([covers('a.test', 'a.test', '169.254.169.254'), covers('a.test:443', 'a.test', '::1')]).toEqual([false, true]);
});

test('addresses of this machine are known in every form', () => {
  const own = [
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '169.254.169.254',
    'fe80::1',
    '224.0.0.1',
    'no address',
  ];
  expect(own.filter((address) => reachOf(address) !== 'this machine')).toEqual([]);
  expect(['10.1.2.3', '172.31.0.1', '192.168.1.1', '100.64.0.1', 'fd00::1'].map(reachOf)).toEqual(Array(5).fill('private'));
  expect(['93.184.216.34', '172.32.0.1', '2606:2800:220:1::1'].map(reachOf)).toEqual(Array(3).fill('public'));
});
