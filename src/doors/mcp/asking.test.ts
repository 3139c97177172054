// A call that waits for a human, through the official client, in both protocols: sent to the page, never to a form.

import type { Client, ClientOptions } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { type AskedPage, type McpGate, mcpGateForThisTest } from '../../../test/lab/mcp-gate.ts';
import { VERSIONS } from '../../../test/lab/mcp-http.ts';
import { verifies } from '../../../test/verifies.ts';
import { human } from '../../kernel/gate.fixture.ts';

async function placeForThisTest(): Promise<McpGate & { readonly runs: readonly string[] }> {
  const runs: string[] = [];
  const place = await mcpGateForThisTest({
    name: 'deploy',
    description: 'Deploys.',
    input: z.strictObject({ to: z.string() }),
    effects: ['external'],
    run: async ({ action }) => {
      runs.push(String(action.input['to']));
      return { output: { deployed: action.input['to'] } };
    },
  });
  await place.gate.intent();
  return { ...place, runs };
}

/** As an agent that may change something. */
async function begun(place: McpGate, ...how: Parameters<McpGate['connect']>): Promise<Client> {
  const client = await place.connect(...how);
  await client.callTool({ name: 'begin_work', arguments: {} });
  return client;
}

const opensPages: ClientOptions = { capabilities: { elicitation: { url: {} } } };
const answerOf = async (call: Promise<{ structuredContent?: unknown }>) => (await call).structuredContent as Record<string, unknown>;
const deployTo = (client: Client, to: string) => answerOf(client.callTool({ name: 'deploy', arguments: { to } }));
const idIn = (url = '') => /#approval=(apr_\w+)$/.exec(url)?.[1] ?? '';

