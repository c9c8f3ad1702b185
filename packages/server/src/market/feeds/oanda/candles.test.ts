import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, CATALOGUE, MINUTE_MS } from '@tickwire/engine';
import { ACCOUNT, candleOf, FakeOanda, TOKEN } from '../../../../testing/feeds/fake-oanda.fixture.ts';
import { oandaMinute } from './mapper.ts';
import { createOandaConnector } from './oanda-connector.ts';

const EURUSD = asSymbol('EURUSD');
const START = Date.UTC(2024, 4, 1);
const at = (minutes: number) => asEpochMs(START + minutes * MINUTE_MS);

function setUp(now: number) {
  const fake = new FakeOanda(['EUR_USD', 'DE30_EUR']);
  fake.now = () => now;
  const connector = createOandaConnector({
    account: ACCOUNT,
    token: TOKEN,
    host: fake.url,
    instruments: CATALOGUE,
    now: () => now,
    timing: { retryMs: 5 },
  });
  const pages = () => fake.requests.filter(({ path }) => path.endsWith('/candles'));
  return { fake, connector, pages, [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose]() };
}

describe('fetchMinutes', () => {
  test('returns 12,000 minutes from three pages, each once and in order', async () => {
    await using s = setUp(at(100_000));
    const bars = await s.connector.fetchMinutes(EURUSD, at(0), at(12_000));
    expect(bars.map((bar) => bar.time)).toEqual(Array.from({ length: 12_000 }, (_, minute) => at(minute)));
    expect(bars[4_999]).toEqual(oandaMinute(candleOf(at(4_999))) as object as never);
    expect(s.pages()).toHaveLength(3);
    expect(s.pages()[0]!.path).toBe('/v3/instruments/EUR_USD/candles');
    expect(s.pages().every(({ query }) => query.get('granularity') === 'M1' && query.get('price') === 'B')).toBe(true);
  });

  test.each([
    ['slightly ahead', at(5_100) + 59_900, at(5_101) + 300, at(5_101)],
    ['the same', at(5_100) + 1_500, at(5_100) + 1_500, at(5_100)],
    ['behind', at(5_100) + 1_500, at(5_100) - 900, at(5_099)],
  ])('marks the running minute as partial if OANDA’s clock is %s', async (...row) => {
    const [, now, venueNow, running] = row;
    await using s = setUp(now);
    s.fake.now = () => venueNow;
    const bars = await s.connector.fetchMinutes(EURUSD, at(50), asEpochMs(now));
    expect(bars.map(({ time, partial }) => [time, partial])).toEqual(
      Array.from({ length: (running - at(50)) / MINUTE_MS + 1 }, (_, minute) => [
        at(50 + minute),
        at(50 + minute) === running ? true : undefined,
      ]),
    );
    expect(s.pages().at(-1)!.query.has('to')).toBe(false);
  });

  test('returns the minutes that start within the range', async () => {
    await using s = setUp(at(1_000));
    const bars = await s.connector.fetchMinutes(EURUSD, asEpochMs(at(10) + 1), asEpochMs(at(12) + 1));
    expect(bars.map((bar) => bar.time)).toEqual([at(11), at(12)]);
  });

  test('skips a weekend and returns the minutes after it', async () => {
    await using s = setUp(at(100_000));
    s.fake.isQuiet = (time) => time >= at(10) && time < at(11_000);
    const bars = await s.connector.fetchMinutes(EURUSD, at(0), at(11_002));
    expect(bars.map((bar) => bar.time)).toEqual([
      ...Array.from({ length: 10 }, (_, n) => at(n)),
      at(11_000),
      at(11_001),
    ]);
  });

  test('does not return the running minute for a range in the past', async () => {
    await using s = setUp(at(1_000) + 30_000);
    const bars = await s.connector.fetchMinutes(EURUSD, at(990), at(998));
    expect(bars.map(({ time, partial }) => [time, partial])).toEqual(
      Array.from({ length: 8 }, (_, minute) => [at(990 + minute), undefined]),
    );
  });

  test('sends no request for an empty or reversed range', async () => {
    await using s = setUp(at(1_000));
    expect(await s.connector.fetchMinutes(EURUSD, at(5), at(5))).toEqual([]);
    expect(await s.connector.fetchMinutes(EURUSD, at(5), at(2))).toEqual([]);
    expect(await s.connector.fetchMinutes(EURUSD, at(2_000), at(3_000))).toEqual([]);
    expect(s.pages()).toEqual([]);
  });

  test('retries after 429 and 503', async () => {
    await using s = setUp(at(100_000));
    s.fake.refuse(429, 1, /candles/);
    s.fake.refuse(503, 1, /candles/);
    expect(await s.connector.fetchMinutes(EURUSD, at(0), at(10))).toHaveLength(10);
    expect(s.pages()).toHaveLength(3);
  });

  test('rejects with the reason if a page is refused', async () => {
    await using s = setUp(at(100_000));
    await s.connector.fetchMinutes(EURUSD, at(0), at(1));
    s.fake.refuse(401, 1, /candles/);
    await expect(s.connector.fetchMinutes(EURUSD, at(0), at(10))).rejects.toThrow(/token not valid.*401/);
    s.fake.refuse(502, 4, /candles/);
    await expect(s.connector.fetchMinutes(EURUSD, at(0), at(10))).rejects.toThrow('service unavailable (502');
    s.fake.refuse(429, 1, /candles/, { 'retry-after': '3600' });
    await expect(s.connector.fetchMinutes(EURUSD, at(0), at(10))).rejects.toThrow('too many requests');
  });

  test('rejects a symbol that the account does not offer', async () => {
    await using s = setUp(at(100_000));
    await expect(s.connector.fetchMinutes(asSymbol('XAUUSD'), at(0), at(10))).rejects.toThrow(
      'the account does not offer XAUUSD',
    );
    expect(await s.connector.fetchMinutes(asSymbol('GER40'), at(0), at(10))).toHaveLength(10);
  });

  test('rejects a malformed candle instead of leaving it out', async () => {
    const fetch = async (url: string) =>
      Response.json(
        url.endsWith('/instruments')
          ? { instruments: [{ name: 'EUR_USD' }] }
          : { candles: [candleOf(at(0)), { ...candleOf(at(1)), bid: null }] },
      );
    const connector = createOandaConnector({
      account: ACCOUNT,
      token: TOKEN,
      host: 'practice',
      instruments: CATALOGUE,
      fetch,
    });
    await expect(connector.fetchMinutes(EURUSD, at(0), at(10))).rejects.toThrow('oanda: candle without bid prices');
  });
});
