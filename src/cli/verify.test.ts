import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type Gate, gateForThisTest, outcomeOf } from '../kernel/gate.fixture.ts';
import { verifyFolder } from '../ledger/index.ts';
import { verificationText } from './verify.ts';

const ledgerOf = (gate: Gate): string => join(gate.dir, 'ledger');
const segmentOf = (gate: Gate): string => join(ledgerOf(gate), '00000001.jsonl');

verifies('N2', 'an unknown outcome is named, one that is on its way is counted', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const lost = outcomeOf(
    await gate.before(session, 'write_file', { path: 'src/a.ts', content: '' }, { native: { tool: 'Write' } }),
    'admitted',
  ).action;
  await gate.restart();
  const running = outcomeOf(await gate.write(session, 'src/b.ts'), 'admitted').action;
  const seen = outcomeOf(await gate.write(session, 'src/b.ts'), 'admitted').action;
  await gate.kernel.spine.after(seen.id, { output: '', failed: false });

  const result = await verifyFolder(ledgerOf(gate), undefined);
  const { size, chain } = gate.store.head();
  expect(result).toMatchObject({
    ok: true,
    dir: ledgerOf(gate),
    size,
    chain,
    problem: null,
    hmac: 'not checked',
    saved_checkpoint: 'not checked',
  });
  expect(result.outcomes).toEqual([
    { action: lost.id, tool: 'Write', session, state: 'unknown', reason: 'the daemon ended before it saw the outcome' },
    { action: running.id, tool: 'write_file', session, state: 'open', reason: null },
  ]);
  expect(verificationText(result).split('\n')).toEqual([
    `Intact: ${size} records under ${result.heads} signed heads in ${ledgerOf(gate)}; nothing is missing. Chain ${chain?.slice(0, 16)}.`,
    '1 outcome is unknown:',
    `  ◌ ${lost.id}  Write  the daemon ended before it saw the outcome`,
    '1 admitted, not settled yet.',
    'Not checked: the HMACs (only the daemon holds their key).',
    'Not checked: whether records were cut off at the end. Keep a head elsewhere and give it with --head FILE.',
  ]);
});

test('an outcome that was seen after all is no longer unknown', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const { id } = outcomeOf(await gate.write(session, 'src/a.ts'), 'admitted').action;
  await gate.kernel.turns.end(session);
  expect((await verifyFolder(ledgerOf(gate), undefined)).outcomes).toMatchObject([{ action: id, state: 'unknown' }]);
  await gate.kernel.spine.after(id, { output: '', failed: false });
  const result = await verifyFolder(ledgerOf(gate), undefined);
  expect(result.outcomes).toEqual([]);
  expect(verificationText(result)).toContain('No outcome is unknown.');
});

verifies('N2', 'with a saved checkpoint, records cut off at the end are missed', async () => {
  const gate = await gateForThisTest();
  await gate.session();
  const early = statSync(segmentOf(gate)).size;
  await gate.intent();
  const head = join(gate.dir, 'head.json');
  writeFileSync(head, JSON.stringify({ ...gate.store.head(), writable: true }));
  expect(await verifyFolder(ledgerOf(gate), head)).toMatchObject({ ok: true, saved_checkpoint: 'checked' });

  truncateSync(segmentOf(gate), early);
  expect(await verifyFolder(ledgerOf(gate), undefined)).toMatchObject({ ok: true });
  const result = await verifyFolder(ledgerOf(gate), head);
  expect(result).toMatchObject({ ok: false, problem: { how: expect.any(String) } });
  expect(verificationText(result)).toMatch(/^BROKEN at 00000001\.jsonl line \d+/);
});

verifies('N2', 'a flipped byte is located', async () => {
  const gate = await gateForThisTest();
  await gate.session();
  await gate.intent();
  const bytes = readFileSync(segmentOf(gate));
  const second = bytes.indexOf('\n') + 1;
  bytes[second + 40]! ^= 1;
  writeFileSync(segmentOf(gate), bytes);
  const result = await verifyFolder(ledgerOf(gate), undefined);
  expect(result).toMatchObject({ ok: false, problem: { segment: '00000001.jsonl', line: 2 } });
  expect(verificationText(result)).toMatch(/^BROKEN at 00000001\.jsonl line 2.*\n\d+ records before it are intact\./);
});

test('a batch that was never finished is no break, and is reported', async () => {
  const gate = await gateForThisTest();
  writeFileSync(segmentOf(gate), '{"seq":', { flag: 'a' });
  const result = await verifyFolder(ledgerOf(gate), undefined);
  expect(result).toMatchObject({ ok: true, torn_tail_bytes: 7 });
  expect(verificationText(result)).toContain('The last 7 bytes are a batch that was never finished or acknowledged');
});

test('no ledger, and an invalid head, are sentences', async () => {
  const gate = await gateForThisTest();
  await expect(verifyFolder(gate.root, undefined)).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: `There is no ledger in ${gate.root}.`,
  });
  const head = join(gate.dir, 'head.json');
  for (const text of ['', '{}', '{"size":-1,"chain":"x"}', '[1]']) {
    writeFileSync(head, text);
    await expect(verifyFolder(ledgerOf(gate), head)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: `${head} does not hold a saved checkpoint.`,
    });
  }
});
