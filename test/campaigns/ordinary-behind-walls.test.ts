// All ordinary work gives the same results behind walls as without them, as root and as an ordinary user.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { findWalls } from '../../src/sandbox/index.ts';
import { verifies } from '../verifies.ts';
import { ORDINARY, WITHIN_MS, work } from '../walls/work.ts';

const found = await findWalls(join(tmpdir(), 'countersign-walls-probe'));

if (found.kind === 'none') console.warn(`skipped, walls do not work here: ${found.why}`);
describe.skipIf(found.kind === 'none')('behind walls', () => {
  const same = (uid: number | null) => () => expect(work(uid)).toMatchObject({ uid: uid ?? process.getuid?.(), differences: [] });
  verifies('N20', 'all ordinary work ends, says and leaves the same as without them', same(null), WITHIN_MS);

  describe.skipIf(process.getuid?.() !== 0)('as another user, which only root can be', () => {
    verifies('N20', 'all ordinary work of an ordinary user ends, says and leaves the same', same(ORDINARY), WITHIN_MS);
  });
});
