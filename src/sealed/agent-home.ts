// The home of an agent in a sealed run: hooks and MCP wired to the run's own gate, the files that it needs to talk to its model, copied by
// name, and the human's name for commits. Nothing else of the human's home.

import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type HookAdapter, SEAL_NEEDS, type SealNeeds } from '../agents/index.ts';
import { planWiring } from '../install/wiring/plan.ts';
import { wirePaths } from '../install/wiring/program-paths.ts';
import { writeChange } from '../install/wiring/write-change.ts';
import type { RunFolder } from './run-folder.ts';

export const NO_NEEDS: SealNeeds = { hosts: [], home: [], passed: [], address: [], env: {} };
export const needsOf = (adapter: HookAdapter | null): SealNeeds => (adapter && SEAL_NEEDS[adapter.name]) ?? NO_NEEDS;

const GIT_FILES = ['.gitconfig', '.config/git/config', '.config/git/ignore', '.config/git/attributes'];

/** Answers with the files of the tree that hold the wiring. */
export async function wireRun(adapter: HookAdapter | null, folder: RunFolder): Promise<string[]> {
  if (adapter === null) return [];
  const places = { root: folder.tree, userHome: folder.home };
  // Without what else an installation may wire, such as a shell: the walls of the run are around everything.
  const { hookClient, cli, home, bash } = wirePaths(false, folder.gate);
  const paths = { hookClient, cli, home, ...(bash === undefined ? {} : { bash }) };
  const wanted = { ...places, adapters: [adapter], shared: false, observing: false, isWallable: false };
  const request = { ...wanted, home: folder.gate, instructions: [], paths };
  const planned = await planWiring(request, [adapter]);
  for (const change of planned) if (change.after !== change.before) await writeChange(places, change);
  return planned.flatMap(({ place, file, after }) => (place === 'workspace' && after !== null ? [file] : []));
}

export async function fillHome(needs: SealNeeds, userHome: string, home: string): Promise<void> {
  for (const { file, fields } of [...needs.home, ...GIT_FILES.map((file) => ({ file, fields: undefined }))]) {
    const from = path.join(userHome, file);
    const to = path.join(home, file);
    await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
    if (fields === undefined) await copyFile(from, to).catch(() => {});
    else {
      const picked = pick(await readFile(from, 'utf8').catch(() => '{}'), fields);
      // A file that the wiring has written already keeps what is in it.
      const before = await readFile(to, 'utf8').then(
        (text) => JSON.parse(text) as object,
        () => ({}),
      );
      await writeFile(to, `${JSON.stringify({ ...picked, ...before }, null, 2)}\n`, { mode: 0o600 });
    }
  }
}

function pick(text: string, fields: readonly string[]): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    return Object.fromEntries(fields.flatMap((field) => (field in value ? [[field, value[field]]] : [])));
  } catch {
    return {};
  }
}
