// Copilot CLI, the real client.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ActionRow, SessionRow } from '../../src/protocol/index.ts';
import type { Client } from '../lab/clients/client.ts';
import { copilotClient } from '../lab/clients/copilot.ts';
import { makeWorld } from '../lab/world.ts';
import { tellOfAttacks } from './attacks.ts';
import { tellClientStory } from './client-story.ts';
import type { ClientWords } from './client-words.ts';
import { tellOfSeal } from './sealed-client.ts';
import { tellOfFailures } from './failures.ts';
import { tellOfOrdinaryWork } from './ordinary-work.ts';
import { tellOfTrust } from './trust.ts';
import { holdToFigures } from './ordinary/hold-to-figures.ts';

const words: ClientWords = {
  client: copilotClient,
  agent: 'copilot-cli',
  own: (tool, args = {}) => ({ tool: `countersign-${tool}`, args }),
  edit: (path, old_str, new_str) => ({ tool: 'edit', args: { path, old_str, new_str } }),
  read: (path) => ({ tool: 'view', args: { path } }),
  shell: (command) => ({ tool: 'bash', args: { command, description: 'as the story needs it' } }),
  subAgent: (task) => [{ tool: 'task', args: { agent_type: 'task', name: 'other', description: 'other', prompt: task } }],
};

/** In the human's home, without trust for the folder. */
const untrusting: Client = {
  ...copilotClient,
  start: async (run) => {
    const { args, env } = await copilotClient.start(run);
    return { args: args.filter((argument) => argument !== '--trust-folder'), env: { ...env, HOME: join(run.home, '../human') } };
  },
};

tellOfOrdinaryWork(words);
tellClientStory(words);
tellOfSeal(words);
tellOfAttacks(copilotClient);
tellOfFailures(words);
tellOfTrust({
  words: { ...words, client: untrusting },
  untrusting: 'works without hooks',
  trust: ({ userHome, repo }) => writeFile(join(userHome, '.copilot/config.json'), JSON.stringify({ trustedFolders: [repo.path] })),
});

test('where Claude Code is wired too, it runs those hooks as well, and each call is decided once', async () => {
  const world = await makeWorld(copilotClient);
  try {
    await world.human(['init', '--agent', 'claude', '--agent', 'copilot', '--yes']);
    await world.human(['intent', 'fix login', 'src/auth']);
    const path = join(world.repo.path, 'src/auth/login.ts');
    const { model } = await world.agent('fix the login', [
      { tool: 'countersign-begin_work', args: {} },
      { tool: 'view', args: { path } },
      { tool: 'edit', args: { path, old_str: 'return null', new_str: 'return undefined as never' } },
      { tool: 'edit', args: { path: join(world.repo.path, 'README.md'), old_str: 'Login', new_str: 'Logout' } },
      { tool: 'countersign-elefanteAssertCompliance', args: {} },
      { text: 'Done.' },
    ]);
    expect(model.toolResults()[3]).toContain('SCOPE_VIOLATION');
    expect(await world.file('src/auth/login.ts')).toContain('return undefined as never');
    const sessions = await world.ask<SessionRow[]>('sessions');
    expect(sessions.map(({ agent, level }) => `${agent} ${level}`)).toEqual(['copilot-cli hooked']);
    const edits = (await world.ask<ActionRow[]>('log')).filter(({ effects }) => effects.includes('write'));
    expect(edits.map(({ subject, state }) => `${subject} ${state}`)).toEqual(['src/auth/login.ts settled', 'README.md refused']);
  } finally {
    await world.dispose();
  }
});

holdToFigures('copilot');
