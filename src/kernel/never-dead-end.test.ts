// Never a dead end: from every state that a random run reaches, an agent that follows the remedies succeeds within five steps,
// or a human is asked. With parallel calls, sub-agents, resumed sessions, restarts, and files that a human breaks.
// COUNTERSIGN_RUNS makes it longer, COUNTERSIGN_SEED repeats a run that failed.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { filled } from '../../test/fill-remedy.ts';
import { verifies } from '../../test/verifies.ts';
import type { Mode, Refusal } from '../protocol/index.ts';
import { ownRegistry } from '../tools/registry.fixture.ts';
import { Gate, human } from './gate.fixture.ts';
import type { RecordedOutcome } from './index.ts';

const RUNS = Number(process.env['COUNTERSIGN_RUNS'] ?? 30);
const SEED = process.env['COUNTERSIGN_SEED'];
const STEPS_TO_GET_ON = 5;

/** A call of an agent: of one of our tools, or of one of its own that the gate judges. */
interface Call {
  readonly by: 'gate' | 'agent';
  readonly tool: string;
  readonly input: Record<string, unknown>;
}

const offered = new Set(
  ownRegistry()
    .toolsOn('hooked')
    .map(({ name }) => name),
);
const session = fc.constantFrom('a', 'a', 'b', 'a/x');
const modes = fc.constantFrom<Mode>('PASSIVE', 'GUARDED', 'GUARDED', 'STRICT');
const path = fc.constantFrom('src/a.ts', 'src/a.ts', 'docs/c.md', '../outside.txt', 'tinyTasks.md', '.orchestration/active_intents.yaml');
const titles = fc.uniqueArray(fc.constantFrom('read', 'change', 'test', 'tidy up'), { minLength: 1, maxLength: 3 });
const intentId = fc.constantFrom('INT-001', 'INT-002', 'INT-003');

const ours = (tool: string, input: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Call> =>
  input.map((chosen) => ({ by: 'gate', tool, input: chosen }));
const its = (tool: string, input: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Call> =>
  input.map((chosen) => ({ by: 'agent', tool, input: chosen }));
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const without = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

const call: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 6,
    arbitrary: its(
      'write_file',
      path.map((chosen) => ({ path: chosen, content: 'new\n' })),
    ),
  },
  {
    weight: 2,
    arbitrary: its(
      'run_command',
      fc.constantFrom('rm -rf src/build', 'npm install x', 'ls').map((command) => ({ command })),
    ),
  },
  its(
    'read_file',
    fc.constantFrom('src/a.ts', '.ai/auth/token').map((chosen) => ({ path: chosen })),
  ),
  {
    weight: 2,
    arbitrary: its(
      'list_steps',
      fc.array(fc.constantFrom('one', 'two', 'three'), { maxLength: 3 }).map((steps) => ({ name: 'Todo', steps })),
    ),
  },
  { weight: 3, arbitrary: ours('begin_work', fc.record({ intent: some(intentId), mode: some(modes), steps: some(titles) }).map(without)) },
  ours('memory_query', fc.constant({ query: 'work' })),
  ours('memory_set_mode', fc.record({ mode: modes })),
  ours('select_active_intent', fc.record({ intent_id: intentId })),
  ours('propose_intent', fc.constant({ name: 'more', owned_scope: ['docs/**'] })),
  ours('request_scope', fc.constant({ paths: ['docs/**'], reason: 'needed' })),
  ours('abandon', fc.constant({ reason: 'enough' })),
  ours('elefanteAssertCompliance', fc.constant({})),
  {
    weight: 2,
    arbitrary: ours(
      'task_add',
      titles.map((chosen) => ({ titles: chosen })),
    ),
  },
  { weight: 2, arbitrary: ours('task_complete', fc.record({ task: some(fc.constant('tsk_0000000000')) }).map(without)) },
  ours('task_update', fc.record({ task: fc.constant('tsk_0000000000'), title: fc.constant('something else') })),
  ours(
    'memory_write',
    fc.constantFrom<Record<string, unknown>>(
      { kind: 'fact', statement: 'it works' },
      { kind: 'fact', statement: 'a is there', evidence: [{ type: 'file_exists', path: 'src/a.ts' }] },
      { kind: 'fact', statement: 'z is there', evidence: [{ type: 'file_exists', path: 'src/z.ts' }] },
      { kind: 'fact', statement: 'line 90 says so', citations: [{ path: 'src/a.ts', start_line: 90, end_line: 91 }] },
      { kind: 'decision', statement: 'use SQLite' },
      { kind: 'note', statement: 'remember this' },
    ),
  ),
);

const TASK_FILES = [
  '# Tasks — a piece of work\n\n- [x] done\n',
  '# Tasks — x\n\n- [ ] one\n  - [ ] two\n',
  '- [ ] nowhere\n',
  '',
  'prose\n',
];

