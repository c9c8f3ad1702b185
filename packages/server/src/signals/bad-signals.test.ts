// Invalid publications of every kind: each gets an error that names the cause, and nothing of it is published, stored or
// judged.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type LogHead, Problem } from '@tickwire/contract';
import { serveClosedMarket } from '../../testing/closed-market.fixture.ts';
import { parsePrometheus } from '../../testing/prometheus.fixture.ts';
import { BUY, EURO, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { RawSocket } from '../../testing/raw-socket.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';
import { createLog } from '../ops/log.ts';

let service: RunningService;
let market: TestMarket;
let publisher: TestPublisher;
let bystander: StreamClient;
/** Errors that the service logs. */
const faults: string[] = [];
beforeAll(async () => {
  const log = createLog({ level: 'error', plain: false, write: (line) => faults.push(line) });
  service = await startService({ feeds: 'push', metrics_port: '0' }, log);
  market = await TestMarket.of(service);
  publisher = await TestPublisher.of(service);
  bystander = await StreamClient.open(`${service.wsUrl}/ws/signals`, publisher.issued.key);
  await bystander.ask({ action: 'subscribe', closes: true });
});
afterAll(async () => {
  bystander.close();
  await service.stop();
});
beforeEach(async () => {
  publisher = await TestPublisher.of(service);
  await market.quote(...EURO);
});

/** The number of active signals, from the metrics. */
async function judged(): Promise<number> {
  const text = await (await fetch(`${service.app.metricsUrl}/metrics`)).text();
  return parsePrometheus(text).get('tickwire_signals_active')!.samples[0]!.value;
}

afterEach(async () => {
  // The log has nothing but its first record.
  expect((await publisher.read<LogHead>('/api/signals/head')).n).toBe(0);
  expect(await publisher.read<object>('/api/signals?status=all')).toEqual({ items: [], count: 0 });
  expect(await publisher.read<object>('/api/session')).toMatchObject({ signals_active: 0 });
  expect(await judged()).toBe(0);
  expect(faults.splice(0)).toEqual([]);
  await bystander.ask({ action: 'ping' });
  expect(bystander.messages.filter(({ event }) => event === undefined)).toEqual([]);
});

type Fields = readonly string[];
async function expectRefusal(response: Response, status: number, code: string, fields: Fields = []): Promise<Problem> {
  const text = await response.text();
  const problem = Problem.parse(JSON.parse(text));
  expect([response.status, problem.code]).toEqual([status, code] as never);
  expect(problem.errors?.map(({ parameter }) => parameter) ?? []).toEqual([...fields]);
  for (const field of fields) expect(problem.detail).toContain(field);
  expect(text.length).toBeLessThan(2_000);
  return problem;
}

const text = (changes: object): string => JSON.stringify({ ...BUY, ...changes });
/** The body with a literal in place of a field's value, which no serializer would write. */
const literal = (field: keyof typeof BUY, value: string): string =>
  JSON.stringify({ ...BUY, [field]: '@' }).replace('"@"', value);
const { entry: _, ...WITHOUT_ENTRY } = BUY;

describe('invalid terms', () => {
  test.each([
    ['a stop on the wrong side', { stop_loss: 1.085 }, 'levels_out_of_order'],
    ['a target on the wrong side', { take_profit: 1.083 }, 'levels_out_of_order'],
    ['a sell with the levels of a buy', { direction: 'sell' }, 'levels_out_of_order'],
    ['a stop at the entry', { stop_loss: BUY.entry }, 'levels_out_of_order'],
    ['an entry far above', { entry: 1.31, stop_loss: 1.3, take_profit: 1.32 }, 'entry_too_far'],
    ['an entry far below', { entry: 0.8, stop_loss: 0.79, take_profit: 0.81 }, 'entry_too_far'],
    ['a stop within the spread', { stop_loss: 1.08401 }, 'distance_out_of_range'],
    ['a target at twice the price', { take_profit: 2.2 }, 'distance_out_of_range'],
    ['a stop that the market has reached', { stop_loss: 1.084 }, 'level_reached'],
    ['a price between two ticks', { take_profit: 1.0880005 }, 'finer_than_digits'],
    ['an expiry that is over', { expires_at: '2020-01-01T00:00:00Z' }, 'expiry_out_of_range'],
    ['an expiry far away', { expires_at: '2999-01-01T00:00:00+02:00' }, 'expiry_out_of_range'],
  ])('%s', async (_, changes, code) => {
    const { detail } = await expectRefusal(await publisher.publish({ ...BUY, ...changes }), 422, code);
    // The error must name the field.
    expect(detail).toMatch(/entry|stop_loss|take_profit|expires_at/);
  });

  test.each([
    ['a stop above the market', { stop_loss: 1.085 }, 'levels_out_of_order'],
    ['a target below the market', { take_profit: 1.083 }, 'levels_out_of_order'],
    ['a stop within the spread', { stop_loss: 1.08401 }, 'distance_out_of_range'],
    ['a slippage between two ticks', { max_slippage: 0.000001 }, 'finer_than_digits'],
    ['a slippage beyond all prices', { max_slippage: 1e15 }, 'entry_too_far'],
  ])('of a market order: %s', async (_, changes, code) => {
    const order = { ...WITHOUT_ENTRY, order: 'market', ...changes };
    const { detail } = await expectRefusal(await publisher.publish(order), 422, code);
    if (code === 'levels_out_of_order') expect(detail).toContain('entry is the market price, 1.08412');
  });

  test.each([
    ['an entry beside a market order', { ...BUY, order: 'market' }, 'entry must be left out of a market order'],
    ['a slippage without a market order', { ...BUY, max_slippage: 0.0001 }, 'max_slippage must be left out'],
    ['a negative slippage', { ...WITHOUT_ENTRY, order: 'market', max_slippage: -0.0001 }, 'max_slippage must be'],
    ['another order', { ...BUY, order: 'limit' }, 'order must be market, or left out'],
    ['no entry', WITHOUT_ENTRY, 'entry must be a number above 0'],
  ])('names %s', async (_, body, message) => {
    const [field] = message.split(' ');
    const { detail } = await expectRefusal(await publisher.publish(body), 400, 'invalid_parameter', [field!]);
    expect(detail).toContain(message);
  });

  test('rejects an unknown instrument', async () => {
    for (const symbol of ['NOSUCH', '__proto__', 'constructor', 'EURUSD ', 'EUR/US', '\u0000'])
      await expectRefusal(await publisher.publish({ ...BUY, symbol }), 404, 'symbol_not_found');
  });

  test('rejects an instrument without a quote, and one with a stale quote', async () => {
    const response = await publisher.publish({ ...BUY, symbol: 'GBPUSD' });
    await expectRefusal(response, 503, 'no_quote');
    expect(response.headers.get('retry-after')).toBe('1');
    // Its market never closes.
    await market.quote('LTCUSD', 80, 80.02, Date.now() - 60_500);
    const old = { symbol: 'LTCUSD', direction: 'buy', stop_loss: 79, take_profit: 82 };
    for (const entry of [{ entry: 80.02 }, { order: 'market' }])
      await expectRefusal(await publisher.publish({ ...old, ...entry }), 503, 'stale_quote');
    const unquoted = { ...WITHOUT_ENTRY, order: 'market', symbol: 'GBPUSD' };
    await expectRefusal(await publisher.publish(unquoted), 503, 'no_quote');
  });

  test('rejects a closed market even if its last quote is fresh', async () => {
    const api = await serveClosedMarket();
    const response = await api.post('/api/signals', BUY);
    await expectRefusal(response, 409, 'market_closed');
    expect(response.headers.get('retry-after')).toBe('60');
    const order = await api.post('/api/signals', { ...WITHOUT_ENTRY, order: 'market' });
    await expectRefusal(order, 409, 'market_closed');
    expect(await (await api.get('/api/signals/head')).json()).toMatchObject({ n: 0 });
    expect(await (await api.get('/api/signals')).json()).toEqual({ items: [], count: 0 });
    await api.stop();
  });
});

describe('numbers', () => {
  test.each(['NaN', 'Infinity', '-Infinity', '+1.08', '.5', '1.', '0x1', '1_000', '01', 'undefined', "'1.08'"])(
    '%s is not JSON',
    async (value) => {
      for (const field of ['entry', 'stop_loss', 'take_profit'] as const)
        await expectRefusal(await publisher.post('/api/signals', literal(field, value)), 400, 'malformed_body');
    },
  );

  test.each([
    ['1e999', 'Infinity'],
    ['-1e999', '-Infinity'],
    ['-0', '-0'],
    ['0', '0'],
    ['-1.084', '-1.084'],
    ['1e-400', '0'],
    ['"1.08412"', '"1.08412"'],
    ['null', 'null'],
    ['true', 'true'],
    ['[1.08412]', '[1.08412]'],
    ['{"valueOf":1.08412}', '{"valueOf":1.08412}'],
  ])('rejects %s as a price', async (value, shown) => {
    const fields = ['entry', 'stop_loss', 'take_profit'] as const;
    for (const field of fields) {
      const response = await publisher.post('/api/signals', literal(field, value));
      const { errors } = await expectRefusal(response, 400, 'invalid_parameter', [field]);
      expect(errors).toEqual([{ parameter: field, value: shown, allowed: 'a number above 0' }]);
    }
  });

  test.each(['1e308', '1.7976931348623157e308', '1e15'])('rejects %s as a price of any instrument', async (value) => {
    for (const field of ['entry', 'stop_loss', 'take_profit'] as const) {
      const { detail } = await expectRefusal(
        await publisher.post('/api/signals', literal(field, value)),
        422,
        'entry_too_far',
      );
      expect(detail).toContain(field);
    }
  });

  test('rejects 1e-320 and 5e-324: out of order as an entry or a target, far too low as a stop', async () => {
    for (const value of ['1e-320', '5e-324']) {
      for (const [field, code] of [
        ['entry', 'levels_out_of_order'],
        ['stop_loss', 'distance_out_of_range'],
        ['take_profit', 'levels_out_of_order'],
      ] as const)
        await expectRefusal(await publisher.post('/api/signals', literal(field, value)), 422, code);
    }
  });

  test('rejects a number with a million digits as too large, and one that just fits as a price', async () => {
    const million = literal('entry', `1.${'0'.repeat(1_000_000)}`);
    await expectRefusal(await publisher.post('/api/signals', million), 413, 'payload_too_large');
    const nines = literal('entry', '9'.repeat(65_000));
    const { errors } = await expectRefusal(await publisher.post('/api/signals', nines), 400, 'invalid_parameter', [
      'entry',
    ]);
    expect(errors![0]!.value).toBe('Infinity');
  });
});

describe('bodies', () => {
  test.each([
    ['nothing', '', 'malformed_body'],
    ['white space', ' \n\t', 'malformed_body'],
    ['a half', text({}).slice(0, -10), 'malformed_body'],
    ['two documents', `${text({})}${text({})}`, 'malformed_body'],
    ['a comment', `${text({})} // buy`, 'malformed_body'],
    ['a trailing comma', text({}).replace('}', ',}'), 'malformed_body'],
    ['a form', 'symbol=EURUSD&direction=buy', 'malformed_body'],
    ['a NUL behind it', `${text({})}\u0000`, 'malformed_body'],
    ['an array', `[${text({})}]`, 'invalid_parameter'],
    ['a text', '"buy EURUSD"', 'invalid_parameter'],
    ['null', 'null', 'invalid_parameter'],
    ['a number', '1', 'invalid_parameter'],
    ['lists 30,000 deep', '['.repeat(30_000) + ']'.repeat(30_000), 'invalid_parameter'],
  ])('%s', async (_, body, code) => {
    const fields = code === 'invalid_parameter' ? ['body'] : [];
    await expectRefusal(await publisher.post('/api/signals', body), 400, code, fields);
  });

  test('an empty object gets an error that names all missing fields, without values', async () => {
    const all = ['symbol', 'direction', 'stop_loss', 'entry', 'take_profit'];
    for (const body of ['{}', '{"__proto__":{"symbol":"EURUSD"}}', '{"constructor":{"prototype":{}}}']) {
      const { errors } = await expectRefusal(await publisher.post('/api/signals', body), 400, 'invalid_parameter', all);
      expect(errors!.map(({ value }) => value)).toEqual([null, null, null, null, null]);
    }
    expect(({} as { symbol?: string }).symbol).toBeUndefined();
  });

  test('truncates a value nested 10,000 levels deep', async () => {
    const deep = '{"a":'.repeat(10_000) + '1'.padEnd(10_001, '}');
    const response = await publisher.post('/api/signals', literal('symbol', deep));
    const { errors } = await expectRefusal(response, 400, 'invalid_parameter', ['symbol']);
    expect(errors![0]!.value).toHaveLength(100);
  });

  test('rejects a duplicate key, whichever value is valid', async () => {
    const twice = [
      text({}).replace('}', ',"entry":1.08412}'),
      `{"entry":99,${text({}).slice(1)}`,
      // An escaped key is the same key.
      `{"\\u0065ntry":99,${text({}).slice(1)}`,
    ];
    for (const body of twice) {
      const { errors } = await expectRefusal(await publisher.post('/api/signals', body), 400, 'invalid_parameter', [
        'entry',
      ]);
      expect(errors).toEqual([{ parameter: 'entry', value: null, allowed: 'given only once' }]);
    }
    const unknown = text({ extra: 1 }).replace('}', ',"extra":2}');
    await expectRefusal(await publisher.post('/api/signals', unknown), 400, 'invalid_parameter', ['extra']);
  });

  test('accepts what only looks like a duplicate key', async () => {
    // Rejected for the missing entry only.
    const inside = {
      ...WITHOUT_ENTRY,
      note: '"entry":1,"entry":2',
      extra: [{ symbol: 1 }, { symbol: 2 }],
      more: '\\"',
    };
    await expectRefusal(await publisher.publish(inside), 400, 'invalid_parameter', ['entry']);
  });

  test('accepts 64 KiB, but not a byte more', async () => {
    const padded = (length: number): string => JSON.stringify(WITHOUT_ENTRY).padEnd(length, ' ');
    await expectRefusal(await publisher.post('/api/signals', padded(65_536)), 400, 'invalid_parameter', ['entry']);
    await expectRefusal(await publisher.post('/api/signals', padded(65_537)), 413, 'payload_too_large');
    // In chunks, without a Content-Length.
    const chunks = new ReadableStream({
      start(controller) {
        for (let at = 0; at < 9; at++) controller.enqueue(new TextEncoder().encode(' '.repeat(8_192)));
        controller.close();
      },
    });
    await expectRefusal(await publisher.post('/api/signals', chunks), 413, 'payload_too_large');
  });

  test.each([
    ['a lone continuation', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
    ['a code point past the last', [0xf4, 0x90, 0x80, 0x80]],
    ['half a character', [0xe2, 0x82]],
  ])('rejects %s, which is not UTF-8', async (_, bytes) => {
    const [before, after] = text({ note: '@' }).split('@') as [string, string];
    const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
    await expectRefusal(await publisher.post('/api/signals', body), 400, 'malformed_body');
  });

  test('rejects UTF-16, with or without a byte order mark', async () => {
    for (const body of [Buffer.from(text({}), 'utf16le'), Buffer.from(`\ufeff${text({})}`, 'utf16le')])
      await expectRefusal(await publisher.post('/api/signals', body), 400, 'malformed_body');
  });

  test('rejects an unknown or false Content-Encoding, and one that expands too much', async () => {
    const encoded = async (encoding: string, body: BodyInit): Promise<Response> =>
      publisher.post('/api/signals', body, { 'Content-Encoding': encoding });
    for (const encoding of ['br', 'deflate', 'zstd', 'gzip, gzip', 'x'])
      await expectRefusal(await encoded(encoding, text({})), 415, 'unsupported_encoding');
    await expectRefusal(await encoded('gzip', text({})), 400, 'malformed_body');
    await expectRefusal(await encoded('gzip', Bun.gzipSync(text({})).slice(0, 40)), 400, 'malformed_body');
    const bomb = Bun.gzipSync(new TextEncoder().encode(text({}).padEnd(1_000_000, ' ')));
    await expectRefusal(await encoded('gzip', bomb), 413, 'payload_too_large');
    // Decoded correctly: rejected for the missing field.
    const packed = Bun.gzipSync(JSON.stringify(WITHOUT_ENTRY));
    await expectRefusal(await encoded('GZIP', packed), 400, 'invalid_parameter', ['entry']);
    await expectRefusal(await encoded('identity', JSON.stringify(WITHOUT_ENTRY)), 400, 'invalid_parameter', ['entry']);
  });

  test('rejects a body that ends before its length', async () => {
    const socket = await RawSocket.connect(service.url);
    const start = text({}).slice(0, 40);
    socket.write(
      `POST /api/signals HTTP/1.1\r\nHost: a\r\nX-API-Key: ${publisher.issued.key}\r\nContent-Length: 500\r\n\r\n${start}`,
    );
    await Bun.sleep(50);
    socket.destroy();
    await Bun.sleep(50);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });
});

describe('texts', () => {
  const NOTE = 'a text of up to 500 characters without control characters other than line feeds and tabs';
  test.each([
    ['a lone surrogate', '"\\ud800"'],
    ['a pair the wrong way round', '"\\ude00\\ud83d"'],
    ['a NUL', '"a\\u0000b"'],
    ['a carriage return', '"a\\r\\nb"'],
    ['an escape', '"\\u001b[31mred"'],
    ['a delete', '"\\u007f"'],
    ['a control of Latin-1', '"\\u0085"'],
    ['501 characters', `"${'x'.repeat(501)}"`],
    ['501 emoji', `"${'🙂'.repeat(501)}"`],
    ['a number', '1'],
    ['null', 'null'],
  ])('rejects a note with %s', async (_, value) => {
    const body = text({ note: '@' }).replace('"@"', value);
    const { errors } = await expectRefusal(await publisher.post('/api/signals', body), 400, 'invalid_parameter', [
      'note',
    ]);
    expect(errors![0]!.allowed).toBe(NOTE);
  });

  test.each([
    ['symbol', ['', 'X'.repeat(65), 1, null, ['EURUSD'], { toUpperCase: 1 }]],
    ['direction', ['BUY', 'long', '', 1, null, ['buy'], 'constructor']],
    [
      'expires_at',
      [
        'tomorrow',
        '',
        '2026-12-01',
        '2026-12-01T00:00:00',
        '2026-02-30T00:00:00Z',
        1_800_000_000,
        null,
        '2026-12-01T25:00:00Z',
      ],
    ],
  ])('rejects an invalid %s', async (field, values) => {
    for (const value of values)
      await expectRefusal(await publisher.publish({ ...BUY, [field]: value }), 400, 'invalid_parameter', [field]);
  });

  test('reports all invalid fields at once', async () => {
    const wrong = { symbol: '', direction: 'up', entry: 0, stop_loss: '1', take_profit: null, expires_at: 1, note: 2 };
    await expectRefusal(await publisher.publish(wrong), 400, 'invalid_parameter', Object.keys(wrong));
  });
});

describe('a path that is not a signal', () => {
  test.each([
    ['an unknown id', 'sig_none'],
    ['a name of the prototype', '__proto__'],
    ['a method of it', 'constructor'],
    ['a NUL', '%00'],
    ['a path within', '..%2fhead'],
    ['5,000 characters', 'x'.repeat(5_000)],
    ['an emoji', '%F0%9F%99%82'],
  ])('%s', async (_, id) => {
    const path = `/api/signals/${id}`;
    for (const response of [await publisher.get(path), await publisher.get(`${path}/proof`), await publisher.close(id)])
      await expectRefusal(response, 404, 'signal_not_found');
    await expectRefusal(await publisher.get(`/api/publishers/${id}`), 404, 'publisher_not_found');
  });

  test('rejects an invalid percent-encoding', async () => {
    for (const path of ['/api/signals/%zz', '/api/signals/%zz/proof', '/api/publishers/%c3%28'])
      await expectRefusal(await publisher.get(path), 400, 'malformed_path');
    await expectRefusal(await publisher.close('%zz'), 400, 'malformed_path');
  });
});
