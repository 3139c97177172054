// Makes a clone ready to run, with nothing but Node 18 and npm: the product's Node, the dependencies, the web page, and a link
// by which `bin/countersign` finds that Node. When all is up to date it writes nothing and says nothing.

import './require-node.mjs';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import url from 'node:url';
import { dependenciesAreCurrent, installDependencies, renewStamp } from './dependencies.mjs';
import { buildPage, pageIsCurrent } from './page.mjs';
import { ensureProductNode } from './product-node.mjs';
import { fromFileError, SetupFailure } from './setup-failure.mjs';
import { withSetupLock } from './setup-lock.mjs';

export const ROOT = path.dirname(path.dirname(fs.realpathSync(url.fileURLToPath(import.meta.url))));

/** Resolves to `{ node }`, the absolute path of the product's Node. Rejects with a SetupFailure that says what to do. */
export async function ensureReady({ web = false, quiet = false } = {}) {
  const node = await ensureProductNode({ quiet });
  const isCurrent = () => dependenciesAreCurrent(ROOT) && (!web || pageIsCurrent(ROOT));
  if (!isCurrent()) {
    await withSetupLock(ROOT, async () => {
      if (!dependenciesAreCurrent(ROOT)) await installDependencies(ROOT, quiet);
      if (web && !pageIsCurrent(ROOT)) await buildPage(ROOT, node, quiet);
    });
  }
  renewStamp(ROOT);
  linkNode(node);
  return { node };
}

/** The same for a program's first line: a failure is said and ends the program. */
export async function readyOrExit(options) {
  try {
    return await ensureReady(options);
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    console.error(error.message);
    process.exit(3);
  }
}

/** In a read-only clone the link stays as it is: `npm start` does not need it. */
function linkNode(node) {
  const folder = path.join(ROOT, 'node_modules', '.countersign');
  const link = path.join(folder, 'node');
  if (linkedNode(link) === node) return;
  const fresh = `${link}.${crypto.randomBytes(6).toString('hex')}`;
  try {
    fs.mkdirSync(folder, { recursive: true });
    try {
      fs.symlinkSync(node, fresh);
    } catch {
      fs.writeFileSync(fresh, `${node}\n`);
    }
    fs.renameSync(fresh, link);
  } catch (error) {
    const failure = fromFileError(error, folder);
    if (!(failure instanceof SetupFailure) || error.code === 'ENOSPC') throw failure;
  }
}

function linkedNode(link) {
  try {
    return fs.lstatSync(link).isSymbolicLink() ? fs.readlinkSync(link) : fs.readFileSync(link, 'utf8').trim();
  } catch {
    return null;
  }
}

if (process.argv[1] !== undefined && fs.realpathSync(process.argv[1]) === url.fileURLToPath(import.meta.url)) {
  await readyOrExit({ web: !process.argv.includes('--cli') });
}
