// The memory compliance gate, over stdio with the official client: the lazy agent, the good agent, the double dip, and attempts to forge,
// change, copy or reuse stamps.

import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { StampVerdict } from '../../src/protocol/index.ts';
import { type Installation, makeInstallation } from '../lab/installation.ts';
import { verifies } from '../verifies.ts';

let place: Installation;
beforeAll(async () => {
  place = await makeInstallation();
});
afterAll(() => place.dispose());

async function connect(): Promise<Client> {
  const client = await place.mcpClient();
  onTestFinished(() => client.close());
  return client;
}

interface Asserted {
  readonly status: 'PASS' | 'FAIL';
  readonly message?: string;
  readonly stamp?: string;
}

const call = async <T>(client: Client, name: string, args: Record<string, unknown> = {}): Promise<T> => {
  const { structuredContent, isError } = await client.callTool({ name, arguments: args });
  if (isError) throw new Error(JSON.stringify(structuredContent));
  return structuredContent as T;
};
const search = (client: Client, query = 'anything') => call<{ found: number }>(client, 'elefanteMemorySearch', { query });
const assert = (client: Client) => call<Asserted>(client, 'elefanteAssertCompliance');

const CLOSED =
  "⛔ GATE CLOSED. You have not searched Elefante in this turn. You MUST call 'elefanteMemorySearch' before I can issue the Compliance Stamp.";
const ZERO = '[COMPLIANCE] YES I HAVE SEARCHED, I HAVE FOUND ZERO RELEVANT MEMORIES, NOTHING WAS BROUGHT TO AGENT.';

verifies('E7', 'the lazy agent gets no stamp', async () => {
  const client = await connect();
  expect(await assert(client)).toMatchObject({ status: 'FAIL', message: CLOSED });
});

verifies('E3', 'the good agent gets one, and the double dip gets none', async () => {
  const client = await connect();
  expect(await search(client)).toMatchObject({ found: 0 });
  const { status, stamp } = await assert(client);
  expect([status, stamp?.split('\n')]).toEqual(['PASS', [ZERO, expect.stringMatching(/^stp_[0-9A-Z]{26} [0-9a-f]{20}$/)]]);
  expect(await assert(client)).toMatchObject({ status: 'FAIL', message: CLOSED });
});

verifies('E2', 'every recall that does not err is good for one stamp, whatever it is called; one that errs is good for none', async () => {
  await place.human(['intent', 'compliance', 'src']);
  for (const [tool, args] of [
    ['elefanteMemorySearch', { query: 'x' }],
    ['memory_query', { query: 'x' }],
    ['memory_recent', {}],
    ['begin_work', {}],
  ] as const) {
    const client = await connect();
    await call(client, tool, args);
    expect([tool, (await assert(client)).status, (await assert(client)).status]).toEqual([tool, 'PASS', 'FAIL']);
  }
  const client = await connect();
  expect((await client.callTool({ name: 'memory_query', arguments: { query: '' } })).isError).toBe(true);
  expect((await assert(client)).status).toBe('FAIL');
});

verifies('E1', 'a session remembers its last recall: when, how many, and whether it is still good', async () => {
  const client = await connect();
  const status = async () => (await call<{ recall: unknown }>(client, 'countersign_status')).recall;
  expect(await status()).toBeNull();
  await search(client);
  expect(await status()).toEqual({ at: expect.any(String) as string, found: 0, in_this_turn: true, good_for_a_stamp: true });
  await assert(client);
  expect(await status()).toMatchObject({ good_for_a_stamp: false });
});

verifies('E4', 'both stamp texts are to the letter, with the real count', async () => {
  const client = await connect();
  await call(client, 'begin_work', {});
  for (const statement of ['The login limit is five tries', 'Login failures are counted per account']) {
    await call(client, 'memory_write', { kind: 'note', statement });
  }
  const { found } = await search(client, 'login');
  expect(found).toBe(2);
  expect((await assert(client)).stamp?.split('\n')[0]).toBe(
    '[COMPLIANCE] YES I HAVE SEARCHED, FOUND 2 RELEVANT MEMORIES, BROUGHT THEM TO AGENT.',
  );
});

test('two calls at once get one stamp for one recall', async () => {
  const client = await connect();
  await search(client);
  const both = await Promise.all([assert(client), assert(client), assert(client)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['FAIL', 'FAIL', 'PASS']);
});

verifies('E5', 'a stamp is distinguished from one that was altered, copied, made up or used again', async () => {
  const client = await connect();
  await search(client, 'nothing like this');
  const { stamp = '' } = await assert(client);
  const [sentence = '', mark = ''] = stamp.split('\n');
  const [id = '', seal = ''] = mark.split(' ');
  const judge = async (text: string, where: { session?: string; turn?: string; cwd?: string } = {}) =>
    (await place.client.ask('stamps', { text, ...where })).map(({ verdict }) => verdict);

  expect(await judge(stamp)).toEqual(['real']);
  expect(await judge(`I did it.\n\n> ${sentence}\n> ${mark}\n`)).toEqual(['real']);
  const others = {
    'another count': stamp.replace(sentence, '[COMPLIANCE] YES I HAVE SEARCHED, FOUND 9 RELEVANT MEMORIES, BROUGHT THEM TO AGENT.'),
    'another seal': stamp.replace(seal, '0'.repeat(20)),
    'an id that was never issued': stamp.replace(id, `stp_${'0'.repeat(26)}`),
    'twice in one text': `${stamp}\n\n${stamp}`,
  };
  expect(await Promise.all(Object.entries(others).map(async ([how, text]) => [how, await judge(text)]))).toEqual([
    ['another count', ['altered']],
    ['another seal', ['altered']],
    ['an id that was never issued', ['unknown']],
    ['twice in one text', ['real', 'reused']],
  ]);
  const sessions = await place.client.ask('sessions', {});
  const [own] = await place.client.ask('stamps', { text: stamp });
  const another = sessions.find((session) => session.id !== own?.session);
  expect(await judge(stamp, { session: own?.session as string, turn: own?.turn as string })).toEqual(['real']);
  expect(await judge(stamp, { session: another?.id as string })).toEqual(['copied']);
  expect(await judge(stamp, { session: own?.session as string, turn: '99' })).toEqual(['reused']);
  expect(await judge(stamp, { cwd: '/' })).toEqual(['copied']);
  expect(await judge('no stamp here')).toEqual([]);
  expect((own satisfies StampVerdict | undefined)?.detail).toContain('issued to ses_');
});

verifies('E7', 'without hooks a stamp ends the turn: the next change asks for a new recall', async () => {
  const client = await connect();
  await call(client, 'begin_work', {});
  await call(client, 'memory_write', { kind: 'note', statement: 'in the first turn' });
  await assert(client);
  const { isError, structuredContent } = await client.callTool({
    name: 'memory_write',
    arguments: { kind: 'note', statement: 'in the second' },
  });
  expect([isError, (structuredContent as { error_code: string }).error_code]).toEqual([true, 'RECALL_REQUIRED']);
});
