// Some ordinary work gives the same results behind walls as without them; a campaign does all of it.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { findWalls } from '../../src/sandbox/index.ts';
import { verifies } from '../verifies.ts';
import { ORDINARY, WITHIN_MS, work } from './work.ts';

/** Where rights, processes or namespaces matter. */
const WITH_OTHER_RIGHTS = [
  'the working folder is kept',
  'temporary files',
  'nohup, setsid and disown',
  'modes, links and times',
  'limits of processes and files',
  'a dev server over several calls',
  'a worktree',
  'fetch, pull, push with an upstream branch',
];

const found = await findWalls(join(tmpdir(), 'countersign-walls-probe'));

if (found.kind === 'none') console.warn(`skipped, walls do not work here: ${found.why}`);
describe.skipIf(found.kind === 'none')('behind walls', () => {
  const same = (uid: number | null) => () =>
    expect(work(uid, WITH_OTHER_RIGHTS)).toMatchObject({ uid: uid ?? process.getuid?.(), differences: [] });
  verifies('N20', 'ordinary work ends, says and leaves the same as without them', same(null), WITHIN_MS);

  describe.skipIf(process.getuid?.() !== 0)('as another user, which only root can be', () => {
    verifies('N20', 'ordinary work of an ordinary user ends, says and leaves the same', same(ORDINARY), WITHIN_MS);
  });
});
