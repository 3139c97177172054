import { describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type Answer, clientFor, serve } from './bad-server.fixture.ts';
import type { FailureKind } from './failure.ts';
import type { HttpLimits, HttpRules } from './http-client.ts';

const still = new AbortController().signal;
const failure = (kind: FailureKind, message: RegExp) =>
  expect.objectContaining({ kind, message: expect.stringMatching(message) as string }) as Error;

async function ask(answer: Answer, rules: Partial<HttpRules> = {}, limits: Partial<HttpLimits> = {}) {
  const server = await serve(answer);
  const client = await clientFor({ hosts: [server.host], ...rules }, limits);
  const get = (path = '/') => client.get(new URL(path, server.url), 'application/json', still);
  return { server, client, get };
}

describe('a server in trouble is asked again, with waits that grow, and not for ever', () => {
  verifies('G20', 'two bad answers, then a good one', async () => {
    const { get, server } = await ask((_, response, number) => response.writeHead([503, 502, 200][number - 1]!).end('good'));
    const { text, trace } = await get();
    expect([text, trace.map(({ answer }) => answer), server.asked.length]).toEqual(['good', [503, 502, 200], 3]);
  });

  test.each([500, 502, 503, 504, 429])('always %i: it is distinguished, and every try is in the trace', async (status) => {
    const { get, server } = await ask((_, response) => response.writeHead(status).end());
    await expect(get()).rejects.toThrow(failure(status === 429 ? 'rate_limited' : 'unavailable', /./));
    expect(server.asked.length).toBe(4);
  });

  test('what a server refuses is not asked again', async () => {
    for (const [status, kind] of [
      [400, 'bad_answer'],
      [401, 'unauthorized'],
      [403, 'unauthorized'],
      [404, 'not_found'],
      [501, 'bad_answer'],
    ] as const) {
      const { get, server } = await ask((_, response) => response.writeHead(status).end('no'));
      await expect(get()).rejects.toThrow(failure(kind, new RegExp(`HTTP ${status}`)));
      expect(server.asked.length).toBe(1);
    }
  });

  verifies('G20', 'Retry-After is waited for in full, and not at all where it is too long', async () => {
    const { get, server } = await ask((_, response, number) =>
      number === 1 ? response.writeHead(429, { 'retry-after': '1' }).end() : response.end('good'),
    );
    expect((await get()).text).toBe('good');
    // A timer of Node may be a millisecond early.
    expect(server.asked[1]!.at - server.asked[0]!.at).toBeGreaterThan(990);
    const long = await ask((_, response) => response.writeHead(429, { 'retry-after': '3600' }).end());
    await expect(long.get()).rejects.toThrow(failure('rate_limited', /asks to wait 3600 s/));
    expect(long.server.asked.length).toBe(1);
  });

  test('a connection that is cut off before and in the middle of an answer', async () => {
    const before = await ask((request, response, number) => (number < 3 ? request.socket.destroy() : response.end('good')));
    expect((await before.get()).text).toBe('good');
    const within = await ask((request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half');
      setImmediate(() => request.socket.destroy());
    });
    await expect(within.get()).rejects.toThrow(failure('unavailable', /gave no complete answer/));
  });
});

