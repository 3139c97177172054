// The revision of the sources that fold: a snapshot that other sources wrote is not used.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

export function sourceRevision(dirs: readonly URL[]): string {
  const hash = createHash('sha256');
  for (const dir of dirs) {
    const names = readdirSync(dir)
      .filter((name) => /\.[jt]s$/.test(name) && !/\.(test|fixture)\./.test(name))
      .toSorted();
    for (const name of names)
      hash
        .update(name)
        .update('\0')
        .update(readFileSync(new URL(name, dir)))
        .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}
