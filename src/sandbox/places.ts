// What a command sees of the machine beside its work tree, and which variables it gets. Homes, temporary files and sockets are emptied;
// the programs that its PATH names are shown, wherever they are. Both lists are allow lists: what they do not name stays out.

import { existsSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const VARIABLES = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ'];
const VARIABLES_FOR_NETWORK = [
  ...['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
];
const FIXED = { TERM: 'dumb', NO_COLOR: '1', TMPDIR: '/tmp', GIT_TERMINAL_PROMPT: '0' };
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export function commandEnvironment(network: boolean): Record<string, string> {
  const names = [
    ...VARIABLES,
    ...Object.keys(process.env).filter((name) => name.startsWith('LC_')),
    ...(network ? VARIABLES_FOR_NETWORK : []),
  ];
  const given = names.flatMap((name) => (process.env[name] ? [[name, process.env[name]] as const] : []));
  return { PATH: SYSTEM_PATH, HOME: os.homedir(), ...Object.fromEntries(given), ...FIXED };
}

/** Other users' homes, this user's, sockets of services, temporary files of others. */
const EMPTIED = ['/home', '/root', '/run', '/tmp', '/var/tmp'];
/** Below the home: installed programs, and the user's git identity. No credentials. */
export const TOOLS_AT_HOME = [
  ...['.nvm', '.volta', '.asdf', '.pyenv', '.rbenv', '.sdkman', '.rustup', '.bun/bin', '.deno/bin', '.local/bin', '.local/lib'],
  ...['.local/share/mise', '.local/share/fnm', '.local/share/uv', '.cargo/bin', '.cargo/registry', '.cargo/git', 'go'],
  ...['.gitconfig', '.config/git/config', '.config/git/ignore', '.config/git/attributes'],
];
/** Where `/etc/resolv.conf` leads on many systems. Its folder holds sockets that would send network requests for any process. */
const NAMES = ['systemd/resolve/stub-resolv.conf', 'systemd/resolve/resolv.conf', 'resolvconf/resolv.conf', 'NetworkManager/resolv.conf'];

export interface PlacesOutside {
  readonly emptied: readonly string[];
  readonly shown: readonly string[];
  /** Where the command's own home is: in an emptied place. */
  readonly home: string;
}

export function placesOutside(env: Readonly<Record<string, string>>): PlacesOutside {
  const home = path.resolve(env['HOME'] ?? os.homedir());
  const emptied = EMPTIED.filter((place) => existsSync(place) && realpathSync(place) === place);
  const isEmptied = (place: string) => emptied.some((folder) => place === folder || place.startsWith(`${folder}/`));
  if (!isEmptied(home) && existsSync(home) && home !== '/') emptied.push(home);
  const shown = [
    ...NAMES.map((place) => path.join('/run', place)),
    ...TOOLS_AT_HOME.map((place) => path.join(home, place)),
    ...programFolders(home, `${env['PATH'] ?? ''}:${path.dirname(process.execPath)}`),
  ];
  return {
    emptied,
    shown: [...new Set(shown)].filter((place) => isEmptied(place) && !emptied.includes(place)),
    // A user of the system may have no home.
    home: isEmptied(home) ? home : '/tmp',
  };
}

/** Where programs on the PATH are, with what belongs to them. */
export function programFolders(home: string, searchPath = process.env['PATH'] ?? ''): string[] {
  const programs = searchPath.split(':').filter((place) => path.isAbsolute(place));
  return programs.flatMap((place) => withPackage(place, home));
}

/** A program in `bin` finds its parts beside it. Directly below a home, the folders beside `bin` may hold credentials. */
function withPackage(place: string, home: string): string[] {
  const above = path.dirname(path.resolve(place));
  const isPackage = path.basename(place) === 'bin' && above.split('/').length > 2 && above !== home && path.dirname(above) !== home;
  const shown = isPackage ? above : path.resolve(place);
  return shown === path.resolve(home) ? [] : [shown];
}
