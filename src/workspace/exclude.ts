// Keeps the gate's views out of commits without touching a file of the project: a marked block in git's own `info/exclude`,
// which all work trees of a repository share.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../protocol/index.ts';
import { type Document, removeFile, replaceFile, textOf } from './document.ts';
import type { Workspace } from './locate.ts';
import { readPlainFile } from './plain-file.ts';

const BEGIN = '# countersign begin: written by `countersign init`, removed by `countersign init --undo`';
const END = '# countersign end';
const EXCLUDE_MAX_BYTES = 1024 * 1024;

/** Adds the patterns that are not in the block yet. False when nothing had to be changed, or there is no git. */
export async function excludeFromGit(workspace: Workspace, patterns: readonly string[]): Promise<boolean> {
  if (workspace.gitCommonDir === null) return false;
  const bad = patterns.find((pattern) => pattern.trim() === '' || /[\r\n\0]/.test(pattern));
  if (bad !== undefined) throw new Fault('BAD_REQUEST', `${JSON.stringify(bad)} cannot be a line of an exclude file`);

  const file = await readExclude(workspace.gitCommonDir);
  const lines = [...new Set([...file.block, ...patterns])];
  if (lines.length === file.block.length) return false;
  const gap = file.before === '' || file.before.endsWith('\n') ? '' : '\n';
  await mkdir(join(workspace.gitCommonDir, 'info'), { recursive: true });
  await replaceFile(file.path, file.document, Buffer.from(`${file.before}${gap}${[BEGIN, ...lines, END].join('\n')}\n${file.after}`));
  return true;
}

/** Removes the block. False when there was none. */
export async function removeExcludes(workspace: Workspace): Promise<boolean> {
  if (workspace.gitCommonDir === null) return false;
  const file = await readExclude(workspace.gitCommonDir);
  if (file.block.length === 0) return false;
  const rest = file.before + file.after;
  if (rest === '' && file.document) await removeFile(file.path, file.document);
  else await replaceFile(file.path, file.document, Buffer.from(rest));
  return true;
}

interface ExcludeFile {
  readonly path: string;
  readonly document: Document | null;
  readonly before: string;
  readonly block: readonly string[];
  readonly after: string;
}

async function readExclude(commonDir: string): Promise<ExcludeFile> {
  const path = join(commonDir, 'info', 'exclude');
  const file = await readPlainFile(path, EXCLUDE_MAX_BYTES);
  if (file.kind === 'missing') return { path, document: null, before: '', block: [], after: '' };
  if (file.kind === 'unreadable') throw invalid(`${path} ${file.why}`);

  const lines = textOf(path, file.bytes).split(/(?<=\n)/);
  const isMark = (mark: string) => (line: string) => line.trimEnd() === mark;
  const begin = lines.findIndex(isMark(BEGIN));
  const end = lines.findIndex(isMark(END));
  if (begin < 0 && end < 0) return { path, document: file, before: lines.join(''), block: [], after: '' };
  if (begin < 0 || end < begin) throw invalid(`${path}:${Math.max(begin, end) + 1}: half of the block that countersign wrote is missing`);
  return {
    path,
    document: file,
    before: lines.slice(0, begin).join(''),
    block: lines.slice(begin + 1, end).map((line) => line.trimEnd()),
    after: lines.slice(end + 1).join(''),
  };
}

const invalid = (message: string): Fault =>
  new Fault('DOCUMENT_INVALID', message, { fix: 'Fix the file by hand: remove the lines between and around the countersign marks' });
