// Answers about a story: the files as its agents see them, its outline, how its canon index stands.

import { outlineProblems, readOutline, type Vfs, type VfsFile } from '../packs/index.ts';
import { type CanonStatus, Fault, type QueryOutput, type STORY_QUERIES } from '../protocol/index.ts';

type StoryQuery = keyof typeof STORY_QUERIES;
type Parsed<N extends StoryQuery> = ReturnType<(typeof STORY_QUERIES)[N]['input']['parse']>;

export interface StoryContext {
  readonly locate: (dir: string) => Promise<{ readonly root: string }>;
  readonly vfsOf: (root: string) => Promise<Vfs>;
  readonly canonStatusOf: (root: string) => Promise<CanonStatus>;
}

export function storyAnswers({ locate, vfsOf, canonStatusOf }: StoryContext) {
  const vfsAt = async (cwd: string) => vfsOf((await locate(cwd)).root);
  const answers: { readonly [N in StoryQuery]: (input: Parsed<N>) => Promise<QueryOutput<N>> } = {
    vfs_tree: async ({ cwd }) => [...(await (await vfsAt(cwd)).tree())],
    vfs_file: async ({ cwd, path }) => {
      const file = await (await vfsAt(cwd)).read(path);
      const { source, lines } = file;
      return { path: file.path, content: textOf(file), lines: lines.length, sha256: file.sha256, ...(source ? { source } : {}) };
    },
    story_outline: async ({ cwd }) => {
      const vfs = await vfsAt(cwd);
      const path = await vfs.outlinePath();
      if (path === null) throw new Fault('NOT_FOUND', 'There is no outline here.', { fix: 'Write one to Story/SCN-outline.md' });
      const file = await vfs.read(path);
      const { parts, entries } = readOutline(file.path, file.lines);
      return {
        ...{ path: file.path, content: textOf(file), sha256: file.sha256, parts: [...parts] },
        entries: entries.map((entry) => ({ ...entry, beats: [...entry.beats] })),
        problems: [...outlineProblems({ path: file.path, parts, entries }, file.lines)],
      };
    },
    canon_index_status: async ({ cwd }) => canonStatusOf((await locate(cwd)).root),
  };
  return answers;
}

const textOf = ({ lines }: VfsFile): string => lines.map((line) => `${line}\n`).join('');
