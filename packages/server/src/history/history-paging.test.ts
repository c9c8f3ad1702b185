// Price history over REST: paging, all time formats, the seam between memory and store, and consistent bars.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { iso, type OhlcvBar, OhlcvBarDetail, TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { asEpochMs, asSymbol, DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import type { BarRow } from '../store/store.ts';

/** Bars before the stored minutes, more than memory keeps, so that only the store has them. */
const OLDER = 900;
const at = (bar: OhlcvBar | undefined): number => Date.parse(bar!.time);

let service: RunningService;
let key: string;
/** Start of the oldest stored minute. Earlier ones are computed. */
let simulatedFrom: number;

beforeAll(async () => {
  service = await startService({ sim_rate: '500' });
  key = (await service.key('premium')).key;
  const { market } = service.app.store;
  const whole = { symbol: asSymbol('EURUSD'), from: 0, to: Date.now(), limit: 1, first: 'oldest' as const };
  simulatedFrom = (await market.bars({ ...whole, timeframe: '1m' }))[0]!.time;
  const rows = Array.from({ length: OLDER }, (_, index): BarRow => {
    const open = 1 + index / 10_000;
    const prices = { open, high: open + 0.0002, low: open - 0.0002, close: open + 0.0001 };
    const time = asEpochMs(simulatedFrom - (OLDER - index) * MINUTE_MS);
    return {
      symbol: asSymbol('EURUSD'),
      timeframe: '1m',
      time,
      ...prices,
      volume: 1,
      bidVolume: 1,
      askVolume: 0,
      basis: 'trade',
    };
  });
  await market.write({ bars: rows, prices: [], barsUntil: (await market.number('bars_until'))! });
});
afterAll(() => service.stop());

async function bars(symbol: string, query: Readonly<Record<string, string | number>>): Promise<OhlcvBar[]> {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const response = await fetch(`${service.url}/api/market/${symbol}?${parameters}`, { headers: { 'X-API-Key': key } });
  expect(response.status).toBe(200);
  const body = (await response.json()) as { ohlcv: OhlcvBar[]; quote: object | null };
  expect(body.quote).not.toBeNull();
  return body.ohlcv;
}
const times = (list: readonly OhlcvBar[]): string[] => list.map(({ time }) => time);
/** Without the bars that may still be forming, or may have closed between two requests. */
const settled = (list: readonly OhlcvBar[], until: number): OhlcvBar[] => list.filter((bar) => at(bar) < until);

