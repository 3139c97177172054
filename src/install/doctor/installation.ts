// The installation by itself: Node, the daemon and its folder, the record, what commands are run in.

import { lstat, readdir, readFile, statfs } from 'node:fs/promises';
import path from 'node:path';
import { type DaemonClient, ensureDaemon, type Home, VERSION } from '../../client/node.ts';
import { PROGRAM } from '../wiring/program-paths.ts';
import { DEFAULT_PORT } from '../../protocol/index.ts';
import { findSandbox, findWalls } from '../../sandbox/index.ts';
import { verifyOwn } from '../verify-own.ts';
import { programOn } from '../wiring/find-agents.ts';
import { PROGRAM_ROOT } from '../wiring/program-paths.ts';
import { bad, type Check, note, ok } from './check.ts';
import { checkProgram } from './program.ts';

export interface InstallationCheckOptions {
  readonly client: DaemonClient;
  readonly home: Home;
  readonly searchPath: string;
}

const NODE = [24, 15] as const;
/** Below this the next test run of an agent may fill the disk, and a ledger that cannot be written refuses every change. */
const MIN_FREE_BYTES = 200 * 1024 * 1024;
const PORT_WITHIN_MS = 3_000;
const KEY_FILES = ['signing-key.pem', 'hmac.key'];
const RESTART = 'countersign stop, then countersign start';

export async function checkInstallation({ client, home, searchPath }: InstallationCheckOptions): Promise<Check[]> {
  const checks = [nodeCheck(process.versions.node), ...(await checkProgram({ root: PROGRAM_ROOT, searchPath }))];
  const daemon = await daemonCheck(client, home);
  checks.push(daemon, await portCheck(client), ...(await folderChecks(home)));
  checks.push(...(await ledgerChecks(client, home)), await diskCheck(home));
  const git = await programOn(searchPath, 'git');
  checks.push(
    git ? ok('git', git) : note('git', 'There is no git on PATH: commits are not looked at before they are made.', 'Install git'),
  );
  const sandbox = await findSandbox();
  checks.push(
    sandbox.kind === 'none'
      ? note(
          'sandbox',
          'Commands that the gate runs have no sandbox: bubblewrap is missing, or the system does not let it work.',
          'Install bubblewrap',
        )
      : ok('sandbox', sandbox.kind),
  );
  const walls = await findWalls(home.boxes);
  checks.push(
    walls.kind === 'none'
      ? note(
          'walls',
          `Agents' own commands run without walls: ${walls.why}.`,
          'See docs/walls.md; walls.level required refuses such commands',
        )
      : ok('walls', 'bubblewrap'),
  );
  return checks;
}

export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > NODE[0] || (major === NODE[0] && minor >= NODE[1])
    ? ok('node', version)
    : bad(
        'node',
        `${version} runs; ${NODE.join('.')} or newer is needed.`,
        'Delete the link node-24.15 in the folder countersign of your cache, or run npm start in the clone: either fetches its own',
      );
}

async function daemonCheck(client: DaemonClient, home: Home): Promise<Check> {
  try {
    await ensureDaemon(client, home, PROGRAM);
    const { version, pid, address } = await client.ask('status', {});
    if (version !== VERSION) return bad('daemon', `${pid} is version ${version}, this is ${VERSION}.`, RESTART);
    return ok('daemon', `${pid} at ${address}`);
  } catch (error) {
    return bad('daemon', `None answers: ${(error as Error).message}`, `Read the end of ${home.log}, then run countersign start`);
  }
}

/** Hooks and the page come by the port, the command line by the socket. */
async function portCheck(client: DaemonClient): Promise<Check> {
  const address = await client.ask('status', {}).then(
    (status) => status.address,
    () => null,
  );
  if (address === null) return note('port', 'No daemon says which it is.');
  try {
    const answer = await fetch(`${address}health`, { signal: AbortSignal.timeout(PORT_WITHIN_MS) });
    if (!answer.ok) throw new Error(`it answers ${answer.status}`);
  } catch (error) {
    const { cause, message } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    return bad('port', `Nothing of ours answers at ${address} (${why}): every hook would deny.`, RESTART);
  }
  return process.env.MCP_DASHBOARD_PORT === undefined && new URL(address).port !== String(DEFAULT_PORT)
    ? note('port', `${address}: another program had ${DEFAULT_PORT} when the daemon started. countersign open finds the page.`)
    : ok('port', address);
}

