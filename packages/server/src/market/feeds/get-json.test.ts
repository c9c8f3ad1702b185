import { afterAll, expect, test } from 'bun:test';
import { instantSleep } from '../../../testing/instant-sleep.fixture.ts';
import { GetJsonError, getJson, MAX_ATTEMPTS } from './get-json.ts';

const OPTIONS = { timeoutMs: 60_000, retryMs: 1 };
let script: (() => Response)[] = [];
let requests = 0;
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch() {
    requests++;
    return script.shift()?.() ?? Response.json('done');
  },
});
const url = `http://127.0.0.1:${server.port}/`;
afterAll(() => server.stop(true));

function play(...responses: (() => Response)[]): void {
  script = responses;
  requests = 0;
}

test('retries a response that is busy, failing or truncated', async () => {
  play(
    () => new Response(null, { status: 503 }),
    () => new Response('[1,2'),
    () => Response.json({ busy: true }),
  );
  expect(await getJson(url, { ...OPTIONS, isBusy: (body) => JSON.stringify(body).includes('busy') })).toEqual({
    status: 200,
    body: 'done',
  });
  expect(requests).toBe(4);
});

test('waits as long as Retry-After says', async () => {
  play(() => new Response(null, { status: 429, headers: { 'Retry-After': '1' } }));
  const sleep = instantSleep();
  const limited: number[] = [];
  await getJson(url, { ...OPTIONS, sleep, onLimited: (waitMs) => limited.push(waitMs) });
  expect(sleep.mock.calls).toEqual([[1_000]]);
  expect(limited).toEqual([1_000]);
});

test('does not wait for the end of a ban', async () => {
  play(() => new Response(null, { status: 418, headers: { 'Retry-After': '259200' } }));
  await expect(getJson(url, OPTIONS)).rejects.toThrow('retry only after');
  expect(requests).toBe(1);
});

test('returns an error response without a retry', async () => {
  play(() => Response.json({ code: -1121 }, { status: 400 }));
  expect(await getJson(url, OPTIONS)).toEqual({ status: 400, body: { code: -1121 } });
  play(() => new Response('<html>', { status: 404 }));
  expect(await getJson(url, OPTIONS)).toEqual({ status: 404, body: undefined });
});

test('gives up after the last attempt, and on a response that is too large', async () => {
  play(...Array.from({ length: 9 }, () => () => new Response(null, { status: 500 })));
  await expect(getJson(url, OPTIONS)).rejects.toBeInstanceOf(GetJsonError);
  expect(requests).toBe(MAX_ATTEMPTS);
  play(() => new Response(new Blob([new Uint8Array(17 * 2 ** 20)])));
  await expect(getJson(url, OPTIONS)).rejects.toThrow('more than');
});

test('takes a place for each attempt, and reports a body that asks for a retry', async () => {
  play(() => Response.json({ busy: true }));
  const [limited, taken]: [number[], string[]] = [[], []];
  await getJson(url, {
    ...OPTIONS,
    isBusy: (body) => body !== 'done',
    onLimited: (waitMs) => limited.push(waitMs),
    take: async () => void taken.push('one'),
  });
  expect(limited).toHaveLength(1);
  expect(limited[0]).toBeGreaterThan(0);
  expect(taken).toHaveLength(2);
});
