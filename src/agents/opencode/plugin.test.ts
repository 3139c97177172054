// The plugin as opencode loads it: a file of its own, asking a program. The program here replaces the hook client.

import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { WirePaths } from '../adapter.ts';
import { pluginText } from './plugin.ts';
import { isOurPlugin, wirePlugin, wireServer, unwireServer, wiring } from './wire.ts';

const paths: WirePaths = { hookClient: '/opt/bin/countersign-hook', cli: '/opt/bin/countersign', home: '/home/ada/cs' };

interface Hooks {
  readonly config: (settings: object) => Promise<void>;
  readonly 'shell.env': (input: object, output: { env: object }) => Promise<void>;
  readonly event: (input: object) => Promise<void>;
  readonly 'chat.message': (input: object, output: object) => Promise<void>;
  readonly 'experimental.chat.system.transform': (input: object, output: { system: string[] }) => Promise<void>;
  readonly 'tool.execute.before': (input: object, output: object) => Promise<void>;
  readonly 'tool.execute.after': (input: object, output: object) => Promise<void>;
}

/** The plugin with a program of the test's own in place of the hook client, and what that program was asked. */
async function load(script: string | null, optional = false, wall?: string): Promise<{ hooks: Hooks; asked: () => Promise<unknown[]> }> {
  const folder = await mkdtemp(join(tmpdir(), 'cs-plugin-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const program = join(folder, 'client');
  const log = join(folder, 'log');
  if (script !== null) {
    await writeFile(program, `#!/bin/sh\ntrap - EXIT\nprintf '%s ' "$*" >>'${log}'; cat >>'${log}'; echo >>'${log}'\n${script}\n`);
    await chmod(program, 0o755);
  }
  const file = join(folder, 'countersign.mjs');
  await writeFile(file, pluginText({ ...paths, hookClient: program, ...(optional ? { optional } : {}), ...(wall && { wall }) }));
  const { Countersign } = (await import(pathToFileURL(file).href)) as { Countersign: (input: object) => Promise<Hooks> };
  const asked = async () =>
    (await readFile(log, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => [/(\S+) \{/.exec(line)?.[1], JSON.parse(line.slice(line.indexOf('{')))]);
  return { hooks: await Countersign({ directory: '/w' }), asked };
}

const edit = { tool: 'edit', sessionID: 'ses_1', callID: 'call_1' };
const args = { filePath: 'a', oldString: 'b', newString: 'c' };
const tried = ({ hooks }: { hooks: Hooks }) =>
  hooks['tool.execute.before'](edit, { args }).then(
    () => 'passed',
    (error: Error) => error.message,
  );

describe('a call', () => {
  test('passes when the gate has nothing against it, and is thrown back with the reason when it has', async () => {
    expect(await tried(await load("echo '{}'"))).toBe('passed');
    expect(await tried(await load(`echo '{"deny":"Countersign X: no"}'`))).toBe('Countersign X: no');
  });

  test.each([
    ['exits with trouble', 'echo "Countersign DAEMON_UNAVAILABLE: gone" >&2; exit 2', 'Countersign DAEMON_UNAVAILABLE: gone'],
    ['says yes and then fails', "echo '{}'; exit 1", 'the gate gave no answer'],
    ['says nothing', 'exit 0', 'the gate gave no answer'],
    ['says something else than JSON', 'echo yes', 'the gate gave no answer'],
    ['says half of an answer', "printf '{'", 'the gate gave no answer'],
    ['says no object', "echo '[]'", 'the gate gave no answer'],
    ['says null', 'echo null', 'the gate gave no answer'],
    ['is killed', 'kill -9 $$', 'the gate gave no answer'],
    ['is not there', null, 'the hook client is missing or broken'],
  ])('is thrown back when the client %s', async (_how, script, message) => {
    expect(await tried(await load(script))).toContain(message);
  });

  test('passes on a machine without Countersign where the plugin is a team’s', async () => {
    expect(await tried(await load(null, true))).toBe('passed');
    expect(await tried(await load('exit 2', true))).toContain('the gate gave no answer');
  });
});

test('the gate hears of the session, the prompt, the call before and after, and the end; the model hears what the gate says', async () => {
  const plugin = await load(
    `case "$*" in *session.created) echo '{"context":"start"}';; *chat.message) echo '{"context":"prompt"}';; *) echo '{}';; esac`,
  );
  const { hooks } = plugin;
  await hooks['chat.message'](
    { sessionID: 'ses_1', agent: 'build', model: { providerID: 'p', modelID: 'm' }, messageID: 'msg_1' },
    { message: {}, parts: [{ type: 'text', text: 'fix it' }, { type: 'text', text: 'added', synthetic: true }, { type: 'file' }] },
  );
  await hooks['tool.execute.before'](edit, { args });
  await hooks['tool.execute.after']({ ...edit, args }, { output: 'done' });
  await hooks.event({ event: { type: 'session.created', properties: { info: { id: 'ses_2', parentID: 'ses_1' } } } });
  await hooks['chat.message']({ sessionID: 'ses_2', agent: 'general' }, { message: {}, parts: [] });
  await hooks['tool.execute.before']({ ...edit, sessionID: 'ses_2' }, { args });
  await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 'ses_2' } } });
  await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 'ses_1' } } });
  const heard: { system: string[] } = { system: [] };
  await hooks['experimental.chat.system.transform']({ sessionID: 'ses_1' }, heard);
  expect(heard.system).toEqual(['start\nprompt']);

  const session = { session_id: 'ses_1', cwd: '/w', agent: 'build', model: 'm' };
  const call = { tool_name: 'edit', tool_use_id: 'call_1', tool_input: args };
  expect(await plugin.asked()).toEqual([
    ['session.created', session],
    ['chat.message', { ...session, message_id: 'msg_1', prompt: 'fix it' }],
    ['tool.execute.before', { ...session, ...call }],
    ['tool.execute.after', { ...session, ...call, tool_response: { output: 'done' } }],
    ['tool.execute.before', { session_id: 'ses_1', cwd: '/w', agent_id: 'ses_2', agent: 'general', ...call }],
    ['session.idle', session],
  ]);
});

