// A daemon starts under other rules than those that an open question was asked under: the question ends, later lookups say why, and the
// agent asks again.

import { expect, onTestFinished, vi } from 'vitest';
import type { ApprovalRow } from '../src/protocol/index.ts';
import { eventually } from './lab/eventually.ts';
import { hasEnded, makeInstallation } from './lab/installation.ts';
import { productWithOtherRules } from './lab/other-rules.ts';
import { runInTerminal } from './lab/terminal.ts';
import { makeAgent } from './page/agent.ts';
import { verifies } from './verifies.ts';

// Every command is a process, and some start a daemon.
vi.setConfig({ testTimeout: 240_000 });

const DELETES = 'rm -rf src/build';
const WITHDRAWN = 'The rules have changed since this was asked, so no answer to it counts; the agent has to ask again.';

verifies('I13', 'an open question ends under other rules; lists and answers say so, and only a new one counts', async () => {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  const next = await productWithOtherRules();
  onTestFinished(() => next.dispose());
  const openQuestion = (): Promise<ApprovalRow> =>
    eventually('a question', async () => (await place.client.ask('approvals', { state: 'pending' })).at(0));
  const agent = makeAgent({ name: 'alpha', home: place.home, root: place.repo.path, env: place.env });
  expect((await place.human(['intent', 'tidy up', '.'])).code).toBe(0);
  await agent.start();
  await agent.beginWork();
  // Past the hook client, which would start a daemon of the old rules again.
  const call = { session_id: 'alpha', permission_mode: 'acceptEdits', tool_name: 'Bash', tool_input: { command: DELETES } };
  const held = place.hook('PreToolUse', { ...call, hook_event_name: 'PreToolUse', tool_use_id: 'toolu_held' }).catch(() => null);
  const old = await openQuestion();
  const first = await place.daemonPid();
  expect((await place.human(['stop'])).code).toBe(0);
  await hasEnded(first);
  await held;

  const started = await runInTerminal(next.cli, ['start', '--quiet'], { cwd: place.repo.path, env: place.env });
  expect(started).toMatchObject({ code: 0 });
  const [row] = await place.client.ask('approvals', { id: old.id });
  // Whether a call waits for the answer is said only of an open question.
  const { held: isHeld, ...asked } = old;
  expect([isHeld, row]).toEqual([false, { ...asked, state: 'withdrawn' }]);
  const listed = (await place.humanTries(['approvals'])).output.split(/\r?\n/);
  expect(listed[0]).toBe('Nothing waits for you.');
  expect(listed.filter((line) => line.includes(old.id) || line.includes(WITHDRAWN))).toEqual([
    `◆ ${old.id}  claude-code asks to use Bash in ${place.repo.path} for INT-001`,
    `  ${WITHDRAWN}`,
  ]);
  // What waits, for a program, is what can be answered.
  expect(await place.ask<ApprovalRow[]>('approvals')).toEqual([]);
  const why = `The rules have changed since ${old.id} was asked, so no answer to it counts; the agent has to ask again.`;
  for (const command of ['approve', 'reject']) {
    const answered = await place.humanTries([command, old.id]);
    expect([answered.code === 0, answered.output.includes(why)]).toEqual([false, true]);
  }

  const again = agent.ask('Bash', { command: DELETES });
  const question = await openQuestion();
  expect([question.id === old.id, question.policy_revision === old.policy_revision]).toEqual([false, false]);
  expect((await place.human(['approve', question.id])).code).toBe(0);
  expect(await again).toEqual({ permission: 'allow', reason: `a human approved this exact call (${question.id})` });
});
