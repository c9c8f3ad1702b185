import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, CATALOGUE } from '@tickwire/engine';
import { ACCOUNT, candleOf, FakeOanda, TOKEN } from './fake-oanda.fixture.ts';
import { createOandaSource } from './feed.ts';
import { oandaMinute } from './mapper.ts';

const EURUSD = asSymbol('EURUSD');
const MINUTE_MS = 60_000;
const START = Date.UTC(2024, 4, 1);
const at = (minutes: number) => asEpochMs(START + minutes * MINUTE_MS);

function scene(now: number) {
  const fake = new FakeOanda(['EUR_USD', 'DE30_EUR']);
  fake.now = () => now;
  const source = createOandaSource({
    account: ACCOUNT,
    token: TOKEN,
    host: fake.url,
    instruments: CATALOGUE,
    now: () => now,
    timing: { retryMs: 5 },
  });
  const pages = () => fake.requests.filter(({ path }) => path.endsWith('/candles'));
  return { fake, source, pages, [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose]() };
}

describe('minutes of OANDA', () => {
  test('twelve thousand of them come in three pages, each once and in order', async () => {
    await using s = scene(at(100_000));
    const bars = await s.source.minutes(EURUSD, at(0), at(12_000));
    expect(bars.map((bar) => bar.time)).toEqual(Array.from({ length: 12_000 }, (_, minute) => at(minute)));
    expect(bars[4_999]).toEqual(oandaMinute(candleOf(at(4_999))) as object as never);
    expect(s.pages()).toHaveLength(3);
    expect(s.pages()[0]!.path).toBe('/v3/instruments/EUR_USD/candles');
    expect(s.pages().every(({ query }) => query.get('granularity') === 'M1' && query.get('price') === 'B')).toBe(true);
  });

  test.each([
    ['a little ahead', at(5_100) + 59_900, at(5_101) + 300, at(5_101)],
    ['the same', at(5_100) + 1_500, at(5_100) + 1_500, at(5_100)],
    ['behind ours', at(5_100) + 1_500, at(5_100) - 900, at(5_099)],
  ])('up to this very moment, the minute that still runs marked as such, OANDA’s clock being %s', async (...told) => {
    const [, now, venueNow, running] = told;
    await using s = scene(now);
    s.fake.now = () => venueNow;
    const bars = await s.source.minutes(EURUSD, at(50), asEpochMs(now));
    expect(bars.map(({ time, partial }) => [time, partial])).toEqual(
      Array.from({ length: (running - at(50)) / MINUTE_MS + 1 }, (_, minute) => [
        at(50 + minute),
        at(50 + minute) === running ? true : undefined,
      ]),
    );
    expect(s.pages().at(-1)!.query.has('to')).toBe(false);
  });

  test('a stretch that begins and ends within minutes has those that begin inside it', async () => {
    await using s = scene(at(1_000));
    const bars = await s.source.minutes(EURUSD, asEpochMs(at(10) + 1), asEpochMs(at(12) + 1));
    expect(bars.map((bar) => bar.time)).toEqual([at(11), at(12)]);
  });

  test('a weekend has none, and what comes after it is still found', async () => {
    await using s = scene(at(100_000));
    s.fake.isQuiet = (time) => time >= at(10) && time < at(11_000);
    const bars = await s.source.minutes(EURUSD, at(0), at(11_002));
    expect(bars.map((bar) => bar.time)).toEqual([
      ...Array.from({ length: 10 }, (_, n) => at(n)),
      at(11_000),
      at(11_001),
    ]);
  });

  test('a stretch that ended a while ago has nothing of the minute that runs now', async () => {
    await using s = scene(at(1_000) + 30_000);
    const bars = await s.source.minutes(EURUSD, at(990), at(998));
    expect(bars.map(({ time, partial }) => [time, partial])).toEqual(
      Array.from({ length: 8 }, (_, minute) => [at(990 + minute), undefined]),
    );
  });

  test('an empty or backward stretch asks for nothing', async () => {
    await using s = scene(at(1_000));
    expect(await s.source.minutes(EURUSD, at(5), at(5))).toEqual([]);
    expect(await s.source.minutes(EURUSD, at(5), at(2))).toEqual([]);
    expect(await s.source.minutes(EURUSD, at(2_000), at(3_000))).toEqual([]);
    expect(s.pages()).toEqual([]);
  });

  test('a page refused for haste or disorder is asked for again', async () => {
    await using s = scene(at(100_000));
    s.fake.refuse(429, 1, /candles/);
    s.fake.refuse(503, 1, /candles/);
    expect(await s.source.minutes(EURUSD, at(0), at(10))).toHaveLength(10);
    expect(s.pages()).toHaveLength(3);
  });

  test('a page refused for good rejects with the reason', async () => {
    await using s = scene(at(100_000));
    await s.source.minutes(EURUSD, at(0), at(1));
    s.fake.refuse(401, 1, /candles/);
    await expect(s.source.minutes(EURUSD, at(0), at(10))).rejects.toThrow(/token is refused.*401/);
    s.fake.refuse(502, 4, /candles/);
    await expect(s.source.minutes(EURUSD, at(0), at(10))).rejects.toThrow('out of order (502');
    s.fake.refuse(429, 1, /candles/, { 'retry-after': '3600' });
    await expect(s.source.minutes(EURUSD, at(0), at(10))).rejects.toThrow('too many requests');
  });

  test('a symbol the account does not have rejects by its name', async () => {
    await using s = scene(at(100_000));
    await expect(s.source.minutes(asSymbol('XAUUSD'), at(0), at(10))).rejects.toThrow('the account has no XAUUSD');
    expect(await s.source.minutes(asSymbol('GER40'), at(0), at(10))).toHaveLength(10);
  });

  test('a spoilt candle rejects by its name and is not left out', async () => {
    const fetch = async (url: string) =>
      Response.json(
        url.endsWith('/instruments')
          ? { instruments: [{ name: 'EUR_USD' }] }
          : { candles: [candleOf(at(0)), { ...candleOf(at(1)), bid: null }] },
      );
    const source = createOandaSource({
      account: ACCOUNT,
      token: TOKEN,
      host: 'practice',
      instruments: CATALOGUE,
      fetch,
    });
    await expect(source.minutes(EURUSD, at(0), at(10))).rejects.toThrow('oanda: candle without bid prices');
  });
});
