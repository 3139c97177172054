// A work tree of the test's own and the runner of commands as the daemon has it, without a daemon: nothing else works in it.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { commandRunner } from '../../src/tools/command-runner/command-runner.ts';
import { findSandbox } from '../../src/sandbox/sandbox.ts';
import type { CommandEnd, CommandOrder } from '../../src/tools/index.ts';
import { adoptScan, emptySnapshot, readConfig, scanTree, sha256Of } from '../../src/workspace/index.ts';
import { makeScratchRepo, type ScratchRepo } from './scratch-repo.ts';

export interface CommandTree {
  readonly repo: ScratchRepo;
  /** As the daemon's: no command may see into it. */
  readonly privateFolder: string;
  readonly run: (command: string, order?: Partial<CommandOrder>) => Promise<CommandEnd>;
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>;
  /** Null when there is none. */
  readonly read: (path: string) => Promise<string | null>;
}

export async function commandTree(files: Readonly<Record<string, string>> = {}, find = findSandbox): Promise<CommandTree> {
  const repo = await makeScratchRepo();
  const privateFolder = await mkdtemp('/var/tmp/countersign-private-');
  onTestFinished(async () => {
    await repo.dispose();
    await rm(privateFolder, { recursive: true, force: true });
  });
  const blobs = new Map<string, Uint8Array>();
  const run = commandRunner({
    configOf: readConfig,
    sandbox: () => find(),
    privateFolders: [privateFolder],
    images: {
      putBlob: async (bytes) => {
        blobs.set(sha256Of(bytes), bytes);
        return sha256Of(bytes);
      },
      getBlob: async (sha256) => blobs.get(sha256) ?? null,
    },
    knownTree: async (root) => {
      const known = emptySnapshot();
      adoptScan(known, await scanTree(root, known));
      return known;
    },
    openWindow: () => ({ whyNotOurs: () => null, end: () => {} }),
  });
  const write: CommandTree['write'] = async (more) => {
    for (const [name, content] of Object.entries(more)) {
      await mkdir(dirname(join(repo.path, name)), { recursive: true });
      await writeFile(join(repo.path, name), content);
    }
  };
  await write(files);
  return {
    repo,
    privateFolder,
    write,
    read: (path) => readFile(join(repo.path, path), 'utf8').catch(() => null),
    run: (command, order = {}) => run({ command, root: repo.path, scope: ['src/**/*.ts'], action: null, ...order }),
  };
}

/** What it left of the tree, in short. */
export const traceOf = ({ changed, rolled_back, left }: CommandEnd) => ({
  changed: changed.map(({ path, change }) => `${change} ${path}`),
  rolledBack: rolled_back.map(({ path, change }) => `${change} ${path}`),
  left: left.map(({ path, change }) => `${change} ${path}`),
});
