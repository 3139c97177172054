// The daemon's own folders, which only its user can read.

import { chmod, mkdir } from 'node:fs/promises';
import type { Home } from '../client/node.ts';
import { Fault } from '../protocol/index.ts';

export async function makeFolders(home: Home): Promise<void> {
  try {
    for (const dir of [home.dir, home.run, home.challenges]) await mkdir(dir, { recursive: true, mode: 0o700 });
    await chmod(home.dir, 0o700);
  } catch (error) {
    throw new Fault('AUDIT_UNAVAILABLE', `The daemon's folder ${home.dir} cannot be written (${(error as NodeJS.ErrnoException).code}).`, {
      fix: 'Set COUNTERSIGN_HOME to a folder that you may write to',
      cause: error,
    });
  }
}
