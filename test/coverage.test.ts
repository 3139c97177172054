// Which requirements have a test. A row without one is listed; a row that must have one fails.

import { expect, test } from 'vitest';
import { REQUIREMENTS, type Requirement, type RequirementId, requirementIds } from './requirements.ts';
import { type SourceFile, sourceFiles } from './source-files.ts';

const MUST_BE_COVERED: readonly RequirementId[] = [
  ...(['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8'] as const),
  ...(['T1', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7', 'T8', 'T9', 'T10', 'T11', 'T12', 'T13'] as const),
  ...([
    'I1',
    'I2',
    'I3',
    'I4',
    'I5',
    'I6',
    'I7',
    'I8',
    'I9',
    'I10',
    'I11',
    'I12',
    'I13',
    'I14',
    'I15',
    'I16',
    'I20',
    'N1',
    'N2',
    'N3',
    'N5',
    'N6',
    'N7',
    'N11',
    'N14',
    'N15',
    'N16',
    'N17',
    'N18',
    'N19',
    'N21',
    'N22',
    'N23',
  ] as const),
  ...(['C1', 'C2', 'C3', 'C4', 'C6', 'C7', 'C8', 'C9', 'C12', 'C14', 'C15'] as const),
  ...(['G1', 'G2', 'G3', 'G5', 'G9', 'G14', 'G19', 'G21', 'G25', 'G27', 'G28', 'G30'] as const),
];

interface Citation {
  /** As written in the text; null when the call does not begin with a literal id. */
  readonly id: string | null;
  readonly where: string;
}

/** Not in a comment line. A tail such as `for (…) verifies(` counts, and an id on the next line. */
const CALL = /^(?!\s*(?:\/\/|\*)).*?\bverifies\(\s*(?:'([^']*)')?/gm;
const IMPORTS_VERIFIES = /^import \{ verifies \} from '[^']*\/verifies\.ts';$/m;

function citationsIn(files: readonly SourceFile[]): readonly Citation[] {
  return files
    .filter(({ text }) => IMPORTS_VERIFIES.test(text))
    .flatMap(({ path, text }) =>
      [...text.matchAll(CALL)].map(({ 1: id, index }) => ({ id: id ?? null, where: `${path}:${text.slice(0, index).split('\n').length}` })),
    );
}

const citations = citationsIn(sourceFiles());
const cited = new Set(citations.map(({ id }) => id));
const rows: Readonly<Record<string, Requirement>> = REQUIREMENTS;

test('every citation is a literal id of a row that exists', () => {
  const wrong = citations.filter(({ id }) => id === null || !Object.hasOwn(rows, id));
  expect(wrong, 'a call begins with the literal id of a row').toEqual([]);
});

test('the rows that must have a test have one', () => {
  expect(MUST_BE_COVERED.filter((id) => !cited.has(id))).toEqual([]);
});

test('the listing of rows with and without a test', () => {
  const ofLetters = (ids: readonly string[]) =>
    [...Map.groupBy(ids, (id) => id.charAt(0))]
      .map(([letter, some]) => `  ${letter}  ${some.map((id) => id.slice(1)).join(' ')}`)
      .join('\n');
  const now = requirementIds.filter((id) => rows[id]?.later !== true);
  const covered = now.filter((id) => cited.has(id));
  const open = now.filter((id) => !cited.has(id));
  expect(covered.length + open.length).toBe(now.length);
  console.log(
    `Requirements with a test (${covered.length} of ${now.length}, ${citations.length} citations):\n${ofLetters(covered)}\nwithout a test yet (${open.length}):\n${ofLetters(open)}`,
  );
});

test('planted: an unknown id, an id on the next line and a call without a literal id are found', () => {
  const head = "import { verifies } from './verifies.ts';\n";
  const files = [
    {
      path: 'a.test.ts',
      text: `${head}  verifies('Q1', 'x', () => {});\nverifies(\n  'I2',\n  'y', () => {});\n// verifies('I9'\nverifies(id, 'z')\n`,
    },
    { path: 'b.test.ts', text: "verifies('I2', 'not ours', () => {});" },
  ];
  expect(citationsIn(files)).toEqual([
    { id: 'Q1', where: 'a.test.ts:2' },
    { id: 'I2', where: 'a.test.ts:3' },
    { id: null, where: 'a.test.ts:7' },
  ]);
});
