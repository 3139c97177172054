// A token that a human keeps in the work tree, in a file that only its owner can read.

import { Fault } from '../protocol/index.ts';
import { readDocument, textOf } from './document.ts';

/** Null: there is no such file, or it is empty. */
export async function readToken(root: string, file: string): Promise<string | null> {
  const token = await readDocument(root, file);
  if (token === null) return null;
  if ((token.mode & 0o077) !== 0) throw new Fault('DOCUMENT_INVALID', `${file} can be read by others.`, { fix: `chmod 600 ${file}` });
  return textOf(file, token.bytes).trim() || null;
}
