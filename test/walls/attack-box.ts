// Runs all attacks behind the walls of one session, as whoever starts it: `node attack-box.ts FOLDER`. Prints what broke through, as JSON.

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { findWalls, processStarted, readOnlyAccess, WallSessions, writingAccess } from '../../src/sandbox/index.ts';
import { ATTACKS, GRANTED, KEPT, SECRETS } from './attacks.ts';

const base = realpathSync(process.argv[2] ?? '');
const at = (...names: string[]) => path.join(base, ...names);
const places: Record<string, string> = { REPO: at('repo'), HOME: at('home'), GATE: at('gate'), OTHER: at('other') };
const resolved = (place: string) => place.replace(/^\$(\w+)/, (_, name: string) => places[name] ?? '');

function put(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
for (const file of KEPT) put(resolved(file), 'as it was\n');
for (const [index, file] of SECRETS.entries()) put(resolved(file), `token SECRET-${index}\n`);
put(at('repo/src/a.ts'), 'export const a = 1;\n');
spawnSync('git', ['init', '-q', at('repo')]);
const files = ['README.md', 'lib/other.ts', 'src/a.ts', '.claude/settings.local.json', '.ai/config/repo.json'];

const found = await findWalls(at('gate/run/boxes'));
if (found.kind === 'none') {
  process.stdout.write(JSON.stringify({ none: found.why }));
  process.exit(0);
}
const granted = http.createServer((_request, response) => response.end('GRANTED'));
await new Promise<void>((resolve) => void granted.listen(0, '127.0.0.1', resolve));
const sessions = new WallSessions({
  found: () => Promise.resolve(found),
  ...{ folder: at('gate/run/boxes'), userHome: at('home'), privateFolders: [at('gate')], agentSettings: ['.claude'] },
  seamOf: () => ({ commandIn: (line) => line, readsBack: () => null, startWrites: [], shownInTemp: [] }),
  settingsOf: () =>
    Promise.resolve({ level: 'required', readable: [], writable: [], hosts: [`127.0.0.1:${(granted.address() as net.AddressInfo).port}`] }),
  rootOf: () => Promise.resolve(at('repo')),
  isEnforced: () => Promise.resolve(true),
  accessOf: (root, scope) =>
    Promise.resolve(
      scope === null
        ? readOnlyAccess(root, at('repo/.git'))
        : writingAccess({ root, gitCommonDir: at('repo/.git'), scope, paths: { derived: [], companions: {} }, files }),
    ),
});

const answer = (socket: net.Socket) => socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nSECRET-NETWORK\n');
const listening = (where: object) =>
  new Promise<net.Server>((resolve) => {
    const server = net.createServer(answer).listen(where, () => resolve(server));
  });
const abstract = `countersign-${process.pid}`;
const servers = await Promise.all([
  listening({ port: 0, host: '127.0.0.1' }),
  listening({ path: at('sock') }),
  listening({ path: `\0${abstract}` }),
  listening({ path: at('home/app.sock') }),
]);
const outside = spawn('sleep', ['1000'], { env: { SECRET: 'SECRET-PROCESS' }, stdio: 'ignore' });

const stamp = () =>
  KEPT.map(
    (file) =>
      `${file} ${
        existsSync(resolved(file))
          ? createHash('sha256')
              .update(readFileSync(resolved(file)))
              .digest('hex') + lstatSync(resolved(file)).isSymbolicLink()
          : 'gone'
      }`,
  );
const before = stamp();
// Each in its own shell and with its own mark, in one call: starting a process for each takes most of the time.
const script = ATTACKS.map(
  ({ run }, index) => `printf "\\n=== ${index}\\n"; ( cd "$REPO"; ${run.includes('\n') ? `\n${run}\n` : run} ) 2>&1 </dev/null`,
).join('\n');
put(at('repo/src/attacks.sh'), `${script}\nprintf "\\n=== end\\n"\n${GRANTED}\n`);
const command = 'bash src/attacks.sh';
sessions.admit({
  agent: 'x',
  nativeSession: 's',
  process: { pid: outside.pid ?? 0, started: processStarted(outside.pid ?? 0) ?? '' },
  action: 'act',
  root: at('repo'),
  command,
  scope: ['src/**'],
  network: false,
  showSecrets: false,
  open: false,
});
const temp = mkdtempSync(at('t-'));
const walls = await sessions.enter({
  agent: 'x',
  nativeSession: 's',
  cwd: at('repo'),
  tempFolder: temp,
  userHome: at('home'),
  line: command,
});
if (walls.kind !== 'walled') throw new Error(`no walls: ${JSON.stringify(walls)}`);
const [program = '', ...args] = walls.prefix;
const env = {
  ...places,
  PATH: process.env['PATH'] ?? '',
  GRANTED_PORT: String((granted.address() as net.AddressInfo).port),
  PORT: String((servers[0].address() as net.AddressInfo).port),
  SOCK: at('sock'),
  HOME_SOCK: at('home/app.sock'),
  ABSTRACT: abstract,
  OUTSIDE_PID: String(outside.pid),
};
const output = await new Promise<string>((resolve) => {
  const child = spawn(program, [...args, '/bin/bash', '-c', `cd "$REPO" && ${command}`], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => void (text += chunk.toString('latin1')));
  child.stderr.on('data', (chunk: Buffer) => void (text += chunk.toString('latin1')));
  child.once('close', () => resolve(text));
});
const parts = output.split(/^=== /m).slice(1);
const leaked = parts.flatMap((part) =>
  /SECRET-\w+/.test(part) ? [`${ATTACKS[Number.parseInt(part, 10)]?.name}: ${/SECRET-\w+/.exec(part)?.[0]}`] : [],
);
const changed = stamp().filter((line, index) => line !== before[index]);
const made = ['.zshrc', '.local/bin/git', '.config/systemd/user/x.service'].filter((file) => existsSync(at('home', file)));
const isAlive = outside.exitCode === null && outside.signalCode === null;
const reached = parts.at(-1)?.includes('GRANTED') ?? false;
const works = existsSync(at('repo/src/stolen')) || existsSync(at('repo/src/x.tmp'));
// Its agent is gone: so is the box, with all that ran in it.
sessions.sweep();
const isKept = readdirSync(at('gate/run/boxes')).some((name) => name.endsWith('.json'));
outside.kill('SIGKILL');
await once(outside, 'exit');
sessions.sweep();
const isSwept = isKept && !readdirSync(at('gate/run/boxes')).some((name) => name.endsWith('.json'));
await sessions.end('x', 's');
await sessions.close();
granted.close();
for (const server of servers) server.close();
process.stdout.write(
  JSON.stringify({ uid: process.getuid?.(), run: parts.length - 1, works, reached, isSwept, leaked, changed, made, isAlive }),
);
process.exit(0);