describe('paging', () => {
  test('backwards with `before` returns every bar once, ascending', async () => {
    const pages: OhlcvBar[][] = [await bars('EURUSD', { timeframe: '1m', bars: 170 })];
    const until = simulatedFrom - (OLDER + 2000) * MINUTE_MS;
    while (at(pages[0]![0]) > until) {
      expect(pages.length).toBeLessThan(30);
      pages.unshift(await bars('EURUSD', { timeframe: '1m', bars: 170, before: pages[0]![0]!.time }));
    }
    const walked = pages.flat();
    expect(walked.length).toBeGreaterThan(OLDER + 2500);
    for (let index = 1; index < walked.length; index++)
      expect(at(walked[index]) - at(walked[index - 1])).toBe(MINUTE_MS);
  });

  test('forwards with `from` returns the same bars as backwards with `before`', async () => {
    const end = simulatedFrom + 200 * MINUTE_MS;
    const back = await bars('EURUSD', { timeframe: '1m', bars: 500, before: end });
    const forward: OhlcvBar[] = [];
    let from = at(back[0]);
    while (forward.length < 500) {
      const page = await bars('EURUSD', { timeframe: '1m', bars: 120, from });
      expect(at(page[0])).toBe(from);
      expect(page).toHaveLength(120);
      forward.push(...page);
      from = at(page.at(-1)) + MINUTE_MS;
    }
    expect(forward.slice(0, 500)).toEqual(back);
  });

  test('`from` is inclusive, `to` and `before` are exclusive', async () => {
    const time = simulatedFrom + 100 * MINUTE_MS;
    const last = async (query: Record<string, number>): Promise<number> =>
      at((await bars('EURUSD', { timeframe: '1m', bars: 3, ...query })).at(-1));
    expect(await last({ before: time })).toBe(time - MINUTE_MS);
    expect(await last({ before: time + 1 })).toBe(time);
    expect(await last({ to: time })).toBe(time - MINUTE_MS);
    expect(await last({ to: time + 1 })).toBe(time);
    expect(at((await bars('EURUSD', { timeframe: '1m', bars: 3, from: time }))[0])).toBe(time);
    expect(at((await bars('EURUSD', { timeframe: '1m', bars: 3, from: time + 1 }))[0])).toBe(time + MINUTE_MS);
    expect(times(await bars('EURUSD', { timeframe: '1m', from: time, to: time + 1 }))).toEqual([iso(time)]);
    expect(await bars('EURUSD', { timeframe: '1m', from: time, to: time })).toEqual([]);
    expect(await bars('EURUSD', { timeframe: '1m', from: time, before: time })).toEqual([]);
  });

  test('counts forwards from `from`, and backwards from `before` if both are given', async () => {
    const [from, to] = [simulatedFrom - 50 * MINUTE_MS, simulatedFrom + 50 * MINUTE_MS];
    const minutes = (start: number): string[] => [0, 1, 2].map((step) => iso(start + step * MINUTE_MS));
    const take = async (query: Record<string, number>): Promise<string[]> =>
      times(await bars('EURUSD', { timeframe: '1m', bars: 3, ...query }));
    expect(await take({ from })).toEqual(minutes(from));
    expect(await take({ from, to })).toEqual(minutes(from));
    expect(await take({ from, before: to })).toEqual(minutes(to - 3 * MINUTE_MS));
    expect(await take({ to })).toEqual(minutes(to - 3 * MINUTE_MS));
  });

  test('returns an empty list for a range without bars', async () => {
    const time = simulatedFrom;
    expect(await bars('EURUSD', { from: time, to: time - 1 })).toEqual([]);
    expect(await bars('EURUSD', { before: '1971-01-01' })).toEqual([]);
    expect(await bars('EURUSD', { before: '1970-01-01' })).toEqual([]);
    expect(await bars('EURUSD', { from: '9999-12-31T23:59:59.999Z' })).toEqual([]);
  });

  test('accepts ISO 8601 with or without offset, dates, Unix seconds and milliseconds', async () => {
    const day = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
    const text = iso(day);
    const notations = [
      text,
      text.replace('.000Z', 'Z'),
      text.replace('.000Z', ''),
      text.replace('T', ' ').replace(':00.000Z', ''),
      text.slice(0, 10),
      `${iso(day + 7_200_000).slice(0, 19)}+02:00`,
      `${iso(day - 19_800_000).slice(0, 16)}-05:30`,
      day / 1000,
      day,
    ];
    const expected = await bars('BTCUSD', { timeframe: '1h', bars: 5, before: text });
    expect(at(expected.at(-1))).toBe(day - HOUR_MS);
    for (const before of notations)
      expect([before, await bars('BTCUSD', { timeframe: '1h', bars: 5, before })]).toEqual([before, expected]);
  });
});

describe('with detail', () => {
  const detailed = async (query: Readonly<Record<string, string | number>>): Promise<OhlcvBarDetail[]> =>
    (await bars('EURUSD', { timeframe: '1m', detail: 'true', ...query })).map((bar) => OhlcvBarDetail.parse(bar));

  test('bars from the store have their taker volumes', async () => {
    const list = await detailed({ bars: 400, before: simulatedFrom });
    expect(list).toHaveLength(400);
    for (const bar of list) expect([bar.volume, bar.bid_volume, bar.ask_volume]).toEqual([1, 1, 0]);
    const plain = await bars('EURUSD', { timeframe: '1m', bars: 400, before: simulatedFrom });
    expect(list.map(({ bid_volume: _bid, ask_volume: _ask, ...rest }) => rest)).toEqual(plain);
  });

  test('trade bars have taker volumes on both sides of the seam between memory and store', async () => {
    const list = settled(
      await detailed({ bars: 500, from: simulatedFrom, to: Date.now() - MINUTE_MS }),
      Date.now() - MINUTE_MS,
    );
    const recent = settled(await detailed({ bars: 500 }), Date.now() - MINUTE_MS) as OhlcvBarDetail[];
    const both = [...(list as OhlcvBarDetail[]), ...recent];
    expect(both.length).toBeGreaterThan(900);
    for (const bar of both) expect(bar.bid_volume + bar.ask_volume).toBeCloseTo(bar.volume, 6);
    expect(both.some(({ bid_volume, ask_volume }) => bid_volume !== ask_volume)).toBe(true);
  });

  test('an invalid value is rejected with the name of the parameter', async () => {
    const response = await fetch(`${service.url}/api/market/EURUSD?detail=yes`, { headers: { 'X-API-Key': key } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ parameter: 'detail', allowed: 'true or false' }] });
  });
});

