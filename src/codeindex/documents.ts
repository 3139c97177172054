// Passages of the work tree's documents that a question in words is about: headings and paragraphs of its Markdown files, with file and
// line. Answers only from an index that is complete: a recall must not wait until a large tree has been read.

import { STOP } from './answers/rank.ts';
import type { CodeIndex } from './code-index.ts';
import type { TreeIndex } from './model.ts';
import { termsOf } from './text/terms.ts';

interface Passage {
  readonly path: string;
  readonly line: number;
  /** The heading that it is below; null: none. */
  readonly heading: string | null;
  readonly text: string;
}

const DOCUMENT = /\.(?:md|mdx|markdown)$/i;
const RANKED = 200;
const FILES = 10;
const SHOWN_CHARACTERS = 300;
/** Fewer common words are a coincidence, unless the question has no more. */
const WORDS_IN_COMMON = 2;
const WORD = /[\p{L}\p{N}_$]{3,}/gu;

export const documentSearch = (index: Pick<CodeIndex, 'tree'>) => ({
  passagesAbout: (root: string, question: string, limit: number) => passagesAbout(index.tree(root), question, limit),
});

/** Null: the index is not complete yet. */
async function passagesAbout(tree: TreeIndex, question: string, limit: number): Promise<Passage[] | null> {
  if ((await tree.status()).state !== 'ready') return null;
  const wanted = wordsOf(question);
  const least = Math.min(WORDS_IN_COMMON, wanted.size);
  if (least === 0) return [];
  const ranked = (await tree.rank(question, RANKED)).hits.filter(({ path }) => DOCUMENT.test(path)).slice(0, FILES);
  const found: { readonly passage: Passage; readonly common: number }[] = [];
  for (const { path } of ranked) {
    const read = await tree.text(path);
    for (const passage of read ? passagesIn(path, read.text) : []) {
      const words = wordsOf(`${passage.heading ?? ''} ${passage.text}`);
      const common = [...wanted].filter((word) => words.has(word)).length;
      if (common >= least) found.push({ passage, common });
    }
  }
  return found
    .toSorted((a, b) => b.common - a.common)
    .slice(0, limit)
    .map(({ passage }) => ({ ...passage, text: passage.text.slice(0, SHOWN_CHARACTERS).toWellFormed() }));
}

const wordsOf = (text: string): Set<string> =>
  new Set((text.match(WORD) ?? []).flatMap((word) => (STOP.has(word.toLowerCase()) ? [] : termsOf(word))));

function passagesIn(path: string, text: string): Passage[] {
  const passages: Passage[] = [];
  let heading: string | null = null;
  let open: { line: number; lines: string[] } | null = null;
  let isCode = false;
  const close = () => {
    if (open) passages.push({ path, line: open.line, heading, text: open.lines.join(' ') });
    open = null;
  };
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const isFence = /^\s*(?:```|~~~)/.test(raw);
    if (isFence) isCode = !isCode;
    const isHeading = !isCode && /^#{1,6}\s/.test(raw);
    if (isFence || isCode || isHeading || raw.trim() === '') close();
    if (isHeading) {
      heading = raw.replace(/^#+\s*/, '').trim();
      passages.push({ path, line: index + 1, heading: null, text: heading });
    } else if (!isFence && !isCode && raw.trim() !== '') {
      open ??= { line: index + 1, lines: [] };
      open.lines.push(raw.trim());
    }
  }
  close();
  return passages;
}
