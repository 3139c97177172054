// Ordinary work behind walls, as this user or another one, in a process of its own.

import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Of no account: only the number has to differ. */
export const ORDINARY = 54_321;
export const WITHIN_MS = 600_000;

/** Below a home, as people work: walls show other temporary files as empty, so much of what could break is not seen there. */
export function work(uid: number | null, names: readonly string[] = []): unknown {
  const { left, ...rest } = JSON.parse(runAs(uid, 'ordinary-box.ts', names)) as { left: string[] };
  if (left.length > 0) console.warn(`left out, because a program is missing: ${left.join(', ')}`);
  return rest;
}

/** What a script of this folder prints. Null: as this user. */
export function runAs(uid: number | null, script: string, names: readonly string[] = []): string {
  // Root's home cannot be entered by others.
  const place = uid === null ? join(homedir(), '.cache/countersign/repos') : existsSync('/home') ? '/home' : tmpdir();
  mkdirSync(place, { recursive: true });
  const folder = mkdtempSync(join(place, 'countersign-work-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const node = uid === null ? process.execPath : join(folder, 'node');
  if (uid !== null) {
    copyFileSync(process.execPath, node);
    chmodSync(folder, 0o755);
    chownSync(folder, uid, uid);
  }
  const as = uid === null ? [] : ['setpriv', '--reuid', String(uid), '--regid', String(uid), '--clear-groups', '--'];
  const [program = '', ...args] = [
    ...[...as, node, '--disable-warning=ExperimentalWarning', join(import.meta.dirname, script), folder],
    ...names,
  ];
  const env = { PATH: process.env['PATH'], HOME: folder, ...(uid === null ? { REAL_HOME: homedir() } : {}) };
  const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env, cwd: folder, timeout: WITHIN_MS });
  if (stdout === '') throw new Error(stderr);
  return stdout;
}
