// A question that was open when the daemon started under other rules, as the page shows it.

import { afterAll, beforeAll, expect, vi } from 'vitest';
import { eventually } from '../lab/eventually.ts';
import { type OtherRules, productWithOtherRules } from '../lab/other-rules.ts';
import { verifies } from '../verifies.ts';
import { cardWith } from './cards.ts';
import { type ControlRoom, openControlRoom } from './control-room.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let room: ControlRoom;
let next: OtherRules;
beforeAll(async () => {
  room = await openControlRoom();
  next = await productWithOtherRules();
});
afterAll(async () => {
  await room.dispose();
  await next.dispose();
});

verifies('I13', 'the card of a question from under other rules says so, takes no answer, and goes when it is dismissed', async () => {
  await room.human(['intent', 'tidy up', '.']);
  const agent = room.agent('alpha');
  await agent.start();
  await agent.beginWork();
  // Past the hook client, which would start a daemon of the old rules again.
  const call = { session_id: 'alpha', permission_mode: 'acceptEdits', tool_name: 'Bash', tool_input: { command: 'rm -rf build' } };
  const held = room.hook('PreToolUse', { ...call, hook_event_name: 'PreToolUse', tool_use_id: 'toolu_held' }).catch(() => null);
  await eventually('a question', async () => (await room.client.ask('approvals', { state: 'pending' })).at(0));
  await room.killDaemon();
  await held;
  await room.startDaemon(next.cli);

  const { page, complaints } = await room.enter();
  const card = cardWith(page, 'rm -rf build');
  await card.getByText('The rules have changed since this was asked, so no answer to it counts; the agent has to ask again.').waitFor();
  expect(await card.getByRole('button').allInnerTexts()).toEqual(['Dismiss']);
  expect(await page.title()).toBe('Countersign');
  await card.getByRole('button', { name: 'Dismiss' }).click();
  await card.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});
