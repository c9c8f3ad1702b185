// ETags, conditional requests and gzip over the wire, with a quiet market, so that repeated responses are the same.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { brotliDecompressSync } from 'node:zlib';
import { InstrumentList, MarketResponse } from '@tickwire/contract';
import { asEpochMs, asSymbol, MINUTE_MS } from '@tickwire/engine';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import type { BarRow } from '../store/store.ts';

const DAY_ONE = Date.UTC(2026, 2, 2);
const NEWEST = '/api/market/US500?timeframe=1m&bars=5';
/** From the store: only its quote could change. */
const PAGE = `/api/market/US500?timeframe=1m&bars=200&before=${DAY_ONE + 300 * MINUTE_MS}`;
const PAGES = ['/openapi.json', '/asyncapi.json', '/docs', '/'];

let service: RunningService;
let narrowed: RunningService;
let key: string;
let ingestKey: string;
beforeAll(async () => {
  [service, narrowed] = await Promise.all([
    startService({ feeds: 'push' }),
    startService({ feeds: 'push', cors_origins: 'https://desk.example' }),
  ]);
  key = (await service.key()).key;
  ingestKey = (await service.key('free', ['ingest'])).key;
  await push(5_000);
  const rows = Array.from({ length: 300 }, (_, index): BarRow => {
    const prices = { open: 4_000 + index, high: 4_002 + index, low: 3_999 + index, close: 4_001 + index };
    const time = asEpochMs(DAY_ONE + index * MINUTE_MS);
    const volumes = { volume: 1, bidVolume: 1, askVolume: 0 };
    return { symbol: asSymbol('US500'), timeframe: '1m', time, ...prices, ...volumes, basis: 'trade' };
  });
  const { market } = service.app.store;
  await market.write({ bars: rows, prices: [], barsUntil: (await market.number('bars_until')) ?? 0 });
});
afterAll(() => Promise.all([service.stop(), narrowed.stop()]));

/** In the previous minute, so that no bar is left to close. */
const push = async (bid: number): Promise<void> => {
  const body = JSON.stringify({ symbol: 'US500', time: Date.now() - MINUTE_MS, bid, ask: bid + 1 });
  const headers = { 'X-API-Key': ingestKey };
  expect((await fetch(`${service.url}/ingest/ticks`, { method: 'POST', body, headers })).status).toBe(200);
};

/** The raw response: the client adds no headers and does not decompress. */
const ask = (
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  url = service.url,
): Promise<Response> =>
  fetch(url + path, {
    method,
    headers: { 'X-API-Key': key, 'Accept-Encoding': 'identity', ...headers },
    decompress: false,
  });
const GZIP = { 'Accept-Encoding': 'gzip' };
const bytesOf = async (response: Response): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await response.arrayBuffer());
const decodeUtf8 = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Requests twice, the second time with the tag. Retries once, since the clock may close a bar between the two. */
async function again(path: string, headers: Record<string, string> = {}): Promise<[first: Response, second: Response]> {
  for (let attempt = 0; ; attempt++) {
    const first = await ask(path, headers);
    const second = await ask(path, { ...headers, 'If-None-Match': first.headers.get('etag')! });
    if (second.status === 304 || attempt === 2) return [first, second];
  }
}

