import { expect, test } from 'bun:test';
import { asEpochMs, asSymbol, type Bar } from '@tickwire/engine';
import { ClosedBars, KEPT_BARS } from './closed-bars.ts';

const bar = (minute: number, rest: Partial<Bar> = {}): Bar => ({
  time: asEpochMs(minute * 60_000),
  open: 1.1,
  high: 1.3,
  low: 1.05,
  close: 1.2,
  volume: 7,
  bidVolume: 3,
  askVolume: 4,
  basis: 'trade',
  ...rest,
});

const minutes = (bars: readonly Bar[]): number[] => bars.map(({ time }) => time / 60_000);
const open = (): ClosedBars => new ClosedBars(asSymbol('EURUSD'), '1m');

test('gives back what was put', () => {
  const closed = open();
  const bars = [bar(1), bar(2, { basis: 'bid', bidVolume: 0, askVolume: 0 }), bar(3, { partial: true })];
  for (const each of bars) closed.put(each);
  expect(closed.newest(10)).toEqual(bars);
  expect(closed.newest(1)).toEqual([bars[2]!]);
  expect(closed.between(120_000, 180_000)).toEqual(bars.slice(1));
});

test('puts late bars into their place and replaces amended ones, also in the JSON', () => {
  const closed = open();
  for (const minute of [1, 2, 4]) closed.put(bar(minute));
  expect(JSON.parse(`${closed.head(10, false)}]}`).ohlcv).toHaveLength(3);
  closed.put(bar(3, { close: 1.25 }));
  closed.put(bar(2, { close: 1.15 }));
  expect(minutes(closed.newest(10))).toEqual([1, 2, 3, 4]);
  const { ohlcv } = JSON.parse(`${closed.head(10, true)}]}`);
  expect(ohlcv.map(({ close }: { close: number }) => close)).toEqual([1.2, 1.15, 1.25, 1.2]);
  expect(JSON.parse(`${closed.head(2, false)}]}`).ohlcv.map(({ close }: { close: number }) => close)).toEqual([
    1.25, 1.2,
  ]);
});

test('writes sides that are known for a part of the volume only as unknown ones', () => {
  const closed = open();
  closed.put(bar(1));
  closed.put(bar(2, { volume: 0.1 + 0.2, bidVolume: 0.1, askVolume: 0.2 }));
  closed.put(bar(3, { volume: 100 }));
  const { ohlcv } = JSON.parse(`${closed.head(10, true)}]}`);
  const sides = ohlcv.map((each: Record<string, number>) => [each.bid_volume, each.ask_volume]);
  expect(sides).toEqual([
    [3, 4],
    [0.1, 0.2],
    [0, 0],
  ]);
});

test('keeps the newest', () => {
  const closed = open();
  for (let minute = 1; minute <= 2_000; minute++) {
    closed.put(bar(minute));
    if (minute === 1_000) closed.head(500, false);
  }
  const kept = minutes(closed.newest(10_000));
  expect(kept.length).toBeGreaterThanOrEqual(KEPT_BARS);
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, at) => 2_001 - kept.length + at));
  expect(JSON.parse(`${closed.head(500, false)}]}`).ohlcv[0].time).toBe(new Date(1_501 * 60_000).toISOString());
});

test('restores the bars of an earlier run, also after a request that found none', () => {
  const closed = open();
  const count = (): number => JSON.parse(`${closed.head(500, false)}]}`).ohlcv.length;
  expect(count()).toBe(0);
  const bars = Array.from({ length: KEPT_BARS + 10 }, (_, minute) => bar(minute));
  closed.restore(bars);
  expect(count()).toBe(500);
  expect(closed.newest(KEPT_BARS + 10)).toEqual(bars);
  // A second time, newer bars are added.
  closed.restore([bar(KEPT_BARS + 9, { close: 1.15 }), bar(KEPT_BARS + 10)]);
  expect(minutes(closed.newest(2))).toEqual([KEPT_BARS + 9, KEPT_BARS + 10]);
  expect(closed.newest(2)[0]!.close).toBe(1.15);
  const many = open();
  many.restore(Array.from({ length: 2 * KEPT_BARS }, (_, minute) => bar(minute)));
  expect(minutes(many.newest(2 * KEPT_BARS))[0]).toBe(KEPT_BARS);
});
