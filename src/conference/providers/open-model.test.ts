import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { type ChatModel, type ChatStep, startChatModel } from '../../../test/lab/chat-model.ts';
import { verifies } from '../../../test/verifies.ts';
import { toolCallFormat } from '../../protocol/index.ts';
import { MODEL_LIMITS, type Model, type ModelLimits, type ModelRequest } from './model.ts';
import { openModel, type OpenedEndpoint } from './open-model.ts';

const opened: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function modelThat(...steps: readonly ChatStep[]): Promise<{ server: ChatModel; model: Model }> {
  return modelWith({}, {}, ...steps);
}

async function modelWith(
  endpoint: Partial<OpenedEndpoint>,
  limits: Partial<ModelLimits>,
  ...steps: readonly ChatStep[]
): Promise<{ server: ChatModel; model: Model }> {
  const server = await startChatModel(...steps);
  const model = await openModel(
    {
      ...{ id: 'lab', provider: 'lmstudio', base_url: `${server.url}/v1`, host: server.host, network: 'loopback', model: 'scripted' },
      ...{ json_schema: 'unknown', key: null, ...endpoint },
    },
    { ...MODEL_LIMITS, ...limits },
  );
  opened.push(model, server);
  return { server, model };
}

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  ...{ messages: [{ role: 'user', text: 'hello' }], maxOutputTokens: 100, signal: new AbortController().signal },
  ...more,
});
const SCHEMA = { name: 'probe', schema: { type: 'object' } };

verifies('C5', 'an OpenAI-compatible endpoint is streamed: the text, its tokens, how much has come so far', async () => {
  const { model, server } = await modelThat('one two three four');
  const seen: number[] = [];
  const reply = await model.call(request({ onText: (characters) => seen.push(characters) }));
  expect(reply).toEqual({ text: 'one two three four', tokens: { input: 100, output: 10 }, isCut: false, isSchemaSent: false });
  expect(seen).toEqual([7, 14, 18]);
  expect(server.calls.map(({ model: name, messages }) => [name, messages])).toEqual([['scripted', [{ role: 'user', content: 'hello' }]]]);
});

verifies('C5', 'a schema is sent as response_format: json_schema', async () => {
  const { model, server } = await modelThat('{}');
  expect((await model.call(request({ format: SCHEMA }))).isSchemaSent).toBe(true);
  expect(server.calls[0]?.response_format).toMatchObject({
    type: 'json_schema',
    json_schema: { name: 'probe', schema: { type: 'object' } },
  });
});

verifies('C5', 'an endpoint that refuses a schema is asked once more without it, and never with one again', async () => {
  const refuses: ChatStep = { status: 400, body: { error: { message: 'response_format json_schema is not supported' } } };
  const { model, server } = await modelThat(refuses, '{"a":1}', '{"a":2}');
  expect((await model.call(request({ format: SCHEMA }))).isSchemaSent).toBe(false);
  await model.call(request({ format: SCHEMA }));
  expect(server.calls.map(({ response_format }) => response_format?.type)).toEqual(['json_schema', undefined, undefined]);
});

verifies('C5', 'reasoning tags are stripped', async () => {
  const { model } = await modelThat('<think>The user wants…</think>Grey.', 'so she looked</think>Green.');
  expect([(await model.call(request())).text, (await model.call(request())).text]).toEqual(['Grey.', 'Green.']);
});

verifies('C5', 'a key is sent to its own host as a bearer token', async () => {
  const { model, server } = await modelWith({ key: 'sk-secret-of-this-test' }, {}, 'ok');
  await model.call(request());
  expect(server.calls[0]?.authorization).toBe('Bearer sk-secret-of-this-test');
});

