// The nodes of a plan as tasks: shown in tinyTasks.md from the human's yes on, checked by what really happened.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { PLAN } from '../lab/controller.ts';
import { eventually } from '../lab/eventually.ts';
import { oneDaemon } from '../lab/one-daemon.ts';
import { approvePlans, codeOf, strictAgent } from '../lab/strict-agent.ts';
import { verifies } from '../verifies.ts';

const newPlace = oneDaemon();

verifies('T6', 'one yes to a plan lists its nodes in tinyTasks.md; they are checked when they are done, and not by hand', async () => {
  const { place, agent, submit } = await strictAgent(await newPlace());
  const file = (name: string) => readFile(join(place.repo.path, name), 'utf8').catch(() => '');
  const boxes = async () => [...(await file('tinyTasks.md')).matchAll(/- \[(.)\] (\S+)/g)].map(([, box, word]) => `${box} ${word}`);
  const shows = (...wanted: string[]) =>
    eventually(`the list shows ${wanted.join(', ')}`, async () => (String(await boxes()) === String(wanted) ? true : undefined));
  const [change, check] = PLAN.nodes;
  expect(await submit({ nodes: [change, { ...check, verificationHooks: ['npm test'] }] })).toMatchObject({ accepted: true });
  expect(await boxes()).toEqual([]);
  await approvePlans(place);
  await shows('  Plan', '  round:', '  check:');
  expect(await agent.call('task_list')).toMatchObject({ tasks: [{ title: expect.stringMatching(/^Plan work-/) }, {}, {}] });

  // By hand, or by the task tool: the plan policy knows better, and nothing is refused for it.
  expect(await agent.call('task_complete')).toMatchObject({ error_code: 'TASK_WITHOUT_WORK' });
  await writeFile(join(place.repo.path, 'tinyTasks.md'), (await file('tinyTasks.md')).replace('[ ] round', '[x] round'));
  expect(await agent.call('plan_status')).toMatchObject({ plan: { nodes: [{ status: 'ready' }, { status: 'blocked' }] } });
  expect(codeOf(await agent.edit('src/print.js', '} EUR', '} Euro'))).toBe('PLAN_SCOPE_VIOLATION');

  expect(await agent.edit('src/total.js', 'sum + price', 'price + sum')).toBeNull();
  await shows('  Plan', 'x round:', '  check:');
  expect(await agent.bash('npm test')).toBeNull();
  await shows('x Plan', 'x round:', 'x check:');
  expect((await agent.call('signal_task_complete', { summary: 'rounded' })).isError).toBe(false);
  await shows();
  expect(await file('.orchestration/tasks_archive.md')).toContain('[x] round: modify src/total.js');
});

verifies('T6', 'the lines of a plan that is given up leave the file', async () => {
  const { place, agent, submit } = await strictAgent(await newPlace());
  const tasks = () => readFile(join(place.repo.path, 'tinyTasks.md'), 'utf8').catch(() => '');
  expect(await submit(PLAN)).toMatchObject({ accepted: true });
  await approvePlans(place);
  await eventually('the nodes are listed', async () => ((await tasks()).includes('round: modify src/total.js') ? true : undefined));
  expect((await agent.call('signal_task_complete', { abandoned: true })).isError).toBe(false);
  await eventually('the lines are gone', async () => ((await tasks()).includes('Plan') ? undefined : true));
});
