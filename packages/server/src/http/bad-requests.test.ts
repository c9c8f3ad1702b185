// Malformed requests, byte by byte: each gets the right error, and the service keeps running.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Problem } from '@tickwire/contract';
import { expectContinuity } from '../../testing/continuity.fixture.ts';
import { RawSocket, rawExchange } from '../../testing/raw-socket.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { isData, StreamClient } from '../../testing/stream-client.fixture.ts';

let service: RunningService;
let key: string;
let bystander: StreamClient;
beforeAll(async () => {
  service = await startService({ sim_rate: '500' });
  key = (await service.key('premium')).key;
  bystander = await StreamClient.open(`${service.wsUrl}/ws/market`, key);
  await bystander.ask({ action: 'subscribe', symbols: ['*'], seq: true });
});
afterAll(async () => {
  bystander.close();
  await service.stop();
});

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly text: string;
}
const parse = (text: string): Answer => ({
  status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]),
  code: /"code":"(\w+)"/.exec(text)?.[1],
  text,
});
const request = (line: string, headers = ''): string =>
  `${line} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n${headers}\r\n`;
const send = async (text: string | Uint8Array, responses = 1): Promise<Answer> =>
  parse(await rawExchange(service.url, text, responses));

test.each([
  ['GET /api/session HTTP/1.1', ''],
  ['GET /healthz HTTP/1.1', ''],
  ['GET /docs HTTP/1.1', ''],
  ['GET /nowhere HTTP/1.1', ''],
  ['OPTIONS /api/session HTTP/1.1', ''],
  ['GET /ws/market HTTP/1.1', 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'],
])('two Host headers are rejected: %s', async (line, headers) => {
  for (const hosts of ['Host: a.example\r\nHost: b.example', 'Host: a.example\r\nhost: a.example']) {
    const answer = await send(`${line}\r\n${hosts}\r\nX-API-Key: ${key}\r\n${headers}\r\n`);
    expect([answer.status, answer.code]).toEqual([400, 'repeated_parameter']);
  }
});

describe('paths', () => {
  test.each([
    ['EUR%2FUS', 404, 'symbol_not_found'],
    ['EURUSD%2Fquote', 404, 'symbol_not_found'],
    ['%00', 404, 'symbol_not_found'],
    ['EURUSD%00', 404, 'symbol_not_found'],
    ['EURUSD%0d%0aSet-Cookie:%20a=b', 404, 'symbol_not_found'],
    ['..%2f..%2f..%2fetc%2fpasswd', 404, 'symbol_not_found'],
    ['%2e%2e/%2e%2e/etc/passwd', 404, 'not_found'],
    ['../../../etc/passwd', 404, 'not_found'],
    ['%zz', 400, 'malformed_path'],
    ['%', 400, 'malformed_path'],
    ['%c3%28', 400, 'malformed_path'],
    ['%zz/quote', 400, 'malformed_path'],
    ['__proto__', 404, 'symbol_not_found'],
    ['constructor/quote', 404, 'symbol_not_found'],
    ['EURUSD;v=1', 404, 'symbol_not_found'],
    ['EURUSD%20', 404, 'symbol_not_found'],
    ['EURUSD/', 404, 'not_found'],
    ['X'.repeat(5_000), 404, 'symbol_not_found'],
  ])('/api/market/%s is a %d %s', async (path, status, code) => {
    const response = await send(request(`GET /api/market/${path}`));
    expect([response.status, response.code]).toEqual([status, code]);
    expect(response.text.length).toBeLessThan(1_500);
    expect(response.text).not.toMatch(/root:|^Set-Cookie/m);
    expect(Problem.safeParse(JSON.parse(response.text.split('\r\n\r\n')[1]!)).success).toBe(true);
  });

  test('accepts 8 KiB of path and query; more is a 414, far more a 431', async () => {
    const line = (length: number): string => {
      const start = 'GET /api/market/EURUSD?bars=1&x=';
      return start + 'y'.repeat(length - start.length + 'GET '.length);
    };
    expect((await send(request(line(8_192)))).status).toBe(200);
    expect(await send(request(line(8_193)))).toMatchObject({ status: 414, code: 'uri_too_long' });
    expect(await send(request(`GET /none/${'y'.repeat(8_200)}`))).toMatchObject({ status: 414, code: 'uri_too_long' });
    expect((await send(request(line(100_000)))).status).toBe(431);
  });
});

describe('query parameters', () => {
  test.each([
    '1e2',
    '+5',
    '%2B5',
    '5.0',
    '0x10',
    '',
    '%D9%A5',
    '%EF%BC%95',
    '0',
    '-1',
    '501',
    '5%00',
    '5%20',
    '5,6',
    'NaN',
  ])('rejects bars=%s', async (value) => {
    const response = await send(request(`GET /api/market/EURUSD?bars=${value}`));
    expect([response.status, response.code]).toEqual([400, 'invalid_parameter']);
    expect(response.text).toContain('"parameter":"bars"');
  });

  test('rejects a repeated parameter, and names each one', async () => {
    for (const query of ['bars=5&bars=5', 'bars=5&bars=900', 'bars=5&timeframe=1m&bars=900', 'bars=&%62ars=5']) {
      const response = await send(request(`GET /api/market/EURUSD?${query}`));
      expect([response.status, response.code]).toEqual([400, 'repeated_parameter']);
    }
    const { text } = await send(request('GET /api/market/EURUSD?bars=5&timeframe=1m&bars=6&timeframe=1h'));
    expect(Problem.parse(JSON.parse(text.split('\r\n\r\n')[1]!)).errors).toEqual([
      { parameter: 'timeframe', value: '1m&1h', allowed: 'given only once' },
      { parameter: 'bars', value: '5&6', allowed: 'given only once' },
    ]);
  });

  test('joins a repeated list', async () => {
    const { text } = await send(request('GET /api/quotes?symbols=EURUSD&symbols=XAUUSD,BTCUSD'));
    const { items } = JSON.parse(text.split('\r\n\r\n')[1]!) as { items: { symbol: string }[] };
    expect(items.map(({ symbol }) => symbol)).toEqual(['EURUSD', 'XAUUSD', 'BTCUSD']);
    expect((await send(request('GET /api/news?category=gold&category=nonsense'))).code).toBe('invalid_parameter');
    expect((await send(request('GET /api/news?category=gold&category=crypto'))).status).toBe(200);
  });

  test.each([
    ['/api/market/EURUSD?bars=1&timefrme=1m&_=7', 200, 'timefrme, _'],
    ['/api/market/EURUSD/quote?x=1&x=2', 200, 'x'],
    ['/api/symbols?%0d%0aSet-Cookie:a&%C3%A9=1', 200, '%0D%0ASet-Cookie%3Aa, %C3%A9'],
    ['/api/market/NOSUCH?barz=1', 404, 'barz'],
    ['/udf/time?a&b', 200, 'a, b'],
    [
      `/api/session?${Array.from({ length: 12 }, (_, at) => `p${at}`).join('&')}`,
      200,
      'p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, ...',
    ],
  ])('ignores unknown parameters of %s and names them', async (path, status, names) => {
    const response = await send(request(`GET ${path}`));
    expect(response.status).toBe(status);
    expect(/^Warning-Parameters: (.*)\r$/m.exec(response.text)?.[1]).toBe(names);
    // The next response to the same caller has no such header.
    expect((await send(request('GET /api/market/EURUSD/quote'))).text).not.toContain('Warning-Parameters');
  });

  test.each([
    ['/api/bars/EURUSD?intervall=1m', 'intervall', 'interval'],
    ['/api/ticks/NOSUCH?form=2026-01-01', 'form', 'from'],
    ['/api/quotes?symbol=EURUSD', 'symbol', 'symbols'],
    ['/api/calendar?contry=US', 'contry', 'country'],
    ['/api/market/EURUSD/coverage?timefrme=1m', 'timefrme', 'timeframe'],
  ])('refuses the unknown parameter of %s and names the nearest', async (path, parameter, nearest) => {
    const { status, code, text } = await send(request(`GET ${path}`));
    expect([status, code]).toEqual([400, 'unknown_parameter']);
    const { errors } = JSON.parse(text.split('\r\n\r\n')[1]!) as { errors: object[] };
    expect(errors).toEqual([{ parameter, value: null, allowed: `left out; the nearest name is ${nearest}` }]);
  });

  test.each([
    ['/api/market/EURUSD?interval=5m&bars=1', 'timeframe', '5m'],
    ['/api/bars/EURUSD?timeframe=5m&limit=1', 'interval', '5m'],
    ['/api/bars/EURUSD?timeframe=5m&interval=5m&limit=1', 'interval', '5m'],
    ['/api/indicators/EURUSD?name=rsi&timeframe=5m&limit=1', 'interval', '5m'],
    ['/api/footprint/EURUSD?timeframe=5m&limit=1', 'interval', '5m'],
    ['/api/market/EURUSD/coverage?interval=5m', 'timeframe', '5m'],
  ])('%s has bars of five minutes', async (path, field, value) => {
    const { status, text } = await send(request(`GET ${path}`));
    expect(status).toBe(200);
    expect(text).not.toContain('Warning-Parameters');
    expect((JSON.parse(text.split('\r\n\r\n')[1]!) as Record<string, unknown>)[field]).toBe(value);
  });

  test.each(['/api/market/EURUSD', '/api/bars/EURUSD', '/api/market/EURUSD/coverage'])(
    '%s refuses an interval that is not its timeframe',
    async (path) => {
      const { status, code } = await send(request(`GET ${path}?interval=5m&timeframe=1h`));
      expect([status, code]).toEqual([400, 'invalid_parameter']);
    },
  );

  test('refuses unknown fields of a body', async () => {
    const body = '{"text":"Gold rises","symbl":"XAUUSD"}';
    const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const { status, code, text } = await send(request('POST /api/ai/sentiment', headers) + body);
    expect([status, code]).toEqual([400, 'unknown_parameter']);
    expect(text).toContain('the nearest name is symbol');
  });

  test('an unknown symbol does not fail the quotes of others', async () => {
    const quotes = async (query: string): Promise<object> =>
      JSON.parse((await send(request(`GET /api/quotes?${query}`))).text.split('\r\n\r\n')[1]!);
    expect(await quotes('symbols=EURUSD,NOSUCH')).toEqual({
      items: [expect.objectContaining({ symbol: 'EURUSD' })],
      count: 1,
    });
    expect(await quotes('symbols=nosuch,EURUSD,NOSUCH&detail=true')).toEqual({
      items: [expect.objectContaining({ symbol: 'EURUSD' })],
      count: 1,
      rejected: [{ symbol: 'NOSUCH', code: 'symbol_not_found' }],
    });
    expect(await quotes('symbols=EURUSD&detail=true')).toMatchObject({ count: 1, rejected: [] });
    expect(await quotes('symbols=NOSUCH,OTHER&detail=true')).toMatchObject({ status: 404, code: 'symbol_not_found' });
  });

  test('names every invalid parameter, with its value truncated', async () => {
    const response = await send(
      request(`GET /api/market/EURUSD?bars=${'9'.repeat(2_000)}&timeframe=&before=now&to=-1`),
    );
    const { errors } = Problem.parse(JSON.parse(response.text.split('\r\n\r\n')[1]!));
    expect(errors?.map(({ parameter }) => parameter).sort()).toEqual(['bars', 'before', 'timeframe', 'to']);
    expect(errors?.every(({ value }) => value!.length <= 100)).toBe(true);
  });

  test.each([
    'timeframe=1H',
    'timeframe=2h',
    'before=2026-13-01',
    'from=yesterday',
    'to=1e12',
    'before=9999999999999999',
  ])('rejects %s', async (query) => {
    expect(await send(request(`GET /api/market/EURUSD?${query}`))).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
    });
  });

  test.each([
    '/api/signals?limit=0',
    '/api/signals?limit=501',
    '/api/signals?status=',
    '/api/signals?status=open',
    '/api/news?limit=201',
    '/api/news?category=',
    '/api/news?category=gold,oil',
    '/api/news?category=gold,',
  ])('rejects %s', async (path) => {
    expect(await send(request(`GET ${path}`))).toMatchObject({ status: 400, code: 'invalid_parameter' });
  });

  test('ignores an unknown parameter', async () => {
    expect((await send(request('GET /api/symbols?page=2&constructor=1&__proto__=2'))).status).toBe(200);
  });
});

