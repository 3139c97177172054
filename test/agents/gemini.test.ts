// Gemini CLI itself, with hooks and server as `countersign init` writes them.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../lab/clients/client.ts';
import { geminiClient } from '../lab/clients/gemini.ts';
import { tellOfAttacks } from './attacks.ts';
import { tellClientStory } from './client-story.ts';
import type { ClientWords } from './client-words.ts';
import { tellOfSeal } from './sealed-client.ts';
import { tellOfFailures } from './failures.ts';
import { tellOfOrdinaryWork } from './ordinary-work.ts';
import { tellOfTrust } from './trust.ts';
import { holdToFigures } from './ordinary/hold-to-figures.ts';

const words: ClientWords = {
  client: geminiClient,
  agent: 'gemini-cli',
  own: (tool, args = {}) => ({ tool: `mcp_countersign_${tool}`, args }),
  read: (file_path) => ({ tool: 'read_file', args: { file_path } }),
  edit: (file_path, old_string, new_string) => ({
    tool: 'replace',
    args: { file_path, instruction: 'as asked', old_string, new_string },
  }),
  shell: (command) => ({ tool: 'run_shell_command', args: { command, description: 'as asked' } }),
  subAgent: (prompt) => [{ tool: 'invoke_agent', args: { agent_name: 'generalist', prompt } }],
  limits: { subAgents: 'as one' },
};

/** In the human's home, without trust for the folder. */
const untrusting: Client = {
  ...geminiClient,
  start: async (run) => {
    const home = join(run.home, '../human');
    const { args, env } = await geminiClient.start({ ...run, home });
    const { GEMINI_CLI_TRUST_WORKSPACE: _, ...rest } = env;
    return { args, env: { ...rest, HOME: home } };
  },
};

tellOfOrdinaryWork(words);
tellClientStory(words);
tellOfSeal(words);
tellOfAttacks(geminiClient);
tellOfFailures(words);
tellOfTrust({
  words: { ...words, client: untrusting },
  untrusting: 'does not run',
  trust: ({ userHome, repo }) => writeFile(join(userHome, '.gemini/trustedFolders.json'), JSON.stringify({ [repo.path]: 'TRUST_FOLDER' })),
});
holdToFigures('gemini');
