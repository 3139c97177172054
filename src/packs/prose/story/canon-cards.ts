// Canon files as cards that facts are read from: one for each character file, and one for each section of Canon.md.

import { type ProseText, readProse } from '../text/prose-text.ts';
import type { VfsFile } from './vfs.ts';

/** `- eye colour: green — “…” (path:line)` and `Eyes: green` mean the same. */
const KEYS: Readonly<Record<string, string>> = {
  'eye colour': 'eyes',
  'eye color': 'eyes',
  'hair colour': 'hair',
  'hair color': 'hair',
  'place of birth': 'born in',
  birthplace: 'born in',
  'died in': 'died',
  death: 'died',
};

export function canonCards({ path, lines }: Pick<VfsFile, 'path' | 'lines'>): readonly ProseText[] {
  const starts = lines.flatMap((line, at) => (/^##\s+\S/.test(line) ? [at] : []));
  if (starts.length === 0) return [withKeys(readProse(path, lines))];
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? lines.length;
    const title = lines[start]!.replace(/^#+\s+/, '').trim();
    const metadata = new Map<string, { value: string; line: number }>();
    for (let at = start + 1; at < end; at++) {
      const entry = /^\s*[-*+]\s+(?:\*\*)?([^:*]+?)(?:\*\*)?\s*:(?:\*\*)?\s*(.+?)(?:\s+[—–]\s+“.*)?\s*$/.exec(lines[at]!);
      if (entry) metadata.set(entry[1]!.toLowerCase(), { value: entry[2]!, line: at + 1 });
    }
    // A section of a canon is a card even if it has none of the keys that make one.
    if (!metadata.has('role')) metadata.set('role', { value: title, line: start + 1 });
    return withKeys({ path, title, metadata, paragraphs: [], sentences: [] });
  });
}

const withKeys = (card: ProseText): ProseText => ({
  ...card,
  metadata: new Map([...card.metadata].map(([key, entry]) => [KEYS[key] ?? key, entry])),
});
