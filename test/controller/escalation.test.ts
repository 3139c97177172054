// Nodes that need a human: an escalate node holds what depends on it; and work that has failed.

import { expect, onTestFinished } from 'vitest';
import { connectController, type Controller, PLAN, writeShop } from '../lab/controller.ts';
import type { Place } from '../lab/installation.ts';
import { oneDaemon } from '../lab/one-daemon.ts';
import { waiting } from '../lab/strict-agent.ts';
import { verifies } from '../verifies.ts';

const newPlace = oneDaemon();
const [CHANGE, CHECK] = PLAN.nodes;
const ASK = {
  nodeId: 'ask',
  kind: 'escalate',
  requestedEvidence: ['How is half a cent rounded?'],
  blockingReasons: ['The prompt does not say'],
};
const EDITS = [{ oldText: 'sum + price', newText: 'price + sum' }];

async function planned(): Promise<{ place: Place; controller: Controller; patch: () => ReturnType<Controller['turn']> }> {
  const place = await newPlace();
  await writeShop(place.repo.path);
  expect((await place.human(['intent', 'round the total', 'src'])).code).toBe(0);
  const controller = await connectController(place);
  onTestFinished(() => controller.close());
  await controller.turn('read_file_lines', { targetFile: 'src/total.js' });
  const planGraph = { nodes: [ASK, { ...CHANGE, dependsOn: ['ask'] }, CHECK] };
  expect((await controller.turn('submit_execution_plan', { planGraph })).denyReasons).toEqual([]);
  return {
    place,
    controller,
    patch: () => controller.turn('apply_code_patch', { planNodeId: 'round', targetFile: 'src/total.js', edits: EDITS }),
  };
}

const question = async (place: Place) => (await waiting(place)).find(({ kind }) => kind === 'plan')!;

verifies('G9', 'an escalate node is an item of the inbox and holds what depends on it until a human has answered', async () => {
  const { place, patch } = await planned();
  expect((await patch()).result.refusal?.message).toContain('waits for node ask');
  const item = await question(place);
  expect(item.what).toContain('How is half a cent rounded?');
  expect((await place.human(['approve', item.id])).code).toBe(0);
  expect((await patch()).denyReasons).toEqual([]);
});

verifies('G9', 'an escalate node that a human refuses holds its dependents for good, and the answer says so', async () => {
  const { place, controller, patch } = await planned();
  expect((await place.human(['reject', (await question(place)).id, '--reason', 'ask the product team'])).code).toBe(0);
  expect((await patch()).denyReasons).toEqual(['PLAN_SCOPE_VIOLATION']);
  const { result } = await controller.turn('list_available_verbs');
  expect(result['plan']).toMatchObject({ nodes: [{ nodeId: 'ask', waitsFor: ["a human's yes, which was refused"] }, {}, {}] });
});

verifies('G3', 'work that has failed says why, runs only the three verbs, and a new workId opens new work', async () => {
  const { place, controller } = await planned();
  expect((await place.human(['approve', (await question(place)).id])).code).toBe(0);
  const outside = { planNodeId: 'round', targetFile: 'src/total.js', edits: [{ oldText: '`Order ', newText: '`No. ' }] };
  let answer = await controller.turn('apply_code_patch', outside);
  for (let tries = 0; tries < 10 && answer.state !== 'FAILED'; tries++) answer = await controller.turn('apply_code_patch', outside);
  expect([answer.state, answer.capabilities]).toEqual(['FAILED', ['list_available_verbs', 'get_original_prompt', 'signal_task_complete']]);
  expect((await controller.turn('list_available_verbs')).result).toMatchObject({ ended: expect.stringContaining('PLAN_SCOPE_VIOLATION') });
  expect((await controller.turn('apply_code_patch', { ...outside, edits: EDITS })).denyReasons).toEqual(['PLAN_SCOPE_VIOLATION']);
  const next = await controller.send({ verb: 'list_scoped_files', workId: 'second-try' });
  expect([next.state, next.workId, next.denyReasons]).toEqual(['PLAN_REQUIRED', 'second-try', []]);
});
