import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { openCodeIndex } from './code-index.ts';
import { ANCHOR_DEFAULTS } from './graph/anchors.ts';
import { plainIndex } from './graph/plain-index.fixture.ts';
import { TreeGraph } from './graph/tree-graph.ts';
import { loadPack } from './load-packs.ts';
import { folder, write } from './tree/tree.fixture.ts';

/** Knows classes with `@Shelf()`, reads HTML as a list of words, and links text files by their first line. */
const PACK = `export const pack = {
  name: 'shelves',
  describeClass: (node, number, line) =>
    node.decorators[0]?.expression.callee?.name === 'Shelf'
      ? { component: { number, line, class_name: node.id.name, what: 'component', selector: 'shelf', template_url: null }, template: null }
      : null,
  templateLanguages: ['html'],
  readTemplate: async (out, { text, lines }) => {
    for (const { 0: word, index } of text.matchAll(/\\w+/g)) out.template('element', word, lines.line(index), lines.column(index), -1, -1, null, -1);
    return text.includes('!') ? 'it shouts' : null;
  },
  graph: async () => ({
    keeps: () => false,
    isFor: ({ file }) => file.path.endsWith('.txt'),
    read: ({ path, text, program }) => {
      if (text.startsWith('end')) process.exit(1);
      if (text.startsWith('throw')) throw new Error('no');
      return [text.trim(), program === null];
    },
    nothing: ['nothing', true],
    content: ({ facts }) => ({
      nodes: [...facts].map(([path, [name]]) => ({ id: 'pack:' + path, label: 'Shelf', name, path, line: 1, data: {} })),
      edges: [],
    }),
  }),
};
`;

function plantedPack(): string {
  const root = folder();
  write(root, { 'pack.mjs': PACK, 'no-pack.mjs': 'export const other = 1;\n' });
  return pathToFileURL(join(root, 'pack.mjs')).href;
}

test('the threads of the index read classes and templates with the packs that they are given', async () => {
  const root = folder();
  write(root, { 'a.ts': '@Shelf() export class A {}\n@Other() export class B {}\n', 'b.html': 'one two', 'c.html': 'three!' });
  const factsWith = async (packs: readonly string[]) => {
    const index = openCodeIndex(undefined, { threads: 1, packs });
    onTestFinished(() => index.close());
    await index.tree(root).ready();
    return {
      facts: (await index.tree(root).facts(['a.ts', 'b.html', 'c.html'])).map(({ components, template, file }) => [
        components.map(({ definition }) => definition),
        template.map(({ name, column }) => `${name} ${column}`),
        file.error,
      ]),
      events: (await index.tree(root).events()).hits,
    };
  };
  expect(await factsWith([plantedPack()])).toEqual({
    facts: [
      [['a.ts#A'], [], null],
      [[], ['one 1', 'two 5'], null],
      [[], ['three 1'], 'it shouts'],
    ],
    events: [{ kind: 'parse_error', path: 'c.html', why: 'it shouts' }],
  });
  expect(await factsWith([])).toEqual({
    facts: [
      [[], [], null],
      [[], [], null],
      [[], [], null],
    ],
    events: [],
  });
});

verifies('G28', 'a file that ends the thread of a pack costs what that file says, and the graph names it', async () => {
  const root = folder();
  write(root, { 'a.txt': 'first', 'b.txt': 'end', 'c.txt': 'throw', 'd.txt': 'last' });
  const graph = new TreeGraph({
    ...{ root, name: 'packs', index: await plainIndex(root), now: () => new Date(), packs: [plantedPack()] },
    ...{ anchors: async () => ANCHOR_DEFAULTS, memories: () => [], neo4j: async () => null },
  });
  onTestFinished(() => graph.close());
  const { graph: current, notes } = await graph.current();
  expect((await current.find({ label: 'Shelf', limit: 9 })).map(({ id, name }) => `${id} ${name}`)).toEqual([
    'pack:a.txt first',
    'pack:b.txt nothing',
    'pack:c.txt nothing',
    'pack:d.txt last',
  ]);
  expect(notes).toEqual(['The parser could not read b.txt.']);
  // What packs read out of the code is no row of the seeds.
  expect(await graph.export()).toMatchObject({ upserts: 0, deletes: 0, file: null });
});

test('only the module of a pack in a file is loaded', async () => {
  const other = plantedPack().replace('pack.mjs', 'no-pack.mjs');
  await expect(loadPack(other)).rejects.toThrow(`${other} exports no pack`);
  await expect(loadPack('data:text/javascript,export const pack = {}')).rejects.toThrow('is not the address of a file');
});
