// What one file says to a pack. Only for a thread whose stack holds the parser.

import type { GraphPack } from '../pack.ts';
import { isProgram, parseSource, tooLarge } from '../parse-source.ts';
import type { ReadFile } from './read-with-pack.ts';

/** Never throws. */
export function factsWithPack<Facts>({ read, nothing }: GraphPack<Facts>, { path, text }: ReadFile): Facts {
  try {
    if (tooLarge(text) !== null) return nothing;
    return read({ path, text, program: isProgram(path) ? parseSource(path, text).program : null });
  } catch {
    return nothing;
  }
}
