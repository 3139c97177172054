// A door that the product does not have: one value with its routes, its pipe and its traits, opened beside the others.

import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send, startTestDaemon, type TestDaemon } from '../../test/lab/daemon.ts';
import type { Action, Door, Event } from '../protocol/index.ts';
import type { OpenDoor } from './door.ts';
import { openHttpDoor } from './http/server.ts';

const LINE: Door = { name: 'line', executes: 'gate' };

const lineDoor: OpenDoor = ({ services }) => ({
  routes: [
    {
      methods: ['POST'],
      url: '/line',
      access: 'owner',
      form: { summary: 'A call.' },
      handle: async ({ body }) => {
        const { session, path } = body as { session: string; path: string };
        const known = services.kernel.views.session(session)!;
        const { outcome } = await services.kernel.spine.pass({
          ...{ session, workspace: known.workspace, root: known.root, cwd: known.root, actor: { agent: known.agent }, door: LINE },
          ...{ tool: 'write_file', input: { path, content: 'x\n' }, waitTimeoutMs: 0, signal: AbortSignal.timeout(60_000) },
        });
        return { kind: outcome.kind };
      },
    },
  ],
  pipes: { line: (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: line\r\n\r\nhere') },
});

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

const actionIn = (event: Event): Action[] =>
  'action' in event.data && typeof event.data.action === 'object' && event.data.action !== null ? [event.data.action] : [];

test('a door of its own passes calls, states its traits with each, and takes over a connection', async () => {
  const session = await daemon.beginWork('src/**');
  const services = daemon.services();
  const http = await openHttpDoor({
    ...{ services, hookToken: '', hookAnswer: '', mcpToken: '', page: new Map() },
    doors: [lineDoor({ services, identity: '', log: () => {} })],
  });
  http.ownerServer.listen(0, '127.0.0.1');
  await once(http.ownerServer, 'listening');
  const { port } = http.ownerServer.address() as AddressInfo;
  try {
    const size = await daemon.ledgerSize();
    const { text } = await send({ host: '127.0.0.1', port }, 'POST', '/line', { body: { session: session.id, path: 'src/of-a-line.ts' } });
    expect(JSON.parse(text)).toEqual({ kind: 'settled' });
    const passed = (await daemon.recordedSince(size)).flatMap(actionIn);
    expect(passed.map(({ door, executes, tool }) => ({ door, executes, tool }))).toEqual([
      { door: 'line', executes: 'gate', tool: 'write_file' },
    ]);

    const pipe = connect(port, '127.0.0.1');
    pipe.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: line\r\n\r\n');
    const heard: Buffer[] = [];
    pipe.on('data', (chunk: Buffer) => heard.push(chunk));
    await once(pipe, 'close');
    expect(Buffer.concat(heard).toString()).toMatch(/here$/);
  } finally {
    await http.close();
  }
});