describe('headers', () => {
  test.each(['a/b', 'a/b%zz', 'evil%zz', 'evil?bars=0', 'evil#x', '[::1', 'a b', 'a:99999', '', 'x'.repeat(3_000)])(
    'the Host %j does not affect the response',
    async (host) => {
      const raw = await rawExchange(
        service.url,
        `GET /api/market/EURUSD?bars=2 HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${key}\r\n\r\n`,
      );
      const { status } = parse(raw);
      expect(status).toBe(200);
      expect((JSON.parse(raw.split('\r\n\r\n')[1]!) as { ohlcv: object[] }).ohlcv).toHaveLength(2);
    },
  );

  test.each([
    ['a folded line', ` folded: yes\r\n`, 400],
    ['a bare CR', `Origin: https://a.example\rSet-Cookie: a=b\r\n`, 400],
    ['a bare LF', `Origin: https://a.example\nSet-Cookie: a=b\r\n`, 400],
    ['a NUL', 'Origin: https://a\0.example\r\n', 400],
    ['a colon in front', ': nameless\r\n', 400],
    ['100 KB of it', `X-Big: ${'a'.repeat(100_000)}\r\n`, 431],
    ['300 of them', Array.from({ length: 300 }, (_, at) => `X-${at}: a\r\n`).join(''), 431],
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n', 400],
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', 400],
  ])('rejects %s and never reflects it', async (_, headers, status) => {
    const response = await send(request('GET /api/session', headers));
    expect(response.status).toBe(status);
    expect(response.text).not.toContain('Set-Cookie');
  });

  test('does not reflect an origin with unusual characters if all origins are allowed', async () => {
    const response = await send(request('GET /api/session', 'Origin: https://a.example, https://b.example; x="y"\r\n'));
    expect(response.text).toContain('Access-Control-Allow-Origin: *\r\n');
    expect(response.text).not.toContain('a.example');
  });

  test.each(['', ' ', 'x'.repeat(8_000), 'tw_\u00e9', 'null', "' OR 1=1 --"])(
    'rejects the key %j like any invalid key',
    async (bad) => {
      const response = await send(`GET /api/session HTTP/1.1\r\nHost: a\r\nX-API-Key: ${bad}\r\n\r\n`);
      expect(response.status).toBe(401);
      expect(response.text).not.toContain('OR 1=1');
    },
  );

  test('rejects two key headers even if one of them is valid', async () => {
    expect((await send(request('GET /api/session', 'X-API-Key: tw_bad\r\n'))).status).toBe(401);
  });
});

