import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { Claim } from '../protocol/index.ts';
import { makeTree } from '../workspace/tree.fixture.ts';
import { makeCheck, makeCitation, makeClaim, NOON } from './claims.fixture.ts';
import { statusOf } from './status.ts';

const look = (root: string, claim: Partial<Claim>, changed = false) =>
  statusOf(makeClaim(claim), { root, changedSince: (at) => at === NOON && changed });

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

verifies('N6', 'a cited line verifies, moves along, and goes stale', async () => {
  const root = makeTree({ 'a.ts': `// head\n${LIMIT}\n` });
  const claim = { citations: [makeCitation('a.ts', 2, LIMIT)] };
  expect(await look(root, claim)).toEqual({ status: 'VERIFIED', because: 'a.ts:2 says what was cited', moved: [] });

  writeFileSync(join(root, 'a.ts'), `// head\n// more\n// and more\n${LIMIT}\n`);
  expect(await look(root, claim)).toEqual({
    status: 'VERIFIED',
    because: 'the lines cited as a.ts:2 are at line 4 now',
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
    status: 'VERIFIED',
    because: 'file_exists: a.ts exists; grep_hit: found at a.ts:1',
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

verifies('N6', 'a command’s result is stale once the tree changed', async () => {
  const root = makeTree();
  const checks = [makeCheck({ type: 'test_pass', command: 'npm test' })];
  expect(await look(root, { checks })).toEqual({
    status: 'VERIFIED',
    because: `test_pass passed on ${NOON}: as the test says`,
    moved: [],
  });
  expect(await look(root, { checks }, true)).toEqual({
    status: 'STALE',
    because: `test_pass passed on ${NOON}, and the tree changed since`,
    moved: [],
  });
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
