// The web page, built from clients/web into clients/web/dist. The stamp beside it is the hash of everything it is made of.
// INVARIANT: the build empties the folder first and the stamp comes last, so a half-built page never counts as current.

import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { NODE_FLAGS, productEnvironment } from './product-node.mjs';
import { runStep } from './run-step.mjs';
import { fromFileError, fromNpmOutput, saysDiskFull, SetupFailure } from './setup-failure.mjs';

const SOURCES = ['clients/web', 'src/client', 'src/protocol', 'package-lock.json'];
const DIST = 'clients/web/dist';
const STAMP = `${DIST}/.stamp`;

export function pageIsCurrent(root) {
  if (!fs.existsSync(path.join(root, 'clients/web/index.html'))) return true;
  try {
    return fs.readFileSync(path.join(root, STAMP), 'utf8') === sourcesHash(root);
  } catch {
    return false;
  }
}

export async function buildPage(root, node, quiet) {
  const hash = sourcesHash(root);
  const dist = path.join(root, DIST);
  try {
    fs.rmSync(path.join(root, STAMP), { force: true });
    fs.mkdirSync(dist, { recursive: true });
    fs.accessSync(dist, fs.constants.W_OK);
  } catch (error) {
    throw fromFileError(error, dist);
  }
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const title = 'Building the web page';
  const result = await runStep({
    title,
    command: node,
    args: [...NODE_FLAGS, vite, 'build', 'clients/web'],
    cwd: root,
    env: { ...productEnvironment(), NODE_ENV: 'production' },
    quiet,
  });
  if (result.code !== 0) {
    if (saysDiskFull(result.lines)) throw fromNpmOutput(title, result.lines, dist);
    throw new SetupFailure(
      [
        `${title} failed. The builder said:`,
        ...result.lines.slice(-20).map((line) => `  ${line}`),
        'Undo the last change to clients/web and run the command again.',
      ].join('\n'),
    );
  }
  fs.writeFileSync(path.join(root, STAMP), hash);
}

function sourcesHash(root) {
  const hash = crypto.createHash('sha256');
  for (const file of SOURCES.flatMap((source) => filesBelow(root, source))) {
    hash.update(`${file}\0`).update(
      crypto
        .createHash('sha256')
        .update(fs.readFileSync(path.join(root, file)))
        .digest(),
    );
  }
  return hash.digest('hex');
}

function filesBelow(root, name) {
  if (name === DIST || path.basename(name) === 'node_modules') return [];
  const full = path.join(root, name);
  if (!fs.existsSync(full)) return [];
  if (!fs.statSync(full).isDirectory()) return [name];
  // Sorted: file systems list folders in different orders.
  const entries = fs.readdirSync(full).sort((a, b) => (a < b ? -1 : 1));
  return entries.flatMap((entry) => filesBelow(root, `${name}/${entry}`));
}
