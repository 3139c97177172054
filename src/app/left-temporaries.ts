// Temporary files that a writer left behind when it was killed between writing and renaming. Only the daemon that holds the writer's lock
// removes them, and only old ones: a command may be writing its own right now.

import { lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Home } from '../client/node.ts';
import type { Views } from '../kernel/index.ts';

const OLD_MS = 60_000;
/** As `writePrivateFile`, blobs and keys name theirs. */
const IN_HOME = /\.[0-9a-f]{16}$/;
/** As documents and the file tools name theirs. */
const IN_TREE = /^\.(?:.+\.[0-9a-f]{24}|countersign-[0-9a-f]{32})\.tmp$/;

export async function removeLeftTemporaries(
  home: Home,
  views: Pick<Views, 'unknownWrites'>,
  roots: Iterable<string>,
  now: Date,
): Promise<number> {
  const blobs = path.join(home.dir, 'blobs');
  const inBlobs = (await readdir(blobs).catch((): string[] => [])).map((name) => path.join(blobs, name));
  const inHome = [home.dir, home.keys, home.run, home.trees, ...inBlobs];
  const inTrees = [...roots].flatMap((root) => [root, path.join(root, '.orchestration')]);
  // A call whose outcome is unknown may have been cut off in the middle of a write.
  for (const written of views.unknownWrites()) inTrees.push(path.dirname(path.join(written.root, written.path)));
  let removed = 0;
  for (const folder of new Set(inHome)) removed += await removeIn(folder, IN_HOME, now);
  for (const folder of new Set(inTrees)) removed += await removeIn(folder, IN_TREE, now);
  return removed;
}

async function removeIn(folder: string, form: RegExp, now: Date): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const file = path.join(folder, name);
    const found = form.test(name) ? await lstat(file).catch(() => null) : null;
    if (!found?.isFile() || now.getTime() - found.mtimeMs < OLD_MS) continue;
    await rm(file, { force: true }).catch(() => {});
    removed++;
  }
  return removed;
}
