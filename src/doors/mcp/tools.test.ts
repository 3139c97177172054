import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { mcpGateForThisTest } from '../../../test/lab/mcp-gate.ts';
import { VERSIONS } from '../../../test/lab/mcp-http.ts';
import { Fault, type ToolRegistry } from '../../protocol/index.ts';
import { ownRegistry } from '../../tools/registry.fixture.ts';
import type { DoorServices } from '../services.ts';
import type { Connection } from './connection.ts';
import { PageVisits } from './page-visits.ts';
import { makeServer } from './server.ts';
import { titleOf } from './tools.ts';

test.each([
  ['begin_work', 'Begin work'],
  ['task_list', 'Task list'],
  ['elefanteMemorySearch', 'Elefante memory search'],
  ['abandon', 'Abandon'],
])('%s is called %s', (name, title) => {
  expect(titleOf(name)).toBe(title);
});

describe.each(VERSIONS)('%s: a tool that promises what it returns', (version) => {
  const counting = {
    name: 'count',
    description: 'Counts.',
    input: z.strictObject({ to: z.int() }),
    output: z.strictObject({ counted: z.int() }),
    idempotent: true,
    effects: ['plan'],
  } as const;

  test('lists its result and the refusal, and both fit the list', async () => {
    const { connect } = await mcpGateForThisTest({
      ...counting,
      run: async ({ action }) => {
        if (Number(action.input['to']) > 3) throw new Fault('CONFLICT', 'Too far.');
        return { output: { counted: action.input['to'] } };
      },
    });
    const client = await connect(version);
    const listed = (await client.listTools()).tools.find(({ name }) => name === 'count');
    expect(listed).toMatchObject({
      outputSchema: {
        type: 'object',
        anyOf: [{ required: ['counted', 'receipt_id'] }, { required: expect.arrayContaining(['error_code', 'remedy', 'receipt_id']) }],
      },
      annotations: { readOnlyHint: false, idempotentHint: true },
    });
    const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(listed?.outputSchema as object);
    const call = async (to: unknown) => {
      const { isError = false, structuredContent } = await client.callTool({ name: 'count', arguments: { to } });
      return { isError, structuredContent, fits: fits(structuredContent) };
    };
    expect(await call(3)).toEqual({
      isError: false,
      structuredContent: { counted: 3, receipt_id: expect.stringMatching(/^rcp_/) },
      fits: true,
    });
    expect(await call(4)).toMatchObject({
      isError: true,
      structuredContent: { error_code: 'CONFLICT', receipt_id: expect.stringMatching(/^rcp_/) },
      fits: true,
    });
    expect(await call('far')).toMatchObject({
      isError: true,
      structuredContent: { error_code: 'BAD_REQUEST', receipt_id: expect.stringMatching(/^rcp_/) },
      fits: true,
    });
  });

  test('parses a call once', async () => {
    let parsed = 0;
    const input = z.strictObject({ to: z.int() }).refine(() => (parsed += 1) > 0);
    const { connect } = await mcpGateForThisTest({ ...counting, input, run: async () => ({ output: { counted: 0 } }) });
    const { structuredContent } = await (await connect(version)).callTool({ name: 'count', arguments: { to: 1 } });
    expect([structuredContent, parsed]).toEqual([{ counted: 0, receipt_id: expect.stringMatching(/^rcp_/) }, 1]);
  });

  test('and a defect of the door tells nothing of the inside', async () => {
    const input = z.strictObject({ to: z.int() }).refine(() => {
      throw new TypeError('/root/secret');
    });
    const { connect, gate } = await mcpGateForThisTest({ ...counting, input, run: async () => ({ output: { counted: 0 } }) });
    const { isError, structuredContent } = await (await connect(version)).callTool({ name: 'count', arguments: { to: 1 } });
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({
      error_code: 'INTERNAL',
      message: 'A defect of Countersign; it was recorded.',
      receipt_id: null,
    });
    expect((await gate.events('defect_caught')).map(({ data }) => data)).toEqual([
      { door: 'mcp count', message: 'TypeError: /root/secret' },
    ]);
  });
});

test('changes are followed by connections that last, and only until they are gone', () => {
  const following = new Set<() => void>();
  const registry = ownRegistry();
  const onChange: ToolRegistry['onChange'] = (listener) => {
    const unfollow = registry.onChange(listener);
    following.add(listener);
    return () => {
      unfollow();
      following.delete(listener);
    };
  };
  const services = { version: '0.0.0', tools: { ...registry, onChange } } as unknown as DoorServices;
  const gone = new AbortController();
  const connection: Connection = { id: 'x', surface: 'contract', cwd: '/', seal: null, reporter: null, isLasting: true, gone: gone.signal };
  makeServer(services, connection, new PageVisits());
  makeServer(services, { ...connection, isLasting: false }, new PageVisits());
  expect(following.size).toBe(1);
  gone.abort();
  expect(following.size).toBe(0);
});
