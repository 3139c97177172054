import { describe, expect, test } from 'vitest';
import { caseOf } from '../../test/policy-case.ts';
import { verifies } from '../../test/verifies.ts';
import { Effect, type Facts, Verdict } from '../protocol/index.ts';
import { governancePolicy } from './governance.ts';
import { INTENT_REQUIRED_MESSAGE, policies, type Policy, type PolicyExample } from './index.ts';
import { intentPolicy } from './intent.ts';
import { modePolicy } from './mode.ts';

function judge(policy: Policy, example: Pick<PolicyExample, 'action' | 'facts'>): Verdict {
  const { action, facts } = caseOf(example);
  return policy.judge(action, facts);
}

const heard = (verdict: Verdict): string => (verdict.outcome === 'allow' ? 'allow' : verdict.code);

/** Freezes `value` at every depth. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

test('every policy lets the ordinary case pass, and speaks under its own name', () => {
  expect(policies.map((policy) => judge(policy, {}))).toEqual(policies.map(({ name }) => ({ policy: name, outcome: 'allow' })));
  expect(new Set(policies.map(({ name }) => name)).size).toBe(policies.length);
});

describe.each(policies)('$name', (policy) => {
  const { name, examples } = policy;

  test.each(examples)('$says: $expect', (example) => {
    const verdict = judge(policy, example);
    expect(heard(verdict)).toBe(example.expect);
    expect(Verdict.parse(verdict)).toEqual(verdict);
    expect(verdict.policy).toBe(name);
  });

  test('its examples hold one objection and one case that passes, and are distinguished by their words', () => {
    expect(new Set(examples.map((example) => example.expect === 'allow'))).toEqual(new Set([true, false]));
    expect(new Set(examples.map(({ says }) => says)).size).toBe(examples.length);
  });

  test('it is pure: judged twice, on values that cannot be changed, it says the same', () => {
    for (const example of examples) {
      const { action, facts } = deepFreeze(caseOf(example));
      expect(policy.judge(action, facts)).toEqual(policy.judge(action, facts));
      expect({ action, facts }).toEqual(caseOf(example));
    }
  });
});

const NO_INTENT = { selected: null, active: [] };
const FIXED_MESSAGE = 'You must cite a valid active Intent ID before mutating tools.';

verifies('I2', 'a change that cites no intent is refused in the fixed words, with the call that leads on', () => {
  expect(INTENT_REQUIRED_MESSAGE).toBe(FIXED_MESSAGE);
  expect(judge(intentPolicy, { facts: { intent: NO_INTENT } })).toEqual({
    policy: 'intent',
    outcome: 'deny',
    code: 'INTENT_REQUIRED',
    message: FIXED_MESSAGE,
    required_action: 'No intent is active. Propose one; a human confirms it, or runs: countersign intent "what should change" PATH',
    remedy: { tool: 'propose_intent', args: { owned_scope: ['src/auth/login.ts'] }, fill: { name: 'what should change, in a few words' } },
  });
});

verifies('I2', 'each effect that changes something needs an intent, and no other does', () => {
  const heardFor = (effect: Effect) => heard(judge(intentPolicy, { action: { effects: [effect] }, facts: { intent: NO_INTENT } }));
  expect([heardFor('write'), heardFor('execute'), heardFor('external')]).toEqual(['INTENT_REQUIRED', 'INTENT_REQUIRED', 'INTENT_REQUIRED']);
  expect([heardFor('observe'), heardFor('plan'), heardFor('task'), heardFor('remember')]).toEqual(['allow', 'allow', 'allow', 'allow']);
});

verifies('I2', 'an intent counts only while it is active, and the refusal names one that is', () => {
  const { selected } = caseOf().facts.intent;
  const active = [
    { id: 'INT-002', name: 'Tidy the cart', covers: false },
    { id: 'INT-003', name: 'Fix the login', covers: true },
  ];
  const statuses = ['proposed', 'paused', 'done', 'abandoned'] as const;
  const verdicts = statuses.map((status) => judge(intentPolicy, { facts: { intent: { selected: { ...selected!, status }, active } } }));
  expect(verdicts).toEqual(
    statuses.map((status) => ({
      policy: 'intent',
      outcome: 'deny',
      code: 'INTENT_NOT_ACTIVE',
      message: `${FIXED_MESSAGE} INT-001 is ${status}.`,
      required_action:
        'Call begin_work with one of the active intents, then repeat this call: INT-002 (Tidy the cart), INT-003 (Fix the login)',
      remedy: { tool: 'begin_work', args: { intent: 'INT-003' } },
    })),
  );
});

verifies('T4', 'with no mode declared, every effect that changes something is refused', () => {
  const mode = { declared: null, minimum: 'STRICT', pinned: null, effective: 'PASSIVE' } as const;
  const verdicts = (['write', 'execute', 'external'] as const).map((effect) =>
    judge(modePolicy, { action: { effects: [effect] }, facts: { mode } }),
  );
  const refused = {
    policy: 'mode',
    outcome: 'deny',
    code: 'MODE_REQUIRED',
    message: 'No mode is declared, so this session behaves as PASSIVE: observation only.',
    required_action: 'Call begin_work once, then repeat this call',
    remedy: { tool: 'begin_work', args: { mode: 'STRICT' } },
  };
  expect(verdicts).toEqual([refused, refused, refused]);
});

verifies('T5', 'under a pin nothing changes and no call of the agent helps, whatever it declared', () => {
  const declared = [null, 'PASSIVE', 'GUARDED', 'STRICT'] as const;
  const verdicts = declared.map((mode) =>
    judge(modePolicy, { facts: { mode: { declared: mode, minimum: null, pinned: 'PASSIVE', effective: 'PASSIVE' } } }),
  );
  expect(verdicts.map((verdict) => (verdict.outcome === 'allow' ? verdict : [verdict.code, verdict.remedy]))).toEqual(
    declared.map(() => ['MODE_PINNED', null]),
  );
});

verifies('T2', 'observation is free in every mode, declared or not, with no intent at all', () => {
  const modes: readonly Facts['mode'][] = [
    { declared: null, minimum: 'GUARDED', pinned: null, effective: 'PASSIVE' },
    { declared: 'STRICT', minimum: null, pinned: 'PASSIVE', effective: 'PASSIVE' },
    ...(['PASSIVE', 'GUARDED', 'STRICT'] as const).map((mode) => ({ declared: mode, minimum: null, pinned: null, effective: mode })),
  ];
  const said = modes.map((mode) =>
    policies.map((policy) => heard(judge(policy, { action: { effects: ['observe'] }, facts: { mode, intent: NO_INTENT, files: [] } }))),
  );
  expect(said).toEqual(modes.map(() => policies.map(() => 'allow')));
});

verifies('N11', 'a file of the gate is refused for every effect and access, though everything is in scope and a human approved', () => {
  const { facts } = caseOf();
  const approval = { id: 'apr_00000000000000000000000000', state: 'approved', reason: null, proof: 'passkey' } as const;
  const said = Effect.options.flatMap((effect) =>
    (['read', 'write', 'delete'] as const).map((access) => {
      const file = {
        ...facts.files[0]!,
        path: '.claude/settings.json',
        access,
        governance: 'it is where the hooks are set',
        scope_glob: '**',
      };
      return judge(governancePolicy, { action: { effects: [effect] }, facts: { files: [facts.files[0]!, file], approval } });
    }),
  );
  const refused = (verb: string) => ({
    policy: 'governance',
    outcome: 'deny',
    code: 'GOVERNANCE_FILE',
    message: `.claude/settings.json cannot be ${verb} by an agent: it is where the hooks are set.`,
    required_action: 'Leave this file alone; if it has to change, tell a human what and why',
    remedy: null,
  });
  expect(said).toEqual(Effect.options.flatMap(() => [refused('read'), refused('changed'), refused('changed')]));
});
