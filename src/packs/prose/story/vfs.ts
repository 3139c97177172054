// The files of a workspace as agents of the prose pack see them, for reading only. Real files keep their paths. What does not exist as a file
// is virtual: the scenes of one long manuscript, an outline made from them, and Canon.md, which is the compiled canon index.
// INVARIANT: what an agent may not see is not in it, by the same rules as for every other tool.

import { Fault, type SourceText } from '../../../protocol/index.ts';
import {
  governanceRule,
  isHidden,
  linesOfText,
  listMatches,
  readInRoot,
  resolveInRoot,
  sha256Of,
  type Visibility,
} from '../../../workspace/index.ts';
import { readDocx } from './read-docx.ts';
import { splitManuscript, type VirtualScene } from './split-manuscript.ts';

export const CANON_PATH = 'Canon.md';
export const CANON_INDEX_FILE = '.control-room/canon/canon-index.md';
export const OUTLINE_PATH = 'Story/SCN-outline.md';
/** Names the manuscript, where a story is one long file. */
export const STORY_FILE = '.control-room/story.json';

export interface VfsEntry {
  readonly path: string;
  readonly kind: 'file' | 'virtual';
  /** Of a virtual file: the file that it is made from. */
  readonly source?: string;
}

export interface VfsFile {
  readonly path: string;
  readonly lines: readonly string[];
  /** Of the whole text. */
  readonly sha256: string;
  /** Of a scene in a manuscript: line `first_line` is line `source_line` there. */
  readonly source?: { readonly path: string; readonly source_line: number; readonly first_line: number };
}

export interface Vfs {
  /** All of it, in reading order. */
  readonly tree: () => Promise<readonly VfsEntry[]>;
  /** Throws a fault that says why, and what to do. */
  readonly read: (path: string) => Promise<VfsFile>;
  /** Where the outline is: `Story/SCN-outline.md`, or the one file that is named so; null: none. */
  readonly outlinePath: () => Promise<string | null>;
}

const FILES_MAX = 20_000;
const TEXT =
  /\.(?:md|markdown|txt|text|mdx|rst|adoc|docx|ya?ml|json|ts|tsx|js|jsx|mjs|cjs|py|rb|go|rs|java|kt|cs|c|h|cpp|hpp|swift|php|sh|sql|html|css|csv|toml|ini)$/i;
const SCENE = /^Story\/Scenes\//;

export function openVfs(root: string, visibility: Visibility): Vfs {
  let opened: Promise<OpenedStory> | null = null;
  const story = () => (opened ??= openStory(root, visibility));

  const read = async (given: string): Promise<VfsFile> => {
    const path = given.replace(/^\.?\/+/, '');
    const real = await readReal(root, path, visibility);
    if (real) return real;
    const { scenes, manuscript, outline } = await story();
    const scene = scenes.find((each) => each.path === path);
    if (scene && manuscript !== null) {
      const { source_line, first_line, lines } = scene;
      return fileOf(path, lines, { path: manuscript, source_line, first_line });
    }
    if (path === OUTLINE_PATH && outline !== null) return fileOf(path, outline);
    if (path === CANON_PATH || path === `Story/Compendium/${CANON_PATH}`) {
      const canon = await readInRoot(root, CANON_INDEX_FILE);
      if (canon) return { path: CANON_PATH, lines: linesIn(canon.bytes), sha256: canon.sha256 };
    }
    throw new Fault('NOT_FOUND', `There is no file ${path}`, { fix: 'Use file_locator to find it' });
  };

  return {
    read,
    tree: async () => {
      const { files, complete } = await listMatches(root, '', '**', FILES_MAX, visibility);
      if (!complete) throw new Fault('BAD_REQUEST', `There are more than ${FILES_MAX} files here`, { fix: 'Work in a smaller folder' });
      const { scenes, manuscript, outline } = await story();
      const real = files
        .filter((path) => TEXT.test(path) && !path.startsWith('.control-room/'))
        .map((path): VfsEntry => ({ path, kind: 'file' }));
      const has = new Set(files);
      const made: VfsEntry[] = [
        ...(!has.has(CANON_PATH) && (await readInRoot(root, CANON_INDEX_FILE))
          ? [{ path: CANON_PATH, kind: 'virtual' as const, source: CANON_INDEX_FILE }]
          : []),
        ...(outline !== null && manuscript !== null ? [{ path: OUTLINE_PATH, kind: 'virtual' as const, source: manuscript }] : []),
        ...(manuscript === null ? [] : scenes.map(({ path }) => ({ path, kind: 'virtual' as const, source: manuscript }))),
      ];
      return [...real, ...made].toSorted((a, b) => (a.path < b.path ? -1 : 1));
    },
    outlinePath: async () => {
      const { files } = await listMatches(root, '', '*outline*.md', FILES_MAX, visibility);
      if (files.includes(OUTLINE_PATH)) return OUTLINE_PATH;
      const found = files.filter((path) => !path.startsWith('.')).toSorted((a, b) => a.split('/').length - b.split('/').length);
      return found[0] ?? ((await story()).outline === null ? null : OUTLINE_PATH);
    },
  };
}

