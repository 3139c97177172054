// Claude Code, the real client: ordinary work, and a daemon that fails it. The rest of its story is the README's, in story.test.ts.

import { claudeClient } from '../lab/clients/claude.ts';
import type { ClientWords } from './client-words.ts';
import { tellOfFailures } from './failures.ts';
import { tellOfOrdinaryWork } from './ordinary-work.ts';

const words: ClientWords = {
  client: claudeClient,
  agent: 'claude-code',
  own: (tool, args = {}) => ({ tool: `mcp__countersign__${tool}`, args }),
  read: (file_path) => ({ tool: 'Read', args: { file_path } }),
  edit: (file_path, old_string, new_string) => ({ tool: 'Edit', args: { file_path, old_string, new_string } }),
  shell: (command) => ({ tool: 'Bash', args: { command, description: 'as the story needs it' } }),
  subAgent: (prompt) => [{ tool: 'Agent', args: { description: 'a task', prompt, subagent_type: 'general-purpose' } }],
};

tellOfOrdinaryWork(words);
tellOfFailures(words);
