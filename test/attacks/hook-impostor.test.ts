// A program other than the daemon answers the hook client, and payloads pretend to be reads. Agents run the tool when a hook's output is
// not JSON, so half an answer is as bad as a yes.

import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { READ_TOOLS } from '../../src/agents/claude/translate.ts';
import { DENIED, edit, type Ended, homeOfImpostor, hook, PASSED, pre, PROOF, SECRET } from '../lab/hook-client.ts';
import { verifies } from '../verifies.ts';

const MIB = 1024 * 1024;

describe('with something in its place that is no daemon', () => {
  const allow = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}';
  const http = (head: string, body: string, proof = PROOF) => `HTTP/1.1 ${head}\r\n${proof}\r\n${body}`;
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
    'a flood of promises': 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100_000),
    'a promise, then a failure': `HTTP/1.1 102 Processing\r\n\r\n${http('500 Internal Server Error\r\nContent-Length: 2', '{}')}`,
  };

  /** A change, a read and a notice, at once. */
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

  const STRANGERS: Readonly<Record<string, string>> = {
    'no opinion': http('200 OK\r\nContent-Length: 2', '{}', ''),
    'a yes': http(`200 OK\r\nContent-Length: ${allow.length}`, allow, ''),
    silence: http('204 No Content\r\nx-countersign: silence', '', ''),
    'a promise, then a yes': `HTTP/1.1 102 Processing\r\n\r\n${http('200 OK\r\nContent-Length: 2', '{}', '')}`,
    'the secret with the promise alone': `HTTP/1.1 102 Processing\r\n${PROOF}\r\n${http('200 OK\r\nContent-Length: 2', '{}', '')}`,
    'another secret': http('200 OK\r\nContent-Length: 2', '{}', 'x-countersign-answer: another\r\n'),
    'the token as the secret': http('200 OK\r\nContent-Length: 2', '{}', 'x-countersign-answer: the-token\r\n'),
    'no secret in the header': http('200 OK\r\nContent-Length: 2', '{}', 'x-countersign-answer: \r\n'),
    'half of the secret': http('200 OK\r\nContent-Length: 2', '{}', `x-countersign-answer: ${SECRET.slice(0, -1)}\r\n`),
    'more than the secret': http('200 OK\r\nContent-Length: 2', '{}', `x-countersign-answer: ${SECRET}x\r\n`),
    'a pattern': http('200 OK\r\nContent-Length: 2', '{}', 'x-countersign-answer: *\r\n'),
  };

  verifies('N22', 'a stranger who answers well, but does not know the secret of the daemon’s start, is no daemon', async () => {
    const tries = Object.entries(STRANGERS).map(async ([name, answer]) => [
      name,
      await tryAll(await homeOfImpostor((socket) => socket.end(answer))),
    ]);
    expect(await Promise.all(tries)).toEqual(Object.keys(STRANGERS).map((name) => [name, [DENIED, PASSED, PASSED]]));
  });

  test('a stranger who sends back whatever it was sent is no daemon: the secret is in no request', async () => {
    const heard: string[] = [];
    const home = await homeOfImpostor((socket, request) => {
      heard.push(request);
      const said = request.replaceAll('\r\n', ' ');
      socket.end(http('200 OK\r\nContent-Length: 2', '{}', `x-countersign-answer: ${/Bearer (\S+)/.exec(said)?.[1]}\r\nx: ${said}\r\n`));
    });
    expect(await tryAll(home)).toEqual([DENIED, PASSED, PASSED]);
    expect(heard.filter((request) => request.includes(SECRET))).toEqual([]);
  });

  test('an older daemon, which has no secret, is no daemon, and the human learns what to do', async () => {
    const home = await homeOfImpostor((socket) => socket.end(http('200 OK\r\nContent-Length: 2', '{}', 'x-countersign-answer: \r\n')));
    const file = join(home, 'run/hook');
    await writeFile(file, (await readFile(file, 'utf8')).replace(` ${SECRET}`, ''));
    const [change, look] = await tryAll(home);
    expect([change?.code, change?.stderr, look]).toEqual([2, expect.stringContaining('countersign stop'), PASSED]);
  });

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

  test('one that accepts and never reads delays no one, however much there is to send', async () => {
    const home = await homeOfImpostor(() => undefined);
    const deaf = createServer({ pauseOnConnect: true }, (socket) => socket.on('error', () => undefined));
    deaf.listen(0, '127.0.0.1');
    await once(deaf, 'listening');
    await writeFile(join(home, 'run/hook'), `${(deaf.address() as AddressInfo).port} the-token ${SECRET}\n`);
    const connected = once(deaf, 'connection') as Promise<[Socket]>;
    const large = { file_path: 'a', content: 'x'.repeat(20 * MIB) };
    expect(await Promise.all([hook(home, 'PreToolUse', pre('Write', large), 2), hook(home, 'PreToolUse', pre('Read', large), 2)])).toEqual([
      DENIED,
      PASSED,
    ]);
    // The sender is gone too.
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
  const broken = () => homeOfImpostor((socket) => socket.end(`HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\n${PROOF}\r\n{}`));
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

  test('events at which nothing is decided pass, with any content', async () => {
    const home = await broken();
    for (const event of ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'SessionEnd']) {
      for (const payload of [edit, '', '{"tool_name":']) expect([event, await hook(home, event, payload)]).toEqual([event, PASSED]);
    }
  });
});
