// The same attacks as root and as an ordinary user: what keeps one in may not keep the other.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { findWalls } from '../../src/sandbox/index.ts';
import { verifies } from '../verifies.ts';
import { ATTACKS } from './attacks.ts';
import { ORDINARY, runAs, WITHIN_MS } from './work.ts';

const HELD = { run: ATTACKS.length, works: true, reached: true, isSwept: true, leaked: [], changed: [], made: [], isAlive: true };
const attack = (uid: number | null): unknown => JSON.parse(runAs(uid, 'attack-box.ts'));

const found = await findWalls(join(tmpdir(), 'countersign-walls-probe'));

if (found.kind === 'none') console.warn(`skipped, walls do not work here: ${found.why}`);
describe.skipIf(found.kind === 'none')('behind walls', () => {
  const held = (uid: number | null) => () => expect(attack(uid)).toEqual({ uid: uid ?? process.getuid?.(), ...HELD });
  verifies('N20', 'no attack gets through', held(null), WITHIN_MS);

  describe.skipIf(process.getuid?.() !== 0)('as another user, which only root can be', () => {
    verifies('N20', 'no attack of an ordinary user gets through', held(ORDINARY), WITHIN_MS);
  });
});
