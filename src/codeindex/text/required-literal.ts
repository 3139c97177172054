// The longest text that every match of a pattern has to hold, so that most files and lines need not be matched at all. An ambiguous pattern
// has no such text: this is only a short cut.

const QUANTIFIERS = new Set(['*', '?', '{', '+']);
/** Escapes that stand for the character itself. */
const PLAIN_ESCAPE = /[^A-Za-z0-9]/;

export function requiredLiteral(pattern: string): string {
  // Flags inside of a pattern, and \Q…\E, change what the rest means.
  if (/\(\?[a-zA-Z-]*[:)]/.test(pattern.replaceAll('(?:', '')) || pattern.includes('\\Q')) return '';
  let best = '';
  let run = '';
  let depth = 0;
  const end = (): void => {
    if (run.length > best.length) best = run;
    run = '';
  };
  const characters = Array.from(pattern);
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    if (character === '|' && depth === 0) return '';
    if (character === '(' || character === ')') {
      depth += character === '(' ? 1 : -1;
      end();
      continue;
    }
    if (character === '[') {
      end();
      at = endOfClass(characters, at);
      continue;
    }
    let literal: string | null = /[.^$*+?{}]/.test(character) ? null : character;
    if (character === '\\') {
      const next = characters[++at] ?? '';
      literal = PLAIN_ESCAPE.test(next) ? next : null;
      // \x41, \p{L} and the like: whatever follows may belong to them.
      if (literal === null && !/[wWdDsSbBAz]/.test(next)) return best;
    }
    const isRepeated = QUANTIFIERS.has(characters[at + 1] ?? '');
    if (literal === null || depth > 0) {
      end();
      if (character === '{') while (at < characters.length && characters[at] !== '}') at++;
      continue;
    }
    // `ab+c` holds `ab`, and `ab*c` holds `a`.
    if (!isRepeated) run += literal;
    else {
      if (characters[at + 1] === '+') run += literal;
      end();
    }
  }
  end();
  return best;
}

function endOfClass(characters: readonly string[], start: number): number {
  let at = start + 1;
  if (characters[at] === '^') at++;
  if (characters[at] === ']') at++;
  for (; at < characters.length && characters[at] !== ']'; at++) {
    if (characters[at] === '\\') at++;
    else if (characters[at] === '[' && characters[at + 1] === ':') at = Math.max(at, characters.indexOf(']', at + 2));
  }
  return at;
}
