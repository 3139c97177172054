// A fork bomb and a memory bomb behind walls end themselves, as root and as an ordinary user, and the session goes on.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { findWalls } from '../../src/sandbox/index.ts';
import { verifies } from '../verifies.ts';
import { ORDINARY, runAs } from './work.ts';

const WITHIN_MS = 120_000;
const found = await findWalls(join(tmpdir(), 'countersign-limits-probe'));
if (found.kind === 'none') console.warn(`skipped, walls do not work here: ${found.why}`);

interface Seen {
  readonly isGrouped: boolean;
}

const held = (uid: number | null) => () => {
  const seen = JSON.parse(runAs(uid, 'limits-box.ts')) as Seen;
  const common = { isGrouped: seen.isGrouped, oom: '500', after: 'still here' };
  // Root is not counted but in a group: where none can be made, docs/walls.md says that there is no limit.
  const isCounted = seen.isGrouped || (uid ?? process.getuid?.()) !== 0;
  expect(seen).toEqual({ ...common, isStopped: isCounted, memory: seen.isGrouped ? { isKilled: true, isEndless: false } : null });
};

describe.skipIf(found.kind === 'none')('behind walls', () => {
  verifies('N20', 'a fork bomb and a memory bomb end themselves', held(null), WITHIN_MS);

  describe.skipIf(process.getuid?.() !== 0)('as another user, which only root can be', () => {
    verifies('N20', 'a fork bomb of an ordinary user ends itself', held(ORDINARY), WITHIN_MS);
  });
});
