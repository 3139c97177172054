// The program that holds a session's own network. It listens on ports of the loopback address inside and passes each connection on to a
// socket of the daemon, and connects to a port inside when the daemon asks: for a port that the human opened. It decides nothing, and
// imports nothing but Node: one runs for each session.
//
// Arguments: the socket to listen on for the daemon, then PORT=SOCKET for each port (0: any). When all is ready it writes its ports as a
// line. It ends when its standard input ends, and so with the daemon; with `--stay` first it stays until it is ended.

import fs from 'node:fs';
import net from 'node:net';

const stays = process.argv[2] === '--stay';
const [controlSocket = '', ...pairs] = process.argv.slice(stays ? 3 : 2);
const LINE_BYTES = 64;

const passages = pairs.map((pair) => {
  const at = pair.indexOf('=');
  const path = pair.slice(at + 1);
  const server = net.createServer({ allowHalfOpen: true }, (client) => join(client, net.connect({ path, allowHalfOpen: true })));
  return { port: Number(pair.slice(0, at)), server };
});
const ownPorts = (): number[] => passages.map(({ server }) => (server.address() as net.AddressInfo).port);

/** One line each: `connect PORT`, answered with `ok` and then the connection itself, or `ports`, answered with those that are listened on. */
const control = net.createServer({ allowHalfOpen: true }, (asker) => {
  let line = '';
  asker.on('error', () => asker.destroy());
  asker.on('data', function read(chunk: Buffer) {
    line += chunk.toString('latin1');
    const end = line.indexOf('\n');
    if (end < 0 && line.length < LINE_BYTES) return;
    asker.off('data', read);
    asker.pause();
    const [verb, wanted] = line.slice(0, Math.max(end, 0)).split(' ');
    if (verb === 'connect' && /^[0-9]{1,5}$/.test(wanted ?? ''))
      connectInside(asker, Number(wanted), Buffer.from(line.slice(end + 1), 'latin1'));
    else if (verb === 'ports') asker.end(`${listenedPorts().join(' ')}\n`);
    else asker.end('unknown\n');
  });
});

function connectInside(asker: net.Socket, wanted: number, rest: Buffer): void {
  // A server may listen on one family only.
  const attempt = (hosts: readonly string[]): void => {
    const [host, ...others] = hosts;
    const target = net.connect({ host: host ?? '127.0.0.1', port: wanted, allowHalfOpen: true });
    const failed = (): void => {
      target.destroy();
      if (others.length > 0) attempt(others);
      else asker.end('refused\n');
    };
    target.once('error', failed);
    target.once('connect', () => {
      target.off('error', failed);
      asker.write('ok\n');
      if (rest.length > 0) target.write(rest);
      join(asker, target);
    });
  };
  attempt(['127.0.0.1', '::1']);
}

function join(one: net.Socket, two: net.Socket): void {
  for (const each of [one, two]) each.on('error', () => each.destroy());
  one.once('close', () => two.destroy());
  two.once('close', () => one.destroy());
  one.pipe(two);
  two.pipe(one);
}

/** State 0A is "listening". */
function listenedPorts(): number[] {
  const ports = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => {
    const lines = fs.existsSync(file) ? fs.readFileSync(file, 'latin1').split('\n') : [];
    return lines.flatMap((each) => /^\s*\d+: [0-9A-F]+:(?<port>[0-9A-F]{4}) [0-9A-F:]+ 0A /.exec(each)?.groups?.['port'] ?? []);
  });
  const own = ownPorts();
  return [...new Set(ports.map((each) => Number.parseInt(each, 16)))].filter((each) => !own.includes(each)).toSorted((a, b) => a - b);
}

if (!stays) {
  process.stdin.on('end', () => process.exit(0));
  process.stdin.on('error', () => process.exit(0));
  process.stdin.resume();
}
const listen = (server: net.Server, where: net.ListenOptions) => new Promise<void>((done) => server.listen(where, done));
fs.rmSync(controlSocket, { force: true });
await listen(control, { path: controlSocket });
for (const { port, server } of passages) await listen(server, { port, host: '127.0.0.1' });
process.stdout.write(`${ownPorts().join(' ')}\n`);
