// What a person approves must be what runs. Text from an agent can carry characters that hide, reorder or imitate others
// (bidi controls, zero-width joiners, escape sequences, spaces that are no spaces), or be padded until its end is out of sight; here each
// becomes a mark.

export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mark'; readonly text: string; readonly name: string };

/** `kept`: line feeds and tabs lay the text out. `marked`: the text stays on one line, so they are marked too. */
export type Lines = 'kept' | 'marked';

// Every control, format, private, unassigned and lone-surrogate character, every separator, and whatever Unicode says may be
// drawn as nothing; U+2800 is a Braille cell without dots. Only the plain space is excluded.
const HIDDEN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

// More than anyone uses for layout, and enough to push what follows out of sight.
const PADDING: Readonly<Record<Lines, RegExp>> = { kept: / {32,}|\t{8,}|\n(?:[ \t]*\n){8,}/u, marked: / {8,}/u };
const TO_MARK: Readonly<Record<Lines, RegExp>> = {
  kept: new RegExp(`${PADDING.kept.source}|${HIDDEN.source}`, 'gu'),
  marked: new RegExp(`${PADDING.marked.source}|${HIDDEN.source}`, 'gu'),
};

const NAMES: Readonly<Record<number, string>> = {
  0x00: 'null',
  0x07: 'bell',
  0x08: 'backspace',
  0x09: 'tab',
  0x0a: 'line feed',
  0x0d: 'carriage return',
  0x1b: 'escape',
  0x7f: 'delete',
  0xa0: 'no-break space',
  0xad: 'soft hyphen',
  0x200b: 'zero width space',
  0x200c: 'zero width non-joiner',
  0x200d: 'zero width joiner',
  0x200e: 'left-to-right mark',
  0x200f: 'right-to-left mark',
  0x2028: 'line separator',
  0x2029: 'paragraph separator',
  0x202a: 'left-to-right embedding',
  0x202b: 'right-to-left embedding',
  0x202c: 'pop directional formatting',
  0x202d: 'left-to-right override',
  0x202e: 'right-to-left override',
  0x2060: 'word joiner',
  0x2066: 'left-to-right isolate',
  0x2067: 'right-to-left isolate',
  0x2068: 'first strong isolate',
  0x2069: 'pop directional isolate',
  0xfeff: 'byte order mark',
};

function nameOf(point: number): string {
  const known = NAMES[point];
  if (known !== undefined) return known;
  if (point < 0x20 || (point >= 0x7f && point < 0xa0)) return 'control character';
  if (point >= 0xd800 && point <= 0xdfff) return 'half of a surrogate pair';
  if (point >= 0xe0000 && point <= 0xe007f) return 'tag character';
  return /\p{Z}/u.test(String.fromCodePoint(point)) ? 'unusual space' : 'invisible character';
}

export function makeVisible(text: string, lines: Lines): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(TO_MARK[lines])) {
    const point = match[0].codePointAt(0)!;
    if (match[0].length >= 8) {
      const [before, mark, after] = paddingIn(match[0]);
      const plain = text.slice(from, match.index) + before;
      if (plain !== '') pieces.push({ kind: 'text', text: plain });
      pieces.push({ kind: 'mark', text: mark, name: 'padding' });
      from = match.index + match[0].length - after.length;
      continue;
    }
    if (lines === 'kept' && (point === 0x0a || point === 0x09)) continue;
    if (match.index > from) pieces.push({ kind: 'text', text: text.slice(from, match.index) });
    pieces.push({ kind: 'mark', text: `⟦U+${point.toString(16).toUpperCase().padStart(4, '0')}⟧`, name: nameOf(point) });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
  return pieces;
}

/** The remaining text, with how much was left out in between. */
function paddingIn(run: string): [before: string, mark: string, after: string] {
  if (!run.startsWith('\n')) return ['', `⟦${run.length} ${run.startsWith(' ') ? 'spaces' : 'tabs'}⟧`, ''];
  return ['\n', `⟦${run.split('\n').length - 2} empty lines⟧`, '\n'];
}

export const visibleText = (text: string, lines: Lines): string =>
  makeVisible(text, lines)
    .map((piece) => piece.text)
    .join('');

export const countMarks = (text: string, lines: Lines): number => makeVisible(text, lines).filter((piece) => piece.kind === 'mark').length;

/** Lines as an editor counts them: a trailing line feed ends the last line and begins no other. */
export const countLines = (text: string): number => text.replace(/\n$/, '').split('\n').length;