type Step =
  | { readonly do: 'call'; readonly session: string; readonly calls: readonly Call[] }
  | { readonly do: 'turn' | 'resume'; readonly session: string }
  | { readonly do: 'restart' }
  | { readonly do: 'intent'; readonly status: 'active' | 'paused' | 'done'; readonly id: string }
  | { readonly do: 'grant'; readonly scope: string }
  | { readonly do: 'configure'; readonly text: string }
  | { readonly do: 'tasks' | 'intents'; readonly text: string };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ do: fc.constant('call' as const), session, calls: fc.array(call, { minLength: 1, maxLength: 1 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('call' as const), session, calls: call.map((one) => [one, one, one]) }) },
  fc.record({ do: fc.constantFrom('turn' as const, 'resume' as const), session }),
  fc.constant({ do: 'restart' as const }),
  fc.record({
    do: fc.constant('intent' as const),
    status: fc.constantFrom('active' as const, 'paused' as const, 'done' as const),
    id: intentId,
  }),
  fc.record({ do: fc.constant('grant' as const), scope: fc.constantFrom('src/**', '**') }),
  fc.record({
    do: fc.constant('configure' as const),
    text: fc.constantFrom('{}', '{"mode":{"minimum":"GUARDED"}}', '{"mode":{"minimum":"STRICT"}}', '{"mode":{"pin":"PASSIVE"}}', '{'),
  }),
  fc.record({ do: fc.constant('tasks' as const), text: fc.constantFrom(...TASK_FILES) }),
  fc.record({ do: fc.constant('intents' as const), text: fc.constantFrom('intents: []\n', 'intents: 3\n') }),
);

const idOf = (gate: Gate, name: string): Promise<string> => {
  const [native, agentId] = name.split('/');
  return gate.session(native, null, agentId);
};

async function make(gate: Gate, session: string, { by, tool, input }: Call): Promise<Refusal | null> {
  const outcome: RecordedOutcome = by === 'gate' ? await gate.pass(session, tool, input) : await gate.before(session, tool, input);
  return 'refusal' in outcome ? outcome.refusal : null;
}

/** Only a human can continue from here, and one was asked. */
const asksHuman = ({ error_code }: Refusal): boolean => error_code === 'NEEDS_HUMAN' || error_code === 'APPROVAL_REQUIRED';

/** Follows remedies, then tries the call again, as an obedient agent does. Returns the steps when they led nowhere. */
async function deadEnd(gate: Gate, session: string, original: Call, first: Refusal): Promise<string[] | null> {
  const way: string[] = [first.error_code];
  let refusal: Refusal = first;
  for (let steps = 0; steps < STEPS_TO_GET_ON; steps++) {
    if (asksHuman(refusal)) return null;
    const { remedy } = refusal;
    if (!remedy || !offered.has(remedy.tool)) return [...way, `no remedy: ${JSON.stringify(remedy)}`];
    gate.clock.ms += 1_000;
    const answer = await make(gate, session, { by: 'gate', tool: remedy.tool, input: filled(remedy) });
    way.push(`${remedy.tool} ${JSON.stringify(filled(remedy))} → ${answer?.error_code ?? 'done'}`);
    if (answer) {
      refusal = answer;
      continue;
    }
    if (remedy.tool === 'propose_intent') return null;
    gate.clock.ms += 1_000;
    const again = await make(gate, session, original);
    way.push(`again → ${again?.error_code ?? 'done'}`);
    if (!again) return null;
    refusal = again;
  }
  return asksHuman(refusal) ? null : way;
}

async function take(gate: Gate, chosen: Step): Promise<void> {
  switch (chosen.do) {
    case 'call': {
      const id = await idOf(gate, chosen.session);
      gate.clock.ms += 1_000;
      const refusals = await Promise.all(chosen.calls.map((one) => make(gate, id, one)));
      const [original] = chosen.calls;
      const refusal = refusals.find((one) => one !== null);
      if (original && refusal) expect(await deadEnd(gate, id, original, refusal)).toBeNull();
      // Reading the status, asking and giving up are never refused, in any state.
      const never = [await gate.pass(id, 'countersign_status', {}), await gate.pass(id, 'request_human', { question: 'And now?' })];
      expect(never.map((outcome) => ('refusal' in outcome ? (outcome.refusal?.error_code ?? outcome.kind) : outcome.kind))).toEqual([
        'observed',
        'APPROVAL_REQUIRED',
      ]);
      return;
    }
    case 'turn':
      await gate.kernel.turns.begin(await idOf(gate, chosen.session), String(gate.clock.ms));
      return;
    case 'resume':
      await gate.kernel.turns.close(await idOf(gate, chosen.session), 'bye');
      return;
    case 'restart':
      return gate.restart();
    case 'intent':
      if (gate.kernel.state.intent(gate.workspace, chosen.id)) await gate.setIntent(chosen.id, chosen.status);
      return;
    case 'grant':
      await gate.intent([chosen.scope], human());
      return;
    case 'configure':
      return gate.configure(chosen.text);
    case 'tasks':
      return writeFileSync(join(gate.root, 'tinyTasks.md'), chosen.text);
    case 'intents':
      return gate.writeIntents(chosen.text);
  }
}

async function liveAndFollow(): Promise<void> {
  const life = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }), async (steps) => {
    const gate = await Gate.open();
    try {
      for (const one of steps) await take(gate, one);
    } finally {
      await gate.destroy();
    }
  });
  await fc.assert(life, { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) });
}

verifies('N7', 'whoever follows the remedies gets on within five steps or a human is asked', liveAndFollow, 60_000 + RUNS * 2_000);
