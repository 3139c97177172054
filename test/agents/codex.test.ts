// Codex, the real client, with the trust that `init` wrote for it.

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hooksOfCodex } from '../lab/clients/codex-hooks.ts';
import { codexClient } from '../lab/clients/codex.ts';
import { makeWorld } from '../lab/world.ts';
import { verifies } from '../verifies.ts';
import { tellClientStory } from './client-story.ts';
import type { ClientWords } from './client-words.ts';
import { tellOfSeal } from './sealed-client.ts';
import { tellOfFailures } from './failures.ts';
import { tellOfOrdinaryWork } from './ordinary-work.ts';
import { tellOfTrust } from './trust.ts';

const words: ClientWords = {
  client: codexClient,
  agent: 'codex',
  // It refuses `rm -rf` by itself.
  destroy: (path) => `find ${path} -delete`,
  own: (tool, args = {}) => ({ tool, namespace: 'mcp__countersign', args }),
  edit: (path, before, after) => ({ tool: 'apply_patch', input: patch(path, before, after) }),
  read: (path) => ({ tool: 'exec_command', args: { cmd: `cat ${path}` } }),
  shell: (command) => ({ tool: 'exec_command', args: { cmd: command } }),
  subAgentHears: 'Message Type: NEW_TASK',
  subAgent: (task) => [
    { tool: 'spawn_agent', namespace: 'collaboration', args: { task_name: 'other', message: task, fork_turns: 'none' } },
    { tool: 'wait_agent', namespace: 'collaboration', args: { timeout_ms: 10_000 } },
  ],
  // It passes hooks to the user's shell, and sets no environment for them.
  limits: { plainShell: false },
  // It reads only through its shell.
  look: { call: { tool: 'list_agents', namespace: 'collaboration', args: {} }, answers: 'agent_name' },
};

tellOfOrdinaryWork(words);
tellClientStory(words);
tellOfSeal(words);
tellOfFailures(words);
tellOfTrust({
  words,
  // The permission profile goes with the trust, and Codex does not start without the one that the folder names.
  untrusting: 'does not run',
  distrust: ({ userHome }) => rm(join(userHome, '.codex/config.toml')),
  trust: async ({ human }) => {
    await human(['init', '--agent', 'codex', '--yes']);
  },
});

test('Codex itself says that it trusts every hook, and none that was changed', async () => {
  const world = await makeWorld(codexClient);
  try {
    await world.human(['init', '--agent', 'codex', '--yes']);
    expect((await hooksOfCodex(world)).map(({ trustStatus }) => trustStatus)).toEqual(Array.from({ length: 6 }, () => 'trusted'));
    const file = join(world.repo.path, '.codex/hooks.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('--deadline 110', '--deadline 10'));
    const changed = (await hooksOfCodex(world)).filter(({ trustStatus }) => trustStatus === 'modified');
    expect(changed.map(({ key }) => key)).toEqual([`${file}:pre_tool_use:0:0`]);
    expect((await world.human(['doctor'])).output).toMatch(/BAD +trust[^\n]*\n +fix: Run countersign init --agent codex/);
  } finally {
    await world.dispose();
  }
});

verifies('N15', 'our tools are offered at once, not behind a search', async () => {
  const world = await makeWorld(codexClient);
  try {
    await world.human(['init', '--agent', 'codex', '--yes']);
    const { model } = await world.agent('begin the work', []);
    const offered = model.requests.flatMap(({ tools = [] }) => JSON.stringify(tools));
    expect(offered[0]).toContain('begin_work');
  } finally {
    await world.dispose();
  }
});

/** A patch speaks of whole lines: those of the scratch repository that hold the words. */
function patch(path: string, before: string, after: string): string {
  const line = [
    '  if (user === undefined || user.password !== password) return null;',
    '  if (user === undefined || user.password !== password) return undefined as never;',
    'export const one = 1;',
    '  return payments.reduce((sum, payment) => sum + payment.cents, 0);',
  ].find((each) => each.includes(before));
  if (line === undefined) throw new Error(`no line holds ${before}`);
  return `*** Begin Patch\n*** Update File: ${path}\n@@\n-${line}\n+${line.replace(before, after)}\n*** End Patch\n`;
}
