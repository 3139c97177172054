// Tools that come and go while the daemon runs, as agents see it: the official client over the pipe and over HTTP, in both protocols.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { makeTool, type ToolPack } from '../src/protocol/index.ts';
import { startTestDaemon, type TestDaemon } from './lab/daemon.ts';
import { CLI } from './lab/installation.ts';
import { negotiation, VERSIONS, type Version } from './lab/mcp-http.ts';
import { verifies } from './verifies.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  await mkdir(join(daemon.repo.path, 'docs'), { recursive: true });
  const { kernel, locate } = daemon.services();
  const { id: workspace } = await locate(daemon.repo.path);
  const request = { workspace, name: 'work of the test', ownedScope: ['docs/**'], constraints: [], acceptanceCriteria: [] };
  await kernel.authority.declareIntent({ kind: 'human', human: { proof: 'login', via: 'cli' } }, request);
});
afterAll(() => daemon.dispose());

/** Writes a file, as a codemod would. */
const pack: ToolPack = {
  name: 'greetings',
  tools: [
    makeTool({
      name: 'greet',
      description: 'Writes a greeting into a file.',
      input: z.strictObject({ path: z.string(), whom: z.string().trim().default('world') }),
      declare: ({ path }) => ({ effects: ['write'], resources: [{ kind: 'file', path, access: 'write' }] }),
      surfaces: ['contract'],
      run: async ({ path, whom }, { place }) => {
        await writeFile(join(place.root, path), `Hello, ${whom}!\n`);
        return { output: { greeted: whom } };
      },
    }),
    makeTool({
      name: 'greetings_known',
      description: 'Lists the greetings.',
      input: z.strictObject({}),
      declare: () => ({ effects: ['observe'], resources: [] }),
      readOnly: true,
      surfaces: ['contract'],
      run: async () => ({ output: { known: ['Hello'] } }),
    }),
  ],
};

async function connectOverStdio(name: string, options: ClientOptions): Promise<Client> {
  const client = new Client({ name, version: '1' }, options);
  const env = { PATH: process.env['PATH'] ?? '', COUNTERSIGN_HOME: daemon.home.dir };
  await client.connect(new StdioClientTransport({ command: CLI, args: ['mcp', '--surface', 'contract'], cwd: daemon.repo.path, env }));
  return client;
}

/** Once the client receives server notices: before that, a notice is lost. */
async function connectOverHttp(name: string, options: ClientOptions): Promise<Client> {
  const { promise: listening, resolve: reportListening } = Promise.withResolvers<void>();
  const watched: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (isStream && (init?.method === 'GET' || JSON.stringify(init?.body ?? '').includes('subscriptions/listen'))) reportListening();
    return response;
  };
  const client = new Client({ name, version: '1' }, options);
  const address = new URL(`http://127.0.0.1:${daemon.port()}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(address, { fetch: watched, requestInit: { headers: await daemon.asMcp() } }));
  await listening;
  return client;
}

const WAYS = { stdio: connectOverStdio, HTTP: connectOverHttp } as const;
const CASES = (Object.keys(WAYS) as (keyof typeof WAYS)[]).flatMap((way) => VERSIONS.map((version) => ({ way, version })));

describe.each(CASES)('$way, $version', ({ way, version }) => {
  verifies('C6', 'a pack is announced, called through the gate with receipts, and gone again', async () => {
    const { client, nextList } = await following(way, version);
    const listed = async () => (await client.listTools()).tools.map(({ name }) => name);
    const call = async (name: string, args: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>;
    const before = await listed();
    expect(before).not.toContain('greet');

    const added = nextList();
    const remove = daemon.services().tools.add(pack);
    onTestFinished(remove);
    expect(await added).toEqual([...before, 'greet', 'greetings_known']);
    expect(await listed()).toEqual([...before, 'greet', 'greetings_known']);

    const path = `docs/${way}-${version}.md`;
    expect(await call('greetings_known')).toEqual({ known: ['Hello'], receipt_id: expect.stringMatching(/^rcp_/) });
    // The gate knows nothing of this tool but what it declares, and that is enough to stop it.
    expect(await call('greet', { path, whom: 'you' })).toMatchObject({ error_code: 'RECALL_REQUIRED', receipt_id: null });
    await call('begin_work');
    expect(await call('greet', { path: 'src/a.ts', whom: 'you' })).toMatchObject({ error_code: 'SCOPE_VIOLATION', receipt_id: null });
    expect(await call('greet', { path, whom: 1 })).toMatchObject({ error_code: 'BAD_REQUEST', receipt_id: expect.stringMatching(/^rcp_/) });
    const done = await call('greet', { path, whom: ' you ' });
    expect(done).toEqual({ greeted: 'you', receipt_id: expect.stringMatching(/^rcp_/) });
    expect(await readFile(join(daemon.repo.path, path), 'utf8')).toBe('Hello, you!\n');
    const [receipt] = await daemon.services().ask('receipts', { id: String(done['receipt_id']) });
    expect(receipt).toMatchObject({ tool_id: 'greet', status: 'done', inputs: { path, whom: 'you' }, file_refs: [{ path, lock: 'new' }] });

    const removed = nextList();
    remove();
    expect(await removed).toEqual(before);
    await expect(client.callTool({ name: 'greet', arguments: { path } })).rejects.toMatchObject({ code: -32602 });
    const [last] = await daemon.services().ask('receipts', {});
    expect(last).toMatchObject({ tool_id: 'greet', status: 'failed', outputs: expect.stringContaining('There is no tool greet.') });
  });
});

/** A client that receives change notices; `nextList` is the list that it fetches after the next one. */
async function following(way: keyof typeof WAYS, version: Version): Promise<{ client: Client; nextList: () => Promise<string[]> }> {
  let report: (names: string[]) => void = () => {};
  const onChanged = (_error: Error | null, tools: readonly { readonly name: string }[] | null) =>
    report(tools?.map(({ name }) => name) ?? []);
  const client = await WAYS[way](`agent ${way} ${version}`, {
    ...negotiation(version),
    listChanged: { tools: { onChanged, debounceMs: 50 } },
  });
  onTestFinished(() => client.close());
  return { client, nextList: () => new Promise((resolve) => (report = resolve)) };
}
