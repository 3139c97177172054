// Cline's command line itself, with hooks and server as `countersign init` writes them.

import { clineClient } from '../lab/clients/cline.ts';
import { tellOfAttacks } from './attacks.ts';
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
tellOfAttacks(clineClient);
tellOfFailures(words);
holdToFigures('cline');
