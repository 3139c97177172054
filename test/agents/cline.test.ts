// Cline's command line itself, with hooks and server as `countersign init` writes them.

import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { runClient } from '../lab/clients/client.ts';
import { clineClient } from '../lab/clients/cline.ts';
import { makeScratchRepo } from '../lab/scratch-repo.ts';
import { startScriptedModel } from '../lab/scripted-model.ts';
import { runInTerminal } from '../lab/terminal.ts';
import { CLI, makeWorld } from '../lab/world.ts';
import { verifies } from '../verifies.ts';
import { tellClientStory } from './client-story.ts';
import type { ClientWords } from './client-words.ts';
import { tellOfFailures } from './failures.ts';
import { tellOfOrdinaryWork } from './ordinary-work.ts';
import { holdToFigures } from './ordinary/hold-to-figures.ts';

const words: ClientWords = {
  client: clineClient,
  agent: 'cline',
  own: (tool, args = {}) => ({ tool: `countersign__${tool}`, args }),
  read: (path) => ({ tool: 'read_files', args: { files: [{ path }] } }),
  edit: (path, old_text, new_text) => ({ tool: 'editor', args: { path, old_text, new_text } }),
  shell: (command) => ({ tool: 'run_commands', args: { commands: [command] } }),
  subAgent: (task) => [{ tool: 'spawn_agent', args: { systemPrompt: 'You do what you are told.', task } }],
  limits: { hearsRefusals: false, canBeSentBack: false, hearsGrounding: false },
};

tellOfOrdinaryWork(words);
tellClientStory(words);
tellOfFailures(words);
holdToFigures('cline');

verifies('N1', 'a second folder gets its own intent: one hub and one server serve every folder, and stay in the first', async () => {
  const world = await makeWorld(clineClient);
  onTestFinished(() => world.dispose());
  const second = await makeScratchRepo();
  onTestFinished(() => second.dispose());
  const there = { cwd: second.path, env: { HOME: world.userHome, COUNTERSIGN_HOME: world.home } };
  const init = (title: string) => ['init', '--yes', '--agent', 'cline', '--intent', title, '--paths', 'src'];
  expect((await world.human(init('the first'))).code).toBe(0);
  expect((await runInTerminal(CLI, init('the second'), there)).code).toBe(0);
  const steps = [{ tool: 'countersign__begin_work', args: {} }];
  const first = await world.agent('begin the work', steps);
  expect(first.model.toolResults().join()).toContain('the first');
  const model = await startScriptedModel({ steps, others: {} });
  onTestFinished(() => model.close());
  await runClient(clineClient, { workspace: second.path, home: join(world.home, '../agent'), model, prompt: 'begin the work' });
  expect(model.toolResults().join()).toContain('the second');
  expect(model.toolResults().join()).not.toContain('the first');
});
