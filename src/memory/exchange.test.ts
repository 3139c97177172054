import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeCheck, makeCitation, makeClaim, sha256 } from '../claims/claims.fixture.ts';
import { type Claim, ClaimKind, Fault, newId } from '../protocol/index.ts';
import { exportLines, parseImport } from './exchange.ts';
import { memoryOf, WORKSPACE } from './memory.fixture.ts';

const MARKER = '{"countersign_memory":1}';
const draftOf = ({ kind, statement, rationale, citations, checks, scope }: Claim, line: number) => ({
  line,
  kind,
  statement,
  rationale,
  citations,
  evidence: checks.map(({ evidence }) => evidence),
  scope,
});

function troubleOf(text: string): string {
  try {
    parseImport(text, 'm.jsonl');
  } catch (error) {
    if (error instanceof Fault && error.code === 'DOCUMENT_INVALID') return error.message;
    throw error;
  }
  throw new Error('expected a fault');
}

test('an export is a marker and one canonical line for each memory', () => {
  const memory = memoryOf('first', 'second');
  const [marker, first, second, ...rest] = [...memory.exportLines(WORKSPACE)];
  expect([marker, rest]).toEqual([MARKER, []]);
  expect(first).toBe(
    '{"agent":"test","approved":null,"checks":[],"citations":[],"id":"clm_00000000000000000000000001","kind":"claim","rationale":null,"receipts":[],"scope":[],"session":null,"statement":"first","written_at":"2030-05-01T12:00:00.000Z"}',
  );
  expect(JSON.parse(second!)).toMatchObject({ statement: 'second' });
  expect([...memory.exportLines('another')]).toEqual([MARKER]);
});

test('an import carries no status, approval, session or receipt', () => {
  const claim = makeClaim({
    kind: 'fact',
    session: newId('ses'),
    receipts: [newId('rcp')],
    approved: { proof: 'passkey', via: 'web' },
    checks: [makeCheck({ type: 'file_exists', path: 'a.ts' })],
    citations: [makeCitation('a.ts', 1, 'x')],
  });
  expect(parseImport([...exportLines([claim])].join('\n'))).toEqual([draftOf(claim, 2)]);
});

test('a line that a person writes needs only say what is to be remembered', () => {
  expect(parseImport(`\ufeff${MARKER}\r\n\r\n{"kind":"note","statement":"ask Ada"}\r\n`)).toEqual([
    { line: 3, kind: 'note', statement: 'ask Ada', rationale: null, citations: [], evidence: [], scope: [] },
  ]);
});

test('every bad line is named with what and where, and nothing is taken', () => {
  const good = '{"kind":"note","statement":"fine"}';
  const lines = [
    MARKER,
    good,
    '{"kind":"note"',
    '{"kind":"rumour","statement":"x"}',
    good,
    '{"kind":"note","statement":"x","status":"VERIFIED"}',
    '[]',
  ];
  expect(troubleOf(lines.join('\n')).split('\n')).toEqual([
    'm.jsonl:3: is not JSON; each line holds one memory, whole',
    'm.jsonl:4: kind: Invalid option: expected one of "fact"|"decision"|"constraint"|"claim"|"note"; write it as an export does',
    'm.jsonl:6: Unrecognized key: "status"; write it as an export does',
    'm.jsonl:7: Invalid input: expected object, received array; write it as an export does',
  ]);
  expect(
    troubleOf([MARKER, ...Array<string>(25).fill('x')].join('\n'))
      .split('\n')
      .at(-1),
  ).toBe('and 5 more lines');
});

test('a file of another format or version is refused', () => {
  expect(troubleOf('')).toBe('m.jsonl:1: the first line has to be {"countersign_memory":1}');
  expect(troubleOf('{"kind":"note","statement":"x"}')).toBe('m.jsonl:1: the first line has to be {"countersign_memory":1}');
  expect(troubleOf('{"countersign_memory":2}')).toBe(
    "m.jsonl:1: the format's version is 2, and only 1 is known here; export again with this version",
  );
  for (const marker of ['null', '1', '"countersign_memory"', '[]']) expect(troubleOf(marker)).toMatch(/first line/);
});

const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
const path = fc.constantFrom('a.ts', 'src/ä b.ts', 'x/y/z.md');
const evidence = fc.oneof(
  fc.record({ type: fc.constant('file_exists' as const), path }),
  fc.record({ type: fc.constant('grep_hit' as const), path, pattern: text }),
  fc.record({ type: fc.constant('test_pass' as const), command: text }),
);
const claims = fc.array(
  fc
    .record({
      kind: fc.constantFrom(...ClaimKind.options),
      statement: text,
      rationale: fc.option(text),
      scope: fc.array(path, { maxLength: 3 }),
      checks: fc.array(
        evidence.map((each) => makeCheck(each)),
        { maxLength: 3 },
      ),
      citations: fc.array(
        fc.record({
          path,
          start_line: fc.integer({ min: 1, max: 9 }),
          end_line: fc.integer({ min: 9, max: 99 }),
          sha256: text.map(sha256),
        }),
        { maxLength: 3 },
      ),
    })
    .map((given) => makeClaim(given)),
  { maxLength: 5 },
);

test('what is exported is imported again, whatever it says', () => {
  fc.assert(
    fc.property(claims, (given) => {
      expect(parseImport(`${[...exportLines(given)].join('\n')}\n`)).toEqual(given.map((claim, at) => draftOf(claim, at + 2)));
    }),
    { numRuns: 200 },
  );
});

test('no text makes an import throw anything but a fault that names a line', () => {
  const piece = fc.oneof(
    fc.constantFrom(MARKER, '\n', '{"kind":"note","statement":"x"', '}', ',"scope":', '[]', 'null', '"__proto__":{}'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const whole = pieces.join('');
      let drafts: readonly unknown[] | null = null;
      try {
        drafts = parseImport(whole, 'm.jsonl');
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'DOCUMENT_INVALID') throw error;
        expect(error.message).toMatch(/^m\.jsonl:\d+: /);
      }
      if (drafts !== null) expect(whole.startsWith(MARKER) || whole.startsWith(`\ufeff${MARKER}`)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
