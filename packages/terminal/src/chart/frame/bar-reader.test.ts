import { expect, test } from 'bun:test';
import { ChartBars } from '../bars/chart-bars.ts';
import { BarReader } from './bar-reader.ts';
import type { Reading } from './legend.ts';

const bars = (...minutes: readonly number[]) =>
  minutes.map((minute) => ({
    time: new Date(minute * 60_000).toISOString(),
    open: minute,
    high: minute,
    low: minute,
    close: minute,
    volume: 1,
  }));

function reader(series: ChartBars | null) {
  const marked: (number | null)[] = [];
  const said: string[] = [];
  let changes = 0;
  const made = new BarReader({
    series: () => series,
    read: ({ candles, intervalMs }, at): Reading | null =>
      candles[at]
        ? {
            candle: candles[at],
            before: null,
            intervalMs,
            digits: 0,
            figures: [],
            news: [],
            events: [],
          }
        : null,
    mark: (at) => marked.push(at),
    announce: (words) => said.push(words),
    onChange: () => {
      changes++;
    },
  });
  return { made, marked, said, changes: () => changes, close: () => made.reading(series!)?.candle.close };
}

test('reads the newest bar until another is chosen', () => {
  const { made, close, changes } = reader(new ChartBars('1m', bars(1, 2, 3)));
  expect(close()).toBe(3);
  made.point(0);
  expect([close(), changes()]).toEqual([1, 1]);
  made.point(0);
  expect(changes()).toBe(1);
  made.point(null);
  expect(close()).toBe(3);
});

test('keys move from bar to bar, start at the newest, stop at both ends, and are announced', () => {
  const { made, marked, said, close } = reader(new ChartBars('1m', bars(1, 2, 3)));
  for (const by of [-1, -1, -1, -1, 1]) made.step(by);
  expect(marked).toEqual([2, 1, 0, 0, 1]);
  expect(close()).toBe(2);
  expect(said.at(-1)).toContain('close 2');
  made.toLast();
  made.toFirst();
  expect(marked.slice(-2)).toEqual([2, 0]);
});

test('only a bar chosen by keys is given up by keys', () => {
  const { made, close } = reader(new ChartBars('1m', bars(1, 2, 3)));
  made.point(1);
  expect([made.leave(), close()]).toEqual([false, 2]);
  made.step(-1);
  expect([made.leave(), close()]).toEqual([true, 3]);
});

test('the chosen bar stays the same when older bars are loaded', () => {
  const series = new ChartBars('1m', bars(5, 6, 7));
  const { made, close } = reader(series);
  made.point(1);
  series.prepend(bars(1, 2, 3, 4));
  expect(close()).toBe(6);
});

test('chooses nothing without bars', () => {
  for (const series of [null, new ChartBars('1m', [])]) {
    const { made, marked } = reader(series);
    made.step(-1);
    made.toFirst();
    made.toLast();
    expect(marked).toEqual([]);
  }
});
