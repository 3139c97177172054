import { join } from 'node:path';
import type { Client } from './client.ts';

/** Given for the run alone, so that the user's settings hold what `init` wrote there and nothing else. */
const settingsFor = (url: string): string[] =>
  [
    'model_provider="scripted"',
    `model_providers.scripted={name="scripted",base_url="${url}/v1",wire_api="responses",supports_websockets=false,env_key="SCRIPTED_KEY"}`,
    'features.multi_agent_v2=true',
  ].flatMap((setting) => ['-c', setting]);

/** It runs no hook that its user does not trust: it gets the home of the human who ran `init`, where that trust is stored. */
export const codexClient: Client = {
  name: 'codex',
  variable: 'COUNTERSIGN_CODEX',
  start: ({ prompt, model, home }) =>
    Promise.resolve({
      args: ['exec', '--json', '-s', 'workspace-write', '-m', 'gpt-5.5', ...settingsFor(model.url), prompt],
      env: { SCRIPTED_KEY: 'dummy', HOME: join(home, '../human') },
    }),
};
