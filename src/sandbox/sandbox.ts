// Commands that the gate runs, sandboxed where the system allows it: bubblewrap gives a command its own view of the disk, no network, no
// other processes, no keys. Where it does not work, the command runs without it, still limited, and the result says so.

import type { SandboxKind } from '../protocol/index.ts';
import { execFile } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { promisify } from 'node:util';
import type { CommandAccess } from './access.ts';
import { commandEnvironment, placesOutside } from './places.ts';
import { type ProcessEnd, runProcess } from './run-process.ts';
import { kindOf, wallArguments, type WallPolicy, wallsOfTree } from './walls.ts';

export interface SandboxOrder {
  readonly command: string;
  readonly cwd: string;
  readonly access: CommandAccess;
  /** Folders that must not even be read: keys, sockets, the ledger. */
  readonly privateFolders: readonly string[];
  readonly network: boolean;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onOutput?: ((text: string) => void) | undefined;
}

export interface Sandbox {
  readonly kind: SandboxKind;
  readonly run: (order: SandboxOrder) => Promise<ProcessEnd>;
}

/** Its own processes, names and semaphores. Nothing survives it, no terminal is shared, and it has no privileges. */
const ALONE = [
  '--die-with-parent',
  '--new-session',
  '--unshare-ipc',
  '--unshare-pid',
  '--unshare-uts',
  '--unshare-cgroup-try',
  ...['--cap-drop', 'ALL'],
];
/** For root, a new `/proc` would make system settings writable. */
const SYSTEM = [
  ...['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'],
  ...['/proc/sys', '/proc/sysrq-trigger'].flatMap((place) => ['--ro-bind-try', place, place]),
];
const TMPFS_BYTES = 2 * 1024 ** 3;
const PROBE_MS = 10_000;

/** Tested with a real run: an installed program does not prove that the system allows it. */
export async function findSandbox(program = 'bwrap'): Promise<Sandbox> {
  if (process.platform !== 'linux') return unwalled;
  const answer = (...args: string[]) => promisify(execFile)(program, args, { timeout: PROBE_MS });
  try {
    await answer(...ALONE, '--unshare-net', ...SYSTEM, '--tmpfs', '/tmp', 'true');
    const sized = (await answer('--help')).stdout.includes('--size') ? ['--size', String(TMPFS_BYTES)] : [];
    return { kind: 'bubblewrap', run: (order) => runWalled(program, sized, order) };
  } catch {
    return unwalled;
  }
}

async function runWalled(program: string, sized: readonly string[], order: SandboxOrder): Promise<ProcessEnd> {
  const { access, network, privateFolders } = order;
  const env = commandEnvironment(network);
  const outside = placesOutside(env);
  const policy: WallPolicy = {
    ...outside,
    ...wallsOfTree(access),
    temp: null,
    hidden: [...privateFolders, ...access.hidden].filter((place) => kindOf(place) === 'folder'),
  };
  const prefix = [
    program,
    ...ALONE,
    // Root also works in trees of other users.
    ...(process.getuid?.() === 0 && lstatSync(access.root).uid !== 0 ? ['--cap-add', 'CAP_DAC_OVERRIDE'] : []),
    ...(network ? [] : ['--unshare-net']),
    ...SYSTEM,
    ...wallArguments(policy, { emptyFile: '/dev/null', sized }),
    ...['--dir', outside.home],
    '--chdir',
    order.cwd,
    '--',
  ];
  return runProcess({ ...order, prefix, cwd: '/', env: { ...env, HOME: outside.home } });
}

const unwalled: Sandbox = {
  kind: 'none',
  run: (order) => runProcess({ ...order, prefix: [], env: commandEnvironment(true) }),
};
