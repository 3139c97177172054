// Which agents are on this machine or in use in a work tree: a program on PATH, a folder of settings, a file in the tree.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { HookAdapter } from '../../agents/index.ts';
import { isProgram } from '../../workspace/index.ts';

export interface FoundAgent {
  readonly adapter: HookAdapter;
  /** What shows that it is in use, in words; null: nothing does. */
  readonly because: string | null;
  /** The program on PATH; null when there is none. */
  readonly program: string | null;
}

export interface Places {
  readonly root: string;
  /** The user's own home, not ours. */
  readonly userHome: string;
  /** As in the environment. */
  readonly searchPath: string;
  /** A file that `init` itself created is not a sign of an agent. */
  readonly isOurs: (target: string) => boolean;
}

export const findAgents = (adapters: Iterable<HookAdapter>, places: Places): Promise<FoundAgent[]> =>
  Promise.all([...adapters].map((adapter) => findAgent(adapter, places)));

async function findAgent(adapter: HookAdapter, { root, userHome, searchPath, isOurs }: Places): Promise<FoundAgent> {
  const { programs, inHome, inWorkspace } = adapter.installed;
  const program = await firstOf(programs, (name) => programOn(searchPath, name));
  if (program !== null) return { adapter, program, because: `${program} is on PATH` };
  const tree = await firstOf(inWorkspace, async (file) => (isOurs(path.join(root, file)) ? null : found(root, file)));
  if (tree !== null) return { adapter, program, because: `${tree} is in this work tree` };
  const home = await firstOf(inHome, (file) => found(userHome, file));
  return { adapter, program, because: home === null ? null : `~/${home} is there` };
}

async function firstOf(names: readonly string[], find: (name: string) => Promise<string | null>): Promise<string | null> {
  for (const name of names) {
    const seen = await find(name);
    if (seen !== null) return seen;
  }
  return null;
}

const found = (folder: string, file: string): Promise<string | null> =>
  stat(path.join(folder, file)).then(
    () => file,
    () => null,
  );

export async function programOn(searchPath: string, name: string): Promise<string | null> {
  // A relative entry would make the answer depend on the current folder.
  for (const folder of searchPath.split(path.delimiter).filter((entry) => path.isAbsolute(entry))) {
    const file = path.join(folder, name);
    if (isProgram(file)) return file;
  }
  return null;
}
