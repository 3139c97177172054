import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type Gate, gateForThisTest, summaryOf } from './gate.fixture.ts';
import type { SessionEvent } from './index.ts';
import { FIRST_DOORS } from '../protocol/index.ts';

const heard = (gate: Gate, session: string): SessionEvent => ({
  ...{ identity: gate.identity(session), cwd: gate.root, door: FIRST_DOORS.hook, name: 'an event' },
  ...{ planning: false, reporter: null, isOwn: true, signal: new AbortController().signal },
});
const check = (gate: Gate, title: string) => {
  const file = join(gate.root, 'tinyTasks.md');
  writeFileSync(file, readFileSync(file, 'utf8').replace(`[ ] ${title}`, `[x] ${title}`));
};

verifies('T8', 'a box that a human checks while no agent is present counts; one checked before an agent left does not', async () => {
  const gate = await gateForThisTest();
  const { turns } = gate.kernel;
  const session = await gate.working();
  await gate.pass(session, 'task_add', { titles: ['one', 'two', 'three'] });
  check(gate, 'one');
  await turns.ended(heard(gate, 'main'), 'bye');
  check(gate, 'two');
  await turns.sessionStarted(heard(gate, 'later'), false);
  const later = await gate.working('later');
  expect(summaryOf(await gate.write(later, 'src/a.ts'))).toBe('admitted');
  await gate.pass(later, 'select_active_intent', { intent_id: 'INT-001' });
  await gate.recall(later);
  expect(summaryOf(await gate.write(later, 'src/a.ts'))).toBe('refused TASKS_EDITED');
  await gate.restart();
  expect(summaryOf(await gate.write(later, 'src/a.ts'))).toBe('refused TASKS_EDITED');
  const reported = (await gate.events('tasks_edited')).map(({ data }) => [
    data.taken,
    data.tasks.map(({ title, change }) => [title, change]),
  ]);
  expect(reported).toEqual([
    [false, [['one', 'checked']]],
    [true, [['two', 'checked']]],
  ]);
});
