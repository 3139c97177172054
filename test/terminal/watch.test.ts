// `countersign watch` on a real terminal, with a real daemon and an agent that asks.

import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../lab/eventually.ts';
import { type HookedAgent, hookedAgent } from '../lab/hooked-agent.ts';
import { CLI, type Installation, makeInstallation } from '../lab/installation.ts';
import { runInTerminal } from '../lab/terminal.ts';
import { verifies } from '../verifies.ts';

let place: Installation;
let agent: HookedAgent;
let close: () => Promise<void>;
const noticed = () => join(place.base, 'noticed');

beforeAll(async () => {
  // The daemon's own environment: a desktop whose notification program writes down what it is given.
  place = await makeInstallation(CLI, {});
  const bin = join(place.base, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'notify-send'), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${noticed()}'\n`);
  await chmod(join(bin, 'notify-send'), 0o755);
  const PATH = `${bin}:${process.env['PATH']}`;
  await place.runAlone(['start', '--quiet'], { env: { PATH } });
  await place.human(['intent', 'tidy up', 'src']);
  const client = await place.mcpClient({ surface: 'hooked' });
  close = () => client.close();
  agent = await hookedAgent(place, client);
  await agent.prompt('tidy up');
  await agent.call('begin_work');
});
afterAll(async () => {
  await close();
  await place.dispose();
});

async function question(command: string): Promise<string> {
  expect(await agent.before('Bash', { command })).toContain('APPROVAL_REQUIRED');
  const [newest] = await place.client.ask('approvals', { state: 'pending', limit: 1 });
  return newest!.id;
}
const stateOf = async (id: string) => (await place.client.ask('approvals', { id }))[0]?.state;

verifies('N21', 'a second terminal shows what waits as it comes, and one key answers it', async () => {
  const first = await question('rm -rf src/first');
  let second = '';
  const watching = runInTerminal(CLI, ['watch'], {
    cwd: place.repo.path,
    env: place.env,
    // The second question arrives while the first is being read; the keys are for the first.
    input: [
      { after: 'rm -rf src/second', type: 'y' },
      { after: `${first} is approved`, type: 'q' },
    ],
  });
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  second = await question('rm -rf src/second');
  const { code, output } = await watching;
  expect([code, await stateOf(first), await stateOf(second)]).toEqual([0, 'approved', 'pending']);
  expect(output).toContain('2 wait for you');
  await place.human(['reject', second]);
});

test('keys typed ahead answer nothing else, and the screen stays', async () => {
  const [first, second] = [await question('rm -rf src/one'), await question('rm -rf src/two')];
  const { code } = await runInTerminal(CLI, ['watch'], {
    cwd: place.repo.path,
    env: place.env,
    input: [
      // What one moved to counts as read; what follows the answer does not.
      { after: '2 wait for you', type: 'jkyrny' },
      { after: 'is approved', type: 'q' },
    ],
  });
  const states = [await stateOf(first), await stateOf(second)];
  expect([code, new Set(states)]).toEqual([0, new Set(['approved', 'pending'])]);
  for (const id of [first, second]) if ((await stateOf(id)) === 'pending') await place.human(['reject', id]);
});

test('an answer that the daemon refuses is a line on the screen, and the watch goes on', async () => {
  const asking = agent.call('request_scope', { paths: ['lib/**'], reason: 'the helper is there' }).catch(() => null);
  const request = await eventually('a request', async () =>
    (await place.client.ask('inbox', { cwd: place.repo.path })).find(({ what }) => what.includes('lib/**')),
  );
  const other = await question('rm -rf src/other');
  await place.human(['intents', 'pause', 'INT-001']);
  const { code, output } = await runInTerminal(CLI, ['watch'], {
    cwd: place.repo.path,
    env: place.env,
    // What one moved to counts as read.
    input: [
      { after: '2 wait for you', type: 'jky' },
      { after: 'Not done: ', type: 'n' },
      { after: `${request.id} is rejected`, type: 'q' },
    ],
  });
  expect(output).toContain('INT-001 is paused');
  expect([code, await stateOf(request.id)]).toEqual([0, 'rejected']);
  await asking;
  await place.human(['reject', other]);
  await place.human(['intents', 'activate', 'INT-001']);
});

test('without a terminal each item is a line of its own, as data or as text', async () => {
  const id = await question('rm -rf src/third');
  const { output } = await runInTerminal('sh', ['-c', `timeout 3 '${CLI}' --json watch </dev/null`], {
    cwd: place.repo.path,
    env: place.env,
  });
  expect(JSON.parse(output)).toMatchObject({ kind: 'call', id, what: expect.stringContaining('rm -rf src/third') });
  await place.human(['reject', id]);
});

verifies('N21', 'a desktop notification is sent only where the settings say so, and an agent’s text in it is plain', async () => {
  const silent = await question('rm -rf src/fourth');
  await mkdir(join(place.repo.path, '.ai/config'), { recursive: true });
  await writeFile(join(place.repo.path, '.ai/config/env.local.json'), '{"notify":{"desktop":true}}');
  const reported = await question('rm -rf "src/<b>bold</b>"');
  const text = await eventually('a notification', () => readFile(noticed(), 'utf8').catch(() => undefined));
  expect(text).toContain('Countersign: claude-code asks');
  expect(text).toContain('rm -rf "src/&lt;b&gt;bold&lt;/b&gt;"');
  expect(text).toContain(reported);
  expect(text).not.toContain(silent);
});
