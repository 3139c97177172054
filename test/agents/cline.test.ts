// Cline's command line itself, with hooks and server as `countersign init` writes them.

import { clineClient } from '../lab/clients/cline.ts';
import { tellLimitedStory } from './limited-client-story.ts';

tellLimitedStory(
  {
    client: clineClient,
    agent: 'cline',
    own: (tool, args = {}) => ({ tool: `countersign__${tool}`, args }),
    read: (path) => ({ tool: 'read_files', args: { files: [{ path }] } }),
    edit: (path, old_text, new_text) => ({ tool: 'editor', args: { path, old_text, new_text } }),
    shell: (command) => ({ tool: 'run_commands', args: { commands: [command] } }),
    subAgent: (task) => [{ tool: 'spawn_agent', args: { systemPrompt: 'You do what you are told.', task } }],
  },
  { hearsRefusals: false, canBeSentBack: false, hearsGrounding: false, subAgents: 'told apart' },
);
