// Lists on the command line are of the workspace that one stands in; --all is for every workspace, and names each.

import { expect } from 'vitest';
import { hookedAgent } from './lab/hooked-agent.ts';
import type { Place } from './lab/installation.ts';
import { oneDaemon } from './lab/one-daemon.ts';
import { verifies } from './verifies.ts';

const newPlace = oneDaemon();

/** One refusal, one receipt and one question in a workspace of its own. */
async function worked(): Promise<Place> {
  const place = await newPlace();
  expect((await place.human(['intent', 'work', 'src'])).code).toBe(0);
  expect((await place.human(['mode', 'min', 'GUARDED'])).code).toBe(0);
  const client = await place.mcpClient();
  const agent = await hookedAgent(place, client);
  await agent.prompt('work');
  expect(await agent.write('src/a.ts', 'export {};\n')).toBeNull();
  expect(await agent.write('lib/a.ts', 'export {};\n')).toContain('SCOPE_VIOLATION');
  await agent.before('Bash', { command: 'rm -rf src' });
  await client.close();
  return place;
}

verifies('T11', 'receipts, violations and status are of the workspace that one stands in; --all shows and names every one', async () => {
  const [here, there] = [await worked(), await worked()];
  const outside = await newPlace();
  const ask = async <T>(place: Place, ...args: string[]) => JSON.parse((await place.run([...args, '--json'])).stdout) as T;
  type Row = { workspace?: string; root?: string };
  const rootsOf = async (place: Place, ...args: string[]) => [
    ...new Set((await ask<Row[]>(place, ...args)).map(({ workspace }) => workspace)),
  ];
  for (const list of ['receipts', 'violations']) {
    const [own] = await rootsOf(here, list);
    expect([list, await rootsOf(here, list)]).toEqual([list, [own]]);
    expect(await rootsOf(there, list)).not.toContain(own);
    expect(new Set(await rootsOf(here, list, '--all'))).toEqual(new Set([...(await rootsOf(there, list)), own]));
    expect((await outside.run([list])).stdout).toBe(`No ${list} in this workspace; --all shows the others.\n`);
    const all = (await outside.run([list, '--all'])).stdout;
    expect([all.includes(here.repo.path), all.includes(there.repo.path)]).toEqual([true, true]);
  }
  expect((await ask<unknown[]>(here, 'violations', '--counts')).length).toBe(1);
  expect((await ask<unknown[]>(here, 'violations', '--counts', '--all')).length).toBe(2);

  const status = (await here.run(['status'])).stdout;
  expect([status.includes(here.repo.path), status.includes(there.repo.path)]).toEqual([true, false]);
  expect(status).toContain('waiting    1  (countersign approvals)  (1 more in other workspaces: countersign status --all)');
  const all = (await here.run(['status', '--all'])).stdout;
  expect([all.includes(here.repo.path), all.includes(there.repo.path), all.includes('waiting    2')]).toEqual([true, true, true]);
  expect((await outside.run(['status'])).stdout).toContain('nothing is known of it yet');
});
