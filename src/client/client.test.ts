import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../test/lab/daemon.ts';
import { createClient, type Transport } from './index.ts';
import { socketTransport } from './node.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

test('the core loads nothing of Node, and builds no schema', () => {
  const core = pathToFileURL(join(import.meta.dirname, 'index.ts')).href;
  const script = `import { registerHooks } from 'node:module';
    const seen = [];
    registerHooks({ resolve: (name, context, next) => { const found = next(name, context); seen.push(found.url); return found; } });
    await import(${JSON.stringify(core)});
    console.log(JSON.stringify(seen));`;
  const loaded = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })) as string[];
  const src = pathToFileURL(join(import.meta.dirname, '..')).href;
  expect(loaded).toContain(core);
  expect(loaded.filter((url) => !url.startsWith(`${src}/client/`) && !url.startsWith(`${src}/protocol/`))).toEqual([]);
});

/** Answers everything, and keeps what was sent. */
function recording(): { transport: Transport; sent: unknown[] } {
  const sent: unknown[] = [];
  return {
    sent,
    transport: {
      get: async (path) => (sent.push(path), { status: 200, body: [] }),
      post: async (path, content) => (sent.push([path, content('of-this-call')]), { status: 200, body: {} }),
      stream: async () => ({ status: 200, body: null }),
    },
  };
}

test('what a path names goes into the address, all else into the body, and what is signed is made from both', async () => {
  const { transport, sent } = recording();
  const client = createClient(transport);
  const signer = {
    key: 'apk_1',
    sign: (statement: object, challenge: string) => ({ key: 'apk_1', signature: JSON.stringify([statement, challenge]) }),
  };
  await client.act('end_grant', { id: 'grt_1' });
  await client.act('retire_memory', { id: 'a/../b', cwd: '/w', reason: 'old' });
  await client.act('pause', { cwd: '/w', seconds: 60, reason: 'lunch' }, { sign: { signer } });
  await client.act('pause', { cwd: '/w', seconds: 60, reason: 'lunch' }, { sign: null });
  await client.act('remove_approver', { id: 'apk_2' }, { sign: { signer } });
  await client.ask('memory', { cwd: '/w', query: 'a&b' });
  const pause = { command: 'pause', about: { cwd: '/w', seconds: 60, reason: 'lunch' } };
  const remove = { command: 'approver remove', about: { key: 'apk_2' } };
  const signed = (statement: object) => ({ key: 'apk_1', signature: JSON.stringify([statement, 'of-this-call']) });
  expect(sent).toEqual([
    ['/api/grants/grt_1/end', {}],
    ['/api/memory/a%2F..%2Fb/retire', { cwd: '/w', reason: 'old' }],
    ['/api/pause', { cwd: '/w', seconds: 60, reason: 'lunch', signed: signed(pause) }],
    ['/api/pause', { cwd: '/w', seconds: 60, reason: 'lunch' }],
    ['/api/approvers/apk_2/remove', { signed: signed(remove) }],
    '/api/memory?cwd=%2Fw&query=a%26b',
  ]);
});

test('an answer that is not the daemon’s own form is a refusal all the same', async () => {
  const answering = (status: number): Transport => ({
    get: async () => ({ status, body: null }),
    post: async () => ({ status, body: 'gateway' }),
    stream: async () => ({ status, body: null }),
  });
  const nothing = { onEvent: () => undefined };
  await expect(createClient(answering(401)).ask('status', {})).rejects.toMatchObject({ name: 'Refused', code: 'UNAUTHENTICATED' });
  await expect(createClient(answering(502)).act('stop', {})).rejects.toMatchObject({
    code: 'INTERNAL',
    message: 'The daemon answered 502 without saying why.',
  });
  await expect(createClient(answering(401)).followAgain(nothing, new AbortController().signal)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  });
});

const declare = (name: string) =>
  createClient(socketTransport(daemon.home.socket)).act('declare_intent', { cwd: daemon.repo.path, name, paths: ['src'] });

test('a stream goes on behind its last event when the daemon comes back, and ends with its signal', async () => {
  const client = createClient(socketTransport(daemon.home.socket));
  const enough = new AbortController();
  onTestFinished(() => enough.abort());
  const heard: string[] = [];
  const names = () => heard.filter((line) => line.startsWith('intent'));
  const following = client.followAgain(
    {
      onJoined: (resumed) => void heard.push(`joined ${resumed}`),
      onEvent: (topic, row) => void heard.push(`${topic} ${'name' in row ? row.name : ''}`),
      onLost: () => void heard.push('lost'),
    },
    enough.signal,
    20,
  );
  await expect.poll(() => heard).toEqual(['joined false']);
  await declare('before');
  await expect.poll(names).toEqual(['intent before']);
  await daemon.restart();
  await expect.poll(() => heard.filter((line) => line.startsWith('joined')).length).toBe(2);
  await declare('after');
  await expect.poll(names).toEqual(['intent before', 'intent after']);
  expect(heard.filter((line) => line === 'lost')).toEqual(['lost']);
  enough.abort();
  expect(await following).toBe('ended');
});

test('without a daemon the first line is a fault, and none is opened again', async () => {
  const client = createClient(socketTransport(join(daemon.home.run, 'gone.sock')));
  await expect(client.followAgain({ onEvent: () => undefined }, new AbortController().signal)).rejects.toMatchObject({
    name: 'Fault',
    code: 'DAEMON_UNAVAILABLE',
  });
});
