// Pending questions when a human pauses the gate, or switches to observing: they stay pending at every door, and every list says so.

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import type { ActionRow, ApprovalRow } from '../src/protocol/index.ts';
import { eventually } from './lab/eventually.ts';
import { hasEnded, type Installation, makeInstallation } from './lab/installation.ts';
import { type Agent, makeAgent } from './page/agent.ts';
import { verifies } from './verifies.ts';

// Every command is a process, and some start a daemon.
vi.setConfig({ testTimeout: 120_000 });

const PAUSE = ['pause', '--for', '30m', '--reason', 'my own work'];
const DELETES = 'rm -rf src/build';

async function placeForThisTest(): Promise<Installation> {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  expect((await place.human(['intent', 'tidy up', '.'])).code).toBe(0);
  return place;
}

/** It speaks through the real hook client, which holds a call for as long as a human needs. */
async function workingAgent({ home, env, repo }: Installation): Promise<Agent> {
  const agent = makeAgent({ name: 'alpha', home, root: repo.path, env });
  await agent.start();
  await agent.beginWork();
  return agent;
}
const prompt = (place: Installation, text: string) =>
  place.hook('UserPromptSubmit', { session_id: 'alpha', prompt: text, prompt_id: text });

/** Its question, once it is open. */
const questionAbout = (place: Installation, command: string): Promise<ApprovalRow> =>
  eventually(`a question about ${command}`, async () =>
    (await place.client.ask('approvals', { state: 'pending' })).find(({ input }) => input['command'] === command),
  );
const rowOf = async (place: Installation, id: string): Promise<ActionRow | undefined> =>
  (await place.client.ask('actions', { limit: 1000 })).find((row) => row.id === id);

verifies('N18', 'a pause does not run the deletion that a hook holds; every list says so, and only the answer ends it', async () => {
  const place = await placeForThisTest();
  const agent = await workingAgent(place);
  const held = agent.ask('Bash', { command: DELETES });
  const { id, action_id } = await questionAbout(place, DELETES);

  const paused = await place.humanTries(PAUSE);
  expect(paused.code).toBe(0);
  expect(paused.output.split(/\r?\n/).slice(0, 4)).toEqual([
    expect.stringMatching(/^Paused until [\d: -]+ \(proof: login\)\. Every new call passes and is recorded as paused\./),
    '1 call still waits for an answer; a pause gives none:',
    `  ${id}  claude-code Bash  ${DELETES}`,
    'Answer with countersign approve or countersign reject; countersign approvals shows it whole.',
  ]);
  expect((await agent.ask('Bash', { command: 'rm -rf src/other' })).permission).not.toBe('deny');
  expect(await rowOf(place, action_id)).toMatchObject({ state: 'waiting', approval_id: id });
  expect((await place.run(['status'])).stdout).toContain(`No new call is stopped; 1 call still waits for an answer: ${id}. End it with`);
  expect((await place.human(['approvals'])).output).toContain('The gate is paused; that does not answer this.');
  expect((await place.human(['log'])).output).toMatch(
    /allowed {2}claude-code {2}Bash .* rm -rf src\/other {2}APPROVAL_REQUIRED in a pause/,
  );

  expect((await place.human(['approve', id])).code).toBe(0);
  expect((await held).permission).not.toBe('deny');
  expect(await rowOf(place, action_id)).toMatchObject({ approval_id: id, paused: true });
  expect((await place.run(['status'])).stdout).toContain('my own work. Nothing is stopped. End it with');
});

