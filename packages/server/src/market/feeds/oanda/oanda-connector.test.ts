import { describe, expect, test } from 'bun:test';
import { asSymbol, CATALOGUE } from '@tickwire/engine';
import { ACCOUNT, FakeOanda, priceOf, TOKEN } from '../../../../testing/feeds/fake-oanda.fixture.ts';
import { recordedStream } from '../../../../testing/feeds/recorded-oanda.fixture.ts';
import { RecordingSink } from '../../../../testing/feeds/recording-sink.fixture.ts';
import { until } from '../../../../testing/feeds/reference-loop.fixture.ts';
import type { Fetch } from '../../../ops/bounded-fetch.ts';
import { createOandaConnector, type OandaOptions } from './oanda-connector.ts';

const OFFERED = ['EUR_USD', 'EUR_JPY', 'XAU_USD', 'DE30_EUR', 'SUGAR_USD'];
const INSTRUMENTS = CATALOGUE.filter(({ symbol }) => ['EURUSD', 'EURJPY', 'XAUUSD', 'GER40'].includes(symbol));

function setUp(options: Partial<OandaOptions> = {}) {
  const fake = new FakeOanda(OFFERED);
  const sink = new RecordingSink();
  const connector = createOandaConnector({
    account: ACCOUNT,
    token: TOKEN,
    host: fake.url,
    instruments: INSTRUMENTS,
    timing: { responseTimeoutMs: 30_000, staleMs: 30_000, retryMs: 5 },
    ...options,
  });
  return { fake, sink, connector, [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose]() };
}

describe('OANDA pricing stream', () => {
  test('is requested with the account’s names, the token and a snapshot', async () => {
    await using s = setUp();
    const connection = await s.connector.connect(s.sink);
    const { path, query, headers } = s.fake.requests.at(-1)!;
    expect(path).toBe(`/v3/accounts/${ACCOUNT}/pricing/stream`);
    expect(query.get('instruments')).toBe('EUR_USD,EUR_JPY,XAU_USD,DE30_EUR');
    expect(query.get('snapshot')).toBe('true');
    expect(headers.get('authorization')).toBe(`Bearer ${TOKEN}`);
    expect(headers.get('accept-datetime-format')).toBe('RFC3339');
    connection.close();
  });

  test('delivers the current prices, then every new one in order, and heartbeats', async () => {
    await using s = setUp();
    s.fake.price('XAU_USD', '2034.115', '2034.420');
    const connection = await s.connector.connect(s.sink);
    for (let n = 0; n < 100; n++) s.fake.price('EUR_USD', (1.1 + n / 1e5).toFixed(5), (1.1001 + n / 1e5).toFixed(5));
    s.fake.price('DE30_EUR', '18000.5', '18001.7');
    s.fake.price('SUGAR_USD', '0.2', '0.3');
    await until(() => s.sink.quotes.length === 102, 'all quotes');
    await until(() => s.sink.signsOfLife > 2, 'heartbeats');
    expect(s.sink.quotes[0]).toMatchObject({ symbol: asSymbol('XAUUSD'), bid: 2034.115, ask: 2034.42, bidSize: 1e6 });
    expect(s.sink.quotes.slice(1, 101).map(({ bid }) => bid)).toEqual(
      Array.from({ length: 100 }, (_, n) => Number((1.1 + n / 1e5).toFixed(5))),
    );
    expect(s.sink.quotes.at(-1)!.symbol).toBe(asSymbol('GER40'));
    expect(s.sink.complaints).toEqual([]);
    connection.close();
    expect(await connection.closed).toBe('closed by us');
    await until(() => s.fake.open === 0, 'the venue to notice');
  });

  test('delivers the recorded lines', async () => {
    await using s = setUp();
    const connection = await s.connector.connect(s.sink);
    for (const line of recordedStream) s.fake.play(line);
    await until(() => s.sink.quotes.length === 3, 'the quotes');
    expect(s.sink.quotes.map(({ symbol, bid, ask }) => [symbol as string, bid, ask])).toEqual([
      ['EURJPY', 114.295, 114.312],
      ['EURUSD', 1.09177, 1.09188],
      ['EURJPY', 114.298, 114.315],
    ]);
    expect(s.sink.complaints).toEqual([]);
    connection.close();
  });

  test('names instruments that the account does not offer and continues with the others', async () => {
    await using s = setUp({ instruments: CATALOGUE });
    const connection = await s.connector.connect(s.sink);
    expect(s.sink.complaints).toContain('not offered to this account: GBPUSD');
    s.fake.price('EUR_USD', '1.1', '1.2');
    await until(() => s.sink.quotes.length === 1, 'the quote');
    connection.close();
    await using none = setUp({ instruments: CATALOGUE.filter(({ symbol }) => symbol === 'GBPUSD') });
    await expect(none.connector.connect(none.sink)).rejects.toThrow('oanda: the account offers none of GBPUSD');
  });

  test('delivers a repeated line once, even if the snapshot of a second stream repeats it', async () => {
    await using s = setUp();
    s.fake.copies = 3;
    let connection = await s.connector.connect(s.sink);
    s.fake.price('EUR_USD', '1.1', '1.2');
    s.fake.price('EUR_USD', '1.1', '1.2', { time: '2024-05-01T00:00:00Z' });
    await until(() => s.sink.quotes.length === 2, 'both quotes');
    connection.close();
    connection = await s.connector.connect(s.sink);
    s.fake.price('EUR_JPY', '160.1', '160.2');
    await until(() => s.sink.quotes.length === 3, 'the third');
    expect(s.sink.quotes.map(({ symbol }) => symbol as string)).toEqual(['EURUSD', 'EURUSD', 'EURJPY']);
    connection.close();
  });

  test('complains of invalid lines by name and continues', async () => {
    await using s = setUp();
    const connection = await s.connector.connect(s.sink);
    for (const text of ['<html>', '\u0000\u0001', '[]', '{"type":"PRICE"}', '{"errorMessage":"x"}', '"', '{', 'null']) {
      s.fake.send(text);
    }
    s.fake.price('EUR_USD', '1.1', '1.2', { more: { tradeable: false } });
    s.fake.price('EUR_USD', '1.1', '1.2');
    await until(() => s.sink.quotes.length === 1, 'the quote after it');
    expect(s.sink.complaints.map((what) => what.split(':')[0])).toEqual([
      'not a JSON object',
      'not a JSON object',
      'not a JSON object',
      'unknown symbol',
      'unknown type',
      'not a JSON object',
      'not a JSON object',
      'not a JSON object',
      'not tradeable',
    ]);
    connection.close();
  });

  test('ends at a line without end', async () => {
    await using s = setUp();
    const connection = await s.connector.connect(s.sink);
    s.fake.heartbeats = false;
    for (let n = 0; n < 20; n++) s.fake.sendRaw('x'.repeat(10_000));
    expect(await connection.closed).toBe('line of more than 65536 bytes');
    await until(() => s.fake.open === 0, 'the connection to be closed');
  });

  test.each(['orderly', 'broken'] as const)(
    'loses only the unfinished line if it ends within one (%s)',
    async (how) => {
      await using s = setUp();
      const connection = await s.connector.connect(s.sink);
      s.fake.heartbeats = false;
      s.fake.price('EUR_USD', '1.1', '1.2');
      s.fake.sendRaw(JSON.stringify(priceOf('EUR_USD', '1.3', '1.4')).slice(0, 50));
      await until(() => s.sink.quotes.length === 1, 'the whole line');
      await Bun.sleep(20);
      s.fake.cut(how);
      expect(await connection.closed).toStartWith(how === 'orderly' ? 'ended by the venue' : 'connection lost: ');
      expect(s.sink.quotes).toHaveLength(1);
      expect(s.sink.complaints[0]).toStartWith('line cut short: {"type":"PRICE"');
    },
  );

  test('is dropped when silent at any hour; invalid lines are no sign of life', async () => {
    await using s = setUp({ timing: { responseTimeoutMs: 30_000, staleMs: 250 } });
    const connection = await s.connector.connect(s.sink);
    s.fake.heartbeats = false;
    const noise = setInterval(() => s.fake.send('rubbish'), 20);
    expect(await connection.closed).toBe('no heartbeat within 250 ms');
    clearInterval(noise);
  });

  test('ends with the reason if the sink throws', async () => {
    await using s = setUp();
    const connection = await s.connector.connect({
      events() {
        throw new Error('the intake is full');
      },
      alive() {},
      complain() {},
    });
    s.fake.price('EUR_USD', '1.1', '1.2');
    expect(await connection.closed).toContain('the intake is full');
  });
});

