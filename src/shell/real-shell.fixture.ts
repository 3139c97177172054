// Really runs commands and reports what each changed, so tests may use harmful commands. Nothing runs outside the sandbox: bubblewrap gives
// it a root of its own with the system's programs in it, read-only, no network, no other process and no rights; of the machine it can write
// one scratch folder.

import { spawnSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc/alternatives'];

/** The prefix that runs a program inside the sandbox, where it can write only in this folder. */
const wallsAround = (folder: string): string[] => [
  'bwrap',
  ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
  ...SYSTEM.flatMap((path) => ['--ro-bind-try', path, path]),
  ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--bind', folder, folder, '--chdir', folder],
];

/** Fails when it can write anywhere else, or sees a network. */
const CHECK = 'touch /usr/escaped 2>/dev/null && exit 92; [ "$(wc -l < /proc/net/dev)" = 3 ] || exit 93; touch "$1/inside" || exit 94';

/** A prefix like that of `wallsAround`, or null where no sandbox works here. Prints that, because skipped tests prove nothing. */
export function findWalls(folder: string): string[] | null {
  const walls = wallsAround(folder);
  const { status } = spawnSync(walls[0]!, [...walls.slice(1), 'sh', '-c', CHECK, 'sh', folder], { stdio: 'ignore', timeout: 20_000 });
  if (status === 0) return walls;
  console.warn(
    `NOT RUN: the shell reader is not held against a real shell, because bubblewrap builds no walls here (exit ${status}). Install bubblewrap, and allow user namespaces.`,
  );
  return null;
}

/** Four at a time: most of the time goes into starting programs. */
const RUN_EACH = `
run() {
  cd "$1/$2/work" || exit
  read -r shell < ../shell
  value=$(<../value)
  exec env -i PATH=/usr/bin:/bin HOME="$1/home" TMPDIR="$1/home" LC_ALL=C x="$value" f="$value" \\
    timeout 3 "$shell" ../command "$value" < ../stdin > /dev/null 2>&1
}
cd "$1" || exit 91
started=0
for folder in case-*; do
  run "$1" "$folder" &
  started=$((started + 1))
  [ $started -lt 4 ] || wait -n
done
wait
exit 0
`;

export interface RealCase {
  readonly command: string;
  readonly shell?: string;
  /** What `$x`, `$f` and `$1` are. */
  readonly value?: string;
  readonly stdin?: string;
}

export interface RealRun {
  readonly command: string;
  readonly shell: string;
  /** The folder that it ran in. */
  readonly root: string;
  /** Paths that came, went or changed, relative to the folder; `../` for those beside it. */
  readonly changed: readonly string[];
}

/** Null where no sandbox works here, so nothing can be run safely. */
export function runForReal(cases: readonly RealCase[], plant: (work: string, beside: string) => void): RealRun[] | null {
  const scratch = mkdtempSync(join(tmpdir(), 'real-shell-'));
  try {
    const walls = findWalls(scratch);
    if (walls === null) return null;
    const template = join(scratch, 'template');
    mkdirSync(join(template, 'work'), { recursive: true });
    mkdirSync(join(template, 'beside'));
    mkdirSync(join(scratch, 'home'));
    plant(join(template, 'work'), join(template, 'beside'));
    const before = pictureOf(template);
    const folders = cases.map(({ command, shell = 'bash', value = '', stdin = '' }, i) => {
      const folder = join(scratch, `case-${i}`);
      cpSync(template, folder, { recursive: true, verbatimSymlinks: true });
      for (const [name, text] of Object.entries({ command, shell: `${shell}\n`, value, stdin })) writeFileSync(join(folder, name), text);
      return folder;
    });
    const { status } = spawnSync(walls[0]!, [...walls.slice(1), 'bash', '-c', RUN_EACH, 'bash', scratch], {
      stdio: 'ignore',
      timeout: 600_000,
    });
    if (status !== 0) throw new Error(`the commands were not run to the end (exit ${status})`);
    return cases.map(({ command, shell = 'bash' }, i) => {
      const after = pictureOf(folders[i]!);
      for (const name of ['command', 'shell', 'value', 'stdin']) after.delete(name);
      const paths = [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));
      const changed = paths.map((path) => (path.startsWith('work/') ? path.slice('work/'.length) : `../${path}`)).toSorted();
      return { command, shell, root: join(folders[i]!, 'work'), changed };
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Names, modes and bytes of everything below. */
function pictureOf(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    names.map((name) => {
      const path = join(folder, name);
      const stat = lstatSync(path);
      const bytes = stat.isSymbolicLink() ? readlinkSync(path) : stat.isFile() ? readFileSync(path, 'latin1') : '';
      return [name, `${stat.mode.toString(8)} ${bytes}`];
    }),
  );
}
