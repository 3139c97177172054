// One long text taken apart into scenes. The source is only read: each scene is a virtual file with a map to the source's lines.

import { slugOf } from './outline.ts';

export interface VirtualScene {
  readonly path: string;
  readonly title: string;
  readonly lines: readonly string[];
  /** The line of the source that the scene's line `first_line` is; the lines before are made. */
  readonly source_line: number;
  readonly first_line: number;
}

const BREAK = /^\s*(?:\*\s*\*\s*\*|\*{3,}|#|-{3,}|_{3,}|~{3,}|⁂)\s*$/;
const HEADING = /^(#{1,3})\s+(.*?)\s*#*\s*$/;
/** "CHAPTER IX." and "Chapter 9: The Fog" on a line of their own. */
const CHAPTER_LINE = /^\s*(?:chapter|part|scene)\s+(?:[0-9]+|[ivxlc]+)\b[.:]?\s*(.*)$/i;

interface Piece {
  title: string | null;
  chapter: string | null;
  from: number;
  to: number;
}

export function splitManuscript(lines: readonly string[]): readonly VirtualScene[] {
  const pieces: Piece[] = [];
  let chapter: string | null = null;
  let open: Piece | null = null;
  const begin = (title: string | null, from: number): Piece => {
    const piece = { title, chapter, from, to: from - 1 };
    pieces.push(piece);
    return piece;
  };
  for (const [at, line] of lines.entries()) {
    const number = at + 1;
    const heading = HEADING.exec(line);
    const named = heading ? heading[2]! : CHAPTER_LINE.test(line) && (lines[at - 1] ?? '').trim() === '' ? line.trim() : null;
    if (named !== null) {
      if (!(heading && heading[1] === '#' && number === 1)) {
        chapter = named;
        open = begin(named, number + 1);
      }
    } else if (BREAK.test(line)) open = begin(null, number + 1);
    else if (line.trim() !== '') {
      open ??= begin(null, number);
      open.to = number;
    }
  }
  const scenes = pieces.filter(({ from, to }) => to >= from);
  const width = Math.max(2, String(scenes.length).length);
  return scenes.map(({ title, chapter: within, from, to }, index) => {
    const part = scenes.slice(0, index).filter((other) => other.chapter === within).length + 1;
    const name = title ?? (within === null ? `Scene ${index + 1}` : `${within} (${part})`);
    const start = firstText(lines, from);
    const slug = slugOf(name).slice(0, 60) || 'scene';
    return {
      path: `Story/Scenes/SCN-${String(index + 1).padStart(width, '0')}-${slug}.md`,
      title: name,
      lines: [`# ${name}`, '', ...lines.slice(start - 1, to)],
      source_line: start,
      first_line: 3,
    };
  });
}

function firstText(lines: readonly string[], from: number): number {
  let at = from;
  while ((lines[at - 1] ?? '').trim() === '') at++;
  return at;
}
