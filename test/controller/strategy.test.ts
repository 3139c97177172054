// The strategy of a run follows what happened in it: failures and repetitions are read from the record, not from what the agent says.

import { expect, onTestFinished } from 'vitest';
import { connectController, PLAN, type TurnAnswer, writeShop } from '../lab/controller.ts';
import { oneDaemon } from '../lab/one-daemon.ts';
import { verifies } from '../verifies.ts';

const newPlace = oneDaemon();

async function controllerIn(scope = 'src') {
  const place = await newPlace();
  await writeShop(place.repo.path);
  expect((await place.human(['intent', 'round the total', scope])).code).toBe(0);
  const controller = await connectController(place);
  onTestFinished(() => controller.close());
  return { place, ...controller };
}

const switches = ({ knowledgeStrategy: { reasons } }: TurnAnswer): string[] =>
  (reasons as { reason: string }[]).map(({ reason }) => reason).filter((reason) => reason.startsWith('switched'));

verifies(
  'G18',
  'the same call three times with nothing changed in between switches the strategy; questions about the state do not',
  async () => {
    const { turn } = await controllerIn();
    for (let time = 0; time < 4; time++) await turn('list_available_verbs');
    for (let time = 0; time < 2; time++) await turn('read_file_lines', { targetFile: 'src/total.js' });
    await turn('read_file_lines', { targetFile: 'src/print.js' });
    expect(switches(await turn('submit_execution_plan', { planGraph: PLAN }))).toEqual([]);
    for (let time = 0; time < 3; time++) await turn('read_file_lines', { targetFile: 'test/total.test.js' });
    const planned = await turn('submit_execution_plan', { planGraph: PLAN });
    expect(planned.denyReasons).toEqual([]);
    expect(switches(planned)).toEqual([
      expect.stringMatching(/^switched to \S+ after repeated_action_threshold \(3 times: read_file_lines\) in general_code_change$/),
    ]);
    // The class is kept for the next plan: it is not tried a second time.
    expect((await turn('submit_execution_plan', { planGraph: PLAN })).knowledgeStrategy.strategyId).toBe(
      planned.knowledgeStrategy.strategyId,
    );
  },
  120_000,
);

verifies(
  'G18',
  'a check that fails three times switches the strategy of the next plan',
  async () => {
    const { turn } = await controllerIn();
    await turn('read_file_lines', { targetFile: 'src/total.js' });
    const planned = await turn('submit_execution_plan', { planGraph: PLAN });
    expect(planned.denyReasons).toEqual([]);
    type Refs = { nodeId: string; artifactBundleRef: string; diffSummaryRef: string };
    const { artifactBundleRef, diffSummaryRef } = (planned.result['nodes'] as Refs[]).find(({ nodeId }) => nodeId === 'check')!;
    let old = 'sum + price * count';
    for (const next of ['sum - price * count', 'sum + price + count', 'sum * price * count']) {
      const edit = { planNodeId: 'round', targetFile: 'src/total.js', edits: [{ oldText: old, newText: next }] };
      expect((await turn('apply_code_patch', edit)).denyReasons).toEqual([]);
      old = next;
      const recipe = { recipeId: 'run_targeted_validation', planNodeId: 'check', artifactBundleRef, diffSummaryRef };
      expect((await turn('run_automation_recipe', recipe)).result['validationOutcome']).toBe('failed');
    }
    await turn('read_file_lines', { targetFile: 'src/total.js' });
    const replanned = await turn('submit_execution_plan', { planGraph: PLAN });
    expect(replanned.denyReasons).toEqual([]);
    expect(switches(replanned)).toEqual([
      expect.stringMatching(/^switched to \S+ after repeated_failure_threshold \(3 times: \S.*\) in general_code_change$/),
    ]);
  },
  120_000,
);
