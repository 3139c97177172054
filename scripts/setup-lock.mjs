// One set-up at a time in a clone: a second `npm ci` would delete what the first is writing.
// The lock file holds its owner's process id; a lock whose owner is gone is ignored.

import fs from 'node:fs';
import path from 'node:path';
import { fromFileError } from './setup-failure.mjs';

export async function withSetupLock(root, work) {
  const lock = path.join(root, '.countersign-setup.lock');
  let printed = false;
  while (!take(lock, root)) {
    if (!printed)
      console.error(
        `Another set-up of this folder is running (process ${owner(lock)}); waiting. If no such process exists, delete ${lock}.`,
      );
    printed = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  try {
    return await work();
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

function take(lock, root) {
  for (;;) {
    try {
      fs.writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return true;
    } catch (error) {
      if (error.code !== 'EEXIST') throw fromFileError(error, root);
    }
    if (!isAbandoned(lock)) return false;
    fs.rmSync(lock, { force: true });
  }
}

function isAbandoned(lock) {
  const pid = owner(lock);
  try {
    // An owner writes its id right after it has made the file; one that was killed in between never does.
    if (Number.isNaN(pid)) return Date.now() - fs.statSync(lock).mtimeMs > 10_000;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH' || error.code === 'ENOENT';
  }
}

function owner(lock) {
  try {
    return Number.parseInt(fs.readFileSync(lock, 'utf8'), 10);
  } catch {
    return Number.NaN;
  }
}
