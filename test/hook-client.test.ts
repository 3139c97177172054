// The small client behind every agent hook, as agents start it: a real process with a payload on its standard input.

import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from './lab/daemon.ts';
import { CLIENT, DENIED, edit, homeOfImpostor, hook, PASSED, pre, PROOF, start } from './lab/hook-client.ts';
import { CLI, endDaemonsOf } from './lab/installation.ts';
import { verifies } from './verifies.ts';

const MIB = 1024 * 1024;

describe('with a daemon that lives', () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startTestDaemon();
  });
  afterAll(() => daemon.dispose());

  const payload = (tool_name: string, tool_input: object) => ({
    session_id: 'of-client',
    cwd: daemon.repo.path,
    hook_event_name: 'PreToolUse',
    permission_mode: 'acceptEdits',
    tool_name,
    tool_input,
  });
  const direct = async (event: string, body: unknown) =>
    (await daemon.web('POST', `/hooks/claude/${event}`, { headers: await daemon.asHook(), body })).text;
  const newest = async () => (await daemon.services().ask('actions', { limit: 1 }))[0];

  test('what the daemon says is printed byte for byte: no opinion, an allowance, a denial, a context', async () => {
    const said = [
      ['PreToolUse', payload('Read', { file_path: 'README.md' })],
      ['PreToolUse', payload('mcp__countersign__begin_work', {})],
      ['PreToolUse', payload('Edit', { file_path: 'src/auth/löwe-🦁.ts', old_string: 'a', new_string: 'b' })],
      ['PreToolUse', { session_id: 1 }],
      ['SessionStart', { ...payload('', {}), source: 'startup' }],
      ['Stop', payload('', {})],
    ] as const;
    for (const [event, body] of said) {
      // In a session of its own: the client's belongs to the process that started it.
      const answer = await direct(event, { ...body, session_id: typeof body.session_id === 'string' ? 'direct' : body.session_id });
      expect(await hook(daemon.home.dir, event, body)).toEqual({ code: 0, stdout: `${answer}\n`, stderr: '' });
    }
    const kinds = await Promise.all(said.map(async ([event, body]) => /"permissionDecision":"(\w+)"/.exec(await direct(event, body))?.[1]));
    expect(kinds).toEqual([undefined, 'allow', 'deny', 'deny', undefined, undefined]);
  });

  const TEXTS = [
    'é ü 日本語 🦁 \u0000\u0001\u001b[31m',
    '\\ \\n \\u0041 %s %d %% $HOME `id` $(id) "quoted" \'single\' !!',
    ' leading, trailing \t\n\n',
    '\u2028\u202e\ufeff',
    '"tool_name":"Read"',
  ];
  test.each(TEXTS)('a payload with %j arrives as it was sent', async (text) => {
    const { code } = await hook(daemon.home.dir, 'PreToolUse', payload('Read', { file_path: text }));
    expect([code, (await newest())?.subject]).toEqual([0, text]);
    const spaced = await hook(daemon.home.dir, 'PreToolUse', `\n${JSON.stringify(payload('Read', { file_path: text }), null, 2)}\n`);
    expect([spaced.code, (await newest())?.subject]).toEqual([0, text]);
  });

  test.each([8190, 8191, 8192, 8193, 32_767, 32_769, 100_000, 5 * MIB])('a payload of %i bytes and more arrives whole', async (size) => {
    const path = `start-${'x'.repeat(size)}-end`;
    const { code, stderr } = await hook(daemon.home.dir, 'PreToolUse', payload('Grep', { pattern: path }));
    expect([code, stderr]).toEqual([0, '']);
    const exact = JSON.stringify(payload('Read', { file_path: 'y' }));
    const padded = exact.replace('"y"', `"${'y'.repeat(Math.max(1, size - exact.length + 1))}"`);
    const answer = await hook(daemon.home.dir, 'PreToolUse', padded);
    expect(answer).toEqual({ code: 0, stdout: `${await direct('PreToolUse', JSON.parse(padded))}\n`, stderr: '' });
  });

  test('a payload that is too large, or no JSON, is denied, and the size is named as the cause', async () => {
    expect(await hook(daemon.home.dir, 'PreToolUse', '{"tool_name":"Edit",')).toEqual(DENIED);
    expect(await hook(daemon.home.dir, 'PreToolUse', pre('Edit', { content: 'x'.repeat(33 * MIB) }))).toEqual({
      ...DENIED,
      stderr: expect.stringMatching(/^Countersign TOO_LARGE: this call is larger than 32 MB/) as string,
    });
  });

  test('an agent without an adapter is denied', async () => {
    expect(await start(CLIENT, ['--home', daemon.home.dir, 'nobody', 'PreToolUse'], JSON.stringify(edit))).toEqual(DENIED);
  });

  test('the command line passes hooks on to it', async () => {
    const answer = await start(
      CLI,
      ['hook', '--home', daemon.home.dir, 'claude', 'PreToolUse'],
      JSON.stringify(payload('Read', { file_path: 'a' })),
    );
    expect(answer).toEqual(PASSED);
  });

  test('the process that started it is known as the agent’s', async () => {
    await hook(daemon.home.dir, 'PreToolUse', payload('Read', { file_path: 'a' }));
    expect([...daemon.services().kernel.state.presence.all()].map(({ pid, proven }) => [pid, proven])).toEqual([[process.pid, true]]);
  });
});