describe.each([
  ['anthropic', '/v1', 'messages', 'claude-haiku-4-5'],
  ['google', '/v1beta', 'generateContent', 'gemini-2.5-flash'],
] as const)("%s, by a server of the tests' own that speaks its API", (provider, version, api, name) => {
  const hosted = async (...steps: readonly ChatStep[]) => {
    const server = await startChatModel(...steps);
    const endpoint = {
      id: 'hosted',
      provider,
      base_url: `${server.url}${version}`,
      host: server.host,
      network: 'loopback',
      model: name,
    } as const;
    const model = await openModel({ ...endpoint, json_schema: 'unknown', key: 'sk-secret-of-this-test' });
    opened.push(model, server);
    return { server, model };
  };

  verifies('C5', 'is streamed, with its own header for the key and its own place for the system prompt', async () => {
    const { model, server } = await hosted('one two three four');
    const seen: number[] = [];
    const reply = await model.call(
      request({
        messages: [
          { role: 'system', text: 'be brief' },
          { role: 'user', text: 'hello' },
          { role: 'assistant', text: 'hi' },
          { role: 'user', text: 'count' },
        ],
        onText: (characters) => seen.push(characters),
      }),
    );
    expect(reply).toEqual({ text: 'one two three four', tokens: { input: 100, output: 10 }, isCut: false, isSchemaSent: false });
    expect(seen).toEqual([7, 14, 18]);
    const [call] = server.calls;
    expect([call?.api, call?.model, call?.authorization]).toEqual([api, name, 'sk-secret-of-this-test']);
    expect(call?.messages).toEqual([
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'hi' },
      { role: 'user', content: 'count' },
    ]);
  });

  verifies('C5', 'is given a small schema, and where it refuses the schema of all tools it is asked without one', async () => {
    const { model, server } = await hosted('{"word":"quay"}', '{}', '{}');
    const schema = { type: 'object', properties: { word: { const: 'quay' } }, required: ['word'], additionalProperties: false };
    expect(await model.call(request({ format: { name: 'probe', schema } }))).toMatchObject({ isSchemaSent: true, text: '{"word":"quay"}' });
    expect(JSON.stringify(server.calls[0]?.response_format)).toContain('quay');
    const { json_schema } = toolCallFormat({ nonce: 'n1' });
    expect((await model.call(request({ format: { name: json_schema.name, schema: json_schema.schema } }))).text).toBe('{}');
  });

  verifies('C5', 'that errors, redirects or stalls ends as a fault, asked once', async () => {
    const { model, server } = await hosted(
      { status: 529, body: { type: 'error', error: { type: 'overloaded_error', message: 'busy' } } },
      { status: 401 },
      {
        status: 307,
        headers: { location: 'http://127.0.0.1:1/v1/messages' },
      },
    );
    for (const message of [/answered HTTP 529/, /does not accept the key/, /redirected the call/])
      await expect(model.call(request())).rejects.toThrow(
        expect.objectContaining({ code: 'MODEL_UNAVAILABLE', message: expect.stringMatching(message) as string }) as Error,
      );
    expect(server.calls.length).toBe(3);
  });
});

describe('a provider that misbehaves is contained', () => {
  const fault = (message: RegExp) =>
    expect.objectContaining({ code: 'MODEL_UNAVAILABLE', message: expect.stringMatching(message) as string }) as Error;

  test('one that stalls', async () => {
    const { model } = await modelWith({}, { silenceMs: 50 }, { stalls: true });
    await expect(model.call(request())).rejects.toThrow(fault(/stalled/));
  });

  test('one that never ends', async () => {
    const { model } = await modelWith({}, { wholeMs: 50 }, { stalls: true });
    await expect(model.call(request())).rejects.toThrow(fault(/was not done after 0.05 s/));
  });

  test('one that floods with text, and one that floods with bytes', async () => {
    const { model } = await modelThat({ floods: true });
    await expect(model.call(request())).rejects.toThrow(fault(/more than 200000 characters/));
    const small = await modelWith({}, { bytes: 20_000 }, { floods: true });
    await expect(small.model.call(request())).rejects.toThrow(fault(/more than 20000 bytes/));
  });

  test.each([
    [500, /answered HTTP 500/],
    [429, /answered HTTP 429/],
    [404, /has no such model or address/],
    [401, /does not accept the key/],
  ])('one that answers %i is asked once', async (status, message) => {
    const { model, server } = await modelThat({ status }, 'never');
    await expect(model.call(request())).rejects.toThrow(fault(message));
    expect(server.calls.length).toBe(1);
  });

  test('one that answers with a page', async () => {
    const { model } = await modelThat({ status: 200, body: '<html>hello</html>', headers: { 'content-type': 'text/html' } });
    await expect(model.call(request())).rejects.toThrow(fault(/gave no usable answer/));
  });

  test('one that is not there', async () => {
    const { model, server } = await modelThat();
    await server.close();
    opened.pop();
    await expect(model.call(request())).rejects.toThrow(fault(/gave no usable answer/));
  });

  verifies('C5', 'one that redirects: the key and the prompt go nowhere else', async () => {
    const seen: string[] = [];
    const other = createServer((asked, response) => {
      seen.push(asked.headers.authorization ?? 'no key');
      response.end('{}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    for (const status of [301, 302, 303, 307, 308]) {
      const { model } = await modelWith(
        { key: 'k' },
        {},
        { status, headers: { location: `http://127.0.0.1:${port}/v1/chat/completions` } },
      );
      await expect(model.call(request())).rejects.toThrow(fault(/redirected the call to 127\.0\.0\.1/));
    }
    expect(seen).toEqual([]);
  });

  test('a caller that goes away ends the call with its own reason', async () => {
    const { model } = await modelThat({ stalls: true });
    const gone = new AbortController();
    const called = model.call(request({ signal: gone.signal }));
    gone.abort(new Error('gone away'));
    await expect(called).rejects.toThrow('gone away');
  });

  verifies('C5', 'an endpoint that was added as public is not called at a private address', async () => {
    const { model, server } = await modelWith({ network: 'public' }, {}, 'never');
    await expect(model.call(request())).rejects.toThrow(fault(/is on the internet, and its name now leads to 127\.0\.0\.1/));
    const name = await openModel({
      ...{
        id: 'n',
        provider: 'openai',
        base_url: `http://localhost:${server.host.split(':')[1]}/v1`,
        host: `localhost:${server.host.split(':')[1]}`,
      },
      ...{ network: 'public', model: 'm', json_schema: 'no', key: 'k' },
    });
    opened.push(name);
    await expect(name.call(request())).rejects.toThrow(fault(/its name now leads to/));
    expect(server.calls).toEqual([]);
  });
});
