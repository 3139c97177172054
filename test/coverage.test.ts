// Which requirements have a test. A row without one is listed; a row that must have one fails.

import { expect, test } from 'vitest';
import { REQUIREMENTS, type Requirement, type RequirementId, requirementIds } from './requirements.ts';
import { type SourceFile, sourceFiles } from './source-files.ts';

/** Rows that no test cites yet. Every other row must have one: take a row out of here with its first test. */
const WITHOUT_A_TEST_YET: readonly RequirementId[] = [
  'I19',
  ...(['G4', 'G10', 'G11', 'G12', 'G13', 'G15', 'G16', 'G17', 'G20', 'G22', 'G23', 'G24', 'G29', 'G31'] as const),
  ...(['C10', 'C11', 'C16', 'C17', 'N4', 'N8'] as const),
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

const now = requirementIds.filter((id) => rows[id]?.later !== true);

test('every row has a test, but for those that are named', () => {
  expect(now.filter((id) => !cited.has(id) && !WITHOUT_A_TEST_YET.includes(id))).toEqual([]);
});

test('the listing of rows with and without a test', () => {
  const ofLetters = (ids: readonly string[]) =>
    [...Map.groupBy(ids, (id) => id.charAt(0))]
      .map(([letter, some]) => `  ${letter}  ${some.map((id) => id.slice(1)).join(' ')}`)
      .join('\n');
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
