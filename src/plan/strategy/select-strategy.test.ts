import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { CODE_STRATEGIES } from '../../packs/index.ts';
import { type ContextFlag, type Lesson, STRATEGY_CLASSES, SWITCH_TRIGGERS } from '../../protocol/index.ts';
import { contextSignature, type SeenContext, testConfidence } from './context-signature.ts';
import { selectStrategy, type StrategySignal } from './select-strategy.ts';

const NOTHING: SeenContext = { prompt: null, words: [], files: [], artifacts: [], operations: [], checks: ['test', 'typecheck'] };
const seen = (changed: Partial<SeenContext>) => contextSignature(CODE_STRATEGIES, { ...NOTHING, ...changed });
const chosen = (changed: Partial<SeenContext>, triggers: (typeof SWITCH_TRIGGERS)[number][] = [], lessons: Lesson[] = []) =>
  selectStrategy(CODE_STRATEGIES, {
    found: seen(changed),
    prompt: changed.prompt ?? null,
    signals: triggers.map((trigger) => ({ trigger })),
    lessons,
  });

verifies('G18', 'the four classes and the neutral one are chosen by what is seen, and say by what', () => {
  const cases: readonly (readonly [Partial<SeenContext>, string, string])[] = [
    [{ prompt: 'Add a column to the ag-Grid of orders' }, 'ui_aggrid_feature', 'mentionsAgGrid: the prompt says "ag-grid"'],
    [{ artifacts: ['swagger:orders'] }, 'api_contract_feature', 'hasSwagger: swagger:orders was fetched'],
    [{ prompt: 'Migrate ADP: adp to sdf' }, 'migration_adp_to_sdf', 'migrationAdpDetected: the prompt says "adp to sdf"'],
    [{ prompt: 'The total is wrong after a discount' }, 'debug_symptom_trace', 'testConfidenceLevel: checks: test, typecheck'],
    [{ prompt: 'Rename total' }, 'general_code_change', 'testConfidenceLevel: checks: test, typecheck'],
  ];
  for (const [context, id, reason] of cases) {
    const { strategyId, reasons } = chosen(context);
    expect(strategyId).toBe(id);
    expect(reasons.map((each) => each.reason)).toContain(reason);
  }
  expect(CODE_STRATEGIES.classes.map(({ id }) => id).toSorted()).toEqual([...STRATEGY_CLASSES, 'general_code_change'].toSorted());
});

verifies('G18', 'each flag of the signature is set by files, words or artefacts, with what shows it', () => {
  const file = (changed: object) => ({ path: 'src/a.ts', imports: [], labels: [], text: '', ...changed });
  const cases: readonly (readonly [Partial<SeenContext>, ContextFlag])[] = [
    [{ artifacts: ['jira:PORT-1'] }, 'hasJira'],
    [{ files: [file({ path: 'api/openapi.yaml' })] }, 'hasSwagger'],
    [{ files: [file({ imports: ['ag-grid-community'] })] }, 'mentionsAgGrid'],
    [{ files: [file({ labels: ['Table'] })] }, 'mentionsAgGrid'],
    [{ files: [file({ text: 'this.attachShadow({ mode })' })] }, 'touchesShadowDom'],
    [{ files: [file({ text: 'loadRemoteModule(…)' })] }, 'crossesFederationBoundary'],
    [{ files: [file({ imports: ['@adp/core'] })] }, 'migrationAdpDetected'],
    [{ operations: ['GET /orders/{id}'] }, 'contractAnchorPresent'],
    [{ words: ['Put it into the shadow root'] }, 'touchesShadowDom'],
  ];
  for (const [context, flag] of cases) {
    const { signature, because } = seen(context);
    expect(signature[flag]).toBe(true);
    expect(because.map((each) => each.flag)).toContain(flag);
  }
  expect(Object.values(seen({ prompt: 'the tag-gridiron' }).signature).filter((value) => value === true)).toEqual([]);
});

verifies('G18', 'test confidence is by what checks exist', () => {
  expect([[], ['lint'], ['typecheck'], ['test'], ['test', 'lint'], ['test', 'typecheck']].map(testConfidence)).toEqual([
    ...['none', 'low', 'low', 'medium', 'medium', 'high'],
  ]);
});

