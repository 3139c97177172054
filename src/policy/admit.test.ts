import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caseOf } from '../../test/policy-case.ts';
import { verifies } from '../../test/verifies.ts';
import { type Objection, type Outcome, Refusal, type RefusalCode, type Verdict } from '../protocol/index.ts';
import { admit, policies, type Policy, refusalOf } from './index.ts';
import { allow, ask, deny } from './policy.ts';

const { action, facts } = caseOf();
const REVISION = 'r1';

const says = (verdict: Verdict): Policy => ({ name: verdict.policy, version: 1, judge: () => verdict, examples: [] });
const throws = (name: string, thrown: unknown): Policy => ({
  name,
  version: 1,
  judge: () => {
    throw thrown;
  },
  examples: [],
});

const text = (name: string, code: RefusalCode) => ({ code, message: `${name} objects`, required_action: `satisfy ${name}`, remedy: null });

const CODES_USED = ['MODE_REQUIRED', 'INTENT_REQUIRED', 'SCOPE_VIOLATION', 'GOVERNANCE_FILE', 'APPROVAL_REQUIRED'] as const;

/** Verdicts of policies p0, p1, …, each of any outcome and code. */
const anyVerdicts = fc
  .array(fc.record({ outcome: fc.constantFrom('allow', 'ask', 'deny'), code: fc.constantFrom(...CODES_USED) }), { maxLength: 8 })
  .map((drafts) =>
    drafts.map(({ outcome, code }, index): Verdict => {
      const name = `p${index}`;
      if (outcome === 'allow') return allow(name);
      return outcome === 'ask' ? ask(name, text(name, code)) : deny(name, text(name, code));
    }),
  );

function strictest(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.includes('deny')) return 'deny';
  return outcomes.includes('ask') ? 'ask' : 'allow';
}

const isObjection = (verdict: Verdict): verdict is Objection => verdict.outcome !== 'allow';

test('the strictest verdict wins, and every verdict is kept as it was said', () => {
  fc.assert(
    fc.property(anyVerdicts, (verdicts) => {
      expect(admit(verdicts.map(says), REVISION, action, facts)).toEqual({
        outcome: strictest(verdicts.map(({ outcome }) => outcome)),
        verdicts,
        facts,
        policy_revision: REVISION,
      });
    }),
  );
});

verifies('I8', 'a refusal leads with the first of the strictest, and lists every other objection as also missing', () => {
  fc.assert(
    fc.property(
      anyVerdicts.filter((verdicts) => verdicts.some(isObjection)),
      (verdicts) => {
        const decision = admit(verdicts.map(says), REVISION, action, facts);
        const objections = verdicts.filter(isObjection);
        const leading = objections.find(({ outcome }) => outcome === decision.outcome)!;
        const refusal = refusalOf(decision);
        expect(Refusal.parse(refusal)).toEqual({
          error_code: leading.code,
          message: leading.message,
          recoverable: leading.code !== 'GOVERNANCE_FILE',
          required_action: leading.required_action,
          remedy: { tool: 'request_human', args: { question: leading.message } },
          also_missing: objections
            .filter(({ policy }) => policy !== leading.policy)
            .map(({ code, message }) => ({ error_code: code, message })),
        });
      },
    ),
  );
});

test('order chooses the leading message and nothing else', () => {
  const shuffled = anyVerdicts.chain((verdicts) =>
    fc.tuple(fc.constant(verdicts), fc.shuffledSubarray(verdicts, { minLength: verdicts.length })),
  );
  fc.assert(
    fc.property(shuffled, ([verdicts, reordered]) => {
      const one = admit(verdicts.map(says), REVISION, action, facts);
      const other = admit(reordered.map(says), REVISION, action, facts);
      expect(other.outcome).toBe(one.outcome);
      if (one.outcome === 'allow') return;
      const summaryOf = ({ also_missing, message, error_code }: Refusal) =>
        new Set([...also_missing, { message, error_code }].map((each) => JSON.stringify([each.error_code, each.message])));
      expect(summaryOf(refusalOf(other))).toEqual(summaryOf(refusalOf(one)));
    }),
  );
});

