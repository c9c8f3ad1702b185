// Streams of bars and ticks equal what is read at once.
import { describe, expect, test } from 'bun:test';
import { TIMEFRAME_MS, TIMEFRAMES, type TickKind } from '@tickwire/contract';
import {
  aggregateBars,
  asEpochMs,
  asSymbol,
  type Bar,
  CATALOGUE,
  MINUTE_MS,
  type QuoteEvent,
  type TradeEvent,
} from '@tickwire/engine';
import { MarketView } from '../market/market-view.ts';
import type { BarRange, TapeBlock, TapeRecord } from '../store/market-store.ts';
import { encodeBlock } from '../store/tape-block.ts';
import { dayOf } from '../store/tape-day.ts';
import { streamBars, streamLimitedBars } from './bar-stream.ts';
import { LATEST, parseChart, readChartBars } from './chart-reader.ts';
import { streamTicks, type Tick } from './tick-stream.ts';

const EURUSD = asSymbol('EURUSD');
const FIRST = Date.UTC(2026, 9, 20);

async function collected<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}

describe('bars', () => {
  const minutes: Bar[] = [];
  for (let index = 0; index < 12_345; index++) {
    if (index % 7 === 0) continue;
    const price = 100 + (index % 50);
    minutes.push({
      time: asEpochMs(FIRST + index * MINUTE_MS),
      open: price,
      high: price + 2,
      low: price - 1,
      close: price + 1,
      volume: 0.1 + 0.2 + index,
      bidVolume: 1,
      askVolume: 2,
      basis: 'trade',
    });
  }
  const series = new Map<string, readonly Bar[]>(
    TIMEFRAMES.map((timeframe) => {
      const length = TIMEFRAME_MS[timeframe];
      const groups = Map.groupBy(minutes, ({ time }) => time - (time % length));
      return [timeframe, [...groups].map(([start, inside]) => aggregateBars(start, inside)!)];
    }),
  );
  series.set('1m', minutes);
  const imported = { ...minutes[0]!, time: asEpochMs(Date.UTC(2015, 0, 4, 22)), volume: 7 };
  const replaced = { ...minutes[0]!, time: asEpochMs(Date.UTC(2026, 9, 21, 21)), volume: 9 };
  const later = { ...minutes[0]!, time: asEpochMs(Date.UTC(2030, 0, 3, 22)), volume: 8 };
  series.set('1d@ny', [imported, replaced, later]);
  const store = {
    bars: async ({ timeframe, from, to, limit, first }: BarRange): Promise<Bar[]> => {
      const inside = (series.get(timeframe) ?? []).filter(({ time }) => time >= from && time <= to);
      return first === 'oldest' ? inside.slice(0, limit) : inside.slice(-limit);
    },
  };
  const sources = { store, view: new MarketView(CATALOGUE) };

  test.each([
    ['1m', 'utc'],
    ['5m', 'Asia/Kolkata'],
    ['7m', 'utc'],
    ['1h', 'ny'],
    ['1d', 'utc'],
    ['1d', 'ny'],
    ['1w', 'Europe/London'],
    ['1M', 'utc'],
  ])('of %s (%s) are those of pages', async (interval, align) => {
    const chart = parseChart({ interval, align });
    for (const [from, to] of [
      [0, LATEST],
      [FIRST + 90_000, LATEST],
      [FIRST + 90_000, FIRST + 4_567 * MINUTE_MS],
    ] as const) {
      const pages: Bar[] = [];
      for (let next = from; ; ) {
        const page = await readChartBars(sources, chart, {
          symbol: EURUSD,
          from: next,
          to,
          limit: 9_999,
          first: 'oldest',
        });
        pages.push(...page.bars);
        if (!page.hasMore) break;
        next = page.bars.at(-1)!.time + 1;
      }
      expect(await collected(streamBars(sources, chart, { symbol: EURUSD, from, to }))).toEqual(pages);
      const range = { symbol: EURUSD, from, to, limit: 6_000 };
      expect(await collected(streamLimitedBars(sources, chart, { ...range, first: 'newest' }))).toEqual(
        pages.slice(-6_000),
      );
      expect(await collected(streamLimitedBars(sources, chart, { ...range, first: 'oldest' }))).toEqual(
        pages.slice(0, 6_000),
      );
    }
  });
});

describe('ticks', () => {
  const DAY = Date.UTC(2026, 10, 2);
  const records: TapeRecord[] = [];
  const quote = (time: number): QuoteEvent => ({
    kind: 'quote',
    symbol: EURUSD,
    time: asEpochMs(time),
    bid: 1.1,
    ask: 1.2,
    bidSize: 0,
    askSize: 0,
  });
  const trade = (time: number): TradeEvent => ({
    kind: 'trade',
    symbol: EURUSD,
    time: asEpochMs(time),
    price: 1.1,
    size: 2,
    side: 'buy',
    sideMethod: null,
  });
  for (let index = 0; index < 20_000; index++) {
    const time = DAY + Math.floor(index / 2) * 17_000;
    records.push({ seq: index, event: index % 3 === 0 ? trade(time) : quote(time), source: 'test' });
  }
  // Late ones, in blocks of their own.
  records.push({ seq: 30_000, event: quote(DAY + 1), source: 'test' });
  records.push({ seq: 30_001, event: trade(DAY + 17_000), source: 'test' });
  const blocks = [...Map.groupBy(records, ({ seq, event }) => `${Math.floor(event.time / MINUTE_MS)} ${seq >= 30_000}`)]
    .map(([key, inside]): TapeBlock => {
      const minute = Number(key.split(' ')[0]) * MINUTE_MS;
      return {
        symbol: EURUSD,
        minute: asEpochMs(minute),
        firstSeq: inside[0]!.seq,
        count: inside.length,
        bidVolume: 0,
        askVolume: 0,
        bytes: encodeBlock(inside, minute, 5),
      };
    })
    .sort((a, b) => a.minute - b.minute || a.firstSeq - b.firstSeq);
  const store = {
    tapeOf: async (_: unknown, from: number, to: number) =>
      blocks.filter(({ minute }) => minute >= from && minute < to),
    tapeDays: async () => [...new Set(blocks.map(({ minute }) => dayOf(minute)))],
  };

  test.each<[TickKind, number, number]>([
    ['quotes', 0, LATEST],
    ['trades', 0, LATEST],
    ['quotes', DAY + 1, DAY + 86_400_000 * 1.5],
    ['trades', DAY + 3_600_000, DAY + 3_600_000],
    ['quotes', DAY + 3_599_999, DAY + 7_199_000],
  ])('%s from %d to %d are those of the tape, by time', async (kind, from, to) => {
    const expected = records
      .filter(({ event }) => event.kind === kind.slice(0, -1) && event.time >= from && event.time <= to)
      .sort((a, b) => a.event.time - b.event.time || a.seq - b.seq);
    const range = { symbol: EURUSD, kind, from, to };
    const ticks: Tick[] = await collected(streamTicks(store, range));
    expect(ticks).toEqual(expected);
    expect(await collected<Tick>(streamTicks(store, range, 'newest'))).toEqual(expected.toReversed());
  });
});
