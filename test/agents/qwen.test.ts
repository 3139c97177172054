// Qwen Code itself, with hooks and server as `countersign init` writes them.

import { qwenClient } from '../lab/clients/qwen.ts';
import { tellOfAttacks } from './attacks.ts';
import { tellClientStory } from './client-story.ts';
import type { ClientWords } from './client-words.ts';
import { tellOfSeal } from './sealed-client.ts';
import { tellOfFailures } from './failures.ts';
import { tellOfOrdinaryWork } from './ordinary-work.ts';
import { holdToFigures } from './ordinary/hold-to-figures.ts';

const words: ClientWords = {
  client: qwenClient,
  agent: 'qwen-code',
  own: (tool, args = {}) => ({ tool: `mcp__countersign__${tool}`, args }),
  read: (file_path) => ({ tool: 'read_file', args: { file_path } }),
  edit: (file_path, old_string, new_string) => ({ tool: 'edit', args: { file_path, old_string, new_string } }),
  shell: (command) => ({ tool: 'run_shell_command', args: { command, is_background: false } }),
  subAgent: (prompt) => [
    { tool: 'agent', args: { description: 'a task', prompt, subagent_type: 'general-purpose', run_in_background: false } },
  ],
};

tellOfOrdinaryWork(words);
tellClientStory(words);
tellOfSeal(words);
tellOfAttacks(qwenClient);
tellOfFailures(words);
holdToFigures('qwen');
