// Stories of workspaces: the tools of the prose pack, the files as its agents see them, and the canon index, whose files are views of what a model
// took out of the scenes and the scenes have.

import path from 'node:path';
import {
  type AskModel,
  CANON_INDEX_FILE,
  CANON_META_FILE,
  canonStatus,
  compileCanon,
  indexCanon,
  isScene,
  openVfs,
  parseMeta,
  prosePack,
  type Vfs,
} from '../packs/index.ts';
import { type CanonMeta, type CanonStatus, Fault, type ToolPack } from '../protocol/index.ts';
import type { Conversations } from './conversations.ts';
import { ensureFolder, type PathConfig, readDocument, replaceFile, textOf, type Visibility } from '../workspace/index.ts';

export interface StoryOptions {
  readonly privateFolders: readonly string[];
  readonly pathsOf: (root: string) => Promise<PathConfig>;
  readonly locate: (dir: string) => Promise<{ readonly id: string }>;
  readonly conversations: () => Pick<Conversations, 'issues'>;
  readonly now: () => Date;
}

export interface Stories {
  readonly pack: ToolPack;
  readonly vfsOf: (root: string) => Promise<Vfs>;
  readonly canonStatusOf: (root: string) => Promise<CanonStatus>;
  /** Asks the model about each scene that changed. Throws a CONFLICT while it is under way. */
  readonly indexCanon: (root: string, ask: AskModel, signal: AbortSignal) => Promise<CanonStatus>;
}

export function openStories({ privateFolders, pathsOf, locate, conversations, now }: StoryOptions): Stories {
  const running = new Set<string>();
  const visibility = async (root: string): Promise<Visibility> => ({ privateFolders, paths: await pathsOf(root) });
  const vfsOf = async (root: string) => openVfs(root, await visibility(root));
  const metaOf = async (root: string): Promise<CanonMeta | null> => {
    const document = await readDocument(root, CANON_META_FILE);
    return document && parseMeta(textOf(CANON_META_FILE, document.bytes));
  };
  const canonStatusOf = async (root: string): Promise<CanonStatus> => {
    const vfs = await vfsOf(root);
    const scenes = (await vfs.tree()).filter((entry) => isScene(entry.path));
    return canonStatus(await metaOf(root), await Promise.all(scenes.map((entry) => vfs.read(entry.path))), running.has(root));
  };
  return {
    pack: prosePack({
      visibilityOf: visibility,
      issuesOf: async (root, filter) => conversations().issues((await locate(root)).id, filter),
    }),
    vfsOf,
    canonStatusOf,
    indexCanon: async (root, ask, signal) => {
      if (running.has(root))
        throw new Fault('CONFLICT', 'The canon of this workspace is being indexed already.', {
          fix: 'countersign canon shows how it stands',
        });
      running.add(root);
      try {
        const meta = await indexCanon(await metaOf(root), await vfsOf(root), ask, now, signal);
        await write(root, CANON_META_FILE, `${JSON.stringify(meta, null, 2)}\n`);
        await write(root, CANON_INDEX_FILE, compileCanon(meta));
      } finally {
        running.delete(root);
      }
      return canonStatusOf(root);
    },
  };
}

async function write(root: string, file: string, text: string): Promise<void> {
  await ensureFolder(root, path.posix.dirname(file));
  await replaceFile(path.join(root, file), await readDocument(root, file), Buffer.from(text));
}
