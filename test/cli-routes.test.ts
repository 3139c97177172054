// The same commands over HTTP, as a page that is logged in would give them.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, startTestDaemon, type TestDaemon } from './lab/daemon.ts';

let daemon: TestDaemon;
let headers: Readonly<Record<string, string>>;
let cwd: string;
beforeAll(async () => {
  daemon = await startTestDaemon();
  headers = await daemon.login();
  cwd = daemon.repo.path;
});
afterAll(() => daemon.dispose());

const post = async (address: string, body: object) => {
  const reply = await daemon.web('POST', address, { headers, body });
  return { status: reply.status, code: codeOf(reply), body: JSON.parse(reply.text) as never };
};
const get = async (address: string) => JSON.parse((await daemon.web('GET', address, { headers })).text) as unknown;
const here = () => `cwd=${encodeURIComponent(cwd)}`;

test('a human on the page sets modes, confirms tasks and tends memory', async () => {
  expect(await post('/api/modes', { cwd, minimum: 'STRICT' })).toMatchObject({ status: 200, body: { pin: null, minimum: 'STRICT' } });
  expect(await post('/api/modes', { cwd, pin: 'PASSIVE' })).toMatchObject({ body: { workspace: { pin: 'PASSIVE', minimum: 'STRICT' } } });
  expect(await get(`/api/modes?${here()}`)).toMatchObject({ pin: 'PASSIVE', minimum: 'STRICT' });
  await writeFile(join(cwd, 'tinyTasks.md'), '# Tasks — tidy up\n\n- [ ] one\n');
  expect(await post('/api/tasks/confirm', { cwd })).toMatchObject({ status: 200, body: { lists: [{ goal: 'tidy up', confirmed: true }] } });
  const { body } = await post('/api/memory', { cwd, kind: 'note', statement: 'seen on the page' });
  expect(body).toMatchObject({ statement: 'seen on the page', approved: { proof: 'login', via: 'web' } });
  const { id } = body as { id: string };
  expect(await post(`/api/memory/${id}/approve`, { cwd })).toMatchObject({ status: 200, body: { id } });
  expect(await get(`/api/memory?${here()}&query=page`)).toMatchObject([{ id }]);
  expect(await post(`/api/memory/${id}/retire`, { cwd, reason: 'seen' })).toMatchObject({ status: 200 });
  expect(await get(`/api/memory?${here()}`)).toEqual([]);
});

test('a human on the page has the graph rebuilt', async () => {
  const size = await daemon.ledgerSize();
  expect(await get(`/api/graph_sync?${here()}`)).toEqual({ state: 'none', report: null });
  expect(await post('/api/graph/sync', { cwd })).toMatchObject({ status: 200, body: { state: 'done', report: { rows: 0, dangling: [] } } });
  expect(await get(`/api/graph_sync?${here()}`)).toMatchObject({ state: 'done', report: { rows: 0 } });
  expect(await post('/api/graph/export', { cwd })).toMatchObject({ status: 200, body: { backend: 'embedded' } });
  expect(await daemon.ledgerSize()).toBe(size + 2);
});

test('what only looks comes from the registry of queries', async () => {
  expect(await get(`/api/tasks?${here()}`)).toMatchObject({ file: 'tinyTasks.md', exists: true });
  expect(await get('/api/violations')).toEqual([]);
  expect(await get('/api/violation_counts')).toEqual([]);
  expect(await get('/api/stamps?text=none')).toEqual([]);
});

test('what does not fit is refused before anything is done', async () => {
  const size = await daemon.ledgerSize();
  for (const [address, body] of [
    ['/api/modes', { cwd, minimum: 'PASSIVE' }],
    ['/api/modes', { cwd, pin: 'STRICT' }],
    ['/api/modes', { cwd, intent: 'x' }],
    ['/api/tasks/confirm', {}],
    ['/api/memory', { cwd, kind: 'rumour', statement: 'x' }],
    ['/api/memory', { cwd, kind: 'note', statement: ' ' }],
    ['/api/memory', { cwd, kind: 'note', statement: 'x', approved: { proof: 'login', via: 'web' } }],
    ['/api/memory', { cwd, kind: 'note', statement: 'x', scope: ['{a'] }],
    ['/api/memory/clm_1/approve', { cwd }],
    ['/api/memory/clm_00000000000000000000000000/retire', { cwd, reason: '' }],
  ] as const) {
    expect(await post(address, body)).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
  }
  expect(await post('/api/modes', { cwd, intent: 'INT-404', minimum: null })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect(await daemon.ledgerSize()).toBe(size);
});

test('files are a terminal’s business: a page can neither export nor import', async () => {
  for (const address of ['/api/memory/export', '/api/memory/import']) {
    const { status } = await post(address, { cwd, file: '/etc/hosts' });
    expect(status).toBeOneOf([401, 403]);
  }
});
