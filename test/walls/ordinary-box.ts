// Does all ordinary work twice, as whoever starts it: with the real shell, and with the wall program in its place, called as Claude Code
// calls it. `node ordinary-box.ts FOLDER [NAME…]` prints every difference, as JSON: exit code, output, working folder, files left.

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { wall } from '../../src/agents/claude/wall.ts';
import { readWallCall, writeWallAnswer } from '../../src/doors/hooks/wall-call.ts';
import { findWalls, readOnlyAccess, WallSessions, writingAccess } from '../../src/sandbox/index.ts';
import { ORDINARY_FILES } from './ordinary-project.ts';
import { ORDINARY_SCOPE, ORDINARY_TASKS } from './ordinary-tasks.ts';

const [, , folder = '', ...chosen] = process.argv;
const base = realpathSync(folder);
const isThere = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
const onPath = (program: string): boolean => (process.env['PATH'] ?? '').split(':').some((each) => isThere(path.join(each, program)));
const left = ORDINARY_TASKS.filter(({ needs = [] }) => !needs.every(onPath)).map(({ name }) => name);
const tasks = ORDINARY_TASKS.filter(({ name }) => !left.includes(name) && (chosen.length === 0 || chosen.includes(name)));

const found = await findWalls(path.join(base, 'gate/run/boxes'));
if (found.kind === 'none') {
  process.stdout.write(JSON.stringify({ none: found.why }));
  process.exit(0);
}

interface Variant {
  readonly name: string;
  readonly root: string;
  readonly env: Record<string, string>;
  readonly shell: string;
}

const WHO = { NAME: 'Ada Example', EMAIL: 'ada@example.test', DATE: '2026-01-01T00:00:00Z' };
const identity = Object.fromEntries(
  Object.entries(WHO).flatMap(([key, value]) => ['AUTHOR', 'COMMITTER'].map((role) => [`GIT_${role}_${key}`, value])),
);

const gate = path.join(base, 'gate');
const WALL = path.join(import.meta.dirname, '../../bin/countersign-wall-bash');

/** Names of the same length: output is cut and counted in places. */
async function prepare(name: 'bare' | 'wall'): Promise<Variant> {
  const at = (...names: string[]) => path.join(base, name, ...names);
  for (const [file, text] of Object.entries(ORDINARY_FILES)) {
    mkdirSync(path.dirname(at('repo', file)), { recursive: true });
    writeFileSync(at('repo', file), text);
  }
  for (const file of ['scripts/hooks/pre-commit', 'vendor/tool/tool.js']) chmodSync(at('repo', file), 0o755);
  mkdirSync(at('home'));
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: at('repo'), env: { PATH: process.env['PATH'], HOME: at('home'), ...identity } });
  git('init', '-q', '--initial-branch=main');
  git('config', 'user.name', WHO.NAME);
  git('config', 'user.email', WHO.EMAIL);
  git('add', '--all');
  git('commit', '-q', '-m', 'Add the shop');
  git('clone', '-q', '--bare', '.', at('remote/shop.git'));
  const port = await freePort();
  const served = [
    'daemon',
    '--reuseaddr',
    '--listen=127.0.0.1',
    `--port=${port}`,
    `--base-path=${at('remote')}`,
    '--export-all',
    '--enable=receive-pack',
  ];
  helpers.push(spawn('git', served, { stdio: 'ignore', detached: true }));
  git('remote', 'add', 'origin', `git://127.0.0.1:${port}/shop.git`);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: at('home'),
    ROOT: at('repo'),
    CLAUDE_CODE_SESSION_ID: name,
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    ...identity,
    ...ofTools(),
  };
  const walled = { CLAUDE_CODE_SHELL: WALL, COUNTERSIGN_WALL_HOME: gate };
  return { name, root: at('repo'), env: { ...env, ...(name === 'wall' ? walled : {}) }, shell: name === 'wall' ? WALL : '/bin/bash' };
}

/** Where rustup's programs are, if another home is in use. */
function ofTools(): Record<string, string> {
  const place = path.join(process.env['REAL_HOME'] ?? '', '.rustup');
  return process.env['REAL_HOME'] !== undefined && isThere(place) ? { RUSTUP_HOME: place } : {};
}

function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = net.createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address() as net.AddressInfo;
    server.close(() => resolve(port));
  });
  return promise;
}

const helpers: { readonly pid?: number | undefined }[] = [];
const bare = await prepare('bare');
const walled = await prepare('wall');

const files = () => spawnSync('git', ['ls-files'], { cwd: walled.root, encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
const sessions = new WallSessions({
  found: () => Promise.resolve(found),
  ...{ folder: path.join(gate, 'run/boxes'), userHome: walled.env['HOME'] ?? '', privateFolders: [gate], agentSettings: ['.claude'] },
  seamOf: () => wall,
  settingsOf: () => Promise.resolve({ level: 'required', readable: [], writable: [], hosts: [] }),
  rootOf: () => Promise.resolve(walled.root),
  isEnforced: () => Promise.resolve(true),
  accessOf: (root, scope) => {
    const gitCommonDir = path.join(walled.root, '.git');
    if (scope === null) return Promise.resolve(readOnlyAccess(root, gitCommonDir));
    return Promise.resolve(
      writingAccess({ root, gitCommonDir, scope, paths: { derived: [], companions: {} }, files: files(), gitSettings: 'open' }),
    );
  },
});
/** The daemon's door, as the wall program uses it. */
const door = http.createServer((request, answer) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    answer.setHeader('x-countersign-answer', 'secret');
    sessions.enter(readWallCall('claude', Buffer.concat(chunks))).then(
      (walls) => answer.end(writeWallAnswer(walls)),
      (error: unknown) => answer.end(writeWallAnswer({ kind: 'refused', why: String(error) })),
    );
  });
});
await new Promise<void>((done) => door.listen(0, '127.0.0.1', done));
mkdirSync(path.join(gate, 'run'), { recursive: true });
writeFileSync(path.join(gate, 'run/hook'), `${(door.address() as net.AddressInfo).port} token secret\n`);

