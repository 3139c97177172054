import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from './client.ts';

/** Hooks and servers of a repository count only where a human trusts the folder; the hooks themselves are trusted by the option. */
const configFor = (workspace: string, url: string) => `model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
supports_websockets = false
env_key = "SCRIPTED_KEY"
[features]
multi_agent_v2 = true
[projects."${workspace}"]
trust_level = "trusted"
`;

export const codexClient: Client = {
  name: 'codex',
  variable: 'COUNTERSIGN_CODEX',
  start: async ({ prompt, model, home, workspace }) => {
    await mkdir(join(home, '.codex'), { recursive: true });
    await writeFile(join(home, '.codex/config.toml'), configFor(workspace, model.url));
    return {
      args: ['exec', '--json', '-s', 'workspace-write', '-m', 'gpt-5.5', '--dangerously-bypass-hook-trust', prompt],
      env: { SCRIPTED_KEY: 'dummy' },
    };
  },
};
