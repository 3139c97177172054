import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { Claim } from '../protocol/index.ts';
import { makeTree } from '../workspace/tree.fixture.ts';
import { makeCheck, makeCitation, makeClaim, NOON } from './claims.fixture.ts';
import { RESTATEMENT_EXAMPLES, restates } from './restates.ts';
import { statusOf } from './status.ts';

const look = (root: string, claim: Partial<Claim>, changed = false) =>
  statusOf(makeClaim(claim), { root, changedSince: (at) => at === NOON && changed });

const UNTESTED = '; whether it says so was not tested';
const LIMIT = 'export const LOGIN_LIMIT = 5;';

test('a claim without evidence is asserted, whoever says it', async () => {
  const root = makeTree();
  expect(await look(root, {})).toEqual({ status: 'ASSERTED', because: 'nothing was cited or checked', moved: [] });
});

verifies('N6', 'an approval does not verify', async () => {
  expect(await look(makeTree(), { kind: 'fact', approved: { proof: 'passkey', via: 'web' } })).toEqual({
    status: 'ASSERTED',
    because: 'nothing was cited or checked; a human approved it, which is no evidence',
    moved: [],
  });
});

verifies('N6', 'a cited line is only cited, moves along, and goes stale', async () => {
  const root = makeTree({ 'a.ts': `// head\n${LIMIT}\n` });
  const claim = { citations: [makeCitation('a.ts', 2, LIMIT)] };
  expect(await look(root, claim)).toEqual({
    status: 'CITED',
    because: `a.ts:2 is as it was cited${UNTESTED}`,
    moved: [],
  });

  writeFileSync(join(root, 'a.ts'), `// head\n// more\n// and more\n${LIMIT}\n`);
  expect(await look(root, claim)).toEqual({
    status: 'CITED',
    because: `the lines cited as a.ts:2 are at line 4 now${UNTESTED}`,
    moved: [{ path: 'a.ts', start_line: 4, end_line: 4, was: 'a.ts:2' }],
  });

  writeFileSync(join(root, 'a.ts'), `// head\n${LIMIT.replace('5', '6')}\n`);
  expect(await look(root, claim)).toEqual({ status: 'STALE', because: 'the cited lines a.ts:2 changed', moved: [] });

  rmSync(join(root, 'a.ts'));
  expect(await look(root, claim)).toEqual({
    status: 'STALE',
    because: 'a.ts:2 was cited, and the file does not exist',
    moved: [],
  });
});

verifies('N6', 'one stale citation outweighs one that holds', async () => {
  const root = makeTree({ 'a.ts': `${LIMIT}\nother line of code\n` });
  const citations = [makeCitation('a.ts', 1, LIMIT), makeCitation('a.ts', 2, 'what was\nhere before')];
  expect(await look(root, { citations })).toEqual({ status: 'STALE', because: 'the cited lines a.ts:2-3 changed', moved: [] });
});

verifies('N6', 'files are looked at afresh and can refute', async () => {
  const root = makeTree({ 'a.ts': LIMIT });
  const checks = [makeCheck({ type: 'file_exists', path: 'a.ts' }), makeCheck({ type: 'grep_hit', path: 'a.ts', pattern: 'LIMIT = \\d' })];
  expect(await look(root, { checks }, true)).toEqual({
    status: 'CITED',
    because: `file_exists: a.ts exists; grep_hit: found at a.ts:1${UNTESTED}`,
    moved: [],
  });
  writeFileSync(join(root, 'a.ts'), 'nothing here');
  expect(await look(root, { checks })).toEqual({
    status: 'REFUTED',
    because: `grep_hit held on ${NOON} and does not now: no line of a.ts matches`,
    moved: [],
  });
  rmSync(join(root, 'a.ts'));
  symlinkSync('/etc/hosts', join(root, 'a.ts'));
  expect((await look(root, { checks })).status).toBe('STALE');
});

verifies('N6', 'a command’s result is stale once a file changed or another commit is checked out', async () => {
  const root = makeTree();
  const checks = [makeCheck({ type: 'test_pass', command: 'npm test' })];
  expect(await look(root, { checks })).toEqual({
    status: 'CITED',
    because: `test_pass passed on ${NOON}: as the test says${UNTESTED}`,
    moved: [],
  });
  expect(await look(root, { checks }, true)).toEqual({
    status: 'STALE',
    because: `test_pass passed on ${NOON}, and files changed since`,
    moved: [],
  });
});

verifies('N6', 'what a command showed on another commit is stale; an older record without a commit is not', async () => {
  const at = (then: string | null | undefined, now: string | null) =>
    statusOf(
      makeClaim({ checks: [{ ...makeCheck({ type: 'cmd_exit0', command: 'true' }), ...(then === undefined ? {} : { revision: then }) }] }),
      { root: makeTree(), changedSince: () => false, revision: async () => now },
    );
  expect((await at('a', 'a')).status).toBe('CITED');
  expect(await at('a', 'b')).toMatchObject({ status: 'STALE', because: `cmd_exit0 passed on ${NOON}, on another commit` });
  expect((await at(null, null)).status).toBe('CITED');
  expect((await at(undefined, 'b')).status).toBe('CITED');
});

verifies('N6', 'a statement is verified only if it says no more than what was tested', async () => {
  const root = makeTree({ 'README.md': '# Shop\n', 'a.ts': `${LIMIT}\n` });
  const readme = { citations: [makeCitation('README.md', 1, '# Shop')] };
  const grep = { checks: [makeCheck({ type: 'grep_hit', path: 'a.ts', pattern: 'LOGIN_LIMIT = \\d+' })] };
  const ran = { checks: [makeCheck({ type: 'cmd_exit0', command: 'true' })] };
  const cases: [string, Partial<Claim>, string][] = [
    ['The moon is made of cheese', readme, 'CITED'],
    ['The moon is made of cheese', ran, 'CITED'],
    ['README.md says "# Shop"', readme, 'VERIFIED'],
    ['`a.ts` contains `LOGIN_LIMIT = 5`', grep, 'VERIFIED'],
    ['`a.ts` contains `LOGIN_LIMIT = 6`', grep, 'CITED'],
    ['`a.ts` does not contain `LOGIN_LIMIT = 5`', grep, 'CITED'],
    ['`true` exits with code 0', ran, 'VERIFIED'],
  ];
  for (const [statement, evidence, status] of cases)
    expect([statement, (await look(root, { statement, ...evidence })).status]).toEqual([statement, status]);
  const found = await look(root, { statement: '`a.ts` contains `LOGIN_LIMIT = 5`', ...grep });
  expect(found.because).toBe('grep_hit: found at a.ts:1; that is what it says');
});

test('restatement: the examples hold', () => {
  for (const { statement, tested, restates: expected } of RESTATEMENT_EXAMPLES)
    expect([statement, restates(statement, { texts: [], paths: [], ...tested })]).toEqual([statement, expected]);
});

verifies('N6', 'a failed check refutes, an open one proves nothing', async () => {
  const root = makeTree({ 'a.ts': LIMIT });
  const citations = [makeCitation('a.ts', 1, LIMIT)];
  const evidence = { type: 'cmd_exit0', command: 'x' } as const;
  expect(await look(root, { citations, checks: [makeCheck(evidence, 'failed')] })).toEqual({
    status: 'REFUTED',
    because: `cmd_exit0 failed on ${NOON}: as the test says`,
    moved: [],
  });
  expect(await look(root, { citations, checks: [makeCheck(evidence, 'unchecked')] })).toEqual({
    status: 'ASSERTED',
    because: `cmd_exit0 could not be checked on ${NOON}: as the test says`,
    moved: [],
  });
});
