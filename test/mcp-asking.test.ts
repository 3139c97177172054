// An agent asks a human over MCP, and the human answers on the page: a real daemon, the official client, the page's own route.

import type { Client, ClientOptions } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from './lab/daemon.ts';
import { connectOverHttp, VERSIONS, type Version } from './lab/mcp-http.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

const opensPages: ClientOptions = { capabilities: { elicitation: { url: {} } } };

async function connect(version: Version, options: ClientOptions, onPage?: (url: string) => Promise<void>): Promise<Client> {
  const client = await connectOverHttp(daemon, { version, client: options, name: `agent of ${version}` });
  onTestFinished(() => client.close());
  if (onPage)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      await onPage((params as { url: string }).url);
      return { action: 'accept' };
    });
  return client;
}

async function answerOnPage(approval: string, reason: string): Promise<number> {
  const body = { answer: 'approved', reason };
  return (await daemon.web('POST', `/api/approvals/${approval}/answer`, { headers: await daemon.login(), body })).status;
}

describe.each(VERSIONS)('%s', (version) => {
  test('sent to the page, the human answers there, and the same call brings the answer', async () => {
    const seen: string[] = [];
    const client = await connect(version, opensPages, async (url) => {
      seen.push(url);
      expect(await answerOnPage(url.split('#approval=')[1] ?? '', 'the blue one')).toBe(200);
    });
    const { structuredContent, isError } = await client.callTool({
      name: 'request_human',
      arguments: { question: `Which one, ${version}?` },
    });
    expect(seen).toEqual([expect.stringMatching(new RegExp(`^http://127\\.0\\.0\\.1:${daemon.port()}/ui/#approval=apr_\\w{26}$`))]);
    expect(isError ?? false).toBe(false);
    expect(structuredContent).toMatchObject({ answered: true, answer: 'the blue one', receipt_id: expect.stringMatching(/^rcp_/) });
  });

  test('a client that opens no pages waits a while for whoever looks into the inbox', async () => {
    const client = await connect(version, {});
    onTestFinished(
      daemon.services().subscribe(({ topic, row }) => {
        if (topic === 'approval' && row.state === 'pending') answerOnPage(row.id, 'the red one').catch(() => {});
      }),
    );
    const { structuredContent } = await client.callTool({ name: 'request_human', arguments: { question: `Which other, ${version}?` } });
    expect(structuredContent).toMatchObject({ answered: true, answer: 'the red one' });
  });
});
