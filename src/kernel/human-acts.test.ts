// Everything that is a human's to do, asked for by each kind of caller: only a human's request is done, and every other one is on the record
// with the words of its command, and nothing else is.

import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type Event, type Intent, newId } from '../protocol/index.ts';
import { type Gate, gateForThisTest, human, outcomeOf, summaryOf } from './gate.fixture.ts';
import type { CallerJudgement, Recorded } from './index.ts';

const ada = { proof: 'login', via: 'cli' } as const;
const uncertain: CallerJudgement = { kind: 'uncertain', why: 'it is not known' };

interface Act {
  readonly command: string;
  readonly ask: (caller: CallerJudgement) => Promise<Recorded>;
  readonly output: unknown;
  /** What is written for a human. */
  readonly events: readonly Event[];
}

/** In this order, since some are about what others made. */
function actsOf({ kernel, workspace, root }: Gate): readonly Act[] {
  const { authority } = kernel;
  const rule = { id: newId('rul'), workspace, pattern: 'npm run *', source: '.claude/settings.json:4' };
  const limit = { workspace, intent: null, pin: null, minimum: 'STRICT' } as const;
  const tasks = { root, tasks: ['tsk_0123456789'] };
  const request = { name: 'a plan', ownedScope: ['src/**'], constraints: ['c'], acceptanceCriteria: ['d'], reason: 'plan.md:1' };
  const intent: Intent = {
    ...{ id: 'INT-001', name: 'a plan', status: 'proposed', owned_scope: ['src/**'] },
    ...{ constraints: ['c'], acceptance_criteria: ['d'] },
  };
  const defect: Event = { type: 'defect_caught', data: { door: 'test', message: 'stands for any event' } };
  const made = { events: [defect], output: 'made' };
  const allowed = (command: string): Event => ({ type: 'authority_allowed', data: { command, human: ada } });
  return [
    {
      ...{ command: 'import', output: [intent] },
      ask: (caller) =>
        authority.takeOver(caller, workspace, async () => ({
          found: { intents: [request], commandRules: [rule], claims: [] },
          output: (intents) => intents,
        })),
      events: [
        {
          type: 'intent_proposed',
          data: {
            workspace,
            intent: intent,
            session: null,
            reason: 'plan.md:1',
          },
        },
        { type: 'command_rules_proposed', data: { rules: [rule], human: ada } },
      ],
    },
    {
      ...{ command: 'mode', ask: (caller) => authority.limitMode(caller, limit), output: limit },
      events: [{ type: 'mode_limited', data: { ...limit, human: ada } }],
    },
    {
      ...{
        command: 'tasks confirm',
        ask: (caller) => authority.confirmTasks(caller, workspace, async () => tasks),
        output: { confirmed: tasks.tasks },
      },
      events: [{ type: 'tasks_confirmed', data: { workspace, ...tasks, human: ada } }],
    },
    {
      ...{ command: 'memory add', ask: (caller) => authority.tendMemory(caller, workspace, 'memory add', () => made), output: 'made' },
      events: [defect],
    },
    {
      command: 'undo',
      ask: (caller) => authority.workOnTree(caller, workspace, 'undo', async () => ({ ...made, failure: null })),
      output: 'made',
      events: [allowed('undo'), defect],
    },
    {
      ...{ command: 'stop', ask: (caller) => authority.allowHuman(caller, 'stop', () => 'stopped'), output: 'stopped' },
      events: [allowed('stop')],
    },
    {
      ...{ command: 'open', ask: (caller) => authority.allowAtTerminal(caller, 'open', () => 'a link'), output: 'a link' },
      events: [allowed('open')],
    },
    {
      ...{ command: `rules active ${rule.id}`, ask: (caller) => authority.decideCommandRule(caller, rule.id, 'active') },
      output: { ...rule, state: 'active' },
      events: [{ type: 'command_rule_decided', data: { rule: rule.id, state: 'active', human: ada } }],
    },
    {
      ...{ command: 'init --observe', ask: (caller) => authority.setObserving(caller, { workspace, observing: true, revision: null }) },
      output: { workspace, observing: true, revision: null },
      events: [{ type: 'observing_set', data: { workspace, observing: true, revision: null, human: ada } }],
    },
    {
      ...{ command: 'init --enforce', ask: (caller) => authority.setObserving(caller, { workspace, observing: false, revision: null }) },
      output: { workspace, observing: false, revision: null },
      events: [{ type: 'observing_set', data: { workspace, observing: false, revision: null, human: ada } }],
    },
  ];
}