describe('agents that want to hear it in another way', () => {
  // No user, not even root, can create a folder below it.
  const DEAD = '/dev/null/countersign';
  const dead = (args: readonly string[], payload: unknown) =>
    start(CLIENT, ['--home', DEAD, '--deadline', '1', ...args], JSON.stringify(payload), { ...process.env, PATH: '/usr/bin:/bin' });
  const because =
    'Countersign DAEMON_UNAVAILABLE: the gate did not answer, so nothing may be changed; reading still works. Ask a human to run: countersign status';

  test('consent that is silence is silence', async () => {
    const home = await homeOfImpostor((socket) => socket.end(`HTTP/1.1 204 No Content\r\nx-countersign: silence\r\n${PROOF}\r\n`));
    expect(await hook(home, 'PreToolUse', edit)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('without a daemon, a no is what that agent takes for one', async () => {
    const cline = { hookName: 'tool_call', workspaceInfo: { a: {} }, tool_call: { id: 'c1', name: 'editor', input: {} } };
    expect(await dead(['--deny-as', 'cline', '--reads', 'read_files', 'cline', 'PreToolUse'], cline)).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ cancel: true, errorMessage: because })}\n`,
      stderr: '',
    });
    const no = { permissionDecision: 'deny', permissionDecisionReason: because };
    expect(await dead(['--deny-as', 'copilot', 'copilot', 'preToolUse'], { toolName: 'edit' })).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ ...no, hookSpecificOutput: { hookEventName: 'PreToolUse', ...no } })}\n`,
      stderr: '',
    });
    expect(await dead(['codex', 'PreToolUse'], pre('apply_patch'))).toEqual(DENIED);
  });

  test('without a daemon, reading goes on in every spelling, and only where the payload itself names the tool', async () => {
    const reads = ['--reads', 'view,read_files'];
    const named = { sessionId: 's', toolName: 'view', toolArgs: { path: 'x' } };
    expect(await dead([...reads, 'copilot', 'preToolUse'], named)).toEqual(PASSED);
    for (const payload of [
      { ...named, toolName: 'edit', toolArgs: { toolName: 'view' } },
      { sessionId: 's', toolArgs: { toolName: 'view' } },
      { ...pre('Edit'), tool_input: { toolName: 'view' } },
    ])
      expect(await dead([...reads, 'copilot', 'preToolUse'], payload)).toEqual(DENIED);
    const cline = (name: string, input: object) => ({
      workspaceInfo: { a: {} },
      hookName: 'tool_call',
      tool_call: { id: 'c1', name, input },
    });
    const ask = (payload: object) => dead(['--deny-as', 'cline', ...reads, 'cline', 'PreToolUse'], payload).then(({ stdout }) => stdout);
    expect(await ask(cline('read_files', {}))).toBe('{}\n');
    expect(await ask(cline('editor', { hookName: 'tool_call', tool_call: { id: 'c1', name: 'read_files' } }))).toContain('"cancel":true');
  });

  test('an agent that takes no word for a failure hears one', async () => {
    expect(await dead(['--deny-as', 'cursor', '--notice', 'cursor', 'stop'], {})).toEqual({
      code: 0,
      stdout: '{"permission":"allow"}\n',
      stderr: '',
    });
  });
});

