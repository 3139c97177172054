import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { Fault, type StreamAppend } from '../protocol/index.ts';
import { gateForThisTest, human, outcomeOf, summaryOf } from './gate.fixture.ts';
import type { EventLog } from './index.ts';

/** The real log. While `losing`, another kernel writes first whenever an append has a basis. */
function contested() {
  const link = { losing: false, refused: 0 };
  const rests = (parts: readonly StreamAppend[]) => parts.some(({ expected_seq }) => expected_seq !== null);
  const between = (log: EventLog): EventLog => ({
    ...log,
    append: async (parts, options) => {
      if (!link.losing || !rests(parts)) return log.append(parts, options);
      link.refused += 1;
      throw new Fault('CONFLICT', 'Somebody else wrote first.');
    },
  });
  return { link, between };
}

verifies('I13', 'what keeps losing against others is tried five times, runs nothing, asks no one, and says to call again', async () => {
  const { link, between } = contested();
  const gate = await gateForThisTest({ link: between });
  const session = await gate.working();
  const open = await gate.ask(session, 'rm -rf src/build');
  const before = (await gate.records()).length;
  const again = { code: 'CONFLICT', fix: 'Call again' };
  link.losing = true;
  for (const call of [
    () => gate.write(session, 'src/a.ts'),
    () => gate.command(session, 'rm -rf src/other'),
    () => gate.answer(open, 'approved'),
    () => gate.intent(),
  ]) {
    link.refused = 0;
    await expect(call()).rejects.toMatchObject(again);
    expect(link.refused).toBe(5);
  }
  expect((await gate.records()).length).toBe(before);
  link.losing = false;
  expect([summaryOf(await gate.write(session, 'src/a.ts')), summaryOf(await gate.answer(open, 'approved'))]).toEqual(['admitted', 'noted']);
});

test('a tool whose last step keeps losing fails with a receipt, and may be called again', async () => {
  const { link, between } = contested();
  const gate = await gateForThisTest({ link: between });
  const session = await gate.session('main', 'GUARDED');
  const wanted = { name: 'more', owned_scope: ['src/**'] };
  const admitted = gate.next('action_admitted').then(() => (link.losing = true));
  const [lost] = await Promise.all([gate.pass(session, 'propose_intent', wanted), admitted]);
  const { receipt, refusal } = outcomeOf(lost, 'settled');
  expect([receipt.status, refusal?.error_code, refusal?.remedy?.tool]).toEqual(['failed', 'CONFLICT', 'propose_intent']);
  link.losing = false;
  expect(summaryOf(await gate.pass(session, 'propose_intent', wanted))).toBe('settled');
  expect((await gate.events('intent_proposed')).length).toBe(1);
});

verifies('I13', 'a human who changes what a decision rests on, while it is being made, has it made again', async () => {
  const pausing = { once: async (): Promise<unknown> => null };
  const gate = await gateForThisTest({
    link: (log) => ({
      ...log,
      append: async (parts, options) => {
        const isAdmission = parts.some(({ events }) => events.some(({ type }) => type === 'action_admitted'));
        if (isAdmission) await pausing.once();
        return log.append(parts, options);
      },
    }),
  });
  const session = await gate.working();
  const changes: readonly [string, () => Promise<unknown>][] = [
    ['refused INTENT_NOT_ACTIVE', () => gate.setIntent('INT-001', 'paused')],
    [
      'refused MODE_PINNED',
      () => gate.kernel.authority.limitMode(human(), { workspace: gate.workspace, intent: null, pin: 'PASSIVE', minimum: null }),
    ],
  ];
  for (const [becomes, change] of changes) {
    pausing.once = async () => {
      pausing.once = async () => null;
      await change();
    };
    expect(summaryOf(await gate.write(session, 'src/a.ts'))).toBe(becomes);
    await gate.setIntent('INT-001', 'active');
  }
  expect(await gate.events('action_admitted').then((all) => all.filter(({ data }) => data.action.tool === 'write_file'))).toEqual([]);
});
