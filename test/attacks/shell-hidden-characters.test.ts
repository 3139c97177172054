// Control characters, CR, bidi and zero-width characters: a command that looks different from what it runs is never SAFE, and says why.

import fc from 'fast-check';
import { expect } from 'vitest';
import { readCommand } from '../../src/shell/index.ts';
import { verifies } from '../verifies.ts';

const HIDDEN = [
  ...['\u0000', '\u0001', '\u0007', '\b', '\u000b', '\f', '\r', '\u001b', '\u007f', '\u0085', '\u009b'],
  ...[
    '\u00a0',
    '\u00ad',
    '\u061c',
    '\u180e',
    '\u2003',
    '\u200b',
    '\u200d',
    '\u200e',
    '\u200f',
    '\u2028',
    '\u202a',
    '\u202e',
    '\u2060',
    '\u2066',
    '\u2069',
  ],
  ...['\u3000', '\u3164', '\ufeff', '\u{e0041}', '\ud800'],
];

verifies('I11', 'a hidden character anywhere is found and named', () => {
  const property = fc.property(
    fc.constantFrom(...HIDDEN),
    fc.constantFrom('ls -la', 'cat a.txt | head -n 3', "grep -rn 'x y' src", 'echo "a b" # comment', "cat <<'E'\ntext\nE"),
    fc.nat(),
    (character, command, at) => {
      const i = at % (command.length + 1);
      const { class: found, reasons } = readCommand(command.slice(0, i) + character + command.slice(i));
      const named = reasons.find(({ code }) => code === 'CONTROL_CHARACTERS');
      const name = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
      expect([found === 'SAFE', named?.message]).toEqual([
        false,
        `contains characters that are not seen or that reorder the text: ${name}`,
      ]);
    },
  );
  fc.assert(property, { numRuns: 500 });
});

verifies('I11', 'letters of other scripts and line breaks hide nothing', () => {
  expect(['echo ä 漢 🙂 שלום', 'ls\tsrc', 'ls\npwd\n'].map((command) => readCommand(command).class)).toEqual(['SAFE', 'SAFE', 'SAFE']);
});
