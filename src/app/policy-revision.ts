// The revision of the policies: a hash over their sources. Approvals are bound to it, so a question that was asked under other
// rules is asked again.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

export function policyRevision(dir: URL): string {
  const names = readdirSync(dir)
    .filter((name) => /\.[jt]s$/.test(name) && !name.includes('.test.'))
    .sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(name).update('\0').update(readFileSync(new URL(name, dir))).update('\0');
  return hash.digest('hex').slice(0, 16);
}
