import { join } from 'node:path';
import type { Client } from './client.ts';

const talk = {
  say: (prompt: string) => JSON.stringify({ type: 'user', message: { role: 'user', content: prompt } }),
  isTurnOver: (line: string) => line.startsWith('{') && (JSON.parse(line) as { type?: string }).type === 'result',
};

export const claudeClient: Client = {
  name: 'claude',
  variable: 'COUNTERSIGN_CLAUDE',
  start: ({ prompt, followUps, model, home }) =>
    Promise.resolve({
      args: [
        ...(followUps ? ['-p', '--input-format', 'stream-json'] : ['-p', prompt]),
        ...['--model', 'claude-sonnet-4-5', '--output-format', 'stream-json', '--verbose'],
        // The client must not ask again about what the gate lets pass.
        ...['--allowedTools', 'Bash', '--permission-mode', 'acceptEdits'],
      ],
      env: {
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: 'dummy',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        // As on a person's machine, a daemon that a hook starts finds what Node compiled for the one before.
        XDG_CACHE_HOME: join(home, '../human/.cache'),
      },
      ...(followUps ? { talk } : {}),
    }),
};
