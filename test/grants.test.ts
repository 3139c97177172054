// Approval in advance, as a person gives and revokes it.

import { expect, onTestFinished } from 'vitest';
import type { GrantRow } from '../src/protocol/index.ts';
import { hookedAgent } from './lab/hooked-agent.ts';
import { makeInstallation } from './lab/installation.ts';
import { verifies } from './verifies.ts';

verifies('I13', 'a grant is given with an answer, listed, and ended, in a terminal', async () => {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  await place.human(['intent', 'file tickets', 'src']);
  const client = await place.mcpClient({ surface: 'hooked' });
  onTestFinished(() => client.close());
  const agent = await hookedAgent(place, client);
  await agent.prompt('file the tickets');
  await agent.call('begin_work');
  const call = (tool: string, title: string) => agent.before(tool, { title });

  expect(await call('mcp__jira__create', 'one')).toContain('APPROVAL_REQUIRED');
  const [question] = await place.client.ask('approvals', { state: 'pending' });
  const bad = await place.humanTries(['approve', question!.id, '--grant', 'mcp__jira__*', '--for', 'ever']);
  expect(bad).toEqual({ code: 2, output: expect.stringContaining('ever is not a time from one minute to seven days.') });
  const unfit = await place.humanTries(['approve', question!.id, '--grant', 'mcp__wiki__*', '--for', '2h']);
  expect(unfit).toEqual({ code: 4, output: expect.stringContaining('mcp__wiki__* does not fit all of it') });
  const made = await place.humanTries(['approve', question!.id, '--grant', 'mcp__jira__*', '--for', '2h']);
  expect(made).toEqual({
    code: 0,
    output: expect.stringMatching(/mcp__jira__\* passes for INT-001 until \S+\. End it with: countersign grants end grt_/),
  });

  expect([await call('mcp__jira__create', 'one'), await call('mcp__jira__close', 'two')]).toEqual([null, null]);
  expect(await call('mcp__wiki__edit', 'three')).toContain('APPROVAL_REQUIRED');
  const [grant] = await place.ask<GrantRow[]>('grants');
  expect(grant).toMatchObject({ pattern: 'mcp__jira__*', intent: 'INT-001', state: 'open', proof: 'login' });
  // The first of the two was approved by itself.
  expect([grant!.uses, grant!.last_used_at]).toEqual([1, expect.any(String)]);
  expect((await place.run(['grants'])).stdout).toMatch(
    new RegExp(`^${grant!.id}  open    INT-001  mcp__jira__\\*  until \\S+  used once  \\(in a terminal, proof: login\\)$`, 'm'),
  );

  // Only a human can end it; an agent's process cannot.
  expect((await place.human(['grants', 'end', grant!.id])).output).toBe(`${grant!.id} is ended.\n`);
  expect((await place.run(['grants'])).stdout).toBe('No grants.\n');
  expect((await place.run(['grants', '--all'])).stdout).toContain('ended');
  expect(await call('mcp__jira__close', 'four')).toContain('APPROVAL_REQUIRED');

  // A plain yes to an unknown tool is remembered, listed and ended like a grant.
  const [open] = await place.client.ask('approvals', { state: 'pending' });
  expect((await place.human(['approve', open!.id])).code).toBe(0);
  expect([await call('mcp__jira__close', 'four'), await call('mcp__jira__close', 'five')]).toEqual([null, null]);
  const [known] = await place.ask<GrantRow[]>('grants');
  expect(known).toMatchObject({
    pattern: 'mcp__jira__close',
    intent: null,
    expires_at: null,
    tool: { agent: 'claude-code' },
    state: 'open',
  });
  expect((await place.run(['grants'])).stdout).toContain(
    'the unknown tool mcp__jira__close  for claude-code, while its input keeps its form',
  );
  expect((await place.human(['grants', 'end', known!.id])).output).toBe(`${known!.id} is ended.\n`);
  expect(await call('mcp__jira__close', 'six')).toContain('APPROVAL_REQUIRED');
});
