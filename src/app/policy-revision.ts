// The revision of the rules: a hash over the sources that judge. Approvals are bound to it, so a question that was asked under
// other rules is asked again.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

export function policyRevision(dirs: readonly URL[]): string {
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
