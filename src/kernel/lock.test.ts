// Two agents, one file: an agent with an outdated reading is warned once, and nothing is overwritten unseen.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { STEP } from '../../test/step.ts';
import { verifies } from '../../test/verifies.ts';
import { sha256Hex } from '../ledger/index.ts';
import { type Gate, gateForThisTest, outcomeOf, summaryOf } from './gate.fixture.ts';

const read = (gate: Gate, session: string, path: string) => gate.before(session, 'read_file', { path });
const now = (gate: Gate, path: string) => readFileSync(join(gate.root, path), 'utf8');

/** As an agent does it: asks, writes, reports. Returns the gate's answer. */
async function change(gate: Gate, session: string, path: string, content: string): Promise<string> {
  const outcome = await gate.write(session, path, content);
  if (outcome.kind !== 'admitted') return summaryOf(outcome);
  writeFileSync(join(gate.root, path), content);
  await gate.kernel.spine.after(outcome.action.id, { output: 'done', failed: false });
  return 'done';
}

async function twoAgents(gate: Gate): Promise<[string, string]> {
  return [await gate.working('one', ['**']), await gate.working('two', ['**'])];
}

verifies('I10', 'a write based on an old read is refused once, with what changed since, and passes after that', async () => {
  const gate = await gateForThisTest();
  const [one, two] = await twoAgents(gate);
  await read(gate, one, 'src/a.ts');
  await read(gate, two, 'src/a.ts');
  expect(await change(gate, one, 'src/a.ts', 'export const a = 1;\nexport const b = 2;\n')).toBe('done');
  const { refusal } = outcomeOf(await gate.write(two, 'src/a.ts', 'mine\n'), 'refused');
  expect([refusal.error_code, refusal.message.split('\n')]).toEqual([
    'STALE_FILE',
    ['src/a.ts changed since you last saw it.', 'Line 2 now reads:', '+ export const b = 2;'],
  ]);
  expect(await change(gate, two, 'src/a.ts', 'export const both = 3;\n')).toBe('done');
  expect(now(gate, 'src/a.ts')).toBe('export const both = 3;\n');
});

verifies('I10', 'a human’s edit is a change too; reading again is the way on, and the daemon may have died in between', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  await read(gate, session, 'src/a.ts');
  writeFileSync(join(gate.root, 'src/a.ts'), 'by hand\n');
  await gate.restart();
  const { refusal } = outcomeOf(await gate.write(session, 'src/a.ts'), 'refused');
  // Reads are kept only in memory, which is lost.
  expect([refusal.error_code, refusal.message]).toEqual(['STALE_FILE', 'src/a.ts changed since you last saw it.']);
  await read(gate, session, 'src/a.ts');
  expect(await change(gate, session, 'src/a.ts', 'for what it holds now\n')).toBe('done');
});

test('a file that an agent with hooks never read may be changed, and the receipt says so', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  await change(gate, session, 'src/a.ts', 'unseen\n');
  await change(gate, session, 'src/a.ts', 'seen\n');
  await change(gate, session, 'src/new.ts', 'new\n');
  const refs = (await gate.events('action_settled')).flatMap(({ data }) => data.receipt.file_refs);
  expect(refs.map(({ path, lock }) => [path, lock])).toEqual([
    ['src/a.ts', 'unread'],
    ['src/a.ts', 'checked'],
    ['src/new.ts', 'new'],
  ]);
});

test('what the agent’s own command did to a file does not make its next edit stale', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working('main', ['**']);
  await read(gate, session, 'src/a.ts');
  const { action } = outcomeOf(await gate.command(session, 'npx prettier --write src'), 'admitted');
  writeFileSync(join(gate.root, 'src/a.ts'), 'formatted\n');
  await gate.kernel.spine.after(action.id, { output: '', failed: false });
  const at = new Date(gate.clock.ms).toISOString();
  const [before_sha256, after_sha256] = ['export const a = 1;\n', 'formatted\n'].map((text) => sha256Hex(text)) as [string, string];
  await gate.kernel.recordUntracked([
    {
      workspace: gate.workspace,
      root: gate.root,
      path: 'src/a.ts',
      before_sha256,
      after_sha256,
      window: { from: at, to: at },
      attribution: 'window',
      actions: [action.id],
    },
  ]);
  expect(await change(gate, session, 'src/a.ts', 'and on\n')).toBe('done');
});

