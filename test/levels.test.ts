// The level that is shown is the one in force.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Intent, Status } from '../src/protocol/index.ts';
import { type Installation, makeInstallation } from './lab/installation.ts';

let place: Installation;
beforeAll(async () => {
  place = await makeInstallation();
});
afterAll(() => place.dispose());

const level = async () => (await place.ask<Status>('status')).workspaces.map((row) => row.level);

test('hooked means that a hook has fired and the hooks are still there', async () => {
  await place.human(['init', '--yes']);
  await place.human(['start', '--quiet']);
  await place.human(['intents']);
  expect(await level()).toEqual(['advisory']);
  await place.hook('SessionStart', { session_id: 's', cwd: place.repo.path, source: 'startup' });
  expect(await level()).toEqual([expect.stringMatching(/^(?:hooked|walled)$/)]);
  await place.human(['init', '--undo', '--yes']);
  expect(await level()).toEqual(['advisory']);
});

test('a path that nothing has yet is granted as a file and as a folder', async () => {
  expect((await place.ask<Intent>('intent', 'add an API', 'src/api', 'docs/')).owned_scope).toEqual(['src/api', 'src/api/**', 'docs/**']);
});
