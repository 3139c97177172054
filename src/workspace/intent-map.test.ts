import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { INTENT_MAP_FILE, type IntentMapEntry, type IntentMapFile, renderIntentMap, writeIntentMap } from './intent-map.ts';
import { makeTree } from './tree.fixture.ts';

const HEAD = '<!-- Kept by Countersign and written again from its ledger: what is changed here by hand is lost. -->\n\n# Intent map\n';

const file = (change: Partial<IntentMapFile> = {}): IntentMapFile => ({
  path: 'src/login.ts',
  at: '2026-01-02T03:04:05.000Z',
  receipt_id: 'rcp_1',
  mutation: { class: 'INTENT_EVOLUTION', because: 'the body of `login` changed at line 12' },
  ranges: [{ start_line: 10, end_line: 20 }],
  symbols: [{ name: 'login', kind: 'function', container: null, start_line: 8, end_line: 25 }],
  ...change,
});

const intent = (change: Partial<IntentMapEntry> = {}): IntentMapEntry => ({
  id: 'INT-001',
  name: 'Log people in',
  status: 'active',
  owned_scope: ['src/**'],
  files: [file()],
  ...change,
});

verifies('I5', 'the map leads from intents to files, symbols and lines', () => {
  const second = intent({ id: 'INT-002', name: 'Later', status: 'proposed', owned_scope: ['docs/**', 'a b.md'], files: [] });
  const older = file({
    path: 'src/a (1).ts',
    at: '2026-01-01T00:00:00.000Z',
    mutation: null,
    ranges: [{ start_line: 3, end_line: 3 }],
    symbols: [],
  });
  expect(renderIntentMap([second, intent({ files: [older, file(), file({ at: '2025-01-01T00:00:00.000Z' })] })])).toBe(`${HEAD}
## INT-001 · Log people in (active)

Scope: \`src/**\`

- [\`src/login.ts\`](../src/login.ts): INTENT_EVOLUTION, the body of \\\`login\\\` changed at line 12; 2026-01-02T03:04:05.000Z, receipt \`rcp_1\`
  - function \`login\`: [\`#L8-L25\`](../src/login.ts#L8-L25)
  - lines [\`src/login.ts#L10-L20\`](../src/login.ts#L10-L20)
- [\`src/a (1).ts\`](../src/a%20%281%29.ts): 2026-01-01T00:00:00.000Z, receipt \`rcp_1\`
  - lines [\`src/a (1).ts#L3\`](../src/a%20%281%29.ts#L3)

## INT-002 · Later (proposed)

Scope: \`docs/**\`, \`a b.md\`

No file was changed for it yet.
`);
  expect(renderIntentMap([])).toBe(`${HEAD}\nThere are no intents yet.\n`);
});

test('an intent shows its newest 200 files and says how many it leaves out', () => {
  const files = Array.from({ length: 203 }, (_, index) =>
    file({ path: `f${index}.ts`, at: `2026-01-01T00:00:00.${String(index).padStart(3, '0')}Z`, ranges: [], symbols: [] }),
  );
  const text = renderIntentMap([intent({ files })]);
  expect(text.match(/^- \[/gm)).toHaveLength(200);
  expect(text).toContain('f202.ts');
  expect(text).not.toContain('f2.ts');
  expect(text.endsWith('\n\n3 more files are left out here.\n')).toBe(true);
});

test('a map of any number of intents stays a document', () => {
  const long = 'x'.repeat(290);
  const symbols = Array.from({ length: 30 }, (_, index) => ({
    name: `${long}${index}`,
    kind: 'const',
    container: null,
    start_line: 1,
    end_line: 9,
  }));
  const files = Array.from({ length: 250 }, (_, index) => file({ path: `${long}/${index}`, symbols }));
  const entries = Array.from({ length: 4000 }, (_, index) => intent({ id: `INT-${index}`, name: long, files: index < 3 ? files : [] }));
  const text = renderIntentMap(entries);
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
  expect(text).toMatch(/\n\n\d+ more intents are left out here\.\n$/);
});

test('hostile names stay text', () => {
  const name = '](http://evil.example) <script> `x` **b** | # @all www.evil.example\n## INT-999 · forged\u202e\u0000';
  const text = renderIntentMap([
    intent({ name, owned_scope: ['a`b``c', '`'], files: [file({ path: 'a`]\n- [x](y)`', symbols: [], ranges: [] })] }),
  ]);
  expect(text).toBe(`${HEAD}
## INT-001 · \\](http\\://evil.example) \\<script\\> \\\`x\\\` \\*\\*b\\*\\* \\| \\# \\@all www\\.evil.example \\#\\# INT-999 · forged   (active)

Scope: \`\`\`a\`b\`\`c\`\`\`, \`\` \` \`\`

- [\`\` a\`] - [x](y)\` \`\`](../a%60%5D%0A-%20%5Bx%5D%28y%29%60): INTENT_EVOLUTION, the body of \\\`login\\\` changed at line 12; 2026-01-02T03:04:05.000Z, receipt \`rcp_1\`
`);
});

test('whatever the names are, only our own lines begin a heading, a list item or a comment', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('`', '\n', '\r', '#', '<', '!', '-', ']', '[', ' ', '\u2028', '\ud800') }),
  );
  fc.assert(
    fc.property(hostile, hostile, hostile, (name, path, symbol) => {
      const symbols = [{ name: symbol, kind: 'const', container: null, start_line: 1, end_line: 99 }];
      const entries = [intent({ name, owned_scope: [path], files: [file({ path, symbols })] })];
      const text = renderIntentMap(entries);
      expect(text.split(/[\n\r\u2028\u2029]/)).toHaveLength(12);
      expect(text.isWellFormed()).toBe(true);
      expect(renderIntentMap(structuredClone(entries))).toBe(text);
    }),
    { numRuns: 300 },
  );
});

verifies('I5', 'the map is written when it says something new', async () => {
  const root = makeTree();
  expect(await writeIntentMap(root, 'one\n')).toBe(true);
  const first = statSync(join(root, INTENT_MAP_FILE)).ino;
  expect(await writeIntentMap(root, 'one\n')).toBe(false);
  expect(statSync(join(root, INTENT_MAP_FILE)).ino).toBe(first);
  expect(await writeIntentMap(root, 'two\n')).toBe(true);
  expect(readFileSync(join(root, INTENT_MAP_FILE), 'utf8')).toBe('two\n');
  expect(readdirSync(join(root, '.orchestration'))).toEqual(['intent_map.md']);
});

test('the map is not written through a link', async () => {
  const outside = makeTree({ 'map.md': 'mine\n' });
  const linkedFile = makeTree({ '.orchestration/': '' });
  symlinkSync(join(outside, 'map.md'), join(linkedFile, INTENT_MAP_FILE));
  await expect(writeIntentMap(linkedFile, 'x')).rejects.toMatchObject({ code: 'DOCUMENT_INVALID' });
  const linkedFolder = makeTree();
  mkdirSync(join(outside, 'folder'));
  symlinkSync(join(outside, 'folder'), join(linkedFolder, '.orchestration'));
  await expect(writeIntentMap(linkedFolder, 'x')).rejects.toMatchObject({ code: 'DOCUMENT_INVALID' });
  expect(readFileSync(join(outside, 'map.md'), 'utf8')).toBe('mine\n');
  expect(readdirSync(join(outside, 'folder'))).toEqual([]);
});
