import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type Gate, gateForThisTest, outcomeOf, summaryOf } from '../kernel/gate.fixture.ts';
import { Memory } from '../memory/index.ts';
import { NO_PATH_CONFIG, readIntentsFile, TRACE_FILE } from '../workspace/index.ts';
import { IntentMapView } from './intent-map-view.ts';
import { Projections } from './workspace-views.ts';

/** As the daemon wires it. `said` is the daemon's log. */
function projecting(gate: Gate) {
  const said: string[] = [];
  const intentMap = new IntentMapView({ symbolsOf: async () => [] });
  gate.store.subscribe((records) => records.forEach((record) => intentMap.apply(record)));
  const projections = new Projections({
    store: gate.store,
    state: gate.kernel.state,
    memory: new Memory(),
    intentMap,
    cursorFile: join(gate.dir, 'projections.json'),
    version: '0.0.0',
    rootOf: (workspace) => (workspace === gate.workspace ? gate.root : undefined),
    pathsOf: async () => NO_PATH_CONFIG,
    log: (message) => said.push(message),
  });
  gate.store.subscribe((records) => {
    for (const record of records) projections.follow(record);
  });
  return { projections, said };
}

async function edit(gate: Gate, session: string, content: string): Promise<void> {
  const { action } = outcomeOf(await gate.write(session, 'src/a.ts', content), 'admitted');
  writeFileSync(join(gate.root, 'src/a.ts'), content);
  await gate.kernel.spine.after(action.id, { output: 'done', failed: false });
}

const traced = (gate: Gate): string[] =>
  readFileSync(join(gate.root, TRACE_FILE), 'utf8')
    .trimEnd()
    .split('\n')
    .map(
      (line) => (JSON.parse(line) as { metadata: { 'dev.countersign': { receipt_id: string } } }).metadata['dev.countersign'].receipt_id,
    );

const receiptsOf = async (gate: Gate): Promise<string[]> =>
  (await gate.events('action_settled'))
    .map(({ data }) => data.receipt)
    .flatMap(({ file_refs, receipt_id }) => (file_refs.length > 0 ? [receipt_id] : []));

verifies('I4', 'each change is traced once, also after restarts with an old or lost position', async () => {
  const gate = await gateForThisTest();
  const first = projecting(gate);
  const session = await gate.working();
  await edit(gate, session, 'export const a = 2;\n');
  await first.projections.settled();
  const early = readFileSync(join(gate.dir, 'projections.json'), 'utf8');
  await edit(gate, session, 'export const a = 3;\n');
  await first.projections.settled();
  expect(traced(gate)).toEqual(await receiptsOf(gate));

  for (const position of [early, '', '{"seq":-1}', '{"seq":"all"}', null]) {
    const file = join(gate.dir, 'projections.json');
    if (position === null) rmSync(file);
    else writeFileSync(file, position);
    await gate.restart();
    const again = projecting(gate);
    await again.projections.catchUp();
    expect(again.said).toEqual([]);
    expect(traced(gate)).toEqual(await receiptsOf(gate));
  }
});

verifies('I4', 'what tools make from sources has a receipt and no trace', async () => {
  const gate = await gateForThisTest();
  const { projections } = projecting(gate);
  const session = await gate.working();
  const { action } = outcomeOf(await gate.write(session, 'dist/a.js', 'made\n'), 'admitted');
  mkdirSync(join(gate.root, 'dist'));
  writeFileSync(join(gate.root, 'dist/a.js'), 'made\n');
  await gate.kernel.spine.after(action.id, { output: 'done', failed: false });
  await projections.settled();
  expect([(await receiptsOf(gate)).length, existsSync(join(gate.root, TRACE_FILE))]).toEqual([1, false]);
});

test('what happened while no view was open is caught up, and a record that comes meanwhile is not traced twice', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  await edit(gate, session, 'export const a = 2;\n');
  const { projections } = projecting(gate);
  await Promise.all([projections.catchUp(), edit(gate, session, 'export const a = 3;\n')]);
  await projections.settled();
  const receipts = await receiptsOf(gate);
  expect(receipts).toHaveLength(2);
  expect(traced(gate)).toEqual(receipts);
});

