import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from './client.ts';

const configFor = (url: string) => ({
  provider: { fake: { npm: '@ai-sdk/openai-compatible', options: { baseURL: `${url}/v1`, apiKey: 'dummy' }, models: { fake: {} } } },
  model: 'fake/fake',
});

/** It would install a package of its own into every folder with settings, and without a network wait for that at each start. */
async function pretendInstalled(folder: string): Promise<void> {
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  const lock = { packages: { '': { dependencies: { '@opencode-ai/plugin': '1.18.33' } } } };
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
}

export const opencodeClient: Client = {
  name: 'opencode',
  variable: 'COUNTERSIGN_OPENCODE',
  start: async ({ prompt, model, home, workspace }) => {
    await pretendInstalled(join(home, '.config/opencode'));
    await pretendInstalled(join(workspace, '.opencode'));
    await writeFile(join(home, '.config/opencode/opencode.json'), JSON.stringify(configFor(model.url)));
    return {
      args: ['run', prompt],
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      },
    };
  },
};
