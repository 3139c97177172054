// Random runs of sessions, with a real store, real files and real policies, compared with the reference model after every step.
// COUNTERSIGN_RUNS makes it longer, COUNTERSIGN_SEED repeats a run that failed.

import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import fc from 'fast-check';
import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { verifyLedger } from '../ledger/index.ts';
import { Gate, human, summaryOf } from './gate.fixture.ts';
import { type CallerJudgement, sessionId, State } from './index.ts';
import { type Caller, COMMANDS, type Command, idAt, ReferenceModel, WRITABLE } from './reference-model.fixture.ts';

const RUNS = Number(process.env['COUNTERSIGN_RUNS'] ?? 60);
const SEED = process.env['COUNTERSIGN_SEED'];

interface Real {
  readonly gate: Gate;
  /** The ids of what agents execute, in order. */
  readonly hooked: string[];
}

const KEYS = ['a', 'b', 'a/x', 'b/x'] as const;
const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a' as const, 'a' as const, 'a/x' as const) },
  { weight: 2, arbitrary: fc.constantFrom(...KEYS) },
);
const mode = fc.constantFrom('PASSIVE' as const, 'GUARDED' as const, 'GUARDED' as const, 'STRICT' as const);
const scope = fc.constantFrom('src/**', 'docs/**', '**');
const caller = fc.oneof({ weight: 6, arbitrary: fc.constant<Caller>('login') }, fc.constantFrom<Caller>('none', 'agent', 'uncertain'));
const answer = fc.constantFrom('approved' as const, 'approved' as const, 'rejected' as const);
const command = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Command>('rm -rf src/build') },
  { weight: 2, arbitrary: fc.constantFrom(...(Object.keys(COMMANDS) as Command[])) },
);
/** From the end: most steps concern the newest. */
const index = fc.oneof(fc.constant(0), fc.nat(1000));
const pick = (length: number, at: number): number => length - 1 - (at % length);

const partsOf = (name: string): [string, string | undefined] => {
  const [native, agentId] = name.split('/');
  return [native!, agentId];
};
const idOf = ({ gate }: Real, name: string): string => sessionId(gate.identity(...partsOf(name)));
const asCaller = (who: Caller, session: string): CallerJudgement => {
  if (who === 'login' || who === 'none') return human(who);
  return who === 'agent' ? { kind: 'agent', session, why: 'below an agent' } : { kind: 'uncertain', why: 'is not known' };
};

function view({ gate, hooked }: Real) {
  const { sessions, intents, approvals, actions } = gate.kernel.state;
  const names = new Map(KEYS.map((name) => [sessionId(gate.identity(...partsOf(name))), name as string]));
  const nameOf = (session: string) => names.get(session) ?? session;
  return {
    sessions: Object.fromEntries(
      [...sessions.values()].map(({ id, mode, modeBy, intent, open, turn, recall }) => [
        nameOf(id),
        { mode, modeBy, intent, open, turn, recall: recall && { turn: recall.turn, intent: recall.intent, stampable: recall.stampable } },
      ]),
    ),
    intents: [...(intents.get(gate.workspace)?.values() ?? [])].map(({ intent }) => ({
      id: intent.id,
      scope: intent.owned_scope[0],
      status: intent.status,
    })),
    questions: [...approvals.values()].map(({ approval, action, state }) => ({
      session: nameOf(approval.session),
      command: action.input['command'],
      state,
    })),
    hooked: hooked.map((id) => actions.get(id)?.state),
    actions: [...actions.values()].map(({ action, state }) => `${nameOf(action.session)} ${action.tool} ${state}`).toSorted(),
  };
}

/** One kind of step: what the model predicts, and what really happens. */
function step<A>(
  name: string,
  args: fc.Arbitrary<A>,
  possible: (model: Readonly<ReferenceModel>, args: A) => boolean,
  say: (model: ReferenceModel, args: A) => string,
  act: (real: Real, args: A) => Promise<string>,
): fc.Arbitrary<fc.AsyncCommand<ReferenceModel, Real>> {
  return args.map((chosen) => ({
    check: (model) => possible(model, chosen),
    run: async (model, real) => {
      const expected = say(model, chosen);
      expect(await act(real, chosen)).toBe(expected);
      expect(view(real)).toEqual(model.view());
    },
    toString: () => `${name}(${JSON.stringify(chosen)})`,
  }));
}