interface Result {
  readonly code: number | string | null;
  readonly output: string;
  readonly cwd: string;
}

let calls = 0;
const cwds = new Map<string, string>();

/** As the client writes it, version 2.1.325. Output goes to a file: a job that stays would keep a pipe open. */
async function call(variant: Variant, command: string): Promise<Result> {
  const id = `${process.pid}-${++calls}`;
  const cwdFile = `/tmp/claude-${id}-cwd`;
  const line = `source /nowhere/snapshot.sh 2>/dev/null || true && shopt -u extglob 2>/dev/null || true && eval '${command.replaceAll("'", `'"'"'`)}' < /dev/null && pwd -P >| ${cwdFile}`;
  const log = path.join(base, `${variant.name}-${calls}.log`);
  const output = openSync(log, 'a');
  const child = spawn(variant.shell, ['-c', line], {
    cwd: cwds.get(variant.name) ?? variant.root,
    env: variant.env,
    stdio: ['ignore', output, output],
    detached: true,
  });
  const code = await new Promise<number | string | null>((resolve) => child.once('exit', (number, signal) => resolve(number ?? signal)));
  try {
    cwds.set(variant.name, readFileSync(cwdFile, 'utf8').trim());
    rmSync(cwdFile, { force: true });
  } catch {
    // The command failed, so the client keeps the folder that it had.
  }
  const cwd = cwds.get(variant.name) ?? variant.root;
  return { code, output: plain(readFileSync(log, 'utf8')), cwd: plain(cwd) };
}

const plain = (text: string): string =>
  text
    .replaceAll(path.join(base, 'bare'), 'BASE')
    .replaceAll(path.join(base, 'wall'), 'BASE')
    .replaceAll(/^\S+: line \d+: /gm, 'shell: ')
    .replaceAll(/git:\/\/127\.0\.0\.1:\d+/g, 'git://HOST');

const differences: object[] = [];
/** Each file once: it stays different. */
const reported = new Set<string>();
let done = 0;
for (const { name, calls: commands, network } of tasks) {
  for (const [index, command] of commands.entries()) {
    const without = await call(bare, command);
    sessions.admit({
      agent: 'claude',
      nativeSession: 'wall',
      process: null,
      action: `${name} ${index}`,
      root: walled.root,
      command,
      scope: ORDINARY_SCOPE,
      network: network ?? false,
      showSecrets: false,
      open: false,
    });
    const within = await call(walled, command);
    const end = sessions.settled(`${name} ${index}`);
    done++;
    if (end?.walled !== true) differences.push({ name, command, walls: end });
    if (JSON.stringify(without) !== JSON.stringify(within))
      differences.push({ name, command, without: short(without), within: short(within) });
    if (process.env['SHOW'] !== undefined) process.stderr.write(`${name} [${index}] ${JSON.stringify(short(without))}\n`);
  }
  const [one, two] = [leftBy(bare), leftBy(walled)];
  const changed = [...new Set([...one.keys(), ...two.keys()])].filter((file) => one.get(file) !== two.get(file) && !reported.has(file));
  for (const file of changed) reported.add(file);
  const sides = (file: string) => `${file}: ${one.get(file) ?? 'missing'} / ${two.get(file) ?? 'missing'}`;
  if (changed.length > 0) differences.push({ name, files: changed.map(sides).slice(0, 10) });
}
function short(result: Result): Result {
  return { ...result, output: result.output.length > 800 ? `${result.output.slice(0, 400)}…${result.output.slice(-400)}` : result.output };
}

/** What is in the tree, with content and mode; git's folder by what git says of it. */
function leftBy({ root }: Variant): Map<string, string> {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout;
  const seen = new Map([
    [
      'git',
      plain(
        git('status', '--short', '--branch') +
          git('log', '--all', '--format=%H %s') +
          git('branch', '-avv') +
          git('stash', 'list') +
          git('config', '--local', '--list'),
      ),
    ],
  ]);
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const place = path.relative(root, file);
    if (/^(?:\.git|\.ai|\.orchestration)(?:\/|$)/.test(place) || /__pycache__|^target\//.test(place)) continue;
    const { mode, size } = lstatSync(file);
    seen.set(
      place,
      entry.isFile()
        ? `${mode.toString(8)} ${createHash('sha256')
            .update(plain(readFileSync(file, 'latin1')))
            .digest('hex')
            .slice(0, 12)} ${size}`
        : mode.toString(8),
    );
  }
  return seen;
}

await sessions.end('claude', 'wall');
for (const { pid } of helpers) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
process.stdout.write(JSON.stringify({ uid: process.getuid?.(), tasks: tasks.length, calls: done, left, differences }, null, 1));
process.exit(0);