/** Anyone else who may open these has the owner's rights. */
async function folderChecks(home: Home): Promise<Check[]> {
  const wanted = [
    ['folder', home.dir, 0o700],
    ['keys', home.keys, 0o700],
    ['socket', home.socket, 0o600],
    ['hook file', home.hookFile, 0o600],
  ] as const;
  const checks: Check[] = [];
  for (const [name, place, mode] of wanted) {
    const found = await lstat(place).catch(() => null);
    if (!found) checks.push(bad(name, `${place} is not there.`, RESTART));
    else if (found.uid !== process.getuid?.())
      checks.push(bad(name, `${place} belongs to another user (${found.uid}).`, 'Set COUNTERSIGN_HOME to a folder of your own'));
    else if ((found.mode & 0o077) !== 0) checks.push(bad(name, `${place} is open to others.`, `chmod ${mode.toString(8)} '${place}'`));
    else if (name === 'keys') checks.push(await keysCheck(place));
    else if (name === 'hook file' && !/^\d+ \S+ \S+\n$/.test(await readFile(place, 'utf8')))
      checks.push(bad(name, `${place} is of an older daemon: every hook would deny.`, RESTART));
    else checks.push(ok(name, place));
  }
  return checks;
}

async function keysCheck(dir: string): Promise<Check> {
  const names = await readdir(dir).catch((): string[] => []);
  const missing = KEY_FILES.filter((name) => !names.includes(name));
  if (missing.length > 0)
    return bad('keys', `${missing.join(', ')} is not in ${dir}.`, 'Put it back from a copy: a new key cannot vouch for the old record');
  const open: string[] = [];
  for (const name of KEY_FILES) if (((await lstat(path.join(dir, name))).mode & 0o077) !== 0) open.push(path.join(dir, name));
  if (open.length === 0) return ok('keys', dir);
  return bad('keys', `${open.join(', ')} can be read by others.`, `chmod 600 ${open.map((file) => `'${file}'`).join(' ')}`);
}

async function ledgerChecks(client: DaemonClient, home: Home): Promise<Check[]> {
  const dir = path.join(home.dir, 'ledger');
  const status = (await client.isAlive()) ? await client.ask('status', {}) : null;
  const writable = status
    ? status.ledger.writable
      ? [ok('writable', 'The last append succeeded.')]
      : [
          bad(
            'writable',
            'The ledger cannot be written: changes are refused, reads go on.',
            `Free space, and see to the permissions of ${dir}`,
          ),
        ]
    : [];
  try {
    const result = await verifyOwn(home, undefined, client);
    const { size, chain } = status?.ledger ?? { size: null, chain: null };
    const head = chain === null ? '' : `, head ${chain.slice(0, 16)}… at ${size}`;
    const missing = (status?.ledger.suspicions ?? []).map((suspicion) =>
      bad('record', suspicion, 'Compare with a head or a copy that you kept elsewhere: docs/verify-the-record.md'),
    );
    if (result.ok) return [...writable, ok('record', `verifies${head}`), ...missing];
    return [...writable, bad('record', 'The record does not verify.', `countersign verify '${dir}' says where; keep the folder as it is`)];
  } catch (error) {
    const first = await readFile(path.join(dir, 'public.pem')).catch(() => null);
    const fix = first ? `countersign verify '${dir}'` : 'It is made when the daemon first starts: countersign start';
    return [...writable, bad('record', (error as Error).message, fix)];
  }
}

async function diskCheck(home: Home): Promise<Check> {
  const disk = await statfs(home.dir).catch(() => null);
  if (!disk) return bad('disk', `${home.dir} cannot be looked at.`, 'Set COUNTERSIGN_HOME to a folder that you may write to');
  const free = disk.bavail * disk.bsize;
  const says = `${Math.floor(free / 1024 / 1024)} MiB free where the record is`;
  return free < MIN_FREE_BYTES
    ? bad('disk', says, 'Free some space: a record that cannot be written refuses every change')
    : ok('disk', says);
}