verifies('I13', 'what is a human’s to do is done for a human only, and every other request is on the record', async () => {
  const gate = await gateForThisTest();
  const session = await gate.session();
  const callers: readonly (readonly [CallerJudgement, string, string | null])[] = [
    [{ kind: 'agent', session, why: 'it runs below an agent' }, 'it runs below an agent', session],
    [uncertain, 'it is not known', null],
  ];
  for (const { command, ask, output, events } of actsOf(gate)) {
    const written = async (from: number) => (await gate.records(from)).map(({ event }) => event);
    for (const [caller, why, whose] of callers) {
      const from = (await gate.records()).length + 1;
      const { refusal, output: nothing } = outcomeOf((await ask(caller)).outcome, 'noted');
      expect([command, nothing, refusal]).toEqual([
        ...[command, null],
        {
          ...{ error_code: 'HUMAN_CHANNEL_REQUIRED', message: `Not done: ${why}.`, recoverable: false, remedy: null, also_missing: [] },
          required_action:
            whose === null
              ? 'A human has to do this, on the page, in a terminal that was open before the agent started, or with an enrolled key'
              : 'A human has to do this, in a terminal of their own or on the page',
        },
      ]);
      expect(await written(from)).toEqual([{ type: 'authority_refused', data: { session: whose, command, reason: why } }]);
    }
    const from = (await gate.records()).length + 1;
    expect([command, (await ask({ kind: 'human', human: ada })).outcome]).toEqual([command, { kind: 'noted', output, refusal: null }]);
    expect([command, await written(from)]).toEqual([command, events]);
  }
});

test('a login link is only for a human who asks on a terminal', async () => {
  const gate = await gateForThisTest();
  const links: string[] = [];
  const open = (caller: CallerJudgement) => gate.kernel.authority.allowAtTerminal(caller, 'open', () => links.push('a link'));
  const { refusal } = outcomeOf((await open(human('none'))).outcome, 'noted');
  expect([refusal?.message, links]).toEqual(['Not done: it was not asked for on a terminal.', []]);
  expect(summaryOf(await open(human('login')))).toBe('noted');
  expect(links).toEqual(['a link']);
});

test('work on the tree that failed is reported, and what it did is on the record', async () => {
  const gate = await gateForThisTest();
  const event: Event = { type: 'defect_caught', data: { door: 'test', message: 'half of it' } };
  const failure = new Error('the disk is full');
  const work = gate.kernel.authority.workOnTree(human(), gate.workspace, 'undo', async () => ({ events: [event], output: null, failure }));
  await expect(work).rejects.toBe(failure);
  expect(await gate.events('defect_caught')).toEqual([event]);
});

test('what is not there is reported with the command that lists what is', async () => {
  const gate = await gateForThisTest();
  const { approvals, approvers, authority } = gate.kernel;
  const { workspace } = gate;
  const key = `apk_${'0'.repeat(32)}`;
  const wrong: readonly (readonly [Promise<unknown>, string, string])[] = [
    [approvals.endGrant(human(), 'grt_0'), 'There is no grant grt_0.', 'countersign grants lists them'],
    [authority.decideCommandRule(human(), 'rul_0', 'ended'), 'There is no rule rul_0.', 'countersign rules lists them'],
    [
      approvals.grant(human(), 'apr_0', { pattern: '*', seconds: 1 }),
      'There is no open question apr_0.',
      'countersign approvals lists what waits',
    ],
    [approvals.answer(human(), 'apr_0', 'approved', null), 'There is no open question apr_0.', 'countersign approvals lists what waits'],
    [
      authority.setIntentStatus(human(), workspace, 'INT-009', 'active'),
      'There is no intent INT-009 in this workspace.',
      'countersign intents lists them',
    ],
    [
      authority.limitMode(human(), { workspace, intent: 'INT-009', pin: null, minimum: null }),
      ...(['There is no intent INT-009 in this workspace.', 'See countersign intents'] as const),
    ],
    [approvers.remove(human(), key, null), `There is no enrolled key ${key}.`, 'countersign approver list'],
  ];
  for (const [asked, message, fix] of wrong) await expect(asked).rejects.toMatchObject({ code: 'NOT_FOUND', message, fix });
});

test('a rule counts from a human’s yes to its end, for its own workspace', async () => {
  const gate = await gateForThisTest();
  const { workspace, kernel } = gate;
  const other = newId('wsp');
  const rules = [workspace, workspace, other].map((of, at) => ({ id: newId('rul'), workspace: of, pattern: `p${at}`, source: 's:1' }));
  await kernel.authority.takeOver(human(), workspace, async () => ({
    found: { intents: [], commandRules: rules, claims: [] },
    output: () => null,
  }));
  const seen = () => {
    const { commandRules } = gate.kernel.state;
    return [commandRules.allowedIn(workspace), rules.map(({ pattern }) => commandRules.isKnown(workspace, pattern))];
  };
  expect(seen()).toEqual([[], [true, true, false]]);
  for (const { id } of rules) await gate.kernel.authority.decideCommandRule(human(), id, 'active');
  expect(seen()).toEqual([
    ['p0', 'p1'],
    [true, true, false],
  ]);
  await gate.kernel.authority.decideCommandRule(human(), rules[0]!.id, 'ended');
  expect(seen()).toEqual([['p1'], [false, true, false]]);
  expect(gate.kernel.state.commandRules.all().map(({ state, human: who }) => [state, who?.proof])).toEqual([
    ['ended', 'login'],
    ['active', 'login'],
    ['active', 'login'],
  ]);
  await gate.restart();
  expect(seen()).toEqual([['p1'], [false, true, false]]);
});