test('a record that is heard of before the past was read does not pass for it', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  await edit(gate, session, 'export const a = 2;\n');
  await edit(gate, session, 'export const a = 3;\n');
  const { projections } = projecting(gate);
  const [newest] = await gate.store.find({ limit: 1 });
  const caughtUp = projections.catchUp();
  projections.follow(newest!);
  await caughtUp;
  expect(traced(gate)).toEqual(await receiptsOf(gate));
});

verifies('I3', 'a confirmed intent stands in the intents file, and follows its life there', async () => {
  const gate = await gateForThisTest();
  const { projections, said } = projecting(gate);
  const id = await gate.intent();
  await projections.settled();
  const file = join(gate.root, '.orchestration/active_intents.yaml');
  writeFileSync(file, `${readFileSync(file, 'utf8')}  # what I think of it\n`);
  await gate.setIntent(id, 'done');
  await projections.settled();
  expect(await readIntentsFile(gate.root)).toEqual([expect.objectContaining({ id, status: 'done', owned_scope: ['src/**'] })]);
  expect(readFileSync(file, 'utf8')).toContain('  # what I think of it\n');
  expect(said).toEqual([]);
});

test('a proposal, and an intent of an unknown workspace, are written nowhere', async () => {
  const gate = await gateForThisTest();
  const { projections, said } = projecting(gate);
  await gate.intent(['src/**'], { kind: 'uncertain', why: 'nobody knows' });
  await gate.kernel.authority.declareIntent(
    { kind: 'human', human: { proof: 'login', via: 'cli' } },
    { workspace: 'wsp_00000000000000000000000000', name: 'elsewhere', ownedScope: ['**'], constraints: [], acceptanceCriteria: [] },
  );
  await projections.settled();
  expect([existsSync(join(gate.root, '.orchestration')), said]).toEqual([false, []]);
});

test('an intents file that is broken is logged, fails no request, and does not hold up what comes after', async () => {
  const gate = await gateForThisTest();
  const { projections, said } = projecting(gate);
  const broken = 'intents: [\n  - {';
  mkdirSync(join(gate.root, '.orchestration'));
  writeFileSync(join(gate.root, '.orchestration/active_intents.yaml'), broken);
  const session = await gate.session('main', 'GUARDED');
  const intent = await gate.intent();
  await gate.recall(session);
  // No intent can be cited while the file may say something else.
  expect(summaryOf(await gate.pass(session, 'select_active_intent', { intent_id: intent }))).toBe('settled DOCUMENT_INVALID');
  expect(summaryOf(await gate.write(session, 'src/a.ts'))).toBe('refused DOCUMENT_INVALID');
  await projections.settled();
  expect(readFileSync(join(gate.root, '.orchestration/active_intents.yaml'), 'utf8')).toBe(broken);
  writeFileSync(join(gate.root, '.orchestration/active_intents.yaml'), 'intents: []\n');
  await gate.pass(session, 'select_active_intent', { intent_id: intent });
  await edit(gate, session, 'export const a = 2;\n');
  await projections.settled();
  expect(said).toEqual([expect.stringMatching(/^view of record \d+: Fault: \.orchestration\/active_intents\.yaml:\d+: /)]);
  expect(traced(gate)).toEqual(await receiptsOf(gate));
});

test('a work tree that was removed is not made again', async () => {
  const gate = await gateForThisTest();
  const { projections } = projecting(gate);
  const session = await gate.working();
  const { action } = outcomeOf(await gate.write(session, 'src/a.ts'), 'admitted');
  rmSync(gate.root, { recursive: true });
  await gate.kernel.spine.after(action.id, { output: 'done', failed: false });
  await projections.settled();
  expect(existsSync(gate.root)).toBe(false);
});
