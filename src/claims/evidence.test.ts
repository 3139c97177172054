import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type Evidence, EvidenceCheck, Fault } from '../protocol/index.ts';
import { makeTree } from '../workspace/tree.fixture.ts';
import { NOON } from './claims.fixture.ts';
import { checkEvidence, type CommandEnd } from './evidence.ts';

const end = (exitCode: number | null, output = '', timedOut = false): CommandEnd => ({ exitCode, output, timedOut });

async function found(root: string, evidence: Evidence, command: CommandEnd | Error = end(0)): Promise<readonly [string, string]> {
  const check = await checkEvidence(evidence, {
    root,
    now: () => new Date(NOON),
    runCommand: () => (command instanceof Error ? Promise.reject(command) : Promise.resolve(command)),
    privateFolders: [join(root, 'home')],
  });
  expect(EvidenceCheck.parse(check)).toEqual({ ...check, evidence, checked_at: NOON });
  expect(check.detail.length).toBeLessThanOrEqual(200);
  return [check.result, check.detail];
}

const exists = (path: string): Evidence => ({ type: 'file_exists', path });
const hit = (path: string, pattern: string): Evidence => ({ type: 'grep_hit', path, pattern });
const tests: Evidence = { type: 'test_pass', command: 'npm test' };
const exit0: Evidence = { type: 'cmd_exit0', command: 'npm run build' };

verifies('T9', 'file_exists looks at the file', async () => {
  const root = makeTree({ 'src/a.ts': '', '.ai/auth/token': 'x', 'home/key': 'x' });
  symlinkSync('/etc/passwd', join(root, 'out'));
  expect(await found(root, exists('src/../src/a.ts'))).toEqual(['passed', 'src/a.ts exists']);
  expect(await found(root, exists('src/b.ts'))).toEqual(['failed', 'src/b.ts does not exist']);
  expect(await found(root, exists('src'))).toEqual(['failed', 'src is not a file']);
  expect(await found(root, exists('out'))).toEqual(['unchecked', 'out cannot be looked at: it leads outside the work tree']);
  expect(await found(root, exists('.ai/auth/token'))).toEqual(['unchecked', '.ai/auth/token cannot be looked at: it holds credentials']);
  expect(await found(root, exists('home/key'))).toEqual([
    'unchecked',
    "home/key cannot be looked at: it belongs to the gate's keys and records",
  ]);
});

verifies('T9', 'grep_hit names the first line that matches', async () => {
  const root = makeTree({ 'a.ts': 'one\ntwo\nthree two\n', '.mcp.json': 'secret', 'b.bin': new Uint8Array([0, 1]) });
  expect(await found(root, hit('a.ts', '^t(w|h)'))).toEqual(['passed', 'found at a.ts:2']);
  expect(await found(root, hit('a.ts', 'one.two'))).toEqual(['failed', 'no line of a.ts matches']);
  expect(await found(root, hit('gone.ts', 'x'))).toEqual(['failed', 'gone.ts does not exist']);
  expect(await found(root, hit('b.bin', 'x'))).toEqual(['unchecked', 'b.bin is not text in UTF-8']);
  expect((await found(root, hit('.mcp.json', 'secret')))[0]).toBe('unchecked');
  expect(await found(root, hit('a.ts', '('))).toEqual([
    'unchecked',
    'the pattern cannot be read: error parsing regexp: missing closing ): `(`',
  ]);
});

test('a pattern that would make a backtracking engine hang is answered at once', async () => {
  const root = makeTree({ 'a.txt': `${'x'.repeat(100_000)}\n`, 'b.txt': 'y\n'.repeat(500_000) });
  expect(await found(root, hit('a.txt', '(x+x+)+y'))).toEqual(['failed', 'no line of a.txt matches']);
  expect(await found(root, hit('b.txt', '^(((a?){30}){30})$'))).toEqual([
    'unchecked',
    'the pattern is too large for a file as large as b.txt',
  ]);
});

verifies('T9', 'cmd_exit0 is what the command came to', async () => {
  const root = makeTree();
  expect(await found(root, exit0, end(0, 'TOKEN=secret'))).toEqual(['passed', 'the command ended with exit code 0']);
  expect(await found(root, exit0, end(2, 'TOKEN=secret'))).toEqual(['failed', 'the command ended with exit code 2']);
  expect(await found(root, exit0, end(null))).toEqual(['failed', 'the command was ended by a signal']);
  expect(await found(root, exit0, end(null, '', true))).toEqual(['unchecked', 'the command did not end in time']);
  expect(await found(root, exit0, new Fault('FORBIDDEN', 'a human said no'))).toEqual([
    'unchecked',
    'the command was not run: a human said no',
  ]);
  await expect(found(root, exit0, new TypeError('a defect'))).rejects.toThrow('a defect');
});

verifies('T9', 'test_pass needs exit code 0 and a runner’s word', async () => {
  const root = makeTree();
  expect(await found(root, tests, end(0, '      Tests  5 passed (5)'))).toEqual([
    'passed',
    'exit code 0 and 5 passed: Tests  5 passed (5)',
  ]);
  expect(await found(root, tests, end(1, '      Tests  5 passed (5)'))).toEqual(['failed', 'the command ended with exit code 1']);
  expect(await found(root, tests, end(0, '1 failed, 4 passed'))).toEqual(['failed', 'exit code 0, but tests failed: 1 failed, 4 passed']);
  expect(await found(root, tests, end(0, '0 passed'))).toEqual(['failed', 'exit code 0, but no test ran: 0 passed']);
  expect(await found(root, tests, end(0, 'No tests found, exiting with code 0'))).toEqual([
    'failed',
    'exit code 0, but no test ran: No tests found, exiting with code 0',
  ]);
  expect(await found(root, tests, end(0, 'all good'))).toEqual([
    'unchecked',
    'exit code 0, but no summary of a known test runner in the output',
  ]);
});

verifies('N6', 'a summary that the command prints itself does not count', async () => {
  const spoken: Evidence = { type: 'test_pass', command: "echo '5 passed'" };
  expect(await found(makeTree(), spoken, end(0, '5 passed\n'))).toEqual([
    'unchecked',
    'exit code 0, but the command itself says "5 passed"',
  ]);
});

test('no path or pattern makes a check throw', async () => {
  const root = makeTree({ 'a.ts': 'one\n' });
  const text = fc.oneof(fc.string({ minLength: 1, maxLength: 40, unit: 'binary' }), fc.string({ minLength: 1, maxLength: 40 }));
  await fc.assert(
    fc.asyncProperty(text, text, async (path, pattern) => {
      for (const evidence of [exists(path), hit(path, 'x'), hit('a.ts', pattern)]) {
        const [, detail] = await found(root, evidence);
        expect(detail).not.toMatch(/\p{Cc}/u);
      }
    }),
    { numRuns: 300 },
  );
});
