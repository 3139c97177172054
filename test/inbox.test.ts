// One list of what waits for a human, in the terminal: `approvals` shows it whole, `status` in lines.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { InboxItem } from '../src/protocol/index.ts';
import { agentProcess } from './lab/agent-process.ts';
import { eventually } from './lab/eventually.ts';
import { type HookedAgent, hookedAgent } from './lab/hooked-agent.ts';
import type { Place } from './lab/installation.ts';
import { oneDaemon } from './lab/one-daemon.ts';
import { verifies } from './verifies.ts';

const newPlace = oneDaemon();

async function worked(): Promise<{ place: Place; agent: HookedAgent; close: () => Promise<void> }> {
  const place = await newPlace();
  expect((await place.human(['intent', 'work', 'src'])).code).toBe(0);
  expect((await place.human(['mode', 'min', 'GUARDED'])).code).toBe(0);
  const client = await place.mcpClient();
  const agent = await hookedAgent(place, client);
  await agent.prompt('work');
  return { place, agent, close: () => client.close() };
}

verifies('N21', 'approve without an id shows what waits and asks; of several one is chosen; the end of an id is enough', async () => {
  const { place, agent, close } = await worked();
  const inbox = () => place.client.ask('inbox', { cwd: place.repo.path });
  await agent.before('Bash', { command: 'rm -rf src' });
  const [call] = await inbox();
  const no = await place.humanTries(['approve'], [{ after: 'Approve this? [y/N]', type: 'n\r' }]);
  expect([no.output.includes('│ rm -rf src'), no.output.includes('Nothing was answered.')]).toEqual([true, true]);
  expect((await inbox()).map(({ id }) => id)).toEqual([call!.id]);

  await agent.call('propose_intent', { name: 'tidy docs', owned_scope: ['docs/**'] });
  const chosen = await place.humanTries(
    ['approve'],
    [
      { after: 'Which one? [1-2]', type: '2\r' },
      { after: 'Approve this? [y/N]', type: 'y\r' },
    ],
  );
  expect([chosen.output.includes('may change  docs/**'), chosen.output.includes('INT-002 is active.')]).toEqual([true, true]);
  const named = await place.humanTries(['reject', call!.id.slice(-6), '--reason', 'keep it']);
  expect(named.output).toBe(`${call!.id} is rejected. The agent gets this answer.\n`);
  expect((await place.human(['approve'])).output).toBe('Nothing waits for you.\n');
  expect((await place.humanTries(['approve', 'zzzzzz'])).code).toBe(2);
  const far = await place.humanTries(['intent', 'elsewhere', 'nowhere/dir', 'src']);
  expect([far.output.includes('Warning: nowhere/dir does not exist yet.'), far.output.includes('Warning: src')]).toEqual([true, false]);
  await close();
});