const always = () => true;
const known = (model: Readonly<ReferenceModel>, [name]: readonly [string, ...unknown[]]): boolean => model.sessions.has(name);

async function hook(real: Real, name: string, tool: string, input: Record<string, unknown>): Promise<string> {
  const outcome = await real.gate.before(idOf(real, name), tool, input);
  if ('action' in outcome) real.hooked.push(outcome.action.id);
  return summaryOf(outcome);
}

const sessionSteps = [
  step(
    'open',
    fc.tuple(key, fc.option(mode)),
    always,
    (model, [name, declared]) => model.open(name, declared),
    async ({ gate }, [name, declared]) => {
      const [native, agentId] = partsOf(name);
      return summaryOf((await gate.kernel.turns.openSession(gate.identity(native, agentId), declared, null)).recorded);
    },
  ),
  step(
    'endTurn',
    fc.tuple(key),
    known,
    (model, [name]) => model.endTurn(name),
    async (real, [name]) => summaryOf(await real.gate.kernel.turns.end(idOf(real, name))),
  ),
  step(
    'beginTurn',
    fc.tuple(key, fc.uuid()),
    known,
    (model, [name, turn]) => model.beginTurn(name, turn),
    async (real, [name, turn]) => summaryOf(await real.gate.kernel.turns.begin(idOf(real, name), turn)),
  ),
  step(
    'close',
    fc.tuple(key),
    known,
    (model, [name]) => model.close(name),
    async (real, [name]) => summaryOf(await real.gate.kernel.turns.close(idOf(real, name), 'bye')),
  ),
];

const gateSteps = [
  step(
    'memory_set_mode',
    fc.tuple(key, mode),
    known,
    (model, [name, chosen]) => model.setMode(name, chosen),
    async (real, [name, chosen]) => summaryOf(await real.gate.pass(idOf(real, name), 'memory_set_mode', { mode: chosen })),
  ),
  step(
    'select_active_intent',
    fc.tuple(key, fc.nat(2)),
    known,
    (model, [name, number]) => model.select(name, idAt(number)),
    async (real, [name, number]) => summaryOf(await real.gate.pass(idOf(real, name), 'select_active_intent', { intent_id: idAt(number) })),
  ),
  step(
    'begin_work',
    fc.tuple(key, fc.option(fc.nat(1).map(idAt)), fc.option(mode)),
    known,
    (model, [name, intent, chosen]) => model.beginWork(name, intent, chosen),
    async (real, [name, intent, chosen]) =>
      summaryOf(await real.gate.pass(idOf(real, name), 'begin_work', { ...(intent && { intent }), ...(chosen && { mode: chosen }) })),
  ),
  step(
    'memory_query',
    fc.tuple(key),
    known,
    (model, [name]) => model.recall(name),
    async (real, [name]) => summaryOf(await real.gate.pass(idOf(real, name), 'memory_query', { query: 'anything' })),
  ),
  step(
    'elefanteAssertCompliance',
    fc.tuple(key),
    known,
    (model, [name]) => model.stamp(name),
    async (real, [name]) => {
      const outcome = await real.gate.pass(idOf(real, name), 'elefanteAssertCompliance', {});
      return `${summaryOf(outcome)} ${((outcome as { output?: { status?: string } }).output ?? {}).status}`;
    },
  ),
  step(
    'abandon',
    fc.tuple(key),
    known,
    (model, [name]) => model.abandon(name),
    async (real, [name]) => summaryOf(await real.gate.pass(idOf(real, name), 'abandon', { reason: 'no way on' })),
  ),
  step(
    'propose_intent',
    fc.tuple(key, scope),
    known,
    (model, [name, wanted]) => model.propose(name, wanted),
    async (real, [name, wanted]) =>
      summaryOf(await real.gate.pass(idOf(real, name), 'propose_intent', { name: 'a proposal', owned_scope: [wanted] })),
  ),
];

