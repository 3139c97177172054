// The same attacks as root and as an ordinary user: what keeps one in may not keep the other.

import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { findWalls } from '../../src/sandbox/index.ts';
import { verifies } from '../verifies.ts';
import { ATTACKS } from './attacks.ts';

const HELD = { run: ATTACKS.length, works: true, reached: true, isSwept: true, leaked: [], changed: [], made: [], isAlive: true };
/** Of no account: only a number has to be different. */
const ORDINARY = 54_321;

function attack(uid: number | null): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-walls-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const node = uid === null ? process.execPath : join(folder, 'node');
  if (uid !== null) {
    // The product's Node is in root's home, where others cannot look.
    copyFileSync(process.execPath, node);
    chmodSync(folder, 0o755);
    chownSync(folder, uid, uid);
  }
  const as = uid === null ? [] : ['setpriv', '--reuid', String(uid), '--regid', String(uid), '--clear-groups', '--'];
  const [program, ...args] = [...as, node, '--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'attack-box.ts'), folder];
  const { stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder },
    timeout: 120_000,
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

const WITHIN_MS = 150_000;
const found = await findWalls(join(tmpdir(), 'countersign-walls-probe'));

if (found.kind === 'none') console.warn(`skipped, walls do not work here: ${found.why}`);
describe.skipIf(found.kind === 'none')('behind walls', () => {
  const held = (uid: number | null) => () => expect(attack(uid)).toEqual({ uid: uid ?? process.getuid?.(), ...HELD });
  verifies('N20', 'no attack gets through', held(null), WITHIN_MS);

  describe.skipIf(process.getuid?.() !== 0)('as another user, which only root can be', () => {
    verifies('N20', 'no attack of an ordinary user gets through', held(ORDINARY), WITHIN_MS);
  });
});
