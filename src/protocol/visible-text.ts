// Text that came from an agent, made visible: control characters, escape sequences and characters that turn or hide text could make a
// person read something other than what is there.

// Every space but the plain one, and letters that are drawn as nothing; U+2800 is a Braille cell without dots.
const HIDDEN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

// More than ordinary indentation or blank lines, and enough to push what follows out of sight.
const PADDING = { 'one line': / {8,}/gu, block: / {32,}|\t{8,}|\n(?:[ \t]*\n){8,}/gu } as const;

function paddingText(run: string): string {
  if (!run.startsWith('\n')) return `⟦${run.length} ${run.startsWith(' ') ? 'spaces' : 'tabs'}⟧`;
  return `\n⟦${run.split('\n').length - 2} empty lines⟧\n`;
}

/** `keep` keeps line breaks and tabs, for text shown as a block. Padding is replaced by its length in both. */
export function visible(text: string, keep: 'one line' | 'block' = 'one line'): string {
  return text
    .replace(PADDING[keep], paddingText)
    .replace(HIDDEN, (character) =>
      keep === 'block' && (character === '\n' || character === '\t')
        ? character
        : `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`,
    );
}