const humanSteps = [
  step(
    'declareIntent',
    fc.tuple(caller, scope),
    always,
    (model, [who, wanted]) => model.declareIntent(who, wanted),
    async (real, [who, wanted]) => {
      const request = { workspace: real.gate.workspace, name: 'a request', ownedScope: [wanted], constraints: [], acceptanceCriteria: [] };
      return summaryOf(await real.gate.kernel.authority.declareIntent(asCaller(who, idOf(real, 'a')), request));
    },
  ),
  step(
    'setIntent',
    fc.tuple(
      caller,
      index,
      fc.constantFrom('active' as const, 'active' as const, 'active' as const, 'paused' as const, 'done' as const, 'abandoned' as const),
    ),
    (model) => model.intents.length > 0,
    (model, [who, at, status]) => model.setIntent(who, pick(model.intents.length, at), status),
    async (real, [who, at, status]) => {
      const { gate } = real;
      const id = idAt(pick(gate.kernel.state.intents.get(gate.workspace)?.size ?? 0, at));
      return summaryOf(await gate.setIntent(id, status, asCaller(who, idOf(real, 'b'))));
    },
  ),
];

const answerSteps = [
  step(
    'answer',
    fc.tuple(caller, index, answer),
    (model) => model.questions.length > 0,
    (model, [who, at, given]) => model.answer(who, pick(model.questions.length, at), given),
    async (real, [who, at, given]) => {
      const ids = [...real.gate.kernel.state.approvals.keys()];
      return summaryOf(await real.gate.answer(ids[pick(ids.length, at)]!, given, asCaller(who, idOf(real, 'a'))));
    },
  ),
];

const configSteps = [
  step(
    'configure',
    fc.record({
      minimum: fc.constantFrom(null, 'GUARDED' as const, 'STRICT' as const),
      pin: fc.constantFrom(null, null, null, 'PASSIVE' as const),
    }),
    always,
    (model, { minimum, pin }) => {
      Object.assign(model, { minimum, pinned: pin !== null, broken: false });
      return 'done';
    },
    async ({ gate }, settings) => {
      gate.configure({ mode: settings });
      return 'done';
    },
  ),
];

const breakSteps = [
  step(
    'breakConfig',
    fc.constantFrom('{', '{"mode":{"pin":"STRICT"}}', '{"moode":{}}'),
    always,
    (model) => {
      Object.assign(model, { minimum: null, pinned: false, broken: true });
      return 'done';
    },
    async ({ gate }, text) => {
      gate.configure(text);
      return 'done';
    },
  ),
];

const agentSteps = [
  step(
    'read',
    fc.tuple(key, fc.boolean()),
    known,
    (model, [name, secret]) => model.read(name, secret),
    (real, [name, secret]) => hook(real, name, 'read_file', { path: secret ? '.ai/auth/token' : 'src/a.ts' }),
  ),
  step(
    'write',
    fc.tuple(key, fc.constantFrom(...WRITABLE)),
    known,
    (model, [name, path]) => model.write(name, path),
    (real, [name, path]) => hook(real, name, 'write_file', { path, content: 'new\n' }),
  ),
  step(
    'command',
    fc.tuple(key, command),
    known,
    (model, [name, text]) => model.command(name, text),
    (real, [name, text]) => hook(real, name, 'run_command', { command: text }),
  ),
  step(
    'commandTwiceAtOnce',
    fc.tuple(key, command),
    known,
    (model, [name, text]) => [model.command(name, text), model.command(name, text)].join(', '),
    async (real, [name, text]) => (await Promise.all([1, 2].map(() => hook(real, name, 'run_command', { command: text })))).join(', '),
  ),
  step(
    'commandAndAnswer',
    fc.tuple(key, command, caller, answer),
    known,
    (model, [name, text, who, given]) => model.commandAndAnswer(name, text, who, given),
    async (real, [name, text, who, given]) => {
      const { gate } = real;
      const gone = new AbortController();
      const waiting = gate.next('action_waiting');
      const call = gate.command(idOf(real, name), text, { waitTimeoutMs: 600_000, signal: gone.signal });
      const first = await Promise.race([waiting, call]);
      if ('type' in first) {
        const answered = await gate.answer(first.data.approval, given, asCaller(who, idOf(real, name)));
        if (summaryOf(answered) !== 'noted') gone.abort();
      }
      const outcome = await call;
      if ('action' in outcome) real.hooked.push(outcome.action.id);
      return summaryOf(outcome);
    },
  ),
  step(
    'settle',
    fc.tuple(index, fc.boolean()),
    (model) => model.hooked.length > 0,
    (model, [at]) => model.settle(pick(model.hooked.length, at)),
    async ({ gate, hooked }, [at, failed]) => {
      const recorded = await gate.kernel.spine.after(hooked[pick(hooked.length, at)]!, { output: 'seen', failed });
      return recorded === null ? 'nothing' : summaryOf(recorded);
    },
  ),
];

