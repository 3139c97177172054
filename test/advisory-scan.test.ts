// An agent without hooks reports neither prompts nor the end of a turn: the tree is scanned when it begins to work and when it requests its
// stamp.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { makeInstallation } from './lab/installation.ts';
import { verifies } from './verifies.ts';

verifies('N5', 'what changed while an agent without hooks worked is on the record at its next begin_work', async () => {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  await place.human(['intent', 'fix login', 'src']);
  const client = await place.mcpClient();
  onTestFinished(() => client.close());
  const untracked = async () => (await place.client.ask('status', {})).workspaces[0]!.untracked;
  await client.callTool({ name: 'begin_work', arguments: {} });
  expect(await untracked()).toMatchObject({ in_agents_windows: 0, human_unproven: 0 });
  await writeFile(join(place.repo.path, 'src/auth/login.ts'), 'by its own shell\n');
  await client.callTool({ name: 'elefanteAssertCompliance', arguments: {} });
  expect(await untracked()).toMatchObject({ in_agents_windows: 0, human_unproven: 1 });
});