test('it sends what a daemon needs, and a timeout below its own', async () => {
  let heard = '';
  const home = await homeOfImpostor((socket, request) => {
    heard = request;
    socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n${PROOF}\r\n{}`);
  });
  expect(await hook(home, 'PreToolUse', '{"a":"é"}', 30)).toEqual(PASSED);
  const [first, ...lines] = heard.split('\r\n');
  expect(first).toBe('POST /hooks/claude/PreToolUse HTTP/1.1');
  expect(lines.slice(1)).toEqual([
    'Authorization: Bearer the-token',
    `X-Countersign-Parent: ${process.pid}`,
    expect.stringMatching(/^X-Countersign-Patience: 2[78]$/),
    'Content-Type: application/json',
    'Content-Length: 10',
    'Connection: close',
    '',
    Buffer.from('{"a":"é"}').toString('latin1'),
  ]);
});

describe('started wrongly, it denies: agents take other failures for consent', () => {
  const MISTAKES: readonly (readonly string[])[] = [
    [],
    ['claude'],
    ['--home'],
    ['--deadline'],
    ['--nonsense', 'x', 'claude', 'PreToolUse'],
  ];
  test.each(MISTAKES.map((args) => [args.join(' ') || 'without anything', args] as const))('%s', async (_name, args) => {
    const { code, stdout } = await start(CLIENT, args, JSON.stringify(edit), { PATH: process.env['PATH'] });
    expect([code, stdout]).toEqual([2, '']);
  });

  test('a deadline that is no number', async () => {
    const home = await homeOfImpostor((socket) => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n${PROOF}\r\n{}`));
    const { code, stdout } = await start(CLIENT, ['--home', home, '--deadline', 'soon', 'claude', 'PreToolUse'], JSON.stringify(edit));
    expect([code, stdout]).toEqual([2, '']);
  });

  test('without HOME, when the home is named, it works as ever', async () => {
    const home = await homeOfImpostor((socket) => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n${PROOF}\r\n{}`));
    expect(await start(CLIENT, ['--home', home, 'claude', 'PreToolUse'], JSON.stringify(edit), { PATH: process.env['PATH'] })).toEqual(
      PASSED,
    );
  });
});

describe('without a daemon', () => {
  verifies('T10', 'where none can be started, a change is denied and looking goes on', async () => {
    const nowhere = '/dev/null/nowhere';
    expect(
      await Promise.all([hook(nowhere, 'PreToolUse', edit), hook(nowhere, 'PreToolUse', pre('Read')), hook(nowhere, 'Stop', '{}')]),
    ).toEqual([DENIED, PASSED, PASSED]);
  });

  test.each([
    ['that hangs up while it dies', ''],
    ['that died while a human was asked', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['whose token is not written yet', 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}'],
  ])('one %s is asked again', async (_name, first) => {
    let asked = 0;
    const home = await homeOfImpostor((socket) =>
      socket.end(++asked < 3 ? first : `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n${PROOF}\r\n{}`),
    );
    expect(await hook(home, 'PreToolUse', edit)).toEqual(PASSED);
    expect(asked).toBe(3);
  });

  test('it starts one and passes its answer on, also when the last one left its address behind', async () => {
    const home = await mkdtemp('/tmp/cs-');
    onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
    await mkdir(join(home, 'run'));
    const { port } = await freePort();
    await writeFile(join(home, 'run/hook'), `${port} of-a-dead-daemon of-a-dead-daemon\n`);
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], MCP_DASHBOARD_PORT: '0' };
    const args = ['--home', home, '--reads', 'Read', 'claude', 'PreToolUse'];
    const payload = { ...edit, cwd: home };
    onTestFinished(() => endDaemonsOf(home));
    let answer = await start(CLIENT, args, JSON.stringify(payload), env);
    // On a busy machine the daemon may need longer than the client waits: then a change is denied, and the next call finds it.
    for (let tries = 1; answer.code !== 0 && tries < 10; tries++) {
      expect(answer).toEqual(DENIED);
      answer = await start(CLIENT, args, JSON.stringify(payload), env);
    }
    expect([answer.code, answer.stderr]).toEqual([0, '']);
    expect(JSON.parse(answer.stdout)).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('You must cite a valid active Intent ID') as string,
      },
    });
  }, 60_000);
});

/** A port without a listener. */
async function freePort(): Promise<{ port: number }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return { port };
}