verifies('N21', 'calls, scope requests, edits, proposals and proposed rules are one list, each with its answers', async () => {
  const { place, agent, close } = await worked();
  await mkdir(join(place.repo.path, '.claude'), { recursive: true });
  await writeFile(join(place.repo.path, '.claude/settings.json'), '{"permissions":{"allow":["Bash(npm run build)"]}}');
  await place.human(['import', '.claude/settings.json'], [{ after: '[y/N]', type: 'y\n' }]);
  await agent.call('propose_intent', { name: 'tidy docs', owned_scope: ['docs/**'] });
  const asking = agent.call('request_scope', { paths: ['lib/**'], reason: 'the helper is there' });
  await eventually('a question', async () =>
    (await place.client.ask('inbox', { cwd: place.repo.path })).find(({ kind }) => kind === 'scope'),
  );
  await agent.before('Bash', { command: 'rm -rf src' });
  const file = join(place.repo.path, '.orchestration/active_intents.yaml');
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('INT-001');
  const living = await agentProcess({ home: place.home, root: place.repo.path }, 'living');
  await living.hook('SessionStart', { source: 'startup' });
  await writeFile(file, (await readFile(file, 'utf8')).replace(/^( *- ).*src\/\*\*.*$/m, '$1"**"'));
  await living.hook('UserPromptSubmit', { prompt: 'go on', prompt_id: 'one' });

  const items = await place.client.ask('inbox', { cwd: place.repo.path });
  expect(
    items.map(({ kind, yes, no }) => [kind, yes.replace(/_\w{26}/, '_…').replace(/ [0-9a-f]{32}$/, ' …'), no?.replace(/_\w{26}/, '_…')]),
  ).toEqual([
    ['scope', 'countersign approve apr_…', 'countersign reject apr_… --reason "…"'],
    ['call', 'countersign approve apr_…', 'countersign reject apr_… --reason "…"'],
    ['edit', 'countersign intents confirm INT-001 --text …', 'countersign intents discard INT-001'],
    ['intent', 'countersign intents activate INT-002', 'countersign intents abandon INT-002'],
    ['rule', 'countersign rules allow rul_…', 'countersign rules end rul_…'],
  ]);
  const { stdout: shown } = await place.run(['approvals']);
  const { stdout: status } = await place.run(['status']);
  for (const { id, yes } of items) expect([shown.includes(id), shown.includes(yes), status.includes(yes)]).toEqual([true, true, true]);
  expect(shown).toContain('  INT-002  proposed  tidy docs\n    may change  docs/**\n');
  expect(shown).toContain('INT-001: widens src/** to **');
  expect(status).toContain('waiting    5  (countersign approvals)');
  expect((await place.ask<InboxItem[]>('approvals')).filter(({ root }) => root === place.repo.path).map(({ kind }) => kind)).toEqual(
    items.map(({ kind }) => kind),
  );

  expect((await place.human(['intents', 'activate', 'INT-002'])).code).toBe(0);
  expect((await place.human(['rules', 'end', items[4]!.id])).code).toBe(0);
  expect((await place.client.ask('inbox', { cwd: place.repo.path })).map(({ kind }) => kind)).toEqual(['scope', 'call', 'edit']);
  await place.human(['reject', items[0]!.id]);
  await asking;
  await close();
});

verifies(
  'N21',
  'a scope that a human grants is granted, though no agent waits for it; an answer that needs the agent says so',
  async () => {
    const { place, agent, close } = await worked();
    const inbox = () => place.client.ask('inbox', { cwd: place.repo.path });
    const asking = agent.call('request_scope', { paths: ['lib/**'], reason: 'the helper is there' }).catch(() => null);
    const { id } = await eventually('a request', async () => (await inbox()).at(0));
    await close();
    await asking;
    await place.hook('SessionEnd', { reason: 'exit' });
    await eventually('the end of the wait', async () => ((await inbox())[0]?.approval?.held === false ? true : undefined));
    expect((await place.run(['approvals'])).stdout).toContain('A yes widens the intent at once, whether or not the agent still waits.');
    expect((await place.human(['approve', id])).output).toContain(`${id} is approved. INT-001 may now change lib/**.\n`);
    const scope = async () => (await place.client.ask('intents', { cwd: place.repo.path, id: 'INT-001' }))[0]!.owned_scope;
    expect(await scope()).toEqual(['src/**', 'lib/**']);

    // A call that was asked about and given up: the answer waits for the agent.
    const client = await place.mcpClient();
    const again = await hookedAgent(place, client, 'another');
    await again.prompt('go on');
    await again.before('Bash', { command: 'rm -rf src' });
    const call = (await inbox())[0]!;
    const before = /The agent no longer waits: your answer counts when it makes exactly this call again, before \d\d:\d\d:\d\d\./;
    expect((await place.run(['approvals'])).stdout).toMatch(before);
    expect((await place.human(['approve', call.id])).output).toMatch(
      /is approved, once, for exactly this input\. The agent no longer waits: it counts when it makes exactly this call again, before \d\d:\d\d:\d\d\.\n$/,
    );

    // A yes that could not take effect is not taken.
    const third = again.call('request_scope', { intent_id: 'INT-001', paths: ['bin/**'], reason: 'scripts' }).catch(() => null);
    const late = await eventually('a request', async () => (await inbox()).at(0));
    expect((await place.human(['intents', 'done', 'INT-001'])).code).toBe(0);
    const refused = await place.humanTries(['approve', late.id]);
    expect([refused.code, refused.output.includes('INT-001 is done, so there is no scope to widen, and nothing was granted.')]).toEqual([
      1,
      true,
    ]);
    expect((await inbox()).map(({ id: open }) => open)).toEqual([late.id]);
    expect((await place.human(['reject', late.id])).code).toBe(0);
    await third;
    await client.close();
  },
);
