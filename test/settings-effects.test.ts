// Settings of the controller and the code index, each seen by its effect.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { connectController, writeShop } from './lab/controller.ts';
import { oneDaemon } from './lab/one-daemon.ts';
import { verifies } from './verifies.ts';

const newPlace = oneDaemon();

verifies('G25', 'budget.maxTokens is the budget before grants, and what is over its threshold is blocked', async () => {
  const place = await newPlace();
  await writeShop(place.repo.path);
  expect((await place.human(['config', 'set', 'budget.maxTokens', '2000'])).code).toBe(0);
  const controller = await connectController(place);
  onTestFinished(() => controller.close());
  expect((await controller.turn('list_available_verbs')).budgetStatus).toMatchObject({
    maxTokens: 2000,
    thresholdTokens: 1200,
    blocked: false,
  });
  await controller.turn('write_scratch_file', { relativePath: 'a.md', content: 'x'.repeat(4_000) });
  const blocked = await controller.turn('write_scratch_file', { relativePath: 'a.md', content: 'x'.repeat(4_000) });
  expect(blocked).toMatchObject({ state: 'BLOCKED_BUDGET', denyReasons: ['PLAN_SCOPE_VIOLATION'] });
  expect((await place.human(['plan', 'grant-budget', '8000'])).output).toContain('10000 tokens in all');
  expect(await controller.turn('list_scoped_files')).toMatchObject({ state: 'PLAN_REQUIRED', budgetStatus: { maxTokens: 10_000 } });
});

verifies('G26', 'roots, ingestion and parsers decide what the code index reads', async () => {
  const place = await newPlace();
  await writeShop(place.repo.path);
  await mkdir(join(place.repo.path, 'tools'));
  await writeFile(join(place.repo.path, 'tools/run.py'), 'def total():\n    return 0\n');
  await writeFile(join(place.repo.path, 'src/more.py'), 'def total():\n    return 0\n');
  const controller = await connectController(place);
  onTestFinished(() => controller.close());
  const found = async () => {
    const { result } = await controller.turn('lookup_symbol_definition', { symbol: 'total' });
    return (result['symbols'] as { path: string }[]).map(({ path }) => path).toSorted();
  };
  const set = async (key: string, value: string) => expect((await place.human(['config', 'set', key, value])).code).toBe(0);
  const all = await found();
  expect(all).toEqual(expect.arrayContaining(['src/more.py', 'src/total.js', 'tools/run.py']));
  await set('roots.worktree', '["src"]');
  expect(await found()).toEqual(all.filter((path) => path.startsWith('src/')));
  await set('parsers.disabled', '["python"]');
  expect(await found()).toEqual(all.filter((path) => path.startsWith('src/') && !path.endsWith('.py')));
  await set('ingestion.exclude', '["src/total.*"]');
  expect(await found()).not.toContain('src/total.js');
  await set('ingestion.include', '["test/**"]');
  expect(await found()).toEqual([]);
});

verifies('G26', 'federation.manifests makes a planned change of such a file cross the federation boundary', async () => {
  const place = await newPlace();
  await writeShop(place.repo.path);
  expect((await place.human(['intent', 'show two decimals', 'src'])).code).toBe(0);
  const controller = await connectController(place);
  onTestFinished(() => controller.close());
  const crosses = async (targetFile: string) => {
    const node = {
      ...{ targetFile, whyThisFile: 'It shows the total of an order', editIntent: `Show two decimals in ${targetFile}` },
      ...{ codeEvidence: [`${targetFile}:1-3`], verificationHooks: ['test'] },
    };
    const { knowledgeStrategy } = await controller.turn('submit_execution_plan', { planGraph: { nodes: [node] } });
    return (knowledgeStrategy as { contextSignature?: { crossesFederationBoundary: boolean } }).contextSignature?.crossesFederationBoundary;
  };
  expect(await crosses('src/print.js')).toBe(false);
  expect((await place.human(['config', 'set', 'federation.manifests', '["src/print.js"]'])).code).toBe(0);
  expect([await crosses('src/print.js'), await crosses('src/total.js')]).toEqual([true, false]);
});

verifies('G26', 'config set from below an agent changes nothing; a human with their proof does', async () => {
  const place = await newPlace();
  const controller = await connectController(place);
  onTestFinished(() => controller.close());
  await controller.turn('list_available_verbs');
  const refused = await place.run(['config', 'set', 'budget.maxTokens', '900000']);
  expect(refused.code).not.toBe(0);
  expect((await controller.turn('list_available_verbs')).budgetStatus.maxTokens).toBe(100_000);
  expect((await place.human(['config', 'set', 'budget.maxTokens', '900000'])).code).toBe(0);
  expect((await controller.turn('list_available_verbs')).budgetStatus.maxTokens).toBe(900_000);
});