interface OpenedStory {
  readonly manuscript: string | null;
  readonly scenes: readonly VirtualScene[];
  /** Made from the scenes, where there is none. */
  readonly outline: readonly string[] | null;
}

async function openStory(root: string, visibility: Visibility): Promise<OpenedStory> {
  const none: OpenedStory = { manuscript: null, scenes: [], outline: null };
  const named = await readInRoot(root, STORY_FILE);
  const manuscript = named ? manuscriptIn(Buffer.from(named.bytes).toString('utf8')) : null;
  if (manuscript === null) return none;
  const { files } = await listMatches(root, '', '**', FILES_MAX, visibility);
  // Whoever has split the manuscript into files works with those.
  if (files.some((path) => SCENE.test(path))) return none;
  const source = await readReal(root, manuscript, visibility);
  if (!source) throw new Fault('NOT_FOUND', `${STORY_FILE} names ${manuscript}, which does not exist`, { fix: `Correct ${STORY_FILE}` });
  const scenes = splitManuscript(source.lines);
  const hasOutline = files.some((path) => /outline[^/]*\.md$/i.test(path));
  const outline = hasOutline
    ? null
    : ['# Outline', '', ...scenes.flatMap(({ title }, at) => [`### Scene ${at + 1}: ${title}`, ''])].slice(0, -1);
  return { manuscript, scenes, outline };
}

function manuscriptIn(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    const manuscript = typeof value === 'object' && value !== null && 'manuscript' in value ? value.manuscript : null;
    return typeof manuscript === 'string' && manuscript !== '' ? manuscript : null;
  } catch {
    throw new Fault('DOCUMENT_INVALID', `${STORY_FILE} is not JSON`, {
      fix: `Write {"manuscript": "book.docx"} into ${STORY_FILE}, or delete it`,
    });
  }
}

async function readReal(root: string, path: string, visibility: Visibility): Promise<VfsFile | null> {
  const place = await resolveInRoot(root, path, root);
  if (place.real === null) throw new Fault('BAD_REQUEST', `${path} cannot be used: ${place.unresolved ?? 'where it leads is unknown'}`);
  const governed = governanceRule(place.real, 'read');
  if (governed !== null || isHidden(root, place.real, visibility))
    throw new Fault('FORBIDDEN', `${path} is not for agents: ${governed ?? "it belongs to the gate's keys and records"}`);
  const file =
    place.real === ''
      ? null
      : await readInRoot(root, place.real).catch((error: unknown) => (isFolder(error) ? null : Promise.reject(error as Error)));
  if (!file) return null;
  if (/\.docx$/i.test(place.real)) return { path: place.real, lines: await readDocx(place.real, file.bytes), sha256: file.sha256 };
  if (file.bytes.includes(0)) throw new Fault('BAD_REQUEST', `${place.real} is not a text`, { fix: 'Name a text file' });
  return { path: place.real, lines: linesIn(file.bytes), sha256: file.sha256 };
}

const isFolder = (error: unknown): boolean => error instanceof Fault && error.code === 'BAD_REQUEST';

const linesIn = (bytes: Uint8Array): readonly string[] =>
  linesOfText(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString('utf8')
      .replaceAll('\r\n', '\n')
      .replace(/^\ufeff/, ''),
  );

const fileOf = (path: string, lines: readonly string[], source?: NonNullable<VfsFile['source']>): VfsFile => ({
  path,
  lines,
  sha256: sha256Of(Buffer.from(lines.join('\n'))),
  ...(source ? { source } : {}),
});

/** For the check of an Evidence line: why a file cannot be read is a value there. */
export async function sourceText(vfs: Vfs, path: string): Promise<SourceText> {
  try {
    const { path: found, lines, source } = await vfs.read(path);
    return { kind: 'file', path: found, lines, ...(source ? { source } : {}) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.code === 'NOT_FOUND'
      ? { kind: 'missing', why: 'does not exist' }
      : { kind: 'withheld', why: `cannot be read: ${error.message}` };
  }
}