describe.each(['/api/symbols', NEWEST, PAGE])('GET %s', (path) => {
  test('answers 304 to a current tag, without a body and with the caching headers', async () => {
    const [first, second] = await again(path);
    expect([first.status, second.status]).toEqual([200, 304]);
    expect(first.headers.get('etag')).toMatch(/^"[\w-]+"$/);
    expect([await second.text(), second.headers.get('content-type')]).toEqual(['', null]);
    for (const name of ['etag', 'cache-control', 'vary', 'ratelimit-policy', 'api-version'])
      expect([name, second.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    expect(second.headers.get('cache-control')).toBe('private, no-cache');
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  });

  test('a 304 counts as a request and has rate limit headers', async () => {
    const [first, second] = await again(path);
    const left = ({ headers }: Response): number => Number(headers.get('x-ratelimit-remaining'));
    expect(left(second)).toBe(left(first) - 1);
    expect(second.headers.get('ratelimit')).toContain(`r=${left(second)};`);
  });

  test('HEAD is answered like GET, with and without the tag', async () => {
    const [first] = await again(path);
    const etag = first.headers.get('etag')!;
    const head = await ask(path, {}, 'HEAD');
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
    expect(head.headers.get('content-length')).toBe(first.headers.get('content-length'));
    const known = await ask(path, { 'If-None-Match': etag }, 'HEAD');
    expect([known.status, known.headers.get('etag')]).toEqual([304, etag]);
  });

  test('a tag is no substitute for a key', async () => {
    const [first] = await again(path);
    const response = await fetch(service.url + path, { headers: { 'If-None-Match': first.headers.get('etag')! } });
    expect([response.status, response.headers.get('etag')]).toEqual([401, null]);
  });
});

describe('If-None-Match', () => {
  test.each([
    ['*', 304],
    ['TAG', 304],
    ['W/TAG', 304],
    ['"other", TAG', 304],
    ['"a,b" , W/"c",W/TAG', 304],
    ['"other"', 200],
    ['W/"other", "more"', 200],
    ['', 200],
    ['BARE', 200],
    ['"TAG-more"', 200],
  ])('%s is answered %d', async (condition, status) => {
    const etag = (await ask('/api/symbols')).headers.get('etag')!;
    const sent = condition.replace('"TAG-more"', `"${etag.slice(1, -1)}-more"`).replace('TAG', etag);
    const response = await ask('/api/symbols', { 'If-None-Match': sent.replace('BARE', etag.slice(1, -1)) });
    expect([condition, response.status]).toEqual([condition, status]);
  });

  test('a new quote changes the tag', async () => {
    const before = (await ask(NEWEST)).headers.get('etag')!;
    await push(5_100);
    const response = await ask(NEWEST, { 'If-None-Match': before });
    expect(response.status).toBe(200);
    expect(MarketResponse.parse(await response.json()).quote?.bid).toBe(5_100);
    expect(response.headers.get('etag')).not.toBe(before);
  });

  test('has no effect on errors and on responses without a tag', async () => {
    for (const [path, status] of [
      ['/api/market/NOSUCH', 404],
      ['/api/market/US500?bars=0', 400],
      ['/api/market/US500/quote', 200],
      ['/api/session', 200],
    ] as const) {
      const response = await ask(path, { 'If-None-Match': '*' });
      expect([path, response.status, response.headers.get('cache-control')]).toEqual([path, status, 'no-store']);
      expect(response.headers.has('etag')).toBe(false);
    }
  });
});

describe('gzip', () => {
  test.each(['/api/symbols', PAGE, ...PAGES])(
    '%s is compressed if the client accepts gzip, with a separate tag',
    async (path) => {
      const plain = await ask(path);
      const packed = await ask(path, GZIP);
      expect([plain.headers.get('content-encoding'), packed.headers.get('content-encoding')]).toEqual([null, 'gzip']);
      expect([plain.headers.get('vary'), packed.headers.get('vary')]).toEqual(['Accept-Encoding', 'Accept-Encoding']);
      expect(packed.headers.get('etag')).not.toBe(plain.headers.get('etag'));
      const [body, small] = [await bytesOf(plain), await bytesOf(packed)];
      expect(decodeUtf8(Bun.gunzipSync(small))).toBe(decodeUtf8(body));
      expect(small.length).toBeLessThan(body.length / 2);
      expect(Number(packed.headers.get('content-length'))).toBe(small.length);
      const known = await ask(path, { ...GZIP, 'If-None-Match': packed.headers.get('etag')! });
      expect([known.status, known.headers.get('content-encoding'), await known.text()]).toEqual([304, null, '']);
      expect((await ask(path, { ...GZIP, 'If-None-Match': plain.headers.get('etag')! })).status).toBe(200);
      const head = await ask(path, GZIP, 'HEAD');
      expect(head.headers.get('content-length')).toBe(packed.headers.get('content-length'));
    },
  );

  test('a client that decompresses reads the same text', async () => {
    const response = await fetch(`${service.url}/api/symbols`, { headers: { 'X-API-Key': key } });
    expect(InstrumentList.parse(await response.json()).count).toBeGreaterThan(20);
  });

  test.each([
    ['gzip, deflate, br, zstd', true],
    ['GZIP', true],
    ['x-gzip', true],
    ['*', true],
    ['br;q=1.0, gzip;q=0.2', true],
    ['gzip;q=0', false],
    ['gzip; q=0.000, *', false],
    ['identity, gzip;q=0.5', false],
    ['*;q=0', false],
    ['br, deflate', false],
    ['gzipped', false],
    ['gzip;q=much', false],
    ['identity', false],
  ])('Accept-Encoding: %s', async (accepted, packed) => {
    const { headers } = await ask('/api/symbols', { 'Accept-Encoding': accepted });
    expect([accepted, headers.get('content-encoding')]).toEqual([accepted, packed ? 'gzip' : null]);
  });

  test('a short response is not compressed and has no Vary', async () => {
    const { headers } = await ask(NEWEST, GZIP);
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([null, null]);
  });
});

describe('pages', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.2, gzip;q=0.8', 'gzip'],
    ['gzip', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0.5, identity', null],
  ])('Accept-Encoding: %s', async (accepted, coding) => {
    const response = await ask('/', { 'Accept-Encoding': accepted });
    const { headers } = response;
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([coding, 'Accept-Encoding']);
    const body = await bytesOf(response);
    expect(Number(headers.get('content-length'))).toBe(body.length);
    const text = coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? Bun.gunzipSync(body) : body;
    expect(decodeUtf8(text)).toBe(await (await ask('/')).text());
    const condition = { 'Accept-Encoding': accepted, 'If-None-Match': headers.get('etag')! };
    expect((await ask('/', condition)).status).toBe(304);
    // A tag belongs to one form.
    const other = coding === 'gzip' ? 'br' : 'gzip';
    expect((await ask('/', { ...condition, 'Accept-Encoding': other })).status).toBe(200);
  });

  test.each(PAGES)('%s: any of the listed tags matches', async (path) => {
    const etag = (await ask(path)).headers.get('etag')!;
    const known = await ask(path, { 'If-None-Match': `"older", W/${etag}` });
    expect([known.status, known.headers.get('etag')]).toEqual([304, etag]);
  });
});

test('with a list of allowed origins, cacheable responses also vary by Origin', async () => {
  const own = (await narrowed.key()).key;
  const vary = async (headers: Record<string, string>): Promise<[string | null, string | null]> => {
    const response = await ask('/api/symbols', { 'X-API-Key': own, ...headers }, 'GET', narrowed.url);
    return [response.headers.get('vary'), response.headers.get('access-control-allow-origin')];
  };
  expect(await vary({})).toEqual(['Accept-Encoding, Origin', null]);
  expect(await vary({ Origin: 'https://desk.example' })).toEqual(['Accept-Encoding, Origin', 'https://desk.example']);
  expect(await vary({ Origin: 'https://evil.example' })).toEqual(['Accept-Encoding, Origin', null]);
});