describe('bars', () => {
  test.each([...TIMEFRAMES])('of %s ascend, are aligned to UTC, and have consistent prices', async (timeframe) => {
    for (const symbol of ['EURUSD', 'BTCUSD', 'US500']) {
      const list = await bars(symbol, { timeframe, bars: 500 });
      expect(list).toHaveLength(500);
      for (const [index, bar] of list.entries()) {
        expect(at(bar) % TIMEFRAME_MS[timeframe]).toBe(0);
        if (index > 0) expect(at(bar)).toBeGreaterThan(at(list[index - 1]));
        expect(bar.high).toBeGreaterThanOrEqual(Math.max(bar.open, bar.close));
        expect(bar.low).toBeLessThanOrEqual(Math.min(bar.open, bar.close));
      }
      expect(Date.now() - at(list.at(-1))).toBeLessThan(TIMEFRAME_MS[timeframe] + MINUTE_MS);
    }
  });

  test.each([...TIMEFRAMES])('of %s are the same from memory and from the store', async (timeframe) => {
    for (const symbol of ['EURUSD', 'XAUUSD']) {
      const plain = await bars(symbol, { timeframe, bars: 500 });
      const paged = await bars(symbol, { timeframe, bars: 500, before: Date.now() + DAY_MS });
      const forming = at(plain.at(-1));
      const from = Math.max(at(plain[0]), at(paged[0]));
      expect(settled(paged, forming).filter((bar) => at(bar) >= from)).toEqual(
        settled(plain, forming).filter((bar) => at(bar) >= from),
      );
      expect(paged).toHaveLength(500);
      expect(at(paged.at(-1))).toBeGreaterThanOrEqual(forming);
    }
  });

  test('a smaller number returns the newest of them', async () => {
    const many = await bars('GBPUSD', { timeframe: '15m', bars: 50 });
    for (const count of [1, 2, 7, 49]) {
      const few = await bars('GBPUSD', { timeframe: '15m', bars: count });
      expect(few).toHaveLength(count);
      expect(settled(few, at(many.at(-1)))).toEqual(
        settled(many, at(many.at(-1))).filter((bar) => at(bar) >= at(few[0])),
      );
    }
  });

  const PAIRS: [Timeframe, Timeframe][] = [
    ['5m', '1m'],
    ['15m', '5m'],
    ['1h', '15m'],
    ['4h', '1h'],
    ['1d', '4h'],
  ];
  test.each(PAIRS)('of %s are the sum of their bars of %s', async (longer, shorter) => {
    for (const symbol of ['EURUSD', 'BTCUSD', 'XAUUSD', 'GER40']) {
      const [whole, parts] = [
        await bars(symbol, { timeframe: longer, bars: 500 }),
        await bars(symbol, { timeframe: shorter, bars: 500 }),
      ];
      const length = TIMEFRAME_MS[longer];
      // Some symbols have longer bars before the first short one; the last bar of each may be forming.
      const covered = settled(whole, at(parts.at(-1)) - length).filter((bar) => at(bar) >= at(parts[0]));
      expect(covered.length).toBeGreaterThan(70);
      for (const bar of covered) {
        const under = parts.filter((part) => at(part) >= at(bar) && at(part) < at(bar) + length);
        expect(bar).toEqual({
          time: bar.time,
          open: under[0]!.open,
          high: Math.max(...under.map(({ high }) => high)),
          low: Math.min(...under.map(({ low }) => low)),
          close: under.at(-1)!.close,
          volume: expect.closeTo(
            under.reduce((sum, { volume }) => sum + volume, 0),
            6,
          ),
        });
      }
    }
  });

  test('the forming bar of every timeframe closes at the last trade', async () => {
    const closes = await Promise.all(
      TIMEFRAMES.map(async (timeframe) => (await bars('AUDNZD', { timeframe, bars: 1 }))[0]!.close),
    );
    // The requests are a moment apart, so prices may have moved by a tick or two.
    for (const close of closes) expect(Math.abs(close - closes[0]!) / close).toBeLessThan(0.001);
  });
});
