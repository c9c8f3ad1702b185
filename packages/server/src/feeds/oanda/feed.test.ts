import { describe, expect, test } from 'bun:test';
import { asSymbol, CATALOGUE } from '@tickwire/engine';
import { Listener } from '../venues/listener.fixture.ts';
import { until } from '../venues/reference-loop.fixture.ts';
import type { Fetch } from './api.ts';
import { ACCOUNT, FakeOanda, priceOf, TOKEN } from './fake-oanda.fixture.ts';
import { createOandaSource, type OandaOptions } from './feed.ts';
import { recordedMissing, recordedStream } from './recorded.fixture.ts';

const OFFERED = ['EUR_USD', 'EUR_JPY', 'XAU_USD', 'DE30_EUR', 'SUGAR_USD'];
const INSTRUMENTS = CATALOGUE.filter(({ symbol }) => ['EURUSD', 'EURJPY', 'XAUUSD', 'GER40'].includes(symbol));

function scene(options: Partial<OandaOptions> = {}) {
  const fake = new FakeOanda(OFFERED);
  const sink = new Listener();
  const source = createOandaSource({
    account: ACCOUNT,
    token: TOKEN,
    host: fake.url,
    instruments: INSTRUMENTS,
    timing: { answerMs: 500, silenceMs: 250, retryMs: 5 },
    ...options,
  });
  return { fake, sink, source, [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose]() };
}

describe('the OANDA stream', () => {
  test('is asked for with the account’s names, the token and a snapshot', async () => {
    await using s = scene();
    const link = await s.source.connect(s.sink);
    const { path, query, headers } = s.fake.requests.at(-1)!;
    expect(path).toBe(`/v3/accounts/${ACCOUNT}/pricing/stream`);
    expect(query.get('instruments')).toBe('EUR_USD,EUR_JPY,XAU_USD,DE30_EUR');
    expect(query.get('snapshot')).toBe('true');
    expect(headers.get('authorization')).toBe(`Bearer ${TOKEN}`);
    expect(headers.get('accept-datetime-format')).toBe('RFC3339');
    link.close();
  });

  test('brings the prices in force, then every new one in order, and heartbeats as signs of life', async () => {
    await using s = scene();
    s.fake.price('XAU_USD', '2034.115', '2034.420');
    const link = await s.source.connect(s.sink);
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
    link.close();
    expect(await link.closed).toBe('closed by us');
    await until(() => s.fake.open === 0, 'the venue to notice');
  });

  test.skipIf(recordedMissing)('brings the recorded lines as they were', async () => {
    await using s = scene();
    const link = await s.source.connect(s.sink);
    for (const line of recordedStream) s.fake.play(line);
    await until(() => s.sink.quotes.length === 3, 'the quotes');
    expect(s.sink.quotes.map(({ symbol, bid, ask }) => [symbol as string, bid, ask])).toEqual([
      ['EURJPY', 114.295, 114.312],
      ['EURUSD', 1.09177, 1.09188],
      ['EURJPY', 114.298, 114.315],
    ]);
    expect(s.sink.complaints).toEqual([]);
    link.close();
  });

  test('names what the account is not offered, and goes on with the rest', async () => {
    await using s = scene({ instruments: CATALOGUE });
    const link = await s.source.connect(s.sink);
    expect(s.sink.complaints).toContain('not offered to this account: GBPUSD');
    s.fake.price('EUR_USD', '1.1', '1.2');
    await until(() => s.sink.quotes.length === 1, 'the quote');
    link.close();
    await using none = scene({ instruments: CATALOGUE.filter(({ symbol }) => symbol === 'GBPUSD') });
    await expect(none.source.connect(none.sink)).rejects.toThrow('oanda: the account has none of GBPUSD');
  });

  test('sends a repeated line once, also where a second stream’s snapshot repeats it', async () => {
    await using s = scene();
    s.fake.copies = 3;
    let link = await s.source.connect(s.sink);
    s.fake.price('EUR_USD', '1.1', '1.2');
    s.fake.price('EUR_USD', '1.1', '1.2', { time: '2024-05-01T00:00:00Z' });
    await until(() => s.sink.quotes.length === 2, 'both quotes');
    link.close();
    link = await s.source.connect(s.sink);
    s.fake.price('EUR_JPY', '160.1', '160.2');
    await until(() => s.sink.quotes.length === 3, 'the third');
    expect(s.sink.quotes.map(({ symbol }) => symbol as string)).toEqual(['EURUSD', 'EURUSD', 'EURJPY']);
    link.close();
  });

  test('complains of rubbish by name and reads on', async () => {
    await using s = scene();
    const link = await s.source.connect(s.sink);
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
    link.close();
  });

  test('ends at a line that does not', async () => {
    await using s = scene();
    const link = await s.source.connect(s.sink);
    s.fake.heartbeats = false;
    for (let n = 0; n < 20; n++) s.fake.sendRaw('x'.repeat(10_000));
    expect(await link.closed).toBe('a line of more than 65536 characters');
    await until(() => s.fake.open === 0, 'the connection to be given up');
  });

  test.each(['orderly', 'broken'] as const)('cut in the middle of a line, %s, loses only that line', async (how) => {
    await using s = scene();
    const link = await s.source.connect(s.sink);
    s.fake.heartbeats = false;
    s.fake.price('EUR_USD', '1.1', '1.2');
    s.fake.sendRaw(JSON.stringify(priceOf('EUR_USD', '1.3', '1.4')).slice(0, 50));
    await until(() => s.sink.quotes.length === 1, 'the whole line');
    await Bun.sleep(20);
    s.fake.cut(how);
    expect(await link.closed).toStartWith(how === 'orderly' ? 'ended by the venue' : 'the connection broke: ');
    expect(s.sink.quotes).toHaveLength(1);
    expect(s.sink.complaints[0]).toStartWith('line cut short: {"type":"PRICE"');
  });

  test('that falls silent is given up, whatever the hour, and rubbish does not count as life', async () => {
    await using s = scene();
    const link = await s.source.connect(s.sink);
    s.fake.heartbeats = false;
    const noise = setInterval(() => s.fake.send('rubbish'), 20);
    expect(await link.closed).toBe('no heartbeat in 250 ms');
    clearInterval(noise);
  });

  test('whose reader fails ends with its reason instead of throwing', async () => {
    await using s = scene();
    const link = await s.source.connect({
      events() {
        throw new Error('the intake is full');
      },
      alive() {},
      complain() {},
    });
    s.fake.price('EUR_USD', '1.1', '1.2');
    expect(await link.closed).toContain('the intake is full');
  });
});

