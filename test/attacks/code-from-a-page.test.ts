// A page tells the agent what to write: the human who is asked about that code gets to know what the session had read before.

import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect } from 'vitest';
import { type HookedAgent, hookedAgent } from '../lab/hooked-agent.ts';
import type { Place } from '../lab/installation.ts';
import { oneDaemon } from '../lab/one-daemon.ts';
import { verifies } from '../verifies.ts';

const newPlace = oneDaemon();
let place: Place;
let client: Client;
let agent: HookedAgent;
beforeEach(async () => {
  place = await newPlace();
  await place.human(['mode', 'min', 'GUARDED']);
  await place.human(['intent', 'work', '.']);
  client = await place.mcpClient();
  agent = await hookedAgent(place, client);
  await agent.prompt('go');
});
afterEach(() => client.close());

/** Those of this test's repository. */
const questions = async () =>
  (await place.human(['approvals'])).output
    .split('◆')
    .filter((question) => question.includes(`in ${place.repo.path} `))
    .join('\n');
const bash = (command: string) => agent.before('Bash', { command });
/** Asked in the background: the hook waits for the answer. */
const ask = async (call: Promise<unknown>, about: string): Promise<string> => {
  call.catch(() => undefined);
  await expect.poll(questions).toContain(about);
  return questions();
};

verifies('I13', 'a question about code that was written after a page was read says so, and names the page', async () => {
  expect(await agent.write('src/before.sh', 'echo before\n')).toBeNull();
  expect(await agent.before('WebFetch', { url: 'https://page.test/how-to', prompt: 'read it' })).toBeNull();
  expect(await agent.write('src/setup.sh', 'echo set up\n')).toBeNull();

  const asked = await ask(bash('sh ./src/setup.sh && rm -rf build-of-page'), 'build-of-page');
  expect(asked).toContain('src/setup.sh: written in this session after it had read text from outside (https://page.test/how-to).');
  const other = await ask(bash('sh src/before.sh && rm -rf build-of-mine'), 'build-of-mine');
  expect(other).not.toContain('src/before.sh: written');

  const workflow = { file_path: `${place.repo.path}/.github/workflows/ci.yml`, content: 'on: push\n' };
  const edited = await ask(agent.before('Write', workflow), 'run later by a pipeline');
  expect(edited).toContain(' .github/workflows/ci.yml: written in this session after it had read text from outside');
});

verifies('I13', 'a question in a session that read nothing from outside says nothing of it', async () => {
  expect(await agent.write('src/setup.sh', 'echo set up\n')).toBeNull();
  expect(await ask(bash('sh src/setup.sh && rm -rf build'), 'rm -rf build')).not.toContain('text from outside');
});
