// STRICT with an agent that has its own tools: the plan comes over MCP, and the agent's own edits, which its hooks announce, are held to it.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { PLAN, SHOP } from '../lab/controller.ts';
import { oneDaemon } from '../lab/one-daemon.ts';
import { approvePlans, codeOf, joined, strictAgent, waiting } from '../lab/strict-agent.ts';
import { verifies } from '../verifies.ts';

const newPlace = oneDaemon();

verifies(
  'G9',
  'STRICT: the plan waits for one human yes, then holds the own edits of the agent to file, definition and order',
  async () => {
    const { place, agent, submit, edit } = await strictAgent(await newPlace());
    await agent.call('begin_work');
    expect(codeOf(await edit('src/total.js', 'sum + price', 'sum - price'))).toBe('PLAN_SCOPE_VIOLATION');

    const two = {
      nodes: [
        ...PLAN.nodes,
        {
          nodeId: 'print',
          targetFile: 'src/print.js',
          dependsOn: ['check'],
          whyThisFile: 'print() shows total()',
          editIntent: 'Show two decimals in print()',
          verificationHooks: ['test'],
        },
      ],
    };
    const accepted = await submit(two);
    expect(accepted).toMatchObject({ accepted: true, version: 1, waitsFor: [{ node: null, approval: expect.stringMatching(/^apr_/) }] });
    expect(codeOf(await edit('src/total.js', 'sum + price', 'sum - price'))).toBe('APPROVAL_REQUIRED');
    const asked = (await waiting(place)).filter(({ kind }) => kind === 'plan');
    expect(asked).toMatchObject([{ kind: 'plan', what: expect.stringContaining('src/total.js') }]);
    expect((await place.human(['approve', asked[0]!.id])).code).toBe(0);

    expect(codeOf(await edit('src/other.js', 'a', 'b'))).toBe('PLAN_SCOPE_VIOLATION');
    expect(await edit('src/total.js', 'Order ${order.id}', 'No. ${order.id}')).toContain('not label in it');
    expect(await edit('src/print.js', 'EUR', 'Euro')).toContain('waits for node check');
    expect(await edit('src/total.js', 'sum + price', 'sum - price')).toBeNull();
  },
);

verifies(
  'G9',
  'STRICT: commands are checks of the plan or allowed; a validate node is done only by checks that passed after the last edit',
  async () => {
    const { place, agent, submit } = await strictAgent(await newPlace());
    const planned = { nodes: [PLAN.nodes[0], { ...PLAN.nodes[1], verificationHooks: ['npm test'] }] };
    expect(await submit(planned)).toMatchObject({ accepted: true });
    const [question] = (await waiting(place)).filter(({ kind }) => kind === 'plan');
    expect((await place.human(['approve', question!.id])).code).toBe(0);
    const bash = (command: string) => agent.before('Bash', { command });
    expect(codeOf(await bash('npm run build'))).toBe('PLAN_SCOPE_VIOLATION');
    const status = async () => {
      const { plan } = (await agent.call('plan_status', {})) as unknown as { plan: { nodes: { nodeId: string; status: string }[] } };
      return Object.fromEntries(plan.nodes.map(({ nodeId, status: now }) => [nodeId, now]));
    };
    expect(await status()).toEqual({ round: 'ready', check: 'blocked' });
    const change = async (from: string, to: string) => expect(await agent.edit('src/total.js', from, to)).toBeNull();
    await change('count, 0)', 'count, 0.0)');
    expect(await status()).toEqual({ round: 'done', check: 'ready' });
    expect(await agent.bash('npm test')).toBeNull();
    expect(await status()).toEqual({ round: 'done', check: 'done' });
    await change('count, 0.0)', 'count, 0)');
    expect(await status()).toEqual({ round: 'done', check: 'ready' });
    expect(await readFile(join(place.repo.path, 'src/total.js'), 'utf8')).toBe(SHOP['src/total.js']);
  },
);

verifies('G7', 'a file that changed since the plan was accepted makes its evidence stale, and plan_status names it', async () => {
  const { place, agent, submit } = await strictAgent(await newPlace());
  expect(await submit(PLAN)).toMatchObject({ accepted: true });
  expect(await agent.call('plan_status', {})).not.toHaveProperty('staleEvidence');
  await writeFile(join(place.repo.path, 'src/total.js'), 'export const total = () => 0;\n');
  const status = await agent.call('plan_status', {});
  expect(status).toMatchObject({
    staleEvidence: [{ nodeId: 'round', path: 'src/total.js', because: expect.stringContaining('src/total.js') }],
    next: expect.stringContaining('submit the plan'),
  });
});

verifies('G14', 'two agents that plan the same definition: the first one that changes it goes on, the other gets its name', async () => {
  const first = await strictAgent(await newPlace());
  const { place } = first;
  const second = await joined(place, 'second');
  expect(await first.submit(PLAN)).toMatchObject({ accepted: true });
  expect(await second.call('submit_execution_plan', { planGraph: PLAN })).toMatchObject({ accepted: true });
  await approvePlans(place);
  expect(await first.agent.edit('src/total.js', 'sum + price', 'sum - price')).toBeNull();
  const file_path = join(place.repo.path, 'src/total.js');
  const ask = () => second.before('Edit', { file_path, old_string: 'sum - price', new_string: 'sum + price' });
  const refused = await ask();
  expect(codeOf(refused)).toBe('EXEC_SIDE_EFFECT_COLLISION');
  expect(refused).toContain('claude');
  // The work is over, and what it had reserved is free; the plan of the second rests on what the first has changed.
  expect((await first.agent.call('signal_task_complete', { abandoned: true })).isError).toBe(false);
  expect(codeOf(await ask())).toBe('PLAN_EVIDENCE_INSUFFICIENT');
});

verifies('G14', 'two agents that plan different definitions of one file do not wait for each other', async () => {
  const first = await strictAgent(await newPlace());
  const { place } = first;
  const second = await joined(place, 'second');
  const [change, check] = PLAN.nodes;
  const label = { ...change, targetSymbols: ['label'], editIntent: 'Say No. in label()', codeEvidence: ['src/total.js:6-8'] };
  expect(await first.submit({ nodes: [{ ...change, codeEvidence: ['src/total.js:2-4'] }, check] })).toMatchObject({ accepted: true });
  expect(await second.call('submit_execution_plan', { planGraph: { nodes: [label, check] } })).toMatchObject({ accepted: true });
  await approvePlans(place);
  expect(await first.agent.edit('src/total.js', 'sum + price', 'sum - price')).toBeNull();
  expect(await second.before('Read', { file_path: join(place.repo.path, 'src/total.js') })).toBeNull();
  expect(await second.edit('src/total.js', '`Order ', '`No. ')).toBeNull();
});
