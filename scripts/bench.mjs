// `npm run bench [-- --json FILE]`: sets the clone up, then measures. Figures are ratios against named peers in the same run.

import './require-node.mjs';
import childProcess from 'node:child_process';
import path from 'node:path';
import { readyOrExit, ROOT } from './bootstrap.mjs';
import { findOpenmoat } from './needs.mjs';
import { NODE_FLAGS, productEnvironment } from './product-node.mjs';

const { node } = await readyOrExit({ web: false });
const run = childProcess.spawnSync(node, [...NODE_FLAGS, path.join(ROOT, 'bench/index.ts'), ...process.argv.slice(2)], {
  cwd: ROOT,
  env: { ...productEnvironment(), COUNTERSIGN_OPENMOAT: findOpenmoat() ?? '' },
  stdio: 'inherit',
});
process.exit(run.status === null ? 1 : run.status);
