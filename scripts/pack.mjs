// `npm pack` runs this: before it (`prepack`) the page and lib/ are made, after it (`postpack`, --clean) lib/ goes again. What goes into the
// package is in package.json under `files`.

import './require-node.mjs';
import childProcess from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import url from 'node:url';
import { readyOrExit, ROOT } from './bootstrap.mjs';
import { NODE_FLAGS, productEnvironment } from './product-node.mjs';

if (process.argv.includes('--clean')) fs.rmSync(path.join(ROOT, 'lib'), { recursive: true, force: true });
else {
  const { node } = await readyOrExit({ web: true });
  // Only the product's Node has the part that strips types.
  const code = url.pathToFileURL(path.join(ROOT, 'scripts/packed-code.mjs')).href;
  const script = `import { writePackedCode } from ${JSON.stringify(code)};
    console.error('Packing', writePackedCode(${JSON.stringify(ROOT)}).length, 'source files as JavaScript in lib/');`;
  const run = childProcess.spawnSync(node, [...NODE_FLAGS, '--input-type=module', '--eval', script], {
    cwd: ROOT,
    env: productEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.exit(run.status === null ? 1 : run.status);
}
