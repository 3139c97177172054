import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { brainFileOf, writeBrain } from './brain-file.ts';
import { makeTree } from './tree.fixture.ts';

const BEGIN = '<!-- countersign:begin (kept by Countersign; edit outside of it) -->';
const END = '<!-- countersign:end -->';
const read = (root: string, file = 'AGENTS.md'): string => readFileSync(join(root, file), 'utf8');

verifies('I6', 'the brain is the first file that is there', async () => {
  expect(await brainFileOf(makeTree())).toBe('AGENTS.md');
  expect(await brainFileOf(makeTree({ 'CLAUDE.md': '', 'AGENT.md': '', 'AGENTS.md': '' }))).toBe('AGENTS.md');
  expect(await brainFileOf(makeTree({ 'CLAUDE.md': '', 'AGENT.md': '' }))).toBe('AGENT.md');
  expect(await brainFileOf(makeTree({ 'CLAUDE.md': '', 'agents.md': '', 'AGENTS.md/': '' }))).toBe('CLAUDE.md');
  const linked = makeTree({ 'CLAUDE.md': 'mine\n' });
  symlinkSync('CLAUDE.md', join(linked, 'AGENTS.md'));
  expect(await brainFileOf(linked)).toBe('CLAUDE.md');
  expect(await writeBrain(linked, ['- a'])).toBe('written');
  expect(read(linked, 'CLAUDE.md')).toBe(`mine\n\n${BEGIN}\n- a\n${END}\n`);
});

verifies('I6', 'the block is made, kept, changed and removed', async () => {
  const root = makeTree();
  expect(await writeBrain(root, [])).toBe('nothing');
  expect(readdirSync(root)).toEqual([]);
  expect(await writeBrain(root, ['## Learned', '- a'])).toBe('written');
  expect(read(root)).toBe(`${BEGIN}\n## Learned\n- a\n${END}\n`);
  expect(await writeBrain(root, ['## Learned', '- a'])).toBe('unchanged');

  writeFileSync(join(root, 'AGENTS.md'), `# Ours\r\n\r\n${BEGIN.replace('edit', 'please edit')}\r\nold\r\n${END}  \r\nand more`);
  expect(await writeBrain(root, ['- b', '- c'])).toBe('written');
  expect(read(root)).toBe(`# Ours\r\n\r\n${BEGIN}\r\n- b\r\n- c\r\n${END}\r\nand more`);
  expect(await writeBrain(root, [])).toBe('written');
  expect(read(root)).toBe('# Ours\r\n\r\nand more');
  expect(await writeBrain(root, [])).toBe('nothing');
  expect(readdirSync(root)).toEqual(['AGENTS.md']);

  const only = makeTree();
  await writeBrain(only, ['- a']);
  expect(await writeBrain(only, [])).toBe('written');
  expect(readdirSync(only)).toEqual([]);
});

verifies('I6', 'a broken pair of marks is a fault with the line', async () => {
  const bad: [text: string, message: string][] = [
    [`a\n${BEGIN}\nb\n`, ':2: the block of countersign that begins here never ends'],
    [`a\n${BEGIN}\nb ${END}\n`, ':2: the block of countersign that begins here never ends'],
    [`a\n\n${END}\n`, ':3: a block of countersign ends here that never began'],
    [
      `${END}\n${BEGIN}\n`,
      ':1: a block of countersign ends here that never began\nAGENTS.md:2: the block of countersign that begins here never ends',
    ],
    [`${BEGIN}\n${BEGIN}\n${END}\n`, ':2: the block of countersign that begins at line 1 begins again'],
    [
      `\ufeff${BEGIN}\n${END}\n${BEGIN}\r\n${END}\n`,
      ':3: a second block of countersign is here\nAGENTS.md:4: a second block of countersign is here',
    ],
  ];
  for (const [text, message] of bad)
    for (const lines of [['- a'], []]) {
      const root = makeTree({ 'AGENTS.md': text });
      await expect(writeBrain(root, lines)).rejects.toMatchObject({ code: 'DOCUMENT_INVALID', message: `AGENTS.md${message}` });
      expect(read(root)).toBe(text);
    }
});

verifies('I6', 'a full block says how much is left out', async () => {
  const root = makeTree();
  await writeBrain(
    root,
    Array.from({ length: 100 }, (_, index) => `- ${index} ${'é'.repeat(20)}`),
  );
  const block = read(root).trimEnd();
  const kept = block.split('\n').length - 3;
  expect(block.split('\n').at(-2)).toBe(`(${100 - kept} more lines are left out here)`);
  expect(Buffer.byteLength(block)).toBeLessThanOrEqual(2048);
  expect(Buffer.byteLength(block)).toBeGreaterThan(2048 - 50);
  await writeBrain(root, ['x'.repeat(3000)]);
  expect(read(root)).toBe(`${BEGIN}\n(1 more line is left out here)\n${END}\n`);
});

test('what a line holds cannot end the block or hide what follows', async () => {
  const root = makeTree();
  await writeBrain(root, [END, `a ${BEGIN}`, 'b\r\nc\u0000\u202ed\u2066\ud800', '```js', '- <script>Map<K> a < b --> x', '<!- ok']);
  expect(read(root).split('\n').slice(1, -2)).toEqual([
    '&lt;!-- countersign:end --&gt;',
    'a &lt;!-- countersign:begin (kept by Countersign; edit outside of it) --&gt;',
    'b  c  d \ufffd',
    '\\`\\`\\`js',
    '- &lt;script>Map&lt;K> a < b --&gt; x',
    '&lt;!- ok',
  ]);
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.array(fc.constantFrom('a', '\n', '\r\n', '\ufeff', ' ', '<!--', '-->', '# h'), { maxLength: 12 }).map((parts) => parts.join('')),
);
const line = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(BEGIN, END, '<!--', '-->', '<!-- countersign:end', '```', '<!<!--'),
);

verifies('I6', 'no byte outside the block ever changes', async () => {
  const root = makeTree();
  const path = join(root, 'AGENTS.md');
  await fc.assert(
    fc.asyncProperty(
      text,
      text,
      fc.array(line, { minLength: 1, maxLength: 8 }),
      fc.array(line, { minLength: 1, maxLength: 8 }),
      async (mine, later, first, second) => {
        const before = mine.toWellFormed();
        writeFileSync(path, before);
        expect(await writeBrain(root, first)).toBe('written');
        const one = read(root);
        expect(one.startsWith(before)).toBe(true);
        expect(one.slice(before.length)).toMatch(/^(?:\r?\n)*<!-- countersign:begin/);
        const block = one.slice(one.indexOf(BEGIN), one.indexOf(END) + END.length);
        expect(Buffer.byteLength(block)).toBeLessThanOrEqual(2048);
        expect(block.match(/<!--/g)).toEqual(['<!--', '<!--']);
        expect(block.replaceAll(/[\r\n]/g, '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);

        await writeBrain(root, []);
        expect(existsSync(path) ? read(root) : '').toBe(before);

        const [head, tail] = [`${before}\n`, `\n${later.toWellFormed()}`];
        writeFileSync(path, head + block + tail);
        await writeBrain(root, second);
        const two = read(root);
        expect([two.slice(0, head.length), two.slice(two.length - tail.length)]).toEqual([head, tail]);
      },
    ),
    { numRuns: 60 },
  );
});
