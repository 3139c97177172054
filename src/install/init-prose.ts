// `countersign init --pack prose [DIR]`: makes a folder of texts ready for grounded answers. It needs no git and wires no agent. Where the story is
// one long file, that file is named in `.control-room/story.json`, and is only ever read.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../protocol/index.ts';
import { ensureFolder, listMatches, locateWorkspace, readDocument, replaceFile } from '../workspace/index.ts';
import { confirm } from './confirm.ts';

const STORY_FILE = '.control-room/story.json';
const FILES_MAX = 20_000;
/** A shorter file is a note, not a manuscript. */
const MANUSCRIPT_MIN_BYTES = 8_000;
const NO_MANUSCRIPT = /(?:^|\/)(?:readme|outline|canon|license|changelog|agents?|claude|tinytasks)[^/]*$/i;

export interface ProseInit {
  readonly dir: string;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly print: (text: string) => void;
}

export async function initProse({ dir, yes, dryRun, json, print }: ProseInit): Promise<void> {
  if (!(await stat(dir).catch(() => null))?.isDirectory())
    throw new Fault('NOT_FOUND', `There is no folder ${dir}.`, { fix: 'Name the folder that the texts are in' });
  const { root } = await locateWorkspace(dir);
  const { files } = await listMatches(root, '', '*.{md,markdown,txt,docx}', FILES_MAX, {});
  const scenes = files.filter((file) => file.startsWith('Story/Scenes/'));
  const manuscripts = scenes.length > 0 ? [] : await longFiles(root, files);
  const [manuscript = null] = manuscripts.length === 1 ? manuscripts : [];
  const found = {
    root,
    texts: files.length,
    scenes: scenes.length,
    outline: files.find((file) => /outline[^/]*\.md$/i.test(file)) ?? null,
    manuscript,
    manuscripts,
  };
  const writes = manuscript !== null && (await readDocument(root, STORY_FILE)) === null ? [STORY_FILE] : [];
  if (json) print(JSON.stringify({ ...found, writes }, null, 2));
  else print(textOf(found, writes));
  if (writes.length === 0 || dryRun) return;
  if (!yes && !(await confirm(`Write ${STORY_FILE}?`, 'Add --yes'))) return;
  await ensureFolder(root, path.dirname(STORY_FILE));
  await replaceFile(path.join(root, STORY_FILE), null, Buffer.from(`${JSON.stringify({ manuscript }, null, 2)}\n`));
}

async function longFiles(root: string, files: readonly string[]): Promise<readonly string[]> {
  const top = files.filter((file) => !file.includes('/') && !NO_MANUSCRIPT.test(file));
  const sizes = await Promise.all(top.map(async (file) => ({ file, size: (await stat(path.join(root, file))).size })));
  return sizes.filter(({ file, size }) => file.endsWith('.docx') || size >= MANUSCRIPT_MIN_BYTES).map(({ file }) => file);
}

interface Found {
  readonly root: string;
  /** Scenes and manuscripts are among them. */
  readonly texts: number;
  readonly scenes: number;
  readonly outline: string | null;
  readonly manuscript: string | null;
  readonly manuscripts: readonly string[];
}

function textOf({ root, texts, scenes, outline, manuscript, manuscripts }: Found, writes: readonly string[]): string {
  return [
    `Texts in ${root}`,
    scenes > 0 ? `  ${scenes} scenes in Story/Scenes` : null,
    outline === null ? '  no outline; Story/SCN-outline.md is where it is looked for' : `  outline: ${outline}`,
    manuscript === null
      ? null
      : `  manuscript: ${manuscript}. It is taken apart into scenes that only agents see; the file is not changed.`,
    manuscripts.length > 1
      ? `  several long files (${manuscripts.join(', ')}). Name the manuscript in ${STORY_FILE}: {"manuscript": "${manuscripts[0]}"}`
      : null,
    scenes === 0 && manuscripts.length === 0
      ? `  texts: ${texts}, all for agents to read. A story has its scenes in Story/Scenes, or is one .docx or long .md (8 KB or more) here`
      : null,
    writes.length > 0 ? `Writes ${writes.join(', ')}` : 'Nothing has to be written.',
    'Agents: chief, continuity, line-editor, sceptic. Next: countersign endpoints add, then countersign ask "…"',
  ]
    .filter((line) => line !== null)
    .join('\n');
}
