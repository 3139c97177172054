// The product as its next version might be: the same sources, but one policy has another version, so that the rules are others.

import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../source-files.ts';

/** Without the lock: a copy that took it for newer than what is installed would install everything again, in the clone's own folder. */
const COPIED = ['bin', 'scripts', 'src', 'package.json'];
const POLICY = 'src/policy/risk.ts';

export interface OtherRules {
  /** Its command line. */
  readonly cli: string;
  readonly dispose: () => Promise<void>;
}

export async function productWithOtherRules(): Promise<OtherRules> {
  const folder = await mkdtemp('/tmp/cs-rules-');
  for (const name of COPIED) await cp(join(ROOT, name), join(folder, name), { recursive: true });
  for (const name of ['node_modules', 'clients']) await symlink(join(ROOT, name), join(folder, name));
  const file = join(folder, POLICY);
  const text = await readFile(file, 'utf8');
  const raised = text.replace(/^  version: (\d+),$/m, (_line, version: string) => `  version: ${Number(version) + 1},`);
  if (raised === text) throw new Error(`${POLICY} states no version`);
  await writeFile(file, raised);
  return { cli: join(folder, 'bin/countersign'), dispose: () => rm(folder, { recursive: true, force: true }) };
}