describe('connections', () => {
  test('answers pipelined requests in order, and closes the connection on garbage after them', async () => {
    const three = await rawExchange(
      service.url,
      ['/api/symbols', '/none', '/api/session'].map((path) => request(`GET ${path}`)).join(''),
      3,
    );
    expect([...three.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual(['200', '404', '200']);
    const socket = await RawSocket.connect(service.url);
    socket.write(`${request('GET /api/session')}GARBAGE \x01\x02\r\n\r\n`);
    expect(await socket.until(({ isClosed }) => isClosed)).toBe(true);
    expect([...socket.text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual(['200', '400']);
  });

  test.each([
    ['random bytes', Uint8Array.from({ length: 5_000 }, (_, at) => (at * 7_919) & 255)],
    [
      'a TLS greeting',
      Uint8Array.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03, 13, 10, 13, 10]),
    ],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['no Host at all', 'GET /api/session HTTP/1.1\r\n\r\n'],
    ['an unknown method', 'BREW /api/session HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('%s close the connection without reaching a handler', async (_, bytes) => {
    const response = await send(bytes);
    expect(response.status || 400).toBeWithin(400, 506);
    expect(response.code).toBeUndefined();
  });

  test('an unexpected body does no harm', async () => {
    expect((await send(`${request('GET /api/session', 'Content-Length: 5\r\n')}abcde`)).status).toBe(200);
    expect((await send(request('POST /api/session', 'Content-Length: 99999999\r\n'))).status).toBe(413);
  });

  test('an incomplete handshake gets a 426', async () => {
    const upgrade = 'Upgrade: websocket\r\nConnection: Upgrade\r\n';
    expect((await send(request('GET /ws/market', upgrade))).status).toBe(426);
    expect(
      (await send(request('GET /ws/market', `${upgrade}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: a\r\n`))).status,
    ).toBe(426);
    expect((await send(request('GET /ws/none', upgrade))).status).toBe(404);
  });
});

describe('after all malformed requests', () => {
  test('the service responds, and a stream that was open the whole time lost nothing', async () => {
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    await bystander.take(100, isData);
    expectContinuity(bystander.messages.filter(isData));
  });
});
