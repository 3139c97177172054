import type { Client } from './client.ts';

export const copilotClient: Client = {
  name: 'copilot',
  variable: 'COUNTERSIGN_COPILOT',
  start: ({ prompt, model }) =>
    Promise.resolve({
      args: ['-p', prompt, '--allow-all-tools', '--disable-builtin-mcps', '--trust-folder', '--output-format', 'json'],
      env: {
        COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
        COPILOT_PROVIDER_TYPE: 'openai',
        COPILOT_PROVIDER_API_KEY: 'dummy',
        COPILOT_MODEL: 'scripted',
        COPILOT_OFFLINE: 'true',
      },
    }),
};
