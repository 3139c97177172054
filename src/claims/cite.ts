// Quotes lines of a file, so that a later check can see whether they still say the same.

import { createHash } from 'node:crypto';
import { type Citation, Fault } from '../protocol/index.ts';
import { readLines, type Tree } from './tree-file.ts';

export interface CitedLines {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  /** What the caller read there; if given, it must equal the current lines. */
  readonly sha256?: string | undefined;
}

export const hashOfLines = (lines: readonly string[]): string => createHash('sha256').update(lines.join('\n')).digest('hex');

/** The citation names the file's real path. `privateFolders`: the folders of keys and the ledger, if they are inside the root. */
export async function citeLines(root: string, cited: CitedLines, privateFolders: Tree['privateFolders'] = []): Promise<Citation> {
  const { start_line, end_line } = cited;
  const shown = `${shownPath(cited.path)}:${start_line}-${end_line}`;
  if (!Number.isInteger(start_line) || !Number.isInteger(end_line) || start_line < 1 || end_line < start_line)
    throw refused(
      `${shown} cannot be cited: lines are counted from 1, and the last is not before the first`,
      'Give the lines as they are read',
    );
  const file = await readLines({ root, privateFolders }, cited.path);
  if (file.kind !== 'file')
    throw refused(
      `${shown} cannot be cited: the file ${file.why}`,
      'Cite lines of a text file inside the work tree that is no governance file',
    );
  if (end_line > file.lines.length)
    throw refused(`${shown} cannot be cited: the file has ${file.lines.length} lines`, 'Read the file again and cite lines that it has');
  const sha256 = hashOfLines(file.lines.slice(start_line - 1, end_line));
  if (cited.sha256 !== undefined && cited.sha256 !== sha256)
    throw new Fault('CONFLICT', `${shown} changed since it was read: its text has another hash than the one given`, {
      fix: 'Read the lines again, see whether they still say it, and cite them as they are now',
    });
  return { path: file.path, start_line, end_line, sha256 };
}

const refused = (message: string, fix: string): Fault => new Fault('BAD_REQUEST', message, { fix });

/** A path that was refused for its characters is shown without them. */
const shownPath = (path: string): string => path.replace(/[\p{C}\u2028\u2029]/gu, '').slice(0, 200);