for (const trigger of SWITCH_TRIGGERS)
  verifies('G18', `${trigger} leads to the next class at its third time, and says so`, () => {
    const context = { prompt: 'The ag-Grid shows a wrong total' };
    expect(chosen(context, [trigger, trigger]).strategyId).toBe('ui_aggrid_feature');
    const switched = chosen(context, [trigger, trigger, trigger]);
    expect(switched.strategyId).toBe('debug_symptom_trace');
    expect(switched.reasons.at(-1)).toEqual({
      reason: `switched to debug_symptom_trace after ${trigger} (3 times) in ui_aggrid_feature`,
      evidenceRefs: [],
    });
    expect(switched.tried).toEqual(['ui_aggrid_feature', 'debug_symptom_trace']);
  });

verifies(
  'G18',
  'failures count by what failed, repetitions by the call; an accepted plan begins the counts again and keeps the class',
  () => {
    const failed = (about: string): StrategySignal => ({ trigger: 'repeated_failure_threshold', about });
    const repeated = (of: string): StrategySignal => ({ trigger: 'repeated_action_threshold', about: 'read_file', of });
    const after = (...signals: StrategySignal[]) => {
      const { strategyId, reasons } = selectStrategy(CODE_STRATEGIES, { found: seen({}), prompt: null, signals, lessons: [] });
      return [strategyId, reasons.at(-1)!.reason];
    };
    const kept = ['general_code_change', 'testConfidenceLevel: checks: test, typecheck'];
    expect(after(failed('test'), failed('lint'), failed('test'), repeated('a'), repeated('b'), repeated('a'))).toEqual(kept);
    expect(after(failed('test'), failed('test'), 'plan_accepted', failed('test'))).toEqual(kept);
    expect(after(failed('test'), failed('lint'), failed('test'), failed('test'))).toEqual([
      'migration_adp_to_sdf',
      'switched to migration_adp_to_sdf after repeated_failure_threshold (3 times: test) in general_code_change',
    ]);
    expect(after(repeated('a'), repeated('b'), repeated('a'), repeated('a'))).toEqual([
      'migration_adp_to_sdf',
      'switched to migration_adp_to_sdf after repeated_action_threshold (3 times: read_file) in general_code_change',
    ]);
    expect(after(failed('test'), failed('test'), failed('test'), 'plan_accepted')[0]).toBe('migration_adp_to_sdf');
  },
);

verifies('G18', 'a switch changes no duty: what has to be proven is what the context shows', () => {
  const context = { prompt: 'Bring the OpenAPI contract up to date', checks: [] };
  const before = chosen(context);
  const after = chosen(
    context,
    Array.from({ length: 3 }, () => 'plan_rejected' as const),
  );
  expect(after.strategyId).not.toBe(before.strategyId);
  expect(after.duties).toEqual(before.duties);
  expect(after.duties).toMatchObject({ needsContractAnchor: true, by: { contract: 'api_contract_feature' } });
});

verifies('G18', 'the same events give the same class; no class is taken twice; when all were tried a human should help', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...SWITCH_TRIGGERS), { maxLength: 40 }), (triggers) => {
      const first = chosen({ prompt: 'an error in the ag-grid' }, triggers);
      expect(chosen({ prompt: 'an error in the ag-grid' }, triggers)).toEqual(first);
      expect(new Set(first.tried).size).toBe(first.tried.length);
    }),
  );
  const all = chosen(
    {},
    Array.from({ length: 30 }, () => 'plan_rejected' as const),
  );
  expect(all.tried).toHaveLength(5);
  expect(all.reasons.at(-1)!.reason).toContain('every class was tried, so a human should help');
});

test('a signal of a lesson chooses the class, and switches no duty off', () => {
  const lesson = { id: 'les-1', strategySignal: { featureFlag: 'mentionsAgGrid', value: true, reason: 'grids everywhere' } } as Lesson;
  expect(chosen({ prompt: 'Add a column' }, [], [lesson])).toMatchObject({
    strategyId: 'ui_aggrid_feature',
    contextSignature: { mentionsAgGrid: false },
  });
  const off = { id: 'les-2', strategySignal: { featureFlag: 'hasSwagger', value: false, reason: 'not here' } } as Lesson;
  const { strategyId, duties } = chosen({ prompt: 'the openapi description' }, [], [off]);
  expect({ strategyId, needs: duties.needsContractAnchor }).toEqual({ strategyId: 'general_code_change', needs: true });
});
