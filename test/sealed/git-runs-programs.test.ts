// Git itself copies the tree for a sealed run. The programs that the repository's settings name must not run with it.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { planted } from '../lab/planted-git-programs.ts';
import { verifies } from '../verifies.ts';

verifies('N12', 'git, which copies the tree of a sealed run, starts none of them', async () => {
  const { place, ran } = await planted();
  await writeFile(join(place.repo.path, 'README.md'), 'changed\n');
  await writeFile(join(place.repo.path, 'x.odd'), 'odd\n');
  expect(await place.runAlone(['run', '--sealed', '--merge', 'never', '--', '/bin/cat', 'README.md'])).toMatchObject({
    ...{ code: 0, stdout: expect.stringContaining('changed\n') },
  });
  expect(await ran()).toEqual(['git itself']);
});
