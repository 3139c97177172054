// A context pack is kept with accepted and rejected plans, and is got back by its ref.

import { expect, onTestFinished } from 'vitest';
import { PACK_SECTIONS } from '../../src/protocol/index.ts';
import { connectController, PLAN, writeShop } from '../lab/controller.ts';
import { oneDaemon } from '../lab/one-daemon.ts';
import { verifies } from '../verifies.ts';

const newPlace = oneDaemon();

verifies('G6', 'agents and people get a pack back by its ref; an agent only those of its own work', async () => {
  const place = await newPlace();
  await writeShop(place.repo.path);
  expect((await place.human(['intent', 'round the total', 'src'])).code).toBe(0);
  const controller = await connectController(place);
  onTestFinished(() => controller.close());
  const { turn } = controller;
  const submit = async () => (await turn('submit_execution_plan', { planGraph: PLAN })).result['contextPackRef'] as string;
  const rejected = await submit();
  await turn('read_file_lines', { targetFile: 'src/total.js' });
  const refs = [rejected, await submit()];
  expect(new Set(refs).size).toBe(2);
  for (const contextPackRef of refs) {
    const { result, denyReasons } = await turn('request_evidence_guidance', { blockingReasons: ['what was known?'], contextPackRef });
    expect([denyReasons, Object.keys(result['contextPack'] as object).toSorted()]).toEqual([[], [...PACK_SECTIONS].toSorted()]);
    expect(await place.client.ask('context_pack', { ref: contextPackRef })).toEqual(result['contextPack']);
    const { code, output } = await place.human(['show', contextPackRef]);
    expect([code, output.includes('"schemaVersion": "1.0.0"')]).toEqual([0, true]);
  }
  const unknown = await turn('request_evidence_guidance', { blockingReasons: ['x'], contextPackRef: `pack:${'0'.repeat(64)}` });
  expect(unknown.denyReasons).toEqual(['PLAN_SCOPE_VIOLATION']);

  const client = await place.mcpClient({ surface: 'contract' });
  onTestFinished(() => client.close());
  const others = await client.callTool({ name: 'plan_status', arguments: { contextPackRef: refs[1] } });
  expect(others.structuredContent).toMatchObject({ error_code: 'PLAN_SCOPE_VIOLATION' });
  await client.callTool({ name: 'read_file', arguments: { path: 'src/total.js' } });
  const { contextPackRef } = (await client.callTool({ name: 'submit_execution_plan', arguments: { planGraph: PLAN } }))
    .structuredContent as {
    contextPackRef: string;
  };
  const own = await client.callTool({ name: 'plan_status', arguments: { contextPackRef } });
  expect(own.structuredContent).toMatchObject({ contextPack: { header: { schemaVersion: '1.0.0' } } });
});

verifies('G2', 'traceMeta is recorded, of a long one 4 KB, and charged as it was sent', async () => {
  const place = await newPlace();
  const controller = await connectController(place);
  onTestFinished(() => controller.close());
  const before = (await controller.turn('list_available_verbs')).budgetStatus.usedTokens;
  const sent = { verb: 'list_available_verbs', traceMeta: { note: 'ä'.repeat(20_000) } };
  const { receipt_id, budgetStatus } = await controller.send(sent);
  expect(budgetStatus.usedTokens - before).toBeGreaterThan(10_000);
  const [row] = await place.client.ask('receipts', { id: receipt_id! });
  const kept = row?.inputs['traceMeta'] as { cut: { bytes: number; begins: string } };
  expect(kept.cut.bytes).toBe(40_011);
  expect(Buffer.byteLength(kept.cut.begins)).toBeGreaterThan(4_000);
  expect(Buffer.byteLength(JSON.stringify(row))).toBeLessThan(12_000);
});
