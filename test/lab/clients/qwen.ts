import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from './client.ts';

/** It lets every tool pass by itself, so that what stops one is the hook. */
export const qwenClient: Client = {
  name: 'qwen',
  variable: 'COUNTERSIGN_QWEN',
  isScript: true,
  start: async ({ prompt, model, home }) => {
    await mkdir(join(home, '.qwen'), { recursive: true });
    await writeFile(join(home, '.qwen/settings.json'), JSON.stringify({ security: { auth: { selectedType: 'openai' } } }));
    return {
      args: ['-p', prompt, '--approval-mode', 'yolo'],
      env: {
        OPENAI_BASE_URL: `${model.url}/v1`,
        OPENAI_API_KEY: 'dummy',
        OPENAI_MODEL: 'fake',
        QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
      },
    };
  },
};
