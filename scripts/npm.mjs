// The system's own npm, for the set-up only. No package's install script runs.

import fs from 'node:fs';
import path from 'node:path';
import { runStep } from './run-step.mjs';
import { fromNpmOutput, saysDiskFull, SetupFailure } from './setup-failure.mjs';

/** `folder` is the package that npm works on; it is given on the command line because `npm start` leaves its own in the environment. */
export async function runNpm({ title, args, folder, quiet }) {
  const npm = findNpm();
  const result = await runStep({
    title,
    command: npm.command,
    args: [
      ...npm.args,
      ...args,
      '--prefix',
      folder,
      '--ignore-scripts',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--no-update-notifier',
      '--loglevel=warn',
    ],
    cwd: folder,
    env: npmEnvironment(),
    quiet,
  });
  if (result.code === -1 && result.lines.some((line) => line.includes('ENOENT'))) {
    throw new SetupFailure(`${title} failed: npm is not on PATH. Install Node together with npm and run the command again.`);
  }
  // On a full disk npm writes half a file, warns, and reports success.
  if (result.code !== 0 || saysDiskFull(result.lines)) throw fromNpmOutput(title, result.lines, folder);
}

function findNpm() {
  const caller = process.env.npm_execpath;
  if (caller !== undefined && path.basename(caller) === 'npm-cli.js' && fs.existsSync(caller))
    return { command: process.execPath, args: [caller] };
  if (process.platform === 'win32')
    return { command: process.execPath, args: [path.join(path.dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js')] };
  return { command: 'npm', args: [] };
}

/** npm takes over a minute to conclude that there is no network; a person should know within seconds. */
function npmEnvironment() {
  const retries = { npm_config_fetch_retries: '2', npm_config_fetch_retry_mintimeout: '1000', npm_config_fetch_retry_maxtimeout: '4000' };
  return { ...retries, ...process.env };
}
