// Prices around a news item.
import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, type Bar, MINUTE_MS } from '@tickwire/engine';
import { newsDetail } from '../../testing/news.fixture.ts';
import { MONDAY, minuteBar } from '../../testing/store/samples.fixture.ts';
import type { BarRange } from '../store/store.ts';
import { marketAfter } from './news-market.ts';

const bar = (minute: number, close: number): Bar => ({
  ...minuteBar(0),
  time: asEpochMs(MONDAY + minute * MINUTE_MS),
  close,
});
const item = (symbols = ['EURUSD'], minute = 60) =>
  newsDetail('a', { symbols, timestamp: new Date(MONDAY + minute * MINUTE_MS).toISOString() });
const at = (minute: number): number => MONDAY + minute * MINUTE_MS;

/** A market with stored bars and newer ones in memory. */
const sources = (stored: readonly Bar[], recent: readonly Bar[] = []) => ({
  market: {
    resolve: (code: string) => (code === 'EURUSD' ? asSymbol(code) : undefined),
    recent: (_symbol: string, _timeframe: string, from: number, to: number) =>
      recent.filter(({ time }) => time >= from && time <= to),
  },
  history: {
    bars: async ({ from, to, limit }: BarRange) =>
      stored.filter(({ time }) => time >= from && time <= to).slice(0, limit),
  },
});

describe('the market after a news item', () => {
  const day = Array.from({ length: 400 }, (_, minute) => bar(minute, 1 + minute / 1_000));

  test('has the price at the publication, and later prices whose time has passed', async () => {
    expect(await marketAfter(item(), sources(day), at(400))).toEqual([
      {
        symbol: asSymbol('EURUSD'),
        at: 1.059,
        after: [
          { minutes: 5, price: 1.064, change_percent: 0.4721 },
          { minutes: 30, price: 1.089, change_percent: 2.8329 },
          { minutes: 60, price: 1.119, change_percent: 5.6657 },
          { minutes: 240, price: 1.299, change_percent: 22.6629 },
        ],
      },
    ]);
    const minutes = async (now: number): Promise<number[]> =>
      (await marketAfter(item(), sources(day), now))[0]!.after.map((each) => each.minutes);
    expect([await minutes(at(64)), await minutes(at(65)), await minutes(at(90) - 1), await minutes(at(120))]).toEqual([
      [],
      [5],
      [5],
      [5, 30, 60],
    ]);
  });

  test('takes newer bars from memory', async () => {
    const [eurusd] = await marketAfter(item(), sources(day.slice(0, 60), [bar(64, 2), bar(65, 9)]), at(66));
    expect(eurusd).toMatchObject({ at: 1.059, after: [{ minutes: 5, price: 2 }] });
  });

  test('has no prices of a closed market, and no changes without a first price', async () => {
    const closed = day.filter(({ time }) => time < at(50) || time >= at(80));
    expect(await marketAfter(item(), sources(closed), at(400))).toMatchObject([{ at: null, after: [] }]);
    const closing = day.filter(({ time }) => time < at(62));
    expect(await marketAfter(item(), sources(closing), at(400))).toMatchObject([
      { at: 1.059, after: [{ minutes: 5 }] },
    ]);
  });

  test('leaves out instruments that the service does not have', async () => {
    expect(await marketAfter(item(['NONE']), sources(day), at(400))).toEqual([]);
  });
});
