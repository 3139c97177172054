import { expect, test } from 'vitest';
import { gateForThisTest, outcomeOf, summaryOf } from '../kernel/gate.fixture.ts';
import { verifies } from '../../test/verifies.ts';
import { checkExamples, policies, type Policy } from './index.ts';
import { allow, deny } from './policy.ts';

const objection = { code: 'SCOPE_VIOLATION', message: 'no', required_action: 'leave it', remedy: null } as const;
/** Denies everything that writes, and has examples for it. */
const planted = (change: Partial<Policy>): Policy => ({
  name: 'planted',
  version: 1,
  judge: ({ effects }) => (effects.includes('external') ? deny('planted', objection) : allow('planted')),
  examples: [
    { says: 'something outside', action: { effects: ['external'] }, expect: 'SCOPE_VIOLATION' },
    { says: 'an edit', expect: 'allow' },
  ],
  ...change,
});

test('the examples of every policy hold as the kernel checks them', () => {
  expect(checkExamples(policies)).toEqual({ policies, broken: [] });
});

test('what does not hold is said in words', () => {
  const broken = (change: Partial<Policy>) => checkExamples([planted(change)]).broken;
  const [objected, passed] = planted({}).examples as [Policy['examples'][number], Policy['examples'][number]];
  expect(broken({})).toEqual([]);
  expect(broken({ judge: () => allow('planted') })).toEqual([
    'The policy "planted" is not what its examples say: something outside: expected SCOPE_VIOLATION, heard allow.',
  ]);
  expect(broken({ judge: () => deny('planted', objection) })).toEqual([
    'The policy "planted" is not what its examples say: an edit: expected allow, heard SCOPE_VIOLATION.',
  ]);
  const fails = () => {
    throw new TypeError('of nothing');
  };
  expect(broken({ judge: fails })).toEqual([
    'The policy "planted" is not what its examples say: something outside: expected SCOPE_VIOLATION, heard a failure (TypeError: of nothing).',
  ]);
  expect(broken({ examples: [passed] })).toEqual([
    'The policy "planted" is not what its examples say: it has no example that it objects to.',
  ]);
  expect(broken({ examples: [objected] })).toEqual([
    'The policy "planted" is not what its examples say: it has no example that it lets pass.',
  ]);
});

verifies('T10', 'a daemon whose policy is not what its examples say refuses every change, serves reads and says why', async () => {
  const gate = await gateForThisTest({ policies: [...policies, planted({ judge: () => allow('planted') })] });
  const session = await gate.working();
  const { refusal } = outcomeOf(await gate.write(session, 'src/a.ts'), 'refused');
  expect([refusal.error_code, refusal.message]).toEqual([
    'POLICY_ERROR',
    'The policy "planted" failed (something outside: expected SCOPE_VIOLATION, heard allow); uncertain means no.',
  ]);
  expect(summaryOf(await gate.before(session, 'read_file', { path: 'src/a.ts' }))).toBe('observed');
  expect((await gate.events('defect_caught')).map(({ data }) => data)).toEqual([
    {
      door: 'policy',
      message: 'The policy "planted" is not what its examples say: something outside: expected SCOPE_VIOLATION, heard allow.',
    },
  ]);
});

verifies('T10', 'a policy that throws at one action denies it, through the real kernel, and lets reads and others pass', async () => {
  const throws = planted({
    judge: ({ resources, effects }) => {
      if (JSON.stringify(resources).includes('src/b.ts')) throw new RangeError('planted');
      return effects.includes('external') ? deny('planted', objection) : allow('planted');
    },
  });
  const gate = await gateForThisTest({ policies: [...policies, throws] });
  const session = await gate.working();
  expect(summaryOf(await gate.write(session, 'src/a.ts'))).toBe('admitted');
  const { refusal } = outcomeOf(await gate.write(session, 'src/b.ts'), 'refused');
  expect([refusal.error_code, refusal.message]).toEqual(['POLICY_ERROR', 'The policy "planted" failed (planted); uncertain means no.']);
  expect(summaryOf(await gate.before(session, 'read_file', { path: 'src/b.ts' }))).toBe('observed');
});
