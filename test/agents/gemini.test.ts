// Gemini CLI itself, with hooks and server as `countersign init` writes them.

import { geminiClient } from '../lab/clients/gemini.ts';
import { tellLimitedStory } from './limited-client-story.ts';

tellLimitedStory(
  {
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
  },
  { hearsRefusals: true, canBeSentBack: true, hearsGrounding: true, subAgents: 'as one' },
);
