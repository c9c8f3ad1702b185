import { afterAll, expect, test } from 'bun:test';
import { getJson, MAX_ATTEMPTS, retryAfterMs, VenueRestError } from './rest.ts';

const TIMING = { openMs: 0, answerMs: 0, requestPaceMs: 0, restPaceMs: 0, restTimeoutMs: 200, restRetryMs: 1 };
let script: (() => Response)[] = [];
let asked = 0;
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch() {
    asked++;
    return script.shift()?.() ?? Response.json('done');
  },
});
const url = `http://127.0.0.1:${server.port}/`;
afterAll(() => server.stop(true));

function play(...answers: (() => Response)[]): void {
  script = answers;
  asked = 0;
}

test('an answer that is busy, broken or cut short is asked for again', async () => {
  play(
    () => new Response(null, { status: 503 }),
    () => new Response('[1,2'),
    () => Response.json({ busy: true }),
  );
  expect(await getJson(url, TIMING, (body) => JSON.stringify(body).includes('busy'))).toEqual({
    status: 200,
    body: 'done',
  });
  expect(asked).toBe(4);
});

test('the pause the venue asks for is kept', async () => {
  play(() => new Response(null, { status: 429, headers: { 'Retry-After': '1' } }));
  const began = performance.now();
  await getJson(url, TIMING);
  expect(performance.now() - began).toBeGreaterThan(990);
});

test('a ban is not waited for', async () => {
  play(() => new Response(null, { status: 418, headers: { 'Retry-After': '259200' } }));
  await expect(getJson(url, TIMING)).rejects.toThrow('asks to wait');
  expect(asked).toBe(1);
});

test('a refusal is an answer, not a reason to ask again', async () => {
  play(() => Response.json({ code: -1121 }, { status: 400 }));
  expect(await getJson(url, TIMING)).toEqual({ status: 400, body: { code: -1121 } });
  play(() => new Response('<html>', { status: 404 }));
  expect(await getJson(url, TIMING)).toEqual({ status: 404, body: undefined });
});

test('it gives up after a number of attempts, and on an answer without end', async () => {
  play(...Array.from({ length: 9 }, () => () => new Response(null, { status: 500 })));
  await expect(getJson(url, TIMING)).rejects.toBeInstanceOf(VenueRestError);
  expect(asked).toBe(MAX_ATTEMPTS);
  play(() => new Response(new Blob([new Uint8Array(17 * 2 ** 20)])));
  // So much takes its time on a busy machine.
  await expect(getJson(url, { ...TIMING, restTimeoutMs: 10_000 })).rejects.toThrow('more than');
});

test('Retry-After is read as seconds and as a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(retryAfterMs('120', now)).toBe(120_000);
  expect(retryAfterMs('Thu, 01 Jan 2026 00:00:30 GMT', now)).toBe(30_000);
  expect(retryAfterMs('soon', now)).toBe(0);
  expect(retryAfterMs(null, now)).toBe(0);
});
