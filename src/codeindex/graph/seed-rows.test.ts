import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { Fault } from '../../protocol/index.ts';
import { labelOf, parseSeeds, type Seeds } from './seed-rows.ts';

/** Any code units, halves of characters among them. */
const anyText = fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units));
const ROW = { id: 'pol-1', type: 'policy', version: '1.0.0', updated_at: '2026-02-17T09:00:00Z', updated_by: 'maria' };
const lines = (...rows: readonly unknown[]): string => rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n');
const parse = (...rows: readonly unknown[]): Seeds => parseSeeds([{ path: '.ai/graph/seed/a.jsonl', text: lines(...rows) }]);
const complaints = (...rows: readonly unknown[]): readonly string[] => {
  try {
    parse(...rows);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    expect((error as Fault).code).toBe('DOCUMENT_INVALID');
    return (error as Fault).message.split('\n').map((line) => line.replace('.ai/graph/seed/', ''));
  }
};

verifies('G28', 'a row is a node, with edges to folders, nodes and rows', () => {
  const row = {
    ...ROW,
    title: 'No any',
    domainAnchorIds: ['src/app', 'anchor:.'],
    graphNodeIds: ['file:a.ts'],
    edges: [{ type: 'REPLACES', to: 'pol-0' }],
  };
  const { nodes, edges, rows } = parse(row, '', { ...ROW, id: 'pol-0', type: 'plan_rule', version: 2 });
  expect(nodes).toEqual([
    { id: 'pol-1', label: 'Policy', name: 'No any', path: null, line: null, data: row },
    { id: 'pol-0', label: 'PlanRule', name: 'pol-0', path: null, line: null, data: { ...ROW, id: 'pol-0', type: 'plan_rule', version: 2 } },
  ]);
  expect(edges).toEqual(
    [
      { type: 'APPLIES_TO', to: 'anchor:src/app' },
      { type: 'APPLIES_TO', to: 'anchor:.' },
      { type: 'ABOUT', to: 'file:a.ts' },
      { type: 'REPLACES', to: 'pol-0' },
    ].map((edge) => ({ from: 'pol-1', ...edge, path: '.ai/graph/seed/a.jsonl', line: 1 })),
  );
  expect(rows.get('pol-0')).toMatchObject({ path: '.ai/graph/seed/a.jsonl', line: 3 });
});

for (const field of Object.keys(ROW) as (keyof typeof ROW)[])
  verifies('G28', `a row without ${field} is an error with file and line`, () => {
    const { [field]: _, ...rest } = ROW;
    expect(complaints({ ...ROW, id: 'other' }, rest)).toEqual([`a.jsonl:2: has no ${field}`]);
  });

verifies('G28', 'every complaint of every file is reported at once', () => {
  expect(
    complaints(
      { ...ROW, id: ' ', type: 'a b', version: 0, updated_at: 'yesterday', updated_by: '' },
      '[1]',
      '{"id": "x",}',
      '{"id": "x", "id": "y"}',
      { ...ROW, id: 'anchor:src' },
      { ...ROW, id: 'a', type: 'domain_anchor' },
      { ...ROW, id: 'b', edges: [{ type: 'lower', to: 'pol-1' }] },
      { ...ROW, id: 'c', domainAnchorIds: 'src' },
      { ...ROW, id: 'd', graphNodeIds: ['nowhere'] },
      { ...ROW, id: 'e', op: 'delete' },
      `{"id":"\\ud800","type":"policy","version":1,"updated_at":"2026-02-17T09:00:00Z","updated_by":"x"}`,
    ),
  ).toEqual([
    'a.jsonl:1: id is a text of at most 512 characters',
    'a.jsonl:1: type is a word such as policy or recipe',
    'a.jsonl:1: version is a text or a whole number above 0',
    'a.jsonl:1: updated_at is a time such as 2026-02-17T09:00:00Z',
    'a.jsonl:1: updated_by says who',
    'a.jsonl:2: a row is a JSON object',
    'a.jsonl:3: expected a key in double quotes (a comma before a closing brace is not JSON)',
    'a.jsonl:4: the key "id" is there twice',
    'a.jsonl:5: id begins like the ids of what is read out of the code (anchor:, file:, symbol:, pack:)',
    'a.jsonl:6: type is read out of the code and cannot be written down',
    'a.jsonl:7: edges is a list of {"type": "IN_CAPITALS", "to": "an id"}',
    'a.jsonl:8: domainAnchorIds is a list of ids',
    'a.jsonl:10: a row cannot delete another: take the other row out of its file',
    'a.jsonl:11: holds half of a character (a lone surrogate)',
    'a.jsonl:9: leads to "nowhere", and no row has that id',
  ]);
});

verifies('G28', 'an id that two files have is an error that names both places', () => {
  const text = lines(ROW);
  expect(() =>
    parseSeeds([
      { path: 'a.jsonl', text },
      { path: 'sub/b.jsonl', text: `\ufeff\n${text}` },
    ]),
  ).toThrow('sub/b.jsonl:2: id "pol-1" is at a.jsonl:1 already');
});

test('a memory may be led to although the ledger may retire it', () => {
  expect(complaints({ ...ROW, graphNodeIds: ['clm_0123456789'] })).toEqual([]);
});

test('a type is a label in its own spelling', () => {
  expect(['policy', 'plan_rule', 'Policy', 'strategySignal', 'a__b'].map(labelOf)).toEqual([
    'Policy',
    'PlanRule',
    'Policy',
    'StrategySignal',
    'AB',
  ]);
});

test('fuzzed: any text is rows or one Fault whose every line names file and line', () => {
  const field = fc.constantFrom(
    'id',
    'type',
    'version',
    'updated_at',
    'updated_by',
    'edges',
    'domainAnchorIds',
    'graphNodeIds',
    'op',
    '__proto__',
    'name',
  );
  const value = fc.oneof(fc.constantFrom(...Object.values(ROW)), fc.jsonValue({ maxDepth: 3 }), anyText);
  const row = fc.oneof(
    fc
      .array(fc.tuple(field, value), { maxLength: 9 })
      .map((entries) => `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each) ?? 'null'}`).join(',')}}`),
    fc
      .tuple(fc.uuid(), fc.dictionary(fc.constantFrom('name', 'note', 'edges'), value, { maxKeys: 1 }))
      .map(([id, more]) => JSON.stringify({ ...ROW, id, ...more })),
    anyText,
    fc.json(),
  );
  let good = 0;
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), (rows) => {
      try {
        const { nodes } = parseSeeds([{ path: 'f.jsonl', text: rows.join('\n') }]);
        good += nodes.length;
        for (const { id, data } of nodes) expect([typeof id, data['updated_by'] !== undefined]).toEqual(['string', true]);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        for (const line of error.message.split('\n')) expect(line).toMatch(/^f\.jsonl:[1-9]\d*: |^and \d+ more$/);
      }
    }),
    { numRuns: 500 },
  );
  expect(good).toBeGreaterThan(0);
});
