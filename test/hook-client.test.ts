// The small client behind every agent hook, as agents start it: a real process with a payload on its standard input.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { READ_TOOLS } from '../src/doors/hooks/claude/translate.ts';
import type { Status } from '../src/protocol/index.ts';
import { send, startTestDaemon, type TestDaemon } from './lab/daemon.ts';
import { verifies } from './verifies.ts';

const CLIENT = fileURLToPath(new URL('../bin/countersign-hook', import.meta.url));
const CLI = fileURLToPath(new URL('../bin/countersign', import.meta.url));
const MIB = 1024 * 1024;

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function start(command: string, args: readonly string[], payload: string, env: NodeJS.ProcessEnv = process.env): Promise<Ended> {
  const child = spawn(command, args, { env, signal: AbortSignal.timeout(25_000) });
  const read = (stream: NodeJS.ReadableStream): Promise<string> => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    return once(stream, 'end').then(() => Buffer.concat(chunks).toString('utf8'));
  };
  const output = Promise.all([read(child.stdout), read(child.stderr)]);
  child.stdin.on('error', () => undefined);
  child.stdin.end(payload);
  const [code] = (await once(child, 'close')) as [number | null];
  const [stdout, stderr] = await output;
  return { code, stdout, stderr };
}

const hook = (home: string, event: string, payload: unknown, deadline = 20): Promise<Ended> =>
  start(
    CLIENT,
    ['--home', home, '--deadline', String(deadline), '--reads', READ_TOOLS.join(','), 'claude', event],
    typeof payload === 'string' ? payload : JSON.stringify(payload),
  );

const PASSED: Ended = { code: 0, stdout: '{}\n', stderr: '' };
const DENIED: Ended = {
  code: 2,
  stdout: '',
  stderr:
    'Countersign DAEMON_UNAVAILABLE: the gate did not answer, so nothing may be changed; reading still works. Ask a human to run: countersign status\n',
};

const pre = (tool_name: string, tool_input: object = {}) => ({
  session_id: 's',
  cwd: '/',
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input,
  tool_use_id: 't',
});
const edit = pre('Edit', { file_path: 'a', old_string: 'b', new_string: 'c' });

/** A home whose hook file leads to something that is no daemon. */
async function homeOfImpostor(onRequest: (socket: Socket, request: string) => void): Promise<string> {
  const home = await mkdtemp('/tmp/cs-');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let request = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      request += chunk;
      const [head = '', body] = request.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
      if (body !== undefined && request.length - head.length - 4 >= length) onRequest(socket, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await mkdir(join(home, 'run'));
  await writeFile(join(home, 'run/hook'), `${(server.address() as AddressInfo).port} the-token\n`);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await rm(home, { recursive: true, force: true });
  });
  return home;
}

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
      ['UserPromptSubmit', { ...payload('', {}), prompt: 'go', prompt_id: 'p1' }],
      ['Stop', payload('', {})],
    ] as const;
    for (const [event, body] of said) {
      const answer = await direct(event, body);
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

  test('a payload that is too large, or no JSON, is refused by the daemon and so denied', async () => {
    expect(await hook(daemon.home.dir, 'PreToolUse', '{"tool_name":"Edit",')).toEqual(DENIED);
    expect(await hook(daemon.home.dir, 'PreToolUse', pre('Edit', { content: 'x'.repeat(33 * MIB) }))).toEqual(DENIED);
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
    expect([...daemon.services().kernel.state.processes.keys()]).toEqual([process.pid]);
  });
});