describe('connection to OANDA', () => {
  test.each([
    [401, 'token not valid for this account and host (401 refused with 401); is it for practice or for live?'],
    [403, 'token not valid for this account and host (403 refused with 403); is it for practice or for live?'],
    [400, 'request refused (400 refused with 400)'],
    [404, 'request refused (404 refused with 404)'],
    [429, 'too many requests or streams (429 refused with 429)'],
    [500, 'service unavailable (500 refused with 500)'],
    [503, 'service unavailable (503 refused with 503)'],
  ])('rejects with a reason on status %i, for the first request and for the stream', async (status, reason) => {
    await using s = setUp();
    for (const path of [/instruments$/, /stream$/]) {
      s.fake.refuse(status, 1, path);
      const error = await s.connector.connect(s.sink).catch((thrown: Error) => thrown);
      expect((error as Error).message).toBe(`oanda: ${reason}`);
    }
  });

  test('reports a wrong token without showing it', async () => {
    await using s = setUp({ token: 'secret-of-mine' });
    const error = await s.connector.connect(s.sink).catch((thrown: Error) => thrown);
    expect(String(error)).toContain('token not valid');
    expect(String(error)).not.toContain('secret-of-mine');
  });

  test('rejects in time if the host is dead or does not answer', async () => {
    await using s = setUp({ host: 'http://127.0.0.1:1' });
    await expect(s.connector.connect(s.sink)).rejects.toThrow('oanda: no connection');
    const offer: Fetch = async (url, { signal }) =>
      url.endsWith('/instruments')
        ? Response.json({ instruments: [{ name: 'EUR_USD' }] })
        : new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    await using mute = setUp({ fetch: offer, timing: { responseTimeoutMs: 30 } });
    expect(await mute.connector.connect(mute.sink).catch(String)).toBe('OandaError: oanda: no response within 30 ms');
  });

  test('uses separate hosts for practice and live, and rejects other names', async () => {
    const seen: string[] = [];
    const fetch: Fetch = async (url) => {
      seen.push(new URL(url).host);
      return url.endsWith('/instruments')
        ? Response.json({ instruments: [{ name: 'EUR_USD' }] })
        : new Response('{"type":"HEARTBEAT"}\n');
    };
    for (const host of ['practice', 'live']) {
      await using s = setUp({ host, fetch });
      expect(await (await s.connector.connect(s.sink)).closed).toBe('ended by the venue');
    }
    expect(seen).toEqual([
      'api-fxpractice.oanda.com',
      'stream-fxpractice.oanda.com',
      'api-fxtrade.oanda.com',
      'stream-fxtrade.oanda.com',
    ]);
    expect(() => setUp({ host: 'demo' })).toThrow('the host must be practice, live or a URL, not demo');
  });
});
