// Where a user's daemon lives: keys, ledger, socket. One folder, named by COUNTERSIGN_HOME or by the platform's convention.

import { Fault } from '../protocol/plain.ts';
import { type Home, homePaths } from './home-paths.ts';

export type { Home } from './home-paths.ts';

/** What `sun_path` holds, less the closing zero. */
const SOCKET_PATH_BYTES = 103;

export function homeOf(dir?: string): Home {
  const home = homePaths(dir);
  if (Buffer.byteLength(home.socket) > SOCKET_PATH_BYTES) {
    throw new Fault('BAD_REQUEST', `The path of the daemon's socket is too long for this system: ${home.socket}`, {
      fix: 'Set COUNTERSIGN_HOME to a shorter folder',
    });
  }
  return home;
}
