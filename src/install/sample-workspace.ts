// The workspace for trying things out: a copy of the sample beside the daemon's folder, as a git repository with one commit. The sample
// in the program's own folder would count as part of that repository, not as a workspace.

import { execFile } from 'node:child_process';
import { cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Home } from '../client/node.ts';
import { Fault } from '../protocol/index.ts';

const SAMPLE = path.join(import.meta.dirname, '../../examples/sample-workspace');

export async function sampleWorkspace(home: Home): Promise<string> {
  const folder = `${home.dir}-sample`;
  if (await stat(folder).catch(() => null)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  try {
    await mkdir(path.dirname(folder), { recursive: true });
    await cp(SAMPLE, unfinished, { recursive: true });
    await commitAll(unfinished);
    await rename(unfinished, folder);
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => {});
    throw new Fault('AUDIT_UNAVAILABLE', `The sample workspace cannot be made at ${folder} (${(cause as NodeJS.ErrnoException).code}).`, {
      fix: 'Set COUNTERSIGN_HOME to a folder that you may write to',
      cause,
    });
  }
  return folder;
}

/** The user's own settings might sign the commit or run hooks. Without git the sample is a plain folder, which works too. */
async function commitAll(cwd: string): Promise<void> {
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const author = ['-c', 'user.name=Corner Shop', '-c', 'user.email=shop@example.org'];
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd, env });
  try {
    await git('-c', 'init.defaultBranch=main', 'init', '--quiet', '--template=');
    await git('add', '--all');
    await git(...author, 'commit', '--quiet', '--message', 'Corner shop');
  } catch {
    await rm(path.join(cwd, '.git'), { recursive: true, force: true });
  }
}
