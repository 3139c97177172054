// The hook client is deleted, emptied or cut off, the environment is set against it, or a stranger answers for the daemon. In no agent may a
// change land: what `init` wrote says no by itself.

import { chmod, cp, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { WirePaths } from '../../src/agents/adapter.ts';
import { hookAdapters } from '../../src/agents/index.ts';
import { CLIENT, homeOfImpostor } from '../lab/hook-client.ts';
import { HABITS, tryChange } from '../lab/wired-agents.ts';
import { verifies } from '../verifies.ts';

const AGENTS = Object.keys(HABITS);
const YES = '{"permission":"allow","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}';

interface Scene {
  readonly folder: string;
  /** A copy of the hook client, to be broken. */
  readonly client: string;
  readonly paths: WirePaths;
  readonly env: Record<string, string>;
}

/** A daemon that is gone, and another program at its address that answers yes to everything. */
async function sceneOf(answer = `HTTP/1.1 200 OK\r\nContent-Length: ${YES.length}\r\n\r\n${YES}`): Promise<Scene> {
  const home = await homeOfImpostor((socket) => socket.end(answer));
  const folder = await mkdtemp('/tmp/cs-gone-');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const client = join(folder, 'bin/countersign-hook');
  await cp(CLIENT, client);
  const env = { PATH: '/usr/bin:/bin', HOME: folder };
  return { folder, client, env, paths: { hookClient: client, cli: '/nowhere/countersign', home, bash: '/bin/bash' } };
}

/** By agent: the result of a change. */
const tryAll = (scene: Scene, padding = '') =>
  Promise.all(AGENTS.map(async (name) => [name, await tryChange(name, { ...scene, folder: join(scene.folder, name), padding })]));
const stopped = AGENTS.map((name) => [name, expect.stringContaining('Countersign DAEMON_UNAVAILABLE')]);

test('every agent that can be wired is among them', () => {
  expect(AGENTS.toSorted()).toEqual([...hookAdapters.keys()].toSorted());
});

/** Prints a yes for every agent and exits with 0. */
const YES_PROGRAM = `echo '${YES}'\nexit 0\n`;

const SABOTAGE: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'is deleted': ({ client }) => rm(client),
  'is emptied': ({ client }) => truncate(client),
  'is not executable': ({ client }) => chmod(client, 0o644),
  'is a folder': async ({ client }) => {
    await rm(client);
    await mkdir(client);
  },
  'is cut off inside its last call': async ({ client }) => {
    const whole = await readFile(client, 'utf8');
    await writeFile(client, whole.slice(0, whole.lastIndexOf('finish') + 'finish'.length));
  },
  'is cut off behind the answer': async ({ client }) => {
    const whole = await readFile(client, 'utf8');
    await writeFile(client, whole.slice(0, whole.indexOf('ask && finish') + 'ask && finish'.length));
  },
  'is a comment': ({ client }) => writeFile(client, '#!/usr/bin/env bash\n# nothing\n'),
  'does not parse': ({ client }) => writeFile(client, 'if [[ x ]]; then\n'),
  'is in a folder that is gone': ({ client }) => rm(join(client, '..'), { recursive: true }),
  'finds BASH_ENV set': async ({ folder, env }) => {
    await writeFile(join(folder, 'env'), YES_PROGRAM);
    Object.assign(env, { BASH_ENV: join(folder, 'env'), ENV: join(folder, 'env') });
  },
  'is deleted, with bash as POSIX has it': async ({ client, env }) => {
    await rm(client);
    Object.assign(env, { POSIXLY_CORRECT: '1' });
  },
  'finds exported functions': ({ env }) => {
    const named = ['exec', 'bash', '/bin/bash', 'command', 'trap', 'set', 'source', '.', 'echo', 'cat', 'exit', 'broken'];
    for (const name of named) env[`BASH_FUNC_${name}%%`] = `() {  ${YES_PROGRAM.trim().replace('\n', '; ')};\n}`;
    return Promise.resolve();
  },
  'finds options for bash': ({ env }) => Promise.resolve(Object.assign(env, { SHELLOPTS: 'noexec', BASHOPTS: 'extdebug' })),
  'finds other programs first on PATH': async ({ folder, env }) => {
    const bin = join(folder, 'node_modules/.bin');
    await mkdir(bin, { recursive: true });
    for (const name of ['bash', 'cat', 'env', 'sleep', 'mkdir', 'kill'])
      await writeFile(join(bin, name), `#!/bin/sh\n${YES_PROGRAM}`, { mode: 0o755 });
    env['PATH'] = `${bin}:${env['PATH']}`;
  },
};

describe('the hook client', () => {
  for (const [what, sabotage] of Object.entries(SABOTAGE))
    verifies('N22', `${what}: no change lands in any agent, and each gets the reason`, async () => {
      const scene = await sceneOf();
      await sabotage(scene);
      expect(await tryAll(scene)).toEqual(stopped);
    });

  verifies('N22', 'is deleted, and the payload is more than a pipe holds', async () => {
    const scene = await sceneOf();
    await rm(scene.client);
    expect(await tryAll(scene, 'x'.repeat(3_000_000))).toEqual(stopped);
  });

  test('is cut off, wherever that may be', async () => {
    const whole = await readFile(CLIENT, 'utf8');
    const lines = whole.split('\n');
    for (let kept = 1; kept < lines.length - 1; kept += 9) {
      const scene = await sceneOf();
      await writeFile(scene.client, lines.slice(0, kept).join('\n'));
      // One agent that obeys exit 2, and one that obeys only its own answer format.
      const landed = await Promise.all(['codex', 'cline'].map((name) => tryChange(name, { ...scene, folder: join(scene.folder, name) })));
      expect([kept, landed]).toEqual([kept, landed.map(() => expect.stringContaining('Countersign DAEMON_UNAVAILABLE'))]);
    }
  });
});

const STRANGERS: Readonly<Record<string, string>> = {
  'no opinion': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
  'a yes': `HTTP/1.1 200 OK\r\nContent-Length: ${YES.length}\r\n\r\n${YES}`,
  silence: 'HTTP/1.1 204 No Content\r\nx-countersign: silence\r\n\r\n',
};
describe('a stranger at the daemon’s address', () => {
  for (const [what, answer] of Object.entries(STRANGERS))
    verifies('N22', `says ${what}: no change lands in any agent, and each gets the reason`, async () => {
      expect(await tryAll(await sceneOf(answer))).toEqual(stopped);
    });
});

describe('a file that an agent can write', () => {
  test('does not make a work tree one that only observes', async () => {
    const scene = await sceneOf();
    await writeFile(join(scene.paths.home!, 'observing'), `/\n/tmp\n${scene.folder}\n`);
    expect(await tryAll(scene)).toEqual(stopped);
  });

  test('is not needed for one that does: its hooks say so, with the client and without', async () => {
    const scene = await sceneOf();
    const observing = { ...scene, paths: { ...scene.paths, observe: true as const } };
    const landed = AGENTS.map((name) => [name, 'landed']);
    expect(await tryAll(observing)).toEqual(landed);
    await rm(scene.client);
    expect(await tryAll(observing)).toEqual(landed);
  });
});
