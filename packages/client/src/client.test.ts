import { expect, test } from 'bun:test';
import { fakeService } from '../testing/fake-service.ts';
import { TickwireClient } from './client.ts';
import { TickwireError } from './common/tickwire-error.ts';
import type { ResponseInfo } from './rest/response-info.ts';

const problem = (status: number, body: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ status, type: 'about:blank', title: 'A title', request_id: 'req-7', ...body }), {
    status,
    headers: { 'Content-Type': 'application/problem+json', ...headers },
  });

async function failure(call: Promise<unknown>): Promise<TickwireError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof TickwireError) return error;
    throw error;
  }
  throw new Error('The call succeeded');
}

test('calls each endpoint with the key and the query parameters', async () => {
  const urls: string[] = [];
  await using service = fakeService({
    rest: (request) => {
      expect(request.headers.get('X-API-Key')).toBe('k');
      const { pathname, search } = new URL(request.url);
      urls.push(decodeURIComponent(pathname + search));
      return Response.json({ items: [] });
    },
  });
  const client = new TickwireClient({ url: service.url, apiKey: 'k' });
  await client.symbols();
  await client.market('EURUSD');
  await client.market('BTC/USD', {
    timeframe: '5m',
    bars: 10,
    before: new Date(0),
    from: 1_700_000_000,
    to: '2024-01-01',
  });
  await client.quote('EURUSD');
  await client.quotes();
  await client.quotes(['EURUSD', 'XAUUSD']);
  await client.signals({ status: 'all', symbol: 'EURUSD', limit: 5 });
  await client.signals({ user: 'north desk', before: 'sig_1' });
  await client.signal('sig_1');
  await client.signalProof('sig_1');
  await client.signalLog();
  await client.signalLog({ after: -1, limit: 10 });
  await client.signalHead();
  await client.publishers();
  await client.publishers({ limit: 3 });
  await client.publisher('north/desk');
  await client.news({ category: ['gold', 'macro'] });
  await client.news({ symbol: 'XAUUSD', since: new Date(0), detail: true, limit: 5 });
  await client.newsCalibration();
  await client.aiBrief('BTC/USD');
  await client.aiModels();
  await client.session();
  await client.usage();
  expect(urls).toEqual([
    '/api/symbols',
    '/api/market/EURUSD',
    '/api/market/BTC/USD?timeframe=5m&bars=10&before=1970-01-01T00:00:00.000Z&from=1700000000&to=2024-01-01',
    '/api/market/EURUSD/quote',
    '/api/quotes',
    '/api/quotes?symbols=EURUSD,XAUUSD&detail=true',
    '/api/signals?status=all&symbol=EURUSD&limit=5',
    '/api/signals?user=north+desk&before=sig_1',
    '/api/signals/sig_1',
    '/api/signals/sig_1/proof',
    '/api/signals/log',
    '/api/signals/log?after=-1&limit=10',
    '/api/signals/head',
    '/api/publishers',
    '/api/publishers?limit=3',
    '/api/publishers/north/desk',
    '/api/news?category=gold,macro',
    '/api/news?symbol=XAUUSD&since=1970-01-01T00:00:00.000Z&detail=true&limit=5',
    '/api/news/calibration',
    '/api/ai/brief/BTC/USD',
    '/api/ai/models',
    '/api/session',
    '/api/usage',
  ]);
});

test('keeps a path prefix of the service', async () => {
  let path = '';
  const fetch = async (url: string) => {
    path = new URL(url).pathname;
    return Response.json({});
  };
  await new TickwireClient({ url: 'https://example.com/ticks', apiKey: 'k', fetch }).session();
  expect(path).toBe('/ticks/api/session');
});

test('turns a problem response into a TickwireError with all its fields', async () => {
  const errors = [{ parameter: 'bars', value: '501', allowed: 'an integer from 1 to 500' }];
  await using service = fakeService({
    rest: () => problem(400, { code: 'invalid_parameter', detail: 'bars is out of range', errors }),
  });
  const client = new TickwireClient({ url: service.url, apiKey: 'k' });
  const error = await failure(client.market('EURUSD', { bars: 501 }));
  expect(error).toMatchObject({
    status: 400,
    code: 'invalid_parameter',
    detail: 'bars is out of range',
    requestId: 'req-7',
    retryAfterSeconds: null,
    errors,
  });
  expect(error.message).toBe('invalid_parameter: bars is out of range');
});

test('reads Retry-After as seconds and as a date', async () => {
  const inAMinute = new Date(Date.now() + 60_000).toUTCString();
  const headers = ['17', inAMinute];
  await using service = fakeService({
    rest: () => problem(429, { code: 'rate_limited', detail: 'Slow down' }, { 'Retry-After': headers.shift() ?? '' }),
  });
  const client = new TickwireClient({ url: service.url, apiKey: 'k' });
  expect((await failure(client.session())).retryAfterSeconds).toBe(17);
  const seconds = (await failure(client.session())).retryAfterSeconds;
  expect(seconds).toBeGreaterThanOrEqual(58);
  expect(seconds).toBeLessThanOrEqual(60);
});

