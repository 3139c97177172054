// The paths inside the daemon's folder. A separate file, because the stdio process of each agent session loads it and must stay small.

import os from 'node:os';
import path from 'node:path';

export interface Home {
  readonly dir: string;
  readonly keys: string;
  readonly run: string;
  /** Whoever may open it is the owner: the folder is 0700. */
  readonly socket: string;
  /** For hook clients, one line: the port, the token of their requests, and the secret that proves the daemon's answer. */
  readonly hookFile: string;
  /** The port of the page, for the next start. */
  readonly lastPort: string;
  /** Leads a browser to the login link; deleted when it has been opened. */
  readonly loginPage: string;
  /** The token of MCP clients that speak HTTP. */
  readonly mcpToken: string;
  readonly challenges: string;
  readonly logins: string;
  readonly projections: string;
  /** What was folded from the ledger up to some record; can be deleted at any time. */
  readonly snapshot: string;
  /** What reconciliation saw of the work trees. */
  readonly trees: string;
  /** The code indexes of the work trees; can be deleted at any time. */
  readonly code: string;
  /** Keys of model endpoints, each for one host. */
  readonly endpointKeys: string;
  /** Which boxes of agents' sessions are alive. */
  readonly boxes: string;
  readonly log: string;
  /** The ledger's newest head that is safely on the disk. */
  readonly savedCheckpoint: string;
  /** Its name until version 0.1.0; read, then replaced. A copy from an older version may still have it. */
  readonly oldSavedCheckpoint: string;
}

export function homePaths(dir: string | undefined = process.env.COUNTERSIGN_HOME): Home {
  const base = path.resolve(dir || path.join(process.env.XDG_DATA_HOME || path.join(os.homedir(), '.local', 'share'), 'countersign'));
  const run = path.join(base, 'run');
  return {
    dir: base,
    keys: path.join(base, 'keys'),
    run,
    socket: path.join(run, 'daemon.sock'),
    hookFile: path.join(run, 'hook'),
    lastPort: path.join(run, 'port'),
    loginPage: path.join(run, 'login.html'),
    mcpToken: path.join(run, 'mcp-token'),
    challenges: path.join(run, 'challenges'),
    logins: path.join(run, 'logins.json'),
    projections: path.join(run, 'projections.json'),
    snapshot: path.join(base, 'snapshot'),
    trees: path.join(base, 'trees'),
    code: path.join(base, 'code'),
    endpointKeys: path.join(base, 'endpoint-keys.json'),
    boxes: path.join(run, 'boxes'),
    log: path.join(base, 'daemon.log'),
    savedCheckpoint: path.join(base, 'saved-checkpoint.json'),
    oldSavedCheckpoint: path.join(base, 'kept-head.json'),
  };
}
