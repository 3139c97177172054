// Characters that a person does not see, or that change the order in which the text is shown. Such a command can show something different
// from what it runs.

/** Tab and line feed are the only control characters that a command needs. */
const HIDDEN = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]', // C0 and C1 controls, with CR and ESC
    '[\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]', // blanks that the shell does not treat as blanks
    '[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\uffff]', // zero width, bidi, fillers
    '[\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]', // musical controls, tags
    '\\p{Surrogate}', // half a character
  ].join('|'),
  'gu',
);

const NAMED = 5;

/** Where the first one is, and the names of the first few; null when there is none. */
export function findHiddenCharacters(text: string): { readonly index: number; readonly names: string } | null {
  const found = [...text.matchAll(HIDDEN)];
  const first = found[0];
  if (first === undefined) return null;
  const names = found.slice(0, NAMED).map(([character]) => `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`);
  return { index: first.index, names: [...new Set(names)].join(', ') + (found.length > NAMED ? ', …' : '') };
}
