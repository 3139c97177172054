// opencode itself, with the plugin and server as `countersign init` writes them.

import { opencodeClient } from '../lab/clients/opencode.ts';
import { tellOfAttacks } from './attacks.ts';
import { tellClientStory } from './client-story.ts';
import type { ClientWords } from './client-words.ts';
import { tellOfSeal } from './sealed-client.ts';
import { tellOfFailures } from './failures.ts';
import { tellOfOrdinaryWork } from './ordinary-work.ts';
import { holdToFigures } from './ordinary/hold-to-figures.ts';

const words: ClientWords = {
  client: opencodeClient,
  agent: 'opencode',
  own: (tool, args = {}) => ({ tool: `countersign_${tool}`, args }),
  read: (filePath) => ({ tool: 'read', args: { filePath } }),
  edit: (filePath, oldString, newString) => ({ tool: 'edit', args: { filePath, oldString, newString } }),
  shell: (command) => ({ tool: 'bash', args: { command, description: 'as asked' } }),
  subAgent: (prompt) => [{ tool: 'task', args: { description: 'a task', prompt, subagent_type: 'general' } }],
  limits: { canBeSentBack: false },
};

tellOfOrdinaryWork(words);
tellClientStory(words);
tellOfSeal(words);
tellOfAttacks(opencodeClient);
tellOfFailures(words);
holdToFigures('opencode');
