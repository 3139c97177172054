// The packages that package-lock.json names, installed afresh. A stamp with the lock file's hash says that they are current.

import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { runNpm } from './npm.mjs';
import { fromFileError, SetupFailure } from './setup-failure.mjs';

const STAMP = 'node_modules/.countersign/lock.sha256';

export function dependenciesAreCurrent(root) {
  return readText(path.join(root, STAMP)) === sha256(readLock(root));
}

/** `bin/countersign` only compares the two files' times, so a lock file that was merely touched must not stay newer. */
export function renewStamp(root) {
  const stamp = path.join(root, STAMP);
  const lockChangedAt = fs.statSync(path.join(root, 'package-lock.json')).mtime;
  if (fs.statSync(stamp).mtime >= lockChangedAt) return;
  try {
    fs.utimesSync(stamp, lockChangedAt, lockChangedAt);
  } catch (error) {
    // In a read-only clone the command line checks again each time, which is slower and still right.
    if (!(fromFileError(error, root) instanceof SetupFailure)) throw error;
  }
}

/** Also adopts packages that were installed by hand, so that `npm install` before `npm start` is not repeated. */
export async function installDependencies(root, quiet) {
  const lock = readLock(root);
  if (!installedByHand(root, lock)) await installAfresh(root, quiet);
  const stamp = path.join(root, STAMP);
  try {
    fs.mkdirSync(path.dirname(stamp), { recursive: true });
    fs.writeFileSync(stamp, sha256(lock));
  } catch (error) {
    throw fromFileError(error, path.join(root, 'node_modules'));
  }
}

/**
 * Not `npm ci`: that refuses a lock file which leaves out other platforms' optional packages. `--no-save` leaves the lock file alone
 * too. Without `--include=dev` a shell with NODE_ENV=production would get no builder for the page.
 */
async function installAfresh(root, quiet) {
  const folder = path.join(root, 'node_modules');
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    throw fromFileError(error, folder);
  }
  await runNpm({ title: 'Installing dependencies', args: ['install', '--no-save', '--include=dev'], folder: root, quiet });
}

/** npm writes node_modules/.package-lock.json last, so it describes a complete install. */
function installedByHand(root, lock) {
  const text = readText(path.join(root, 'node_modules/.package-lock.json'));
  if (text === null) return false;
  const wanted = JSON.parse(lock).packages;
  const present = JSON.parse(text).packages;
  const same = (name) =>
    wanted[name] !== undefined && wanted[name].version === present[name].version && wanted[name].integrity === present[name].integrity;
  const dispensable = (name) => name === '' || wanted[name].optional === true;
  return Object.keys(present).every(same) && Object.keys(wanted).every((name) => present[name] !== undefined || dispensable(name));
}

function readLock(root) {
  return fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8');
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function sha256(text) {
  return crypto.createHash('sha256').update(text).digest('hex');
}
