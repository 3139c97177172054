// Our parts of a TOML file: a block at its end, and one at its start for keys that are in no table, each between two marks. Rewriting TOML would lose a person's comments and order.
//
// INVARIANT: adding a block and removing it restores the file. A file without a final line end therefore keeps that.

export const withBlockAtEnd = (rest: string, block: string): string =>
  rest.trim() === '' ? `${block}\n` : rest.endsWith('\n') ? `${rest}\n${block}\n` : `${rest}\n\n${block}`;

/** Null: the file contained nothing else. */
export function withoutBlockBetween(text: string, begin: string, end: string): string | null {
  const from = text.indexOf(`${begin}\n`);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) return text;
  const after = text.slice(to + end.length);
  // The empty line before the block came with it, and where nothing follows, not even a line end, so did the line end before that.
  const head = text.slice(0, from).replace(/\n\n$/, after === '' ? '' : '\n');
  const rest = head + after.replace(/^\n/, '');
  return rest.trim() === '' ? null : rest;
}

export const withBlockAtStart = (rest: string, block: string): string => (rest === '' ? `${block}\n` : `${block}\n\n${rest}`);

export function withoutBlockAtStart(text: string, begin: string, end: string): string {
  const to = text.indexOf(`${end}\n`);
  if (!text.startsWith(`${begin}\n`) || to < 0) return text;
  return text.slice(to + end.length + 1).replace(/^\n/, '');
}