const timeSteps = [
  step(
    'advance',
    fc.tuple(fc.constantFrom(60, 400, 900), fc.boolean()),
    always,
    (model, [seconds, sweep]) => {
      model.now += seconds * 1000;
      return sweep ? model.sweep() : 'noted';
    },
    async ({ gate }, [seconds, sweep]) => {
      gate.clock.ms += seconds * 1000;
      if (sweep) await gate.kernel.approvals.expire();
      return 'noted';
    },
  ),
  step(
    'restart',
    fc.constantFrom('rules-1', 'rules-2'),
    always,
    (model, rules) => model.restart(rules),
    async ({ gate }, rules) => {
      const { sessions, intents, approvals } = gate.kernel.state;
      await gate.restart(rules);
      const after = gate.kernel.state;
      // Questions that the new rules withdraw are compared with the model; everything else is unchanged.
      for (const [id, { state }] of after.approvals) if (state === 'withdrawn') approvals.get(id)!.state = state;
      expect([after.sessions, after.intents, after.approvals]).toEqual([sessions, intents, approvals]);
      return 'noted';
    },
  ),
];

/** After a run: the ledger is intact, folds to the daemon's state, and contains each refusal of authority and each spending. */
async function checkLedger({ gate }: Real, model: ReferenceModel): Promise<void> {
  const records = await gate.records();
  const [again, resumed] = [new State(), new State()];
  for (const record of records) {
    again.apply(record);
    // Saved and restored halfway, the result is the same.
    if (record.seq === Math.floor(records.length / 2)) resumed.restore(deserialize(serialize(again.save())));
    else if (record.seq > records.length / 2) resumed.apply(record);
  }
  expect(again).toEqual(gate.kernel.state);
  expect(resumed).toEqual(gate.kernel.state);
  const spent = (await gate.events('approval_spent')).map(({ data }) => data.approval);
  expect([new Set(spent).size, (await gate.events('authority_refused')).length]).toEqual([spent.length, model.refusedAuthority]);
  const { publicKeyPem } = gate.keys;
  expect((await verifyLedger({ dir: join(gate.dir, 'ledger'), publicKeyPem, savedCheckpoint: gate.store.head() })).problem).toBe(null);
}

/** How often each kind comes: mostly agents that work and humans that answer. */
const STEPS = [
  sessionSteps,
  gateSteps,
  humanSteps,
  breakSteps,
  configSteps,
  configSteps,
  timeSteps,
  ...Array(4).fill(agentSteps),
  ...Array(6).fill(answerSteps),
].flat() as ReturnType<typeof step>[];

/** Two agents and a sub-agent that may work already, so that runs need not get there by chance. */
async function begin(model: ReferenceModel, real: Real): Promise<void> {
  model.declareIntent('login', '**');
  await real.gate.intent(['**']);
  for (const name of ['a', 'b']) {
    model.open(name, null);
    model.beginWork(name, null, null);
    await real.gate.pass(await real.gate.session(name), 'begin_work', {});
  }
  model.open('a/x', null);
  await real.gate.session('a', null, 'x');
  expect(view(real)).toEqual(model.view());
}

async function compareLives(): Promise<void> {
  const lives = fc.commands<ReferenceModel, Real, false>(STEPS, { maxCommands: 40, size: 'max' });
  const life = fc.asyncProperty(fc.nat(3), lives, async (begun, steps) => {
    const real: Real = { gate: await Gate.open(), hooked: [] };
    const model = new ReferenceModel();
    try {
      if (begun > 0) await begin(model, real);
      await fc.asyncModelRun(() => ({ model, real }), steps);
      await checkLedger(real, model);
    } finally {
      await real.gate.destroy();
    }
  });
  await fc.assert(life, { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) });
}

const TIMEOUT_MS = 60_000 + RUNS * 2_000;
verifies('I13', 'any life of sessions, intents, approvals and restarts is the one that the rules say', compareLives, TIMEOUT_MS);
