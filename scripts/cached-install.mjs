// Programs that npm brings once into the user's cache, outside the clone.
// INVARIANT: a folder in the cache is complete and its program has run; it appears there by a rename.

import childProcess from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runNpm } from './npm.mjs';
import { SetupFailure, fromFileError } from './setup-failure.mjs';

export function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME;
  return path.join(base !== undefined && path.isAbsolute(base) ? base : path.join(os.homedir(), '.cache'), 'countersign');
}

/**
 * The absolute path of `program`, a path inside the folder `name` of the cache. When it is missing, `prepare(folder)` writes what
 * npm needs and npm runs with `args`. `otherwise` tells a person what to do when the program does not run on this machine. A program
 * that is a script is run by `interpreter`.
 */
export async function installOnce({ title, name, prepare, args, program, interpreter = null, otherwise, quiet }) {
  const target = path.join(cacheFolder(), name);
  const installed = path.join(target, program);
  if (fs.existsSync(installed)) return installed;
  const half = makeHalfFolder(path.dirname(target), prepare);
  try {
    await runNpm({ title: `${title} into ${path.dirname(target)}`, args, folder: half, quiet });
    assertRuns(path.join(half, program), interpreter, half, otherwise);
    publish(half, target, installed);
  } finally {
    fs.rmSync(half, { recursive: true, force: true });
  }
  return installed;
}

function makeHalfFolder(parent, prepare) {
  try {
    fs.mkdirSync(parent, { recursive: true, mode: 0o700 });
    sweep(parent);
    const half = fs.mkdtempSync(path.join(parent, '.half-'));
    prepare(half);
    return half;
  } catch (error) {
    throw fromFileError(error, parent);
  }
}

/** A program for another C library installs without complaint and then does not start. */
function assertRuns(program, interpreter, home, otherwise) {
  const [command, ...args] = [...(interpreter === null ? [] : [interpreter]), program, '--version'];
  const tried = childProcess.spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, HOME: home } });
  if (tried.status === 0) return;
  const why = tried.error ? tried.error.message : tried.stderr.trim().split('\n').pop();
  throw new SetupFailure(`What npm has for this machine does not run here (${why}). ${otherwise}`);
}

function publish(half, target, installed) {
  try {
    if (fs.existsSync(target) && !fs.existsSync(installed)) fs.rmSync(target, { recursive: true, force: true });
    fs.renameSync(half, target);
  } catch (error) {
    // Another process was faster; its copy is as good as this one.
    if (!fs.existsSync(installed)) throw fromFileError(error, path.dirname(target));
  }
}

/** What an interrupted install left behind. One in progress is younger than an hour. */
function sweep(parent) {
  const anHourAgo = Date.now() - 3_600_000;
  for (const name of fs.readdirSync(parent)) {
    const left = path.join(parent, name);
    if (name.startsWith('.half-') && fs.statSync(left).mtimeMs < anHourAgo) fs.rmSync(left, { recursive: true, force: true });
  }
}