verifies('N18', 'a pause does not run the deletion that was denied with a question and is tried again, also after a restart', async () => {
  const place = await placeForThisTest();
  const agent = await workingAgent(place);
  const bash = { tool_name: 'Bash', tool_input: { command: DELETES }, tool_use_id: 'toolu_denied' };
  // With a timeout of 0, as for a client that does not wait.
  const denied = await place.hook('PreToolUse', { session_id: 'alpha', hook_event_name: 'PreToolUse', ...bash });
  expect(denied).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  const { id } = await questionAbout(place, DELETES);
  const pid = await place.daemonPid();
  process.kill(pid, 'SIGKILL');
  await hasEnded(pid);
  expect((await place.human(PAUSE)).code).toBe(0);
  // No process of the session is alive right now, so the process that resumes it may speak for it.
  const reported = await place.hook('SessionStart', { session_id: 'alpha', hook_event_name: 'SessionStart', source: 'resume' });
  expect(JSON.stringify(reported)).toContain(
    `No new call is stopped; everything is recorded as paused. What you asked before still waits for a human: ${id}.`,
  );
  const again = agent.ask('Bash', { command: DELETES });
  await eventually('the same question holds it', async () =>
    (await place.client.ask('actions', { limit: 10 })).find((row) => row.state === 'waiting' && row.approval_id === id),
  );
  expect((await place.human(['reject', id, '--reason', 'I need the build'])).code).toBe(0);
  expect((await again).reason).toContain('A human rejected this: I need the build');
  expect((await agent.ask('Bash', { command: DELETES })).reason).toContain('APPROVAL_REJECTED');
  expect((await agent.ask('Bash', { command: 'rm -rf src/other' })).permission).not.toBe('deny');
});

verifies('N18', 'a pause does not run the command that an MCP client waits for, nor its repetition', async () => {
  const place = await placeForThisTest();
  const client = await place.mcpClient({ surface: 'contract' });
  onTestFinished(() => client.close());
  await client.callTool({ name: 'begin_work', arguments: {} });
  const victim = join(place.repo.path, 'build');
  await mkdir(victim);
  const run = (command: string) => client.callTool({ name: 'run_command', arguments: { command } });
  const held = run('rm -rf build');
  const { id } = await questionAbout(place, 'rm -rf build');
  expect((await place.human(PAUSE)).code).toBe(0);
  expect((await run('rm -rf elsewhere')).isError ?? false).toBe(false);
  for (const { isError, content } of await Promise.all([held, run('rm -rf build')])) {
    expect([isError, JSON.stringify(content)]).toEqual([
      true,
      expect.stringContaining(`The gate is paused, but not for this call: a human was asked about it and has not agreed (${id}).`),
    ]);
  }
  expect(existsSync(victim)).toBe(true);
  expect((await place.human(['approve', id])).code).toBe(0);
  expect((await run('rm -rf build')).isError ?? false).toBe(false);
  expect(existsSync(victim)).toBe(false);
});

verifies('N18', 'a pause takes no edit of the intents file that waits', async () => {
  const place = await placeForThisTest();
  await workingAgent(place);
  await place.human(['intent', 'write docs', 'docs']);
  const file = join(place.repo.path, '.orchestration/active_intents.yaml');
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('docs/**');
  await prompt(place, 'begin');
  await writeFile(file, (await readFile(file, 'utf8')).replace('docs/**', 'lib/**'));
  await prompt(place, 'look');
  const waiting = async () => {
    const [row] = (await place.client.ask('intents', {})).filter(({ id }) => id === 'INT-002');
    return [row?.status, row?.edited?.owned_scope, (await place.client.ask('status', {})).workspaces[0]?.edits.length];
  };
  const before = await waiting();
  expect(before).toEqual(['active', ['docs', 'lib/**'], 1]);
  expect((await place.human(PAUSE)).code).toBe(0);
  await prompt(place, 'look again');
  expect(await waiting()).toEqual(before);
});

verifies('N16', 'to begin observing does not run the deletion that waits', async () => {
  const place = await placeForThisTest();
  const agent = await workingAgent(place);
  const held = agent.ask('Bash', { command: DELETES });
  const { id, action_id } = await questionAbout(place, DELETES);
  expect((await place.human(['init', '--observe', '--yes'])).code).toBe(0);
  expect((await agent.ask('Bash', { command: 'rm -rf src/other' })).permission).not.toBe('deny');
  const again = agent.ask('Bash', { command: DELETES });
  expect(await rowOf(place, action_id)).toMatchObject({ state: 'waiting' });
  expect((await place.human(['reject', id])).code).toBe(0);
  for (const call of [held, again]) expect((await call).reason).toContain('APPROVAL_REJECTED');
});
