import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { caseOf } from '../../test/policy-case.ts';
import type { Action, Refusal } from '../protocol/index.ts';
import { askForHelp, countRefusal, refusalKey, type Streak, timesTooOften } from './breaker.ts';
import { gateForThisTest, outcomeOf } from './gate.fixture.ts';

const action = (more: Partial<Action>): Action => ({ ...caseOf().action, tool: 'write_file', input_sha256: 'a'.repeat(64), ...more });
const file = (path: string) => ({ kind: 'file', path, access: 'write' }) as unknown as Action['resources'][number];
const other = { kind: 'other', name: 'x', shape_sha256: 'b'.repeat(64) } as unknown as Action['resources'][number];

test('a refusal is the same for the same targets, or the same input where there are none; a failure for the same tool', () => {
  const key = (more: Partial<Action>, code = 'SCOPE_VIOLATION') => refusalKey(action(more), code);
  expect(key({ resources: [file('a'), file('b')] })).toBe('["SCOPE_VIOLATION","write_file",["a","b"]]');
  expect(key({ resources: [file('a'), other] })).toBe(`["SCOPE_VIOLATION","write_file","${'a'.repeat(64)}"]`);
  expect(key({ resources: [] })).toBe(`["SCOPE_VIOLATION","write_file","${'a'.repeat(64)}"]`);
  expect(key({ resources: [file('a')] }, 'TOOL_FAILED')).toBe('["TOOL_FAILED","write_file"]');
  expect(key({ resources: [file('a')] }, 'no such code')).toBe('["no such code","write_file"]');
});

test('a round is a call made after the last answer was out; the third is one too many', () => {
  const streaks = new Map<string, Streak>();
  const at = (second: number) => `2026-01-02T03:04:0${second}.000Z`;
  const call = (second: number) => action({ at: at(second), resources: [file('a')] });
  const key = refusalKey(call(0), 'SCOPE_VIOLATION');
  const often = (second: number) => timesTooOften(streaks, call(second), 'SCOPE_VIOLATION');
  expect([timesTooOften(undefined, call(0), 'SCOPE_VIOLATION'), often(0)]).toEqual([null, null]);
  countRefusal(streaks, key, at(0), at(1));
  // Called before the first was answered, or at the same moment: not a repetition.
  countRefusal(streaks, key, at(0), at(2));
  countRefusal(streaks, key, at(1), at(2));
  expect([streaks.get(key), often(2)]).toEqual([{ rounds: 1, answeredAt: at(1) }, null]);
  countRefusal(streaks, key, at(2), at(3));
  expect([streaks.get(key), often(3), often(4)]).toEqual([{ rounds: 2, answeredAt: at(3) }, null, 3]);
  countRefusal(streaks, key, at(4), at(5));
  expect([often(5), often(6)]).toEqual([3, 4]);
  expect(timesTooOften(streaks, action({ at: at(6), resources: [file('b')] }), 'SCOPE_VIOLATION')).toBe(null);
});

test('what is said then: stop, and ask a human', () => {
  const refusal: Refusal = {
    ...{ error_code: 'SCOPE_VIOLATION', message: 'docs/c.md is not in the scope.', recoverable: true, required_action: 'Ask for it.' },
    ...{ remedy: { tool: 'request_scope', args: {} }, also_missing: [{ error_code: 'RECALL_REQUIRED', message: 'Recall first.' }] },
  };
  expect(askForHelp(refusal, 'write_file', 3)).toEqual({
    error_code: 'NEEDS_HUMAN',
    message: 'SCOPE_VIOLATION for the 3rd time: docs/c.md is not in the scope.',
    recoverable: false,
    required_action:
      'Stop repeating this. Tell the human what you tried and what is in the way, or ask with request_human. What would lead on: Ask for it.',
    remedy: { tool: 'request_human', args: { question: 'write_file was refused 3 times: docs/c.md is not in the scope.' } },
    also_missing: [
      { error_code: 'SCOPE_VIOLATION', message: 'docs/c.md is not in the scope.' },
      { error_code: 'RECALL_REQUIRED', message: 'Recall first.' },
    ],
  });
  const long = askForHelp({ ...refusal, message: 'x'.repeat(600) }, 'write_file', 4);
  expect([long.message.startsWith('SCOPE_VIOLATION for the 4th time: x'), String(long.remedy?.args['question']).length]).toEqual([
    true,
    500,
  ]);
});

verifies('I16', 'the third time an agent runs into the same wall it is asked to call a human; another path starts over', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const code = async (path: string) => {
    gate.clock.ms += 1000;
    const { refusal } = outcomeOf(await gate.write(session, path), 'refused');
    return refusal.error_code;
  };
  expect([await code('docs/c.md'), await code('docs/c.md'), await code('docs/c.md'), await code('docs/d.md')]).toEqual([
    ...['SCOPE_VIOLATION', 'SCOPE_VIOLATION', 'NEEDS_HUMAN', 'SCOPE_VIOLATION'],
  ]);
});
