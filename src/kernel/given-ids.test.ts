import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FIRST_DOORS, newId } from '../protocol/index.ts';
import { gateForThisTest, outcomeOf, summaryOf } from './gate.fixture.ts';
import { GivenIds } from './given-ids.ts';

const call = { path: 'src/new.ts', content: 'export const made = 1;\n' };

test('the same call with the same id runs once and gives the same receipt, also after a restart', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const id = newId('act');
  const send = () => gate.pass(session, 'write_file', call, { id });
  const { receipt } = outcomeOf(await send(), 'settled');
  const file = join(gate.root, call.path);
  expect([receipt.action_id, readFileSync(file, 'utf8')]).toEqual([id, call.content]);

  writeFileSync(file, 'changed since\n');
  const again = outcomeOf(await send(), 'settled');
  await gate.restart();
  const later = outcomeOf(await send(), 'settled');
  expect([again.receipt, later.receipt, again.output]).toEqual([receipt, receipt, JSON.parse(receipt.outputs!)]);
  expect(readFileSync(file, 'utf8')).toBe('changed since\n');
  expect((await gate.events('action_admitted')).filter(({ data }) => data.action.id === id).length).toBe(1);
});

test('a look, a refusal and a question without an answer are given back as they were', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const ids = [newId('act'), newId('act'), newId('act')] as const;
  const send = async () => [
    await gate.pass(session, 'read_file', { path: 'src/a.ts' }, { id: ids[0] }),
    await gate.before(session, 'write_file', { path: 'docs/c.md', content: '' }, { id: ids[1] }),
    await gate.before(session, 'run_command', { command: 'rm -rf src/build' }, { id: ids[2] }),
  ];
  const first = await send();
  const records = (await gate.records()).length;
  expect((await send()).map(summaryOf)).toEqual(first.map(summaryOf));
  expect((await gate.records()).length).toBe(records);
});

test('an id counts for one call: another input, another session, or an outcome that is not known, is a CONFLICT', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const other = await gate.working('other');
  const id = newId('act');
  const before = (of: string, content: string) => gate.before(of, 'write_file', { ...call, content }, { id });
  expect(summaryOf(await before(session, 'one'))).toBe('admitted');
  const code = 'CONFLICT';
  await expect(before(session, 'one')).rejects.toMatchObject({ code, message: `${id} was admitted before, and its outcome is not known.` });
  await expect(before(session, 'two')).rejects.toMatchObject({ code, message: `${id} is the id of another call.` });
  await expect(before(other, 'one')).rejects.toMatchObject({ code, message: `${id} is the id of another call.` });
  await gate.restart();
  await expect(before(session, 'one')).rejects.toMatchObject({ code });
  await expect(gate.before(session, 'write_file', call, { id: 'act_1' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect((await gate.events('action_admitted')).filter(({ data }) => data.action.id === id).length).toBe(1);
});

test('children of a call have ids of their own', async () => {
  const gate = await gateForThisTest();
  const session = await gate.session();
  await gate.intent();
  const id = newId('act');
  expect(summaryOf(await gate.pass(session, 'begin_work', { query: 'work' }, { id }))).toBe('settled');
  const children = [...gate.kernel.state.actions.values()].filter(({ action }) => action.parent === id);
  expect(children.map(({ action }) => action.given)).toEqual(children.map(() => undefined));
  expect(children.length).toBeGreaterThan(1);
});

describe('the agent’s own id of a call', () => {
  const LONG = 'toolu_01ABCDEFGHJKMNPQRSTVWX';
  const native = (call_id = LONG) => ({ native: { tool: 'Edit', call_id, once: true as const } });

  test('what an agent executes is decided and recorded once for as long as its outcome is open', async () => {
    const gate = await gateForThisTest();
    const session = await gate.working();
    const sent = () => gate.before(session, 'write_file', call, native());
    const first = outcomeOf(await sent(), 'admitted');
    const records = (await gate.records()).length;
    expect(outcomeOf(await sent(), 'admitted').action.id).toBe(first.action.id);
    const looked = await gate.before(session, 'read_file', { path: 'src/a.ts' }, native());
    expect(await gate.before(session, 'read_file', { path: 'src/a.ts' }, native())).toEqual(looked);
    const refusal = await gate.before(session, 'write_file', { ...call, path: 'docs/c.md' }, native());
    expect(summaryOf(await gate.before(session, 'write_file', { ...call, path: 'docs/c.md' }, native()))).toBe(summaryOf(refusal));
    expect((await gate.records()).length).toBe(records + 2);
    // It has run: whoever asks again wants to run it again.
    await gate.kernel.spine.after(first.action.id, { output: null, failed: false });
    expect(outcomeOf(await sent(), 'admitted').action.id).not.toBe(first.action.id);
  });

  test('what the gate executes runs once, also after a restart, and gives the same answer', async () => {
    const gate = await gateForThisTest();
    const session = await gate.working();
    const send = () => gate.pass(session, 'write_file', call, { ...native(), door: FIRST_DOORS.mcp });
    const first = outcomeOf(await send(), 'settled');
    writeFileSync(join(gate.root, call.path), 'changed since\n');
    await gate.restart();
    expect(outcomeOf(await send(), 'settled')).toEqual(first);
    expect(readFileSync(join(gate.root, call.path), 'utf8')).toBe('changed since\n');
  });

  test('a number that a model counts up, another input and another turn are other calls', async () => {
    const gate = await gateForThisTest();
    const session = await gate.working();
    const ids = [
      await gate.before(session, 'write_file', call, native()),
      await gate.before(session, 'write_file', { ...call, content: '' }, native()),
      await gate.before(session, 'write_file', call, native('call_0')),
      await gate.before(session, 'write_file', call, native('call_0')),
      await gate.before(session, 'write_file', call, { native: { tool: 'Edit', call_id: LONG } }),
    ];
    await gate.kernel.turns.begin(session, 'next');
    const recalled = await gate.recall(session);
    expect(recalled.kind).toBe('observed');
    const later = await gate.before(session, 'write_file', call, native());
    expect(new Set([...ids, later].map((outcome) => outcomeOf(outcome, 'admitted').action.id)).size).toBe(6);
  });
});

test('an id that is no longer kept is still known to be old', async () => {
  const gate = await gateForThisTest();
  const session = await gate.session();
  const { action } = outcomeOf(await gate.pass(session, 'read_file', { path: 'src/a.ts' }), 'observed');
  const ids = new GivenIds();
  const idAt = (number: number) => `act_${String(number).padStart(26, '0')}`;
  for (let number = 1; number <= 10_003; number++) ids.note({ ...action, id: idAt(number), given: true }, undefined);
  const asked = (number: number) => () => ids.earlier({ ...action, id: idAt(number) }, undefined);
  expect(ids.used.size).toBe(10_000);
  for (const number of [0, 1, 3, 4, 10_003]) expect(asked(number)).toThrow('was used a long time ago');
  expect(asked(10_004)()).toBe(null);
});
