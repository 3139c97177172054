// Attacks through a real client, as this user and as another one. Another user cannot read what belongs to this one: it gets an installation of its own.

import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Client, programOf } from '../lab/clients/client.ts';
import { verifies } from '../verifies.ts';
import { ATTACKS } from '../walls/attacks.ts';

const WITHIN_MS = 400_000;
const HELD = { run: ATTACKS.length, works: true, reached: true, leaked: [], changed: [], made: [], isAlive: true, level: 'walled' };
const ROOT = join(import.meta.dirname, '../..');
/** Clients ask for the name of their user, so it needs an account: `nobody` is everywhere. */
const NOBODY = 65_534;

export function tellOfAttacks(client: Client): void {
  verifies(
    'N20',
    `${client.name}: what is MUTATING is admitted, and none of the attacks changes a file outside src/**, reads a key or reaches a host`,
    () => expect(attack(client, null)).toEqual({ uid: process.getuid?.(), ...HELD }),
    WITHIN_MS,
  );
}

export function tellOfAttacksOfOthers(client: Client): void {
  verifies(
    'N20',
    `${client.name}: nor does any attack of an ordinary user`,
    () => expect(attack(client, NOBODY)).toEqual({ uid: NOBODY, ...HELD }),
    WITHIN_MS,
  );
}

/** Not in a folder for temporary files: there, walls replace everything. */
function attack(client: Client, uid: number | null): unknown {
  const place = process.getuid?.() === 0 ? '/var' : join(homedir(), '.cache');
  const folder = mkdtempSync(join(place, 'countersign-attacks-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const { root, node, program } =
    uid === null ? { root: ROOT, node: process.execPath, program: programOf(client) } : installed(client, folder);
  if (uid !== null) chownSync(folder, uid, uid);
  chmodSync(folder, 0o755);
  const as = uid === null ? [] : ['setpriv', '--reuid', String(uid), '--regid', String(uid), '--clear-groups', '--'];
  const script = join(root, 'test/agents/attack-world.ts');
  const [first, ...args] = [...as, node, '--disable-warning=ExperimentalWarning', script, folder, client.name];
  const env = { PATH: process.env['PATH'], HOME: folder, TERM: process.env['TERM'] ?? 'xterm', [client.variable]: program };
  const { stdout, stderr } = spawnSync(first, args, { encoding: 'utf8', env, cwd: folder, timeout: WITHIN_MS });
  if (!stdout.startsWith('{')) throw new Error(`${stderr}${stdout}`);
  return JSON.parse(stdout);
}

/** The sources, their packages, Node and the client, where everyone can read them. */
function installed(client: Client, folder: string): { readonly root: string; readonly node: string; readonly program: string } {
  const root = join(folder, 'app');
  const packages = join(ROOT, 'node_modules');
  const own = join(root, 'node_modules/.countersign');
  mkdirSync(own, { recursive: true });
  for (const name of ['src', 'bin', 'test', 'clients', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(root, name), { recursive: true, filter: (from) => basename(from) !== 'node_modules' });
  for (const name of readdirSync(packages)) if (!name.startsWith('.')) symlinkSync(join(packages, name), join(root, 'node_modules', name));
  copyFileSync(process.execPath, join(own, 'node'));
  copyFileSync(join(packages, '.countersign/lock.sha256'), join(own, 'lock.sha256'));
  const program = join(folder, 'client', basename(programOf(client)));
  mkdirSync(join(folder, 'client'));
  copyFileSync(programOf(client), program);
  return { root, node: join(own, 'node'), program };
}
