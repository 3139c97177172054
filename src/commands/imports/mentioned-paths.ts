// Paths of the work tree that a text names: what an imported intent may change when no scope was given.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { governanceRule, resolveInRoot } from '../../workspace/index.ts';

const CANDIDATE = /(?<![\w/.:@-])(?:\.\/)?(?:[\w.@-]+\/)*[\w.@-]+(?:\/|\.[A-Za-z]\w{0,9}\b)|(?<![\w/.:@-])(?:[\w.@-]+\/)+[\w.@-]+/g;
const MAX_CANDIDATES = 2_000;
const MAX_PATHS = 20;

/** Relative to the root, in the order of the text; only existing files, and none of the gate's own. */
export async function mentionedPaths(root: string, text: string): Promise<string[]> {
  const named = new Set(
    [...text.matchAll(CANDIDATE)].slice(0, MAX_CANDIDATES).map(([candidate]) => path.normalize(candidate).replace(/\/$/, '')),
  );
  const found: string[] = [];
  for (const candidate of named) {
    if (found.length === MAX_PATHS) break;
    const { real } = await resolveInRoot(root, candidate, root);
    if (real === null || real === '' || governanceRule(real) !== null || found.includes(real)) continue;
    if (await stat(path.join(root, real)).catch(() => null)) found.push(real);
  }
  return found.filter((one) => !found.some((other) => other !== one && one.startsWith(`${other}/`)));
}
