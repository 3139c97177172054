// All that is asked of a change before it runs, and all that is made of it afterwards, after `init` and through the hooks of a wired agent.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { hookedAgent } from './lab/hooked-agent.ts';
import { oneDaemon } from './lab/one-daemon.ts';
import { verifies } from './verifies.ts';

const newPlace = oneDaemon();
const codeOf = (said: string | null): string | null => /^Countersign ([A-Z_]+):/m.exec(said ?? '')?.[1] ?? said;

verifies('I7', 'intent, validity, scope, risk, human and lock come before a change; trace, class, map and brain after it', async () => {
  const place = await newPlace();
  await mkdir(join(place.env['HOME']!, '.claude'), { recursive: true });
  expect((await place.human(['init', '--yes', '--agent', 'claude'])).code).toBe(0);
  // What init itself granted or set is the starting point; work of its own follows.
  for (const { id, status } of await place.client.ask('intents', { cwd: place.repo.path }))
    if (status === 'active') expect((await place.human(['intents', 'pause', id])).code).toBe(0);
  const client = await place.mcpClient();
  const agent = await hookedAgent(place, client);
  await agent.prompt('work');
  const write = async (path: string, content = 'export {};\n') => codeOf(await agent.write(path, content));
  expect(await write('src/a.ts')).toBe('INTENT_REQUIRED');
  expect((await place.human(['intent', 'work', 'src'])).code).toBe(0);
  const id = (await place.client.ask('intents', { cwd: place.repo.path })).find(({ status }) => status === 'active')!.id;
  await agent.prompt('go on');
  expect(await write('lib/a.ts')).toBe('SCOPE_VIOLATION');
  expect(codeOf(await agent.before('Bash', { command: 'rm -rf src' }))).toBe('APPROVAL_REQUIRED');
  expect(await write('src/a.ts')).toBeNull();
  await writeFile(join(place.repo.path, 'src/a.ts'), 'export const byHand = 1;\n');
  expect(await write('src/a.ts', 'export const a = 2;\n')).toBe('STALE_FILE');
  expect((await place.human(['intents', 'pause', id])).code).toBe(0);
  expect(await write('src/a.ts')).toBe('INTENT_NOT_ACTIVE');

  const text = (file: string) => readFile(join(place.repo.path, file), 'utf8').catch(() => '');
  await expect.poll(() => text('.orchestration/agent_trace.jsonl')).toContain('"path":"src/a.ts"');
  await expect.poll(() => text('.orchestration/intent_map.md')).toContain('src/a.ts');
  const [receipt] = (await place.client.ask('receipts', { limit: 50 })).filter(({ file_refs }) =>
    file_refs.some(({ path }) => path === 'src/a.ts'),
  );
  expect(receipt?.file_refs[0]?.mutation?.class).toBe('INTENT_EVOLUTION');
  await client.close();
});