verifies('T10', 'a policy that throws denies, whatever it throws and whatever the others say', () => {
  const denied = (thrown: unknown) => admit([says(allow('a')), throws('b', thrown), says(allow('c'))], REVISION, action, facts);
  expect(denied(new Error('no such fact'))).toEqual({
    outcome: 'deny',
    verdicts: [
      allow('a'),
      {
        policy: 'b',
        outcome: 'deny',
        code: 'POLICY_ERROR',
        message: 'The policy "b" failed (no such fact); uncertain means no.',
        required_action: 'Tell a human: this is a defect of the gate, not of your call',
        remedy: null,
      },
      allow('c'),
    ],
    facts,
    policy_revision: REVISION,
  });
  for (const thrown of [undefined, null, 0, 'text', { message: 1 }]) expect(denied(thrown).outcome).toBe('deny');
});

verifies('T10', 'a policy that throws does not keep the others from being heard', () => {
  const decision = admit(
    [throws('broken', new Error('x')), ...policies],
    REVISION,
    action,
    caseOf({ facts: { intent: { selected: null, active: [] } } }).facts,
  );
  expect(refusalOf(decision).also_missing.map(({ error_code }) => error_code)).toEqual(['INTENT_REQUIRED']);
});

test('trouble met while gathering counts like a policy that objects, and is heard first', () => {
  const trouble: Objection = {
    policy: 'gather',
    outcome: 'deny',
    code: 'DOCUMENT_INVALID',
    message: 'line 3',
    required_action: 'fix it',
    remedy: null,
  };
  const decision = admit([says(deny('p', text('p', 'MODE_REQUIRED')))], REVISION, action, facts, [trouble]);
  expect(refusalOf(decision)).toEqual({
    error_code: 'DOCUMENT_INVALID',
    message: 'line 3',
    recoverable: true,
    required_action: 'fix it',
    remedy: { tool: 'request_human', args: { question: 'line 3' } },
    also_missing: [{ error_code: 'MODE_REQUIRED', message: 'p objects' }],
  });
});

verifies('T4', 'when everything is missing, the refusal follows the order of the contract', () => {
  const missing = caseOf({
    facts: {
      recall: { last: null, missing: 'nothing was recalled yet' },
      mode: { declared: null, minimum: 'GUARDED', pinned: null, effective: 'PASSIVE' },
      intent: { selected: null, active: [] },
    },
  });
  const { error_code, also_missing } = refusalOf(admit(policies, REVISION, missing.action, missing.facts));
  expect([error_code, ...also_missing.map((other) => other.error_code)]).toEqual(['RECALL_REQUIRED', 'MODE_REQUIRED', 'INTENT_REQUIRED']);
  const guarded = caseOf({
    facts: {
      recall: { last: null, missing: 'nothing was recalled yet' },
      tasks: { steps: ['a', 'b'], list: null },
      intent: { selected: null, active: [] },
    },
  });
  const said = refusalOf(admit(policies, REVISION, guarded.action, guarded.facts));
  expect([said.error_code, ...said.also_missing.map((other) => other.error_code)]).toEqual([
    'RECALL_REQUIRED',
    'TASKS_REQUIRED',
    'INTENT_REQUIRED',
  ]);
});

test('the real policies together: an edit of the gate’s own files is denied first, an unknown tool asks', () => {
  const governed = caseOf({ facts: { files: [{ ...facts.files[0]!, governance: 'it says what humans granted', scope_glob: null }] } });
  const decision = admit(policies, REVISION, governed.action, governed.facts);
  expect([decision.outcome, refusalOf(decision).error_code]).toEqual(['deny', 'GOVERNANCE_FILE']);

  const unknown = caseOf({ action: { effects: ['execute', 'external'] }, facts: { files: [] } });
  const question = admit(policies, REVISION, unknown.action, unknown.facts);
  expect([question.outcome, refusalOf(question).error_code]).toEqual(['ask', 'APPROVAL_REQUIRED']);
});

test('a decision that allows has no refusal', () => {
  expect(() => refusalOf(admit(policies, REVISION, action, facts))).toThrow('refusalOf: this decision allows');
  expect(admit([], REVISION, action, facts).outcome).toBe('allow');
});
