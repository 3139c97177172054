// A view of the ledger that is one whole file of the work tree. It is made on first use and replaced whole; a file that somebody else made under
// its name is left alone.

import { dirname, join } from 'node:path';
import { DOCUMENT_MAX_BYTES, ensureFolder, replaceFile } from './document.ts';
import { readPlainFile } from './plain-file.ts';

/** In every JSON view: says whose file it is. */
export const VIEW_MARK = 'countersign: a view of the ledger, written again after every change';

export type ViewWritten = 'written' | 'same' | 'foreign';

/** `isOurs`: whether the content that is there was written by us. */
export async function writeView(root: string, path: string, text: string, isOurs: (before: string) => boolean): Promise<ViewWritten> {
  const file = join(root, path);
  const before = await readPlainFile(file, 16 * DOCUMENT_MAX_BYTES);
  if (before.kind === 'unreadable') return 'foreign';
  if (before.kind === 'file') {
    const old = new TextDecoder().decode(before.bytes);
    if (old === text) return 'same';
    if (!isOurs(old)) return 'foreign';
  }
  await ensureFolder(root, dirname(path));
  await replaceFile(file, before.kind === 'file' ? before : null, Buffer.from(text));
  return 'written';
}

/** A JSON view with its mark first. */
export const viewText = (content: Readonly<Record<string, unknown>>): string =>
  `${JSON.stringify({ made_by: VIEW_MARK, ...content }, null, 2)}\n`;

export function isMarkedView(text: string): boolean {
  try {
    return (JSON.parse(text) as { made_by?: unknown } | null)?.made_by === VIEW_MARK;
  } catch {
    return false;
  }
}