describe.each(VERSIONS)('%s', (version) => {
  test('a client that opens pages is sent to the question, and the call goes on with the answer', async () => {
    const place = await placeForThisTest();
    const { gate, runs } = place;
    const asked: AskedPage[] = [];
    const client = await begun(place, version, opensPages, async (request) => {
      asked.push(request);
      await gate.answer(idIn(request.url), 'approved');
      return 'accept';
    });
    expect(await deployTo(client, 'staging')).toEqual({ deployed: 'staging', receipt_id: expect.stringMatching(/^rcp_/) });
    expect(asked.map(({ mode, url }) => ({ mode, url }))).toEqual([
      { mode: 'url', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8722\/ui\/#approval=apr_\w{26}$/) },
    ]);
    expect(asked[0]?.message).not.toContain('staging');
    expect(runs).toEqual(['staging']);
  });

  test('the call waits while the human is on the page', async () => {
    const place = await placeForThisTest();
    const { gate, runs } = place;
    const client = await begun(place, version, opensPages, async ({ url }) => {
      gate.store.subscribe((records) => {
        // The second call has asked again: it waits.
        const waits = records.some(({ event }) => event.type === 'action_waiting');
        if (waits) gate.answer(idIn(url), 'rejected', human(), 'not today').catch(() => {});
      });
      return 'accept';
    });
    expect(await deployTo(client, 'staging')).toMatchObject({
      error_code: 'APPROVAL_REJECTED',
      message: expect.stringContaining('not today'),
    });
    expect(runs).toEqual([]);
  });

  test('a client that does not open it hears the refusal, and the question stays', async () => {
    const place = await placeForThisTest();
    const { gate, runs } = place;
    const client = await begun(place, version, opensPages, async () => 'decline');
    const answer = await deployTo(client, 'staging');
    expect(answer).toMatchObject({ error_code: 'APPROVAL_REQUIRED', receipt_id: null });
    expect(gate.kernel.state.approvals.get(answer['approval_id'] as string)?.state).toBe('pending');
    expect(runs).toEqual([]);
  });

  test('that it opened the page is no approval, and a call that is cancelled waits no longer', async () => {
    const place = await placeForThisTest();
    const { gate, runs } = place;
    const cancelled = new AbortController();
    const { promise: lapsed, resolve } = Promise.withResolvers<string>();
    const client = await begun(place, version, opensPages, async () => {
      gate.store.subscribe((records) => {
        for (const { event } of records) {
          if (event.type === 'action_waiting') cancelled.abort();
          if (event.type === 'action_lapsed') resolve(event.data.reason);
        }
      });
      return 'accept';
    });
    await expect(client.callTool({ name: 'deploy', arguments: { to: 'production' } }, { signal: cancelled.signal })).rejects.toThrow(
      'aborted',
    );
    expect(await lapsed).toBe('the caller went away while a human was asked');
    expect(runs).toEqual([]);
  });

  test('a client that wants to hear of progress hears that the call lives', async () => {
    const place = await placeForThisTest();
    const { gate } = place;
    const client = await begun(place, version);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const heard: number[] = [];
    gate.store.subscribe((records) => {
      if (records.some(({ event }) => event.type === 'action_waiting')) vi.advanceTimersByTime(5_000);
    });
    const onprogress = ({ progress }: { progress: number }) => {
      heard.push(progress);
      const [question] = gate.kernel.state.approvals.keys();
      if (heard.length === 2) gate.answer(question ?? '', 'approved').catch(() => {});
      else vi.advanceTimersByTime(5_000);
    };
    const { structuredContent } = await client.callTool({ name: 'deploy', arguments: { to: 'staging' } }, { onprogress });
    expect([structuredContent, heard]).toEqual([{ deployed: 'staging', receipt_id: expect.any(String) }, [1, 2]]);
  });

  test('a client that knows forms only is never asked by one', async () => {
    const place = await placeForThisTest();
    const { gate } = place;
    const asked: AskedPage[] = [];
    const client = await begun(place, version, { capabilities: { elicitation: { form: {} } } }, async (request) => {
      asked.push(request);
      return 'accept';
    });
    gate.store.subscribe((records) => {
      for (const { event } of records) if (event.type === 'action_waiting') gate.answer(event.data.approval, 'approved').catch(() => {});
    });
    expect(await deployTo(client, 'staging')).toMatchObject({ deployed: 'staging' });
    expect(asked).toEqual([]);
  });
});

describe('what a client brings back', () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
  };
  const opened = { page: { action: 'accept' } };

  async function stateForThisTest(): Promise<{
    readonly runs: readonly string[];
    readonly state: string;
    readonly say: (params: object) => Promise<unknown>;
  }> {
    const place = await placeForThisTest();
    await begun(place, '2026-07-28');
    const say = async (params: object) => {
      const response = await place.post('deploy', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'deploy', arguments: { to: 'staging' }, _meta: meta, ...params },
      });
      const { result, error } = (await response.json()) as { result?: Record<string, unknown>; error?: unknown };
      return error ?? result;
    };
    const { requestState, inputRequests } = (await say({})) as { requestState: string; inputRequests: { page: { params: AskedPage } } };
    await place.gate.answer(idIn(inputRequests.page.params.url), 'approved');
    return { runs: place.runs, state: requestState, say };
  }
  const refusedState = { code: -32602, message: 'Invalid or expired requestState', data: { reason: 'invalid_request_state' } };

  verifies('I13', 'is good for the very call, once', async () => {
    const { state, say, runs } = await stateForThisTest();
    expect(await say({ requestState: state, inputResponses: opened, arguments: { to: 'production' } })).toMatchObject({
      isError: true,
      structuredContent: { error_code: 'BAD_REQUEST', message: 'The requestState belongs to another call.' },
    });
    // Used once, for the wrong call, it is spent.
    expect(await say({ requestState: state, inputResponses: opened })).toEqual(refusedState);
    expect(runs).toEqual([]);
    // The approval itself is the human's: the plain call may use it, once.
    expect(await say({})).toMatchObject({ structuredContent: { deployed: 'staging' } });
    expect(await say({})).toMatchObject({ resultType: 'input_required' });
    expect(runs).toEqual(['staging']);
  });

  test('is refused when it was altered or made up', async () => {
    const { state, say, runs } = await stateForThisTest();
    const [version = '', body = '', mac = ''] = state.split('.');
    const forged = Buffer.from(body, 'base64url')
      .toString()
      .replace(/"session":"[^"]+"/, '"session":"ses_00000000000000000000000000"');
    const tampered = [`${state}x`, [version, Buffer.from(forged).toString('base64url'), mac].join('.'), [version, body, ''].join('.'), 'x'];
    for (const requestState of tampered) expect(await say({ requestState, inputResponses: opened })).toEqual(refusedState);
    expect(runs).toEqual([]);
    expect(await say({ requestState: state, inputResponses: opened })).toMatchObject({ structuredContent: { deployed: 'staging' } });
  });
});
