// For the package that npm installed: prints the path of the product's Node, and fetches it first where the machine's own is too old. A
// link in the user's cache spares the next start this question; the package's own folder may be root's.

import './require-node.mjs';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { cacheFolder } from './cached-install.mjs';
import { ensureProductNode } from './product-node.mjs';
import { SetupFailure } from './setup-failure.mjs';

/** `bin/countersign` looks here. The name says what is good enough, so that a package that needs more does not take it. */
const LINK = 'node-24.15';

try {
  const node = await ensureProductNode({ quiet: false });
  keepLink(path.join(cacheFolder(), LINK), node);
  process.stdout.write(`${node}\n`);
} catch (error) {
  if (!(error instanceof SetupFailure)) throw error;
  console.error(error.message);
  process.exit(3);
}

/** Without it every start checks again, which is slower and still right. */
function keepLink(link, node) {
  const fresh = `${link}.${crypto.randomBytes(6).toString('hex')}`;
  try {
    fs.mkdirSync(path.dirname(link), { recursive: true, mode: 0o700 });
    fs.symlinkSync(node, fresh);
    fs.renameSync(fresh, link);
  } catch {
    fs.rmSync(fresh, { force: true });
  }
}