describe('an answer that cannot be used is refused, in one form', () => {
  test('one that never begins, and one that stops in the middle', async () => {
    const mute = await ask(() => undefined, {}, { wholeMs: 300 });
    await expect(mute.get()).rejects.toThrow(failure('too_slow', /within 0.3 s/));
    const drips = await ask((_, response) => void response.writeHead(200).write('one'), {}, { silenceMs: 1_000, retries: 0 });
    await expect(drips.get()).rejects.toThrow(failure('too_slow', /stalled \(UND_ERR_BODY_TIMEOUT\)/));
  });

  test('one that is too large, whether it says so or not', async () => {
    const honest = await ask(
      (_, response) => response.writeHead(200, { 'content-length': '2000000' }).end(Buffer.alloc(2_000_000)),
      {},
      { bytes: 1_000 },
    );
    await expect(honest.get()).rejects.toThrow(failure('too_large', /more than 1000 bytes/));
    let isOpen = true;
    const endless = await ask(
      (_, response) => {
        const more = () => {
          while (isOpen && response.write(Buffer.alloc(64_000, 'x')));
        };
        response.on('drain', more).on('close', () => (isOpen = false));
        more();
      },
      {},
      { bytes: 1_000_000 },
    );
    await expect(endless.get()).rejects.toThrow(failure('too_large', /was cut off/));
    await expect.poll(() => isOpen).toBe(false);
  });

  test('one in another character set than it says, one in a set that does not exist, and one that is packed', async () => {
    const latin = await ask((_, response) =>
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(Buffer.from([0x67, 0xfc, 0x6e])),
    );
    await expect(latin.get()).rejects.toThrow(failure('bad_answer', /not text in utf-8/));
    const named = await ask((_, response) =>
      response.writeHead(200, { 'content-type': 'text/plain; charset=latin1' }).end(Buffer.from([0x67, 0xfc])),
    );
    expect((await named.get()).text).toBe('gü');
    const odd = await ask((_, response) => response.writeHead(200, { 'content-type': 'text/plain; charset=klingon' }).end('x'));
    await expect(odd.get()).rejects.toThrow(failure('bad_answer', /not text in klingon/));
    const packed = await ask((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'));
    await expect(packed.get()).rejects.toThrow(failure('bad_answer', /packed as gzip/));
  });

  test('one that redirects for ever', async () => {
    const { get, server } = await ask((_, response, number) => response.writeHead(302, { location: `/${number}` }).end());
    await expect(get()).rejects.toThrow(failure('bad_answer', /redirected/));
    expect(server.asked.length).toBe(6);
  });
});

describe('where a request may go, and what it carries', () => {
  verifies('G20', 'a host that is not on the list is not called, whether it is named or redirected to', async () => {
    const other = await serve((_, response) => response.end('secret'));
    const { get, client, server } = await ask((_, response) => response.writeHead(302, { location: `${other.url}/x` }).end());
    await expect(get()).rejects.toThrow(failure('not_set_up', /is not on the list/));
    await expect(client.get(new URL(other.url), '*/*', still)).rejects.toThrow(failure('not_set_up', /is not on the list/));
    expect([server.asked.length, other.asked.length]).toEqual([1, 0]);
  });

  verifies('G20', 'a redirect to a private address is not followed, even if its name is allowed', async () => {
    const inner = await serve((_, response) => response.end('metadata'));
    const port = inner.host.split(':')[1]!;
    // A public name that leads to this machine.
    const name = `localtest.invalid:${port}`;
    const literal = `169.254.169.254`;
    const { client, server } = await ask(
      (request, response) =>
        void response.writeHead(302, { location: request.url === '/a' ? `http://${literal}/latest` : `http://${name}/` }).end(),
    );
    const open = await clientFor({ hosts: [server.host, name, literal] });
    await expect(open.get(new URL('/a', server.url), '*/*', still)).rejects.toThrow(failure('not_set_up', /169\.254\.169\.254/));
    await expect(open.get(new URL('/b', server.url), '*/*', still)).rejects.toThrow(failure('not_set_up', /only with https/));
    await expect(client.get(new URL(`http://[::ffff:169.254.169.254]/`), '*/*', still)).rejects.toThrow(failure('not_set_up', /./));
    expect(inner.asked).toEqual([]);
  });

  verifies('G20', 'a token goes to its own host alone, also when that host redirects', async () => {
    const other = await serve((_, response) => response.end('there'));
    const server = await serve((request, response) =>
      request.url === '/away' ? response.writeHead(307, { location: `${other.url}/x` }).end() : response.end('here'),
    );
    const client = await clientFor({
      hosts: [server.host, other.host],
      token: { host: server.host, authorization: 'Bearer secret-of-this-test' },
    });
    await client.get(new URL('/stay', server.url), '*/*', still);
    expect((await client.get(new URL('/away', server.url), '*/*', still)).text).toBe('there');
    await client.get(new URL(other.url), '*/*', still);
    expect(server.asked.map(({ authorization }) => authorization)).toEqual(['Bearer secret-of-this-test', 'Bearer secret-of-this-test']);
    expect(other.asked.map(({ authorization }) => authorization)).toEqual([null, null]);
  });

  test('an address with a credential, another scheme and plain http to the internet are refused before anything is sent', async () => {
    const client = await clientFor({ hosts: ['example.com', '127.0.0.1'] });
    for (const address of ['http://user:secret@127.0.0.1/', 'http://example.com/', 'file:///etc/passwd', 'data:text/plain,x'])
      await expect(client.get(new URL(address), '*/*', still)).rejects.toThrow(failure('not_set_up', /./));
  });
});

verifies('G20', 'an answer is kept while it is fresh, and asked for again by its ETag afterwards', async () => {
  const { get, server } = await ask((request, response) => {
    if (request.headers['if-none-match'] === '"one"') return response.writeHead(304, { etag: '"one"', 'cache-control': 'max-age=0' }).end();
    const age = request.url === '/fresh' ? 60 : 0;
    return response.writeHead(200, { 'cache-control': `max-age=${age}`, etag: '"one"' }).end('content');
  });
  for (const path of ['/fresh', '/stale']) {
    const first = await get(path);
    const second = await get(path);
    expect([first.text, second.text]).toEqual(['content', 'content']);
    expect([path, second.trace.map(({ answer }) => answer)]).toEqual([path, path === '/fresh' ? [] : [304]]);
  }
  expect(server.asked.map(({ path, etag }) => [path, etag])).toEqual([
    ['/fresh', null],
    ['/stale', null],
    ['/stale', '"one"'],
  ]);
});

test('more requests than the limit allows wait for their turn', async () => {
  const { get, server } = await ask((_, response) => response.writeHead(200, { 'cache-control': 'no-store' }).end('x'), {
    requestsPerMinute: 600,
  });
  await Promise.all(Array.from({ length: 12 }, () => get()));
  const at = server.asked.map((each) => each.at).toSorted((a, b) => a - b);
  expect(at[11]! - at[0]!).toBeGreaterThan(150);
});

test('a caller that goes away ends the request with its own reason, also between two tries', async () => {
  const { client, server } = await ask((_, response) => response.writeHead(503, { 'retry-after': '2' }).end());
  const gone = new AbortController();
  const asked = client.get(new URL(server.url), '*/*', gone.signal);
  await expect.poll(() => server.asked.length).toBe(1);
  gone.abort(new Error('gone away'));
  await expect(asked).rejects.toThrow('gone away');
  expect(server.asked.length).toBe(1);
});