const WALL = '/opt/bin/countersign-wall-bash';

test('the wall program hears whose command it runs, the gate hears which shell is used, and the model hears why a write failed', async () => {
  const plugin = await load(`case "$*" in *after) echo '{"context":"why"}';; *) echo '{}';; esac`, false, WALL);
  const { hooks } = plugin;
  await hooks.config({ shell: WALL });
  await hooks.event({ event: { type: 'session.created', properties: { info: { id: 'ses_2', parentID: 'ses_1' } } } });
  const envOf = async (loaded: Hooks, input: object) => {
    const output = { env: {} };
    await loaded['shell.env'](input, output);
    return output.env;
  };
  const walled = { COUNTERSIGN_WALL_AGENT: 'opencode', COUNTERSIGN_WALL_HOME: '/home/ada/cs', COUNTERSIGN_WALL_SESSION: 'ses_1' };
  expect(await envOf(hooks, { sessionID: 'ses_2' })).toEqual(walled);
  expect(await envOf(hooks, { cwd: '/w' })).toEqual({});
  expect(await envOf((await load("echo '{}'")).hooks, { sessionID: 'ses_1' })).toEqual({});
  await hooks['tool.execute.before'](edit, { args });
  expect(await plugin.asked()).toMatchObject([['tool.execute.before', { shell: WALL, tool_name: 'edit' }]]);
  const done = { output: 'Read-only file system' };
  await hooks['tool.execute.after']({ ...edit, args }, done);
  expect(done.output).toBe('Read-only file system\nwhy');
});

describe('its files', () => {
  test('the wall program is added as the shell and removed; a shell that a human chose stays', () => {
    const walled = { ...paths, wall: WALL };
    const once = wireServer({ theme: 'dark' }, walled);
    expect(once).toMatchObject({ theme: 'dark', shell: WALL });
    expect([wireServer(once, walled), unwireServer(once)]).toEqual([once, { theme: 'dark' }]);
    expect(wireServer(once, paths)).not.toHaveProperty('shell');
    const chosen = { shell: '/bin/fish' };
    expect([wireServer(chosen, walled)['shell'], unwireServer(wireServer(chosen, walled))]).toEqual(['/bin/fish', chosen]);
  });

  test('only our own plugin is changed', () => {
    const text = wirePlugin(null, paths);
    expect([wirePlugin(text, paths), isOurPlugin(text), isOurPlugin('export const X = 1;\n')]).toEqual([text, true, false]);
    expect(() => wirePlugin('export const X = 1;\n', paths)).toThrow(
      '.opencode/plugins/countersign.js is a plugin that Countersign did not write.',
    );
    const [plugin] = wiring;
    expect(plugin?.form === 'text' && [plugin.unwire(text), plugin.unwire('theirs')]).toEqual([null, 'theirs']);
  });

  test('the client gives up before the plugin does', () => {
    const text = pluginText(paths);
    expect(text).toContain('"--deadline","110"');
    expect(text).toContain('const PATIENCE_MS = 120000;');
  });

  test('our server is added beside the others, and removed without a trace', () => {
    const before = { mcp: { mini: { type: 'local', command: ['mini'] } }, theme: 'dark' };
    const once = wireServer(before, paths);
    expect(once).toEqual({
      mcp: { ...before.mcp, countersign: { type: 'local', command: [paths.cli, 'mcp', '--home', '/home/ada/cs'], enabled: true } },
      theme: 'dark',
    });
    expect([wireServer(once, paths), unwireServer(once), unwireServer(wireServer({}, paths))]).toEqual([once, before, {}]);
    const schema = { $schema: 'https://opencode.ai/config.json' };
    expect([unwireServer({ ...schema, ...wireServer({}, paths) }), unwireServer(schema)]).toEqual([{}, schema]);
  });
});
