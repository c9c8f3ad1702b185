import { afterAll, expect, test } from 'bun:test';
import { boundedFetch, type FetchError } from './bounded-fetch.ts';

let closed = 0;
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch({ url, signal }) {
    signal.addEventListener('abort', () => closed++);
    const { pathname } = new URL(url);
    if (pathname === '/silent') await new Promise(() => {});
    if (pathname === '/there') return Response.redirect('/here', 302);
    if (pathname === '/endless')
      return new Response(
        new ReadableStream({
          async pull(controller) {
            await Bun.sleep(5);
            controller.enqueue(new Uint8Array(1_000));
          },
        }),
      );
    return new Response(pathname);
  },
});
const at = (path: string): string => `http://127.0.0.1:${server.port}${path}`;
afterAll(() => server.stop(true));

const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    ({ failure, message }: FetchError) => `${failure}: ${message}`,
  );

test('a redirect is a response, unless redirects are followed', async () => {
  using response = await boundedFetch(at('/there'), { maxBytes: 100 });
  expect(response.status).toBe(302);
  using followed = await boundedFetch(at('/there'), { maxBytes: 100, maxRedirects: 1 });
  expect([followed.url.pathname, await followed.text()]).toEqual(['/here', '/here']);
});

test('time is limited: until the status, for the body, and in all', async () => {
  expect(await failureOf(boundedFetch(at('/silent'), { maxBytes: 1, firstByteMs: 50 }))).toBe(
    'timeout: no response within 50 ms',
  );
  using slow = await boundedFetch(at('/endless'), { maxBytes: 1e9, bodyMs: 60 });
  expect(await failureOf(slow.bytes())).toBe('timeout: not complete within 60 ms');
  const total = boundedFetch(at('/endless'), { maxBytes: 1e9, totalMs: 70 });
  expect(await failureOf(total.then((response) => response.bytes()))).toBe('timeout: not complete within 70 ms');
});

test('the size of the body is limited', async () => {
  using response = await boundedFetch(at('/endless'), { maxBytes: 2_500 });
  expect(await failureOf(response.bytes())).toBe('too_large: more than 2500 bytes');
});

test('the caller can stop it', async () => {
  const stop = new AbortController();
  const asked = failureOf(boundedFetch(at('/silent'), { maxBytes: 1, signal: stop.signal }));
  stop.abort();
  expect(await asked).toBe('stopped: stopped');
  expect(await failureOf(boundedFetch(at('/here'), { maxBytes: 1, signal: stop.signal }))).toBe('stopped: stopped');
});

test('only public addresses are reached, if asked for', async () => {
  const publicOnly = { allowPrivate: () => false };
  expect(await failureOf(boundedFetch(at('/here'), { maxBytes: 100, publicOnly }))).toStartWith('private_address: ');
});

test('the connection is closed if the body is not read', async () => {
  closed = 0;
  {
    using response = await boundedFetch(at('/endless'), { maxBytes: 1e9 });
    expect(response.ok).toBe(true);
  }
  while (closed === 0) await Bun.sleep(5);
});