test('while one changes a file the other waits, but not for ever', async () => {
  const gate = await gateForThisTest();
  const [one, two] = await twoAgents(gate);
  const { action } = outcomeOf(await gate.write(one, 'src/a.ts'), 'admitted');
  expect(summaryOf(await gate.write(two, 'src/a.ts'))).toBe('refused FILE_LEASED');
  expect(summaryOf(await gate.write(two, 'src/b.ts'))).toBe('admitted');
  await gate.kernel.spine.after(action.id, { output: 'nothing done', failed: true });
  expect(summaryOf(await gate.write(two, 'src/a.ts'))).toBe('admitted');
  expect(summaryOf(await gate.write(one, 'src/a.ts'))).toBe('refused FILE_LEASED');
  gate.clock.ms += 121_000;
  expect(summaryOf(await gate.write(one, 'src/a.ts'))).toBe('admitted');
});

verifies('I10', 'two agents that reach for one file at the same moment: exactly one wins, every time', async () => {
  const gate = await gateForThisTest();
  const [one, two] = await twoAgents(gate);
  for (let round = 0; round < 20; round++) {
    const path = `src/race-${round}.ts`;
    const both = await Promise.all([gate.write(one, path), gate.write(two, path)]);
    expect(both.map(summaryOf).toSorted()).toEqual(['admitted', 'refused FILE_LEASED']);
  }
});

verifies('I10', 'a change that is reported after its lease was over and another took the file is marked with the other one', async () => {
  const gate = await gateForThisTest();
  const [one, two] = await twoAgents(gate);
  const slow = outcomeOf(await gate.write(one, 'src/a.ts', 'slow\n'), 'admitted').action;
  const elsewhere = outcomeOf(await gate.write(one, 'src/b.ts', 'elsewhere\n'), 'admitted').action;
  expect(summaryOf(await gate.write(two, 'src/a.ts', 'fast\n'))).toBe('refused FILE_LEASED');
  gate.clock.ms += 120_001;
  const fast = outcomeOf(await gate.write(two, 'src/a.ts', 'fast\n'), 'admitted').action;
  for (const { id } of [slow, elsewhere, fast]) await gate.kernel.spine.after(id, { output: 'done', failed: false });
  const settled = await gate.events('action_settled');
  const marks = new Map(settled.map(({ data }) => [data.action, data.overtaken_by]));
  expect([slow, elsewhere, fast].map(({ id }) => marks.get(id))).toEqual([fast.id, undefined, undefined]);
});

verifies('I10', '64 agents on 8 files: no update is lost, and each conflict is reported once', manyOnFew, 120_000);

const AGENTS = Math.max(16, Math.ceil(64 / STEP));

async function manyOnFew(): Promise<void> {
  const gate = await gateForThisTest();
  await gate.intent(['**']);
  const files = Array.from({ length: 8 }, (_, index) => `src/shared-${index}.txt`);
  for (const path of files) writeFileSync(join(gate.root, path), '');
  let stale = 0;
  const agents = Array.from({ length: AGENTS }, async (_, index) => {
    const session = await gate.session(`agent-${index}`, 'GUARDED');
    await gate.pass(session, 'begin_work', {});
    const path = files[index % 8]!;
    for (let wrote = 0; wrote < 2;) {
      await read(gate, session, path);
      const said = await change(gate, session, path, `${now(gate, path)}${index}.${wrote}\n`);
      if (said === 'done') wrote += 1;
      if (said === 'refused STALE_FILE') stale += 1;
      // As a refused agent does: 63 that try again at once leave the one with the lease no time.
      if (said === 'refused FILE_LEASED') await new Promise((resume) => setTimeout(resume, 5));
    }
  });
  await Promise.all(agents);
  const lines = files.flatMap((path) => now(gate, path).trimEnd().split('\n'));
  expect(lines.toSorted()).toEqual(
    Array.from({ length: AGENTS }, (_, index) => [`${index}.0`, `${index}.1`])
      .flat()
      .toSorted(),
  );
  const conflicts = (await gate.events('action_refused')).flatMap(({ data }) =>
    data.decision.verdicts.flatMap((verdict) => (verdict.outcome === 'deny' && verdict.code === 'STALE_FILE' ? [data.action.id] : [])),
  );
  expect(conflicts.length).toBe(stale);
}