describe('connecting to OANDA', () => {
  test.each([
    [401, 'the token is refused for this account and host (401 refused with 401): practice or live?'],
    [403, 'the token is refused for this account and host (403 refused with 403): practice or live?'],
    [400, 'the request is refused (400 refused with 400)'],
    [404, 'the request is refused (404 refused with 404)'],
    [429, 'too many requests or streams (429 refused with 429)'],
    [500, 'out of order (500 refused with 500)'],
    [503, 'out of order (503 refused with 503)'],
  ])('a refusal with %i rejects with a reason, at the first request and at the stream', async (status, reason) => {
    await using s = scene();
    for (const path of [/instruments$/, /stream$/]) {
      s.fake.refuse(status, 1, path);
      const error = await s.source.connect(s.sink).catch((thrown: Error) => thrown);
      expect((error as Error).message).toBe(`oanda: ${reason}`);
    }
  });

  test('a wrong token is told, and stands in no message', async () => {
    await using s = scene({ token: 'secret-of-mine' });
    const error = await s.source.connect(s.sink).catch((thrown: Error) => thrown);
    expect(String(error)).toContain('token is refused');
    expect(String(error)).not.toContain('secret-of-mine');
  });

  test('a dead host, and one that does not answer, reject in time', async () => {
    await using s = scene({ host: 'http://127.0.0.1:1' });
    await expect(s.source.connect(s.sink)).rejects.toThrow('oanda: no connection');
    const offer: Fetch = async (url, { signal }) =>
      url.endsWith('/instruments')
        ? Response.json({ instruments: [{ name: 'EUR_USD' }] })
        : new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    await using mute = scene({ fetch: offer, timing: { answerMs: 30 } });
    expect(await mute.source.connect(mute.sink).catch(String)).toBe('OandaError: oanda: no answer within 30 ms');
  });

  test('practice and live are two pairs of hosts, and nothing else is guessed', async () => {
    const seen: string[] = [];
    const fetch: Fetch = async (url) => {
      seen.push(new URL(url).host);
      return url.endsWith('/instruments')
        ? Response.json({ instruments: [{ name: 'EUR_USD' }] })
        : new Response('{"type":"HEARTBEAT"}\n');
    };
    for (const host of ['practice', 'live']) {
      await using s = scene({ host, fetch });
      expect(await (await s.source.connect(s.sink)).closed).toBe('ended by the venue');
    }
    expect(seen).toEqual([
      'api-fxpractice.oanda.com',
      'stream-fxpractice.oanda.com',
      'api-fxtrade.oanda.com',
      'stream-fxtrade.oanda.com',
    ]);
    expect(() => scene({ host: 'demo' })).toThrow('the host is practice, live or a URL, not demo');
  });
});
