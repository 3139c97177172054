// `npm run revisions`: records which sources each version of a policy, rule set, fact or fold speaks for.

import './require-node.mjs';
import childProcess from 'node:child_process';
import path from 'node:path';
import { readyOrExit, ROOT } from './bootstrap.mjs';
import { NODE_FLAGS, productEnvironment } from './product-node.mjs';

const { node } = await readyOrExit({ web: false });
const run = childProcess.spawnSync(node, [...NODE_FLAGS, path.join(ROOT, 'test/record-revisions.ts')], {
  cwd: ROOT,
  env: productEnvironment(),
  stdio: 'inherit',
});
process.exit(run.status === null ? 1 : run.status);
