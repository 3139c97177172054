// Peers that npm brings into the cache, outside the repository.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
// @ts-expect-error A script without types.
import { installOnce } from '../../scripts/cached-install.mjs';

export interface Peer {
  /** `name@version`, the first one giving the folder its name. */
  readonly packages: readonly string[];
  /** A module of it that does nothing when run: it shows that the installation is complete. */
  readonly quietModule: string;
}

/** The folder's node_modules. Rejects with what to do when it is not available. */
export async function peerPackage({ packages, quietModule }: Peer): Promise<string> {
  const [first = ''] = packages;
  const installed: string = await installOnce({
    title: `Fetching ${packages.join(', ')}`,
    name: join('bench', first.replace(/^@/, '').replaceAll('/', '-')),
    prepare: (folder: string) => writeFileSync(join(folder, 'package.json'), '{"private": true}'),
    args: ['install', '--save-exact', ...packages],
    program: join('node_modules', quietModule),
    interpreter: process.execPath,
    otherwise: 'The bench leaves it out.',
    quiet: true,
  });
  return installed.slice(0, -quietModule.length);
}
