// A turn over HTTP: the same answer, always as an agent, in the work tree that the header names.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ALWAYS, type TurnAnswer, writeShop } from '../lab/controller.ts';
import { oneDaemon } from '../lab/one-daemon.ts';
import { verifies } from '../verifies.ts';

const newPlace = oneDaemon();

verifies('G2', 'POST /turn answers with the whole envelope, keeps its work from one request to the next, and needs a token', async () => {
  const place = await newPlace();
  await writeShop(place.repo.path);
  expect((await place.human(['intent', 'round the total', 'src'])).code).toBe(0);
  const [port = ''] = (await readFile(join(place.home, 'run/hook'), 'utf8')).split(' ');
  const token = (await readFile(join(place.home, 'run/mcp-token'), 'utf8')).trim();
  const post = (body: unknown, headers: Record<string, string> = { authorization: `Bearer ${token}` }) =>
    fetch(`http://127.0.0.1:${port}/turn`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-countersign-cwd': encodeURIComponent(place.repo.path), ...headers },
      body: JSON.stringify(body),
    });
  const first = (await (await post({ verb: 'list_scoped_files' })).json()) as TurnAnswer;
  expect(Object.keys(first)).toEqual(expect.arrayContaining([...ALWAYS]));
  expect([first.outcome, first.scope.worktreeRoot]).toEqual(['ok', place.repo.path]);
  const second = (await (await post({ verb: 'apply_code_patch', args: {} })).json()) as TurnAnswer;
  expect([second.workId, second.denyReasons]).toEqual([first.workId, ['PLAN_SCOPE_VIOLATION']]);
  // The whole envelope on every kind of answer: ids that are not its own, an unknown verb, none at all.
  for (const [wrong, code] of [
    [{ verb: 'list_scoped_files', workId: 'another' }, 'PLAN_SCOPE_VIOLATION'],
    [{ verb: 'list_scoped_files', runSessionId: 'another' }, 'PLAN_SCOPE_VIOLATION'],
    [{ verb: 'list_scoped_files', workId: '../x' }, 'PLAN_MISSING_REQUIRED_FIELDS'],
    [{ verb: 'no_such_verb' }, 'PLAN_SCOPE_VIOLATION'],
    [{}, 'PLAN_MISSING_REQUIRED_FIELDS'],
  ] as const) {
    const denied = (await (await post(wrong)).json()) as TurnAnswer;
    expect(Object.keys(denied)).toEqual(expect.arrayContaining([...ALWAYS, 'suggestedAction']));
    expect([wrong, denied.workId, denied.denyReasons, 'outcome' in denied]).toEqual([wrong, first.workId, [code], false]);
  }
  expect((await post({ verb: 'list_scoped_files' }, {})).status).toBe(401);
  expect((await post([1])).status).toBe(400);
});
