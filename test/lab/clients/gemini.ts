import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from './client.ts';

/** It lets every tool pass by itself, so that what stops one is the hook. */
export const geminiClient: Client = {
  name: 'gemini',
  variable: 'COUNTERSIGN_GEMINI',
  isScript: true,
  start: async ({ prompt, model, home }) => {
    await mkdir(join(home, '.gemini'), { recursive: true });
    await writeFile(join(home, '.gemini/settings.json'), JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }));
    return {
      args: ['-p', prompt, '-m', 'gemini-2.5-flash', '--approval-mode', 'yolo'],
      env: { GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: model.url, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    };
  },
};
