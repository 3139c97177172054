// A remedy is a call that the agent can make in its current state: the tool is offered to it, the arguments fit, and the call itself
// changes nothing that the same policies would refuse.

import { expect, test } from 'vitest';
import { caseOf } from '../../test/policy-case.ts';
import { filled } from '../../test/fill-remedy.ts';
import { verifies } from '../../test/verifies.ts';
import { mutates, type Remedy } from '../protocol/index.ts';
import { describeCall, ownRegistry } from '../tools/registry.fixture.ts';
import { coveringGlob } from '../workspace/index.ts';
import { policies, type PolicyExample } from './index.ts';

const place = { root: '/home/ada/shop', cwd: '/home/ada/shop' };
const offered = new Set(
  ownRegistry()
    .toolsOn('hooked')
    .map(({ name }) => name),
);

function remediesOf(example: Pick<PolicyExample, 'action' | 'facts'>): readonly Remedy[] {
  const { action, facts } = caseOf(example);
  return policies.flatMap((policy) => {
    const verdict = policy.judge(action, facts);
    return verdict.outcome === 'allow' || verdict.remedy === null ? [] : [verdict.remedy];
  });
}

verifies('I8', 'the remedies of all examples name tools that hooked agents have, with arguments that fit, and can always be called', () => {
  const remedies = policies.flatMap(({ examples }) => examples.flatMap(remediesOf));
  const tools = [...new Set(remedies.map(({ tool }) => tool))].toSorted();
  expect(tools).toEqual([
    'begin_work',
    'countersign_status',
    'plan_status',
    'propose_intent',
    'read_file',
    'request_human',
    'request_scope',
    'submit_execution_plan',
    'task_add',
    'task_list',
    'task_update',
  ]);
  // Only what calls the gate's own file tools is sent to read_file, and it has it.
  expect(remedies.filter(({ tool }) => !offered.has(tool)).map(({ tool }) => tool)).toEqual(['read_file']);
  expect(remedies.filter((remedy) => mutates(describeCall(remedy.tool, filled(remedy), place).effects))).toEqual([]);
});

verifies('T5', 'no remedy leads to a lower mode than the one in force', () => {
  const order = ['PASSIVE', 'GUARDED', 'STRICT'];
  const cases = policies.flatMap(({ examples }) => examples.map((example) => caseOf(example)));
  for (const { action, facts } of cases) {
    const { effective } = facts.mode;
    for (const policy of policies) {
      const verdict = policy.judge(action, facts);
      if (verdict.outcome === 'allow') continue;
      const asked = verdict.remedy?.args['mode'] ?? effective;
      expect([policy.name, order.indexOf(asked as string) >= order.indexOf(effective)]).toEqual([policy.name, true]);
      const lower = order.slice(0, order.indexOf(effective));
      expect(lower.filter((mode) => verdict.required_action.includes(mode))).toEqual([]);
    }
  }
});

verifies('I8', 'a remedy with a blank is a form: unfilled, or filled with its own words, it is refused', () => {
  const forms = policies.flatMap(({ examples }) => examples.flatMap(remediesOf)).filter(({ fill }) => fill !== undefined);
  expect([...new Set(forms.map(({ tool }) => tool))].toSorted()).toEqual([
    'begin_work',
    'propose_intent',
    'submit_execution_plan',
    'task_add',
  ]);
  for (const { tool, args, fill = {} } of forms) {
    const given = Object.entries(fill).map(([name, words]) => [name, name === 'name' ? words : [words]]);
    const unfilled = () => describeCall(tool, { ...args, ...(Object.fromEntries(given) as object) }, place);
    expect(unfilled).toThrow(tool);
    // begin_work may be called without steps; then the same refusal comes again.
    if (tool !== 'begin_work') expect(() => describeCall(tool, args, place)).toThrow(tool);
  }
  for (const former of ['Describe in a few words what should change', 'Describe the step that you are about to take.'])
    expect(() => describeCall('propose_intent', { name: former, owned_scope: ['src/**'] }, place)).toThrow('propose_intent');
});

const edit = (path: string) => ({ ...caseOf().facts.files[0]!, path, real: path, scope_glob: null });

/** The scope that would be asked for, for a write to `path`: once out of scope, once with no intent at all. */
const proposedScopes = (path: string): readonly unknown[] =>
  [{ files: [edit(path)] }, { files: [edit(path)], intent: { selected: null, active: [] } }].flatMap((facts) =>
    remediesOf({ facts }).map(({ args }) => args['owned_scope'] ?? args['paths']),
  );

verifies('I8', 'the scope that a remedy asks for covers the file that was refused', () => {
  expect(proposedScopes('src/payments/index.ts')).toEqual([['src/payments/index.ts'], ['src/payments/index.ts']]);
});

test('the scope that a remedy asks for covers the file also when its name looks like a glob', () => {
  for (const path of ['app/[slug]/page.tsx', 'a/{b}.ts', '!x.ts']) {
    expect(proposedScopes(path).map((scope) => coveringGlob(scope as string[], path) !== null)).toEqual([true, true]);
  }
});