test('turns the error page of a proxy into a TickwireError', async () => {
  await using service = fakeService({ rest: () => new Response('<h1>Bad gateway</h1>', { status: 502 }) });
  const error = await failure(new TickwireClient({ url: service.url, apiKey: 'k' }).session());
  expect(error).toMatchObject({ status: 502, code: 'unexpected_response' });
});

test('throws unexpected_response for a success that is not JSON', async () => {
  await using service = fakeService({ rest: () => new Response('hello') });
  const error = await failure(new TickwireClient({ url: service.url, apiKey: 'k' }).session());
  expect(error).toMatchObject({ status: 200, code: 'unexpected_response' });
});

test('throws network if the service is unreachable and timeout if it does not respond', async () => {
  const unreachable = new TickwireClient({ url: 'http://127.0.0.1:1', apiKey: 'k' });
  expect(await failure(unreachable.session())).toMatchObject({ status: 0, code: 'network' });

  await using service = fakeService({ rest: () => new Promise<Response>(() => {}) });
  const impatient = new TickwireClient({ url: service.url, apiKey: 'k', timeoutMs: 20 });
  expect(await failure(impatient.session())).toMatchObject({ status: 0, code: 'timeout' });
});

test('rejects with the abort reason if the caller aborts', async () => {
  await using service = fakeService({ rest: () => new Promise<Response>(() => {}) });
  const call = new AbortController();
  const response = new TickwireClient({ url: service.url, apiKey: 'k' }).session({ signal: call.signal });
  call.abort();
  await expect(response).rejects.toHaveProperty('name', 'AbortError');
});

test('reports the allowance and the data source of every response', async () => {
  const infos: ResponseInfo[] = [];
  const headers = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '41', RateLimit: '"minute";r=41;t=9' };
  const responses = [
    Response.json({}, { headers: { ...headers, 'Data-Source': 'simulated' } }),
    problem(401, { code: 'invalid_key', detail: 'No' }),
  ];
  await using service = fakeService({ rest: () => responses.shift() ?? new Response() });
  const client = new TickwireClient({ url: service.url, apiKey: 'k', onResponse: (info) => infos.push(info) });
  await client.session();
  await failure(client.session());
  expect(infos).toEqual([
    { status: 200, allowance: { limit: 60, remaining: 41, resetSeconds: 9 }, simulated: true, position: null },
    { status: 401, allowance: null, simulated: false, position: null },
  ]);
});

test.each([
  ['options that are null', null, 'options'],
  ['options that are a text', 'http://a', 'options'],
  ['a url without a scheme', { url: 'ticks.example.com' }, '`url`'],
  ['a WebSocket address', { url: 'wss://ticks.example.com' }, '`url`'],
  ['a key that is not text', { url: 'http://a', apiKey: 5 }, '`apiKey`'],
  ['a key with a line feed', { url: 'http://a', apiKey: 'tw_secret\n' }, '`apiKey`'],
  ['an empty key', { url: 'http://a', apiKey: '' }, '`apiKey`'],
  ['a timeout of 0', { url: 'http://a', timeoutMs: 0 }, '`timeoutMs`'],
  ['a timeout that is a text', { url: 'http://a', timeoutMs: '5000' }, '`timeoutMs`'],
  ['a timeout that is no number', { url: 'http://a', timeoutMs: Number.NaN }, '`timeoutMs`'],
  ['a negative wait', { url: 'http://a', retryWaitMs: -1 }, '`retryWaitMs`'],
  ['a fetch that is no function', { url: 'http://a', fetch: 'fetch' }, '`fetch`'],
  ['a WebSocket that is no class', { url: 'http://a', WebSocket: {} }, '`WebSocket`'],
  ['a handler that is no function', { url: 'http://a', onResponse: true }, '`onResponse`'],
])('the error for %s names the option and shows no key', (_, options, name) => {
  const create = () => new TickwireClient(options as never);
  expect(create).toThrow(name);
  expect(create).not.toThrow('secret');
});

test('a body that stops arriving is a timeout, one that breaks off a network error, and an abort its own reason', async () => {
  let isCut = false;
  using server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"items":[');
        if (isCut) socket.end();
      },
    },
  });
  const client = new TickwireClient({ url: `http://127.0.0.1:${server.port}` });
  expect(await failure(client.symbols({ timeoutMs: 100 }))).toMatchObject({ code: 'timeout', status: 0 });
  const signal = AbortSignal.timeout(50);
  expect(await client.symbols({ signal }).catch((error: unknown) => error)).toBe(signal.reason);
  isCut = true;
  expect(await failure(client.symbols())).toMatchObject({ code: 'network', status: 0 });
});
