// STRICT with an agent that has its own tools: the plan comes over MCP, and the agent's own edits, which its hooks announce, are held to it.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { InboxItem } from '../../src/protocol/index.ts';
import { PLAN, SHOP, writeShop } from '../lab/controller.ts';
import { hookedAgent } from '../lab/hooked-agent.ts';
import type { Place } from '../lab/installation.ts';
import { oneDaemon } from '../lab/one-daemon.ts';
import { verifies } from '../verifies.ts';

const newPlace = oneDaemon();
const codeOf = (said: string | null): string | null => /^Countersign ([A-Z_]+):/.exec(said ?? '')?.[1] ?? said;
const waiting = async (place: Place): Promise<InboxItem[]> => place.client.ask('inbox', { cwd: place.repo.path });

async function strictAgent() {
  const place = await newPlace();
  await writeShop(place.repo.path);
  expect((await place.human(['intent', 'round the total', 'src'])).code).toBe(0);
  expect((await place.human(['mode', 'min', 'STRICT'])).code).toBe(0);
  const client = await place.mcpClient({ surface: 'hooked' });
  onTestFinished(() => client.close());
  const agent = await hookedAgent(place, client);
  await agent.prompt('round the total');
  for (const path of ['src/total.js', 'src/print.js'])
    expect(await agent.before('Read', { file_path: join(place.repo.path, path) })).toBeNull();
  const submit = async (planGraph: unknown) => agent.call('submit_execution_plan', { planGraph });
  const edit = (path: string, old_string: string, new_string: string) =>
    agent.before('Edit', { file_path: join(place.repo.path, path), old_string, new_string });
  return { place, agent, submit, edit };
}

verifies(
  'G9',
  'STRICT: the plan waits for one human yes, then holds the own edits of the agent to file, definition and order',
  async () => {
    const { place, agent, submit, edit } = await strictAgent();
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
    const { place, agent, submit } = await strictAgent();
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
  const { place, agent, submit } = await strictAgent();
  expect(await submit(PLAN)).toMatchObject({ accepted: true });
  expect(await agent.call('plan_status', {})).not.toHaveProperty('staleEvidence');
  await writeFile(join(place.repo.path, 'src/total.js'), 'export const total = () => 0;\n');
  const status = await agent.call('plan_status', {});
  expect(status).toMatchObject({
    staleEvidence: [{ nodeId: 'round', path: 'src/total.js', because: expect.stringContaining('src/total.js') }],
    next: expect.stringContaining('submit the plan'),
  });
});

verifies('G14', 'two agents that plan the same file: the first one that changes it goes on, the other gets its name', async () => {
  const first = await strictAgent();
  const { place } = first;
  const client = await place.mcpClient({ surface: 'hooked' });
  onTestFinished(() => client.close());
  const second = await hookedAgent(place, client, 'second');
  await second.prompt('round the total too');
  expect(await second.before('Read', { file_path: join(place.repo.path, 'src/total.js') })).toBeNull();
  expect(await first.submit(PLAN)).toMatchObject({ accepted: true });
  expect(await second.call('submit_execution_plan', { planGraph: PLAN })).toMatchObject({ accepted: true });
  for (const { id, kind } of await waiting(place)) if (kind === 'plan') expect((await place.human(['approve', id])).code).toBe(0);
  expect(await first.agent.edit('src/total.js', 'sum + price', 'sum - price')).toBeNull();
  const refused = await second.before('Edit', {
    file_path: join(place.repo.path, 'src/total.js'),
    old_string: 'sum - price',
    new_string: 'sum + price',
  });
  expect(codeOf(refused)).toBe('EXEC_SIDE_EFFECT_COLLISION');
  expect(refused).toContain('claude');
});