test('it says what a daemon needs to know, and asks for less patience than its own', async () => {
  let heard = '';
  const home = await homeOfImpostor((socket, request) => {
    heard = request;
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
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

describe('with something in its place that is no daemon', () => {
  const allow = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}';
  const http = (head: string, body: string) => `HTTP/1.1 ${head}\r\n\r\n${body}`;
  const sized = (length: number | string, body: string) =>
    http(`200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}`, body);

  const ANSWERS: Readonly<Record<string, string>> = {
    'nothing at all': '',
    'a greeting of another protocol': 'SSH-2.0-OpenSSH_9.2\r\n',
    'bare JSON': `${allow}\n`,
    'an old protocol': http(`200 OK\r\nContent-Length: ${allow.length}`, allow).replace('1.1', '1.0'),
    'a failure with a fine body': http(`500 Internal Server Error\r\nContent-Length: ${allow.length}`, allow),
    'not found': http('404 Not Found\r\nContent-Length: 2', '{}'),
    'an empty success': http('204 No Content', ''),
    'a redirect': http('302 Found\r\nLocation: /\r\nContent-Length: 2', '{}'),
    'a length too great': sized(allow.length + 1, allow),
    'a length too small': sized(allow.length - 1, allow),
    'a length of nothing': sized(0, allow),
    'a length that is no number': sized('all', allow),
    'a negative length': sized(-1, allow),
    'no length': http('200 OK', allow),
    'a body cut off': sized(allow.length, allow.slice(0, 40)),
    'a head cut off': 'HTTP/1.1 200 OK\r\nContent-Len',
    'a body in chunks': http('200 OK\r\nTransfer-Encoding: chunked', `${allow.length.toString(16)}\r\n${allow}\r\n0\r\n\r\n`),
    'a body of two lines': sized(allow.length + 3, `${allow}\n{}`),
    'a body with a line end': sized(allow.length + 1, `${allow}\n`),
    'a body with a zero byte': sized(allow.length, `{\u0000${allow.slice(2)}`),
    'half of an object, rightly measured': sized(23, '{"hookSpecificOutput":{'),
    'a page, rightly measured': sized(15, '<!doctype html>'),
    'a text, rightly measured': sized(2, 'ok'),
    'no body, rightly measured': sized(0, ''),
    'a promise without an answer': 'HTTP/1.1 102 Processing\r\n\r\n',
    'a promise, then a failure': `HTTP/1.1 102 Processing\r\n\r\n${http('500 Internal Server Error\r\nContent-Length: 2', '{}')}`,
  };

  /** A change, a look and a notice, at once. */
  const tryAll = (home: string) =>
    Promise.all([
      hook(home, 'PreToolUse', edit, 1),
      hook(home, 'PreToolUse', pre('Read', { file_path: 'a' }), 1),
      hook(home, 'Stop', pre(''), 1),
    ]);

  test.each(['ends', 'stays open'])(
    'and the connection %s: a change is denied, a look passes, and nothing half is printed',
    async (how) => {
      const tries = Object.entries(ANSWERS).map(async ([name, answer]) => {
        const home = await homeOfImpostor((socket) => (how === 'ends' ? socket.end(answer, 'latin1') : socket.write(answer, 'latin1')));
        return [name, await tryAll(home)];
      });
      expect(await Promise.all(tries)).toEqual(Object.keys(ANSWERS).map((name) => [name, [DENIED, PASSED, PASSED]]));
    },
  );

  test('a whole answer is printed, whatever the spelling of its head, and whether or not the connection stays open', async () => {
    const answers = [
      `HTTP/1.1 102 Processing\r\n\r\n${sized(allow.length, allow)}`,
      http(`200 OK\r\ncontent-length:${allow.length}\r\nX: y`, allow),
    ];
    const tries = answers.map(async (answer) => hook(await homeOfImpostor((socket) => socket.write(answer)), 'PreToolUse', edit, 2));
    expect(await Promise.all(tries)).toEqual(answers.map(() => ({ code: 0, stdout: `${allow}\n`, stderr: '' })));
  });

  verifies('T10', 'a gate that hangs stops a change within the client’s own deadline, and lets looking go on', async () => {
    const silent = await homeOfImpostor(() => undefined);
    expect(await tryAll(silent)).toEqual([DENIED, PASSED, PASSED]);
  });

  test('one that accepts and never reads holds nobody up, however much there is to send', async () => {
    const home = await homeOfImpostor(() => undefined);
    const deaf = createServer({ pauseOnConnect: true }, (socket) => socket.on('error', () => undefined));
    deaf.listen(0, '127.0.0.1');
    await once(deaf, 'listening');
    await writeFile(join(home, 'run/hook'), `${(deaf.address() as AddressInfo).port} the-token\n`);
    const connected = once(deaf, 'connection') as Promise<[Socket]>;
    const large = { file_path: 'a', content: 'x'.repeat(20 * MIB) };
    expect(await Promise.all([hook(home, 'PreToolUse', pre('Write', large), 2), hook(home, 'PreToolUse', pre('Read', large), 2)])).toEqual([
      DENIED,
      PASSED,
    ]);
    // Whoever was sending is gone too.
    const [socket] = await connected;
    socket.resume();
    await once(socket, 'close');
    deaf.close();
  });

  test('one that promises for ever, or never comes to an end, is given up', async () => {
    const endless = (line: string) => (socket: Socket) => {
      const timer = setInterval(() => socket.write(line), 50);
      socket.on('close', () => clearInterval(timer));
    };
    const promising = await homeOfImpostor(endless('HTTP/1.1 102 Processing\r\n\r\n'));
    const rambling = await homeOfImpostor((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      endless('X-More: and more\r\n')(socket);
    });
    expect(await Promise.all([hook(promising, 'PreToolUse', edit, 2), hook(rambling, 'PreToolUse', edit, 2)])).toEqual([DENIED, DENIED]);
  });
});

describe('without anybody to ask, by the payload alone', () => {
  const broken = () => homeOfImpostor((socket) => socket.end());
  const each = async (payloads: readonly unknown[]) => {
    const home = await broken();
    return Promise.all(payloads.map(async (payload) => [payload, await hook(home, 'PreToolUse', payload)]));
  };
  const all = (payloads: readonly unknown[], ended: Ended) => payloads.map((payload) => [payload, ended]);

  test('tools that only look pass', async () => {
    const looks = [
      ...READ_TOOLS.map((tool) => pre(tool)),
      '{ "tool_name" : "Read" }',
      '{\n  "tool_name":\n"Read"}',
      pre('Read', { file_path: 'say "tool_name": "Read"' }),
    ];
    expect(await each(looks)).toEqual(all(looks, PASSED));
  });

  test('every other tool is denied, known or not', async () => {
    const names = [
      'Edit',
      'Write',
      'MultiEdit',
      'NotebookEdit',
      'Bash',
      'Monitor',
      'WebFetch',
      'NeverHeardOf',
      'mcp__mini__echo',
      'mcp__countersign__begin_work',
    ];
    const odd = [
      '',
      'R',
      'Reads',
      'Rea',
      'read',
      'READ',
      'Read ',
      ' Read',
      'Read,Glob',
      ',',
      '*',
      'Re*',
      'Read"',
      'Read\\',
      'Re\u0000ad',
      'Réad',
    ];
    const changes = [...names, ...odd].map((tool) => pre(tool));
    expect(await each(changes)).toEqual(all(changes, DENIED));
  });

  test('a name that an agent put into a tool’s input does not count', async () => {
    const smuggled = [
      pre('Edit', { tool_name: 'Read' }),
      pre('Read', { tool_name: 'Read' }),
      { tool_input: { tool_name: 'Read' }, tool_name: 'Edit' },
      { toolName: 'Edit', tool_input: { tool_name: 'Read' } },
      { tool_input: [{ tool_name: 'Read' }] },
      { session_id: '"tool_name":"Read"', tool_name: 'Edit' },
      '{"tool_name":"Edit","tool_name":"Read"}',
      '{"tool_name":"Read","tool_name":"Edit"}',
      '{"tool_name":["Read"]}',
      '{"tool_name":{"x":"Read"}}',
      '{"tool_name":null,"x":"Read"}',
      '{"TOOL_NAME":"Read"}',
      `{"x":"${'x'.repeat(9000)}","tool_name":"Read"}`,
      `{"tool_name":"Read","x":"${'x'.repeat(MIB)}","tool_name":"Edit"}`,
      '"tool_name"',
      'tool_name: Read',
      '{}',
      'null',
      '',
    ];
    expect(await each(smuggled)).toEqual(all(smuggled, DENIED));
  });

  test('events at which nothing is decided pass, whatever they carry', async () => {
    const home = await broken();
    for (const event of ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'SessionEnd']) {
      for (const payload of [edit, '', '{"tool_name":']) expect([event, await hook(home, event, payload)]).toEqual([event, PASSED]);
    }
  });
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
    const home = await homeOfImpostor((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'));
    const { code, stdout } = await start(CLIENT, ['--home', home, '--deadline', 'soon', 'claude', 'PreToolUse'], JSON.stringify(edit));
    expect([code, stdout]).toEqual([2, '']);
  });

  test('without HOME, when the home is named, it works as ever', async () => {
    const home = await homeOfImpostor((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'));
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

  test('it starts one and passes its answer on, also when the last one left its address behind', async () => {
    const home = await homeOfImpostor((socket) => socket.end());
    const { port } = await freePort();
    await writeFile(join(home, 'run/hook'), `${port} of-a-dead-daemon\n`);
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], MCP_DASHBOARD_PORT: '0' };
    const args = ['--home', home, '--reads', 'Read', 'claude', 'PreToolUse'];
    const payload = { ...edit, cwd: home };
    onTestFinished(() => stopDaemon(home));
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

/** A port at which nobody listens. */
async function freePort(): Promise<{ port: number }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return { port };
}

async function stopDaemon(home: string): Promise<void> {
  const reply = await send({ socketPath: join(home, 'run/daemon.sock') }, 'GET', '/api/status').catch(() => null);
  if (reply === null) return;
  const { pid } = JSON.parse(reply.text) as Status;
  process.kill(pid, 'SIGKILL');
}
