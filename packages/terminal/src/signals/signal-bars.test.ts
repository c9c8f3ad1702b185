import { expect, test } from 'bun:test';
import { SignalBars } from './signal-bars.ts';

const START = Date.UTC(2026, 2, 2, 10);
const MINUTE = 60_000;
const SIGNAL = new AbortController().signal;
const iso = (time: number): string => new Date(time).toISOString();
const flat = { open: 1, high: 1, low: 1, close: 1, volume: 1 };

/** Bars for every minute of a request, and the quotes given. */
function clientOf(quotes: readonly number[], tooMany = false) {
  const asked: string[] = [];
  const bars = async (_: string, { interval, from, to }: { interval: string; from: number; to: number }) => {
    asked.push(`${interval} ${(to - from) / MINUTE}`);
    const count = Math.ceil((to - from) / MINUTE);
    return {
      items: Array.from({ length: count }, (__, at) => ({ time: iso(from + at * MINUTE), ...flat })),
      next: null,
    };
  };
  const ticks = async () => ({
    items: quotes.map((time) => ({ time: iso(time), bid: 1, bid_size: null })),
    next: tooMany ? 'more' : null,
  });
  return { asked, client: { bars, ticks } as never };
}

test('makes bars of quotes for a trade of seconds, and shows minutes if there are too many or none', async () => {
  const times = { published: START, filled: START, closed: START + 40_000 };
  const made = await new SignalBars(clientOf([START]).client, 'X', times).load(START + MINUTE, SIGNAL);
  expect([made.window.interval, made.series.candles.length]).toEqual(['2s', 24]);
  for (const { asked, client } of [clientOf([]), clientOf([START], true)]) {
    const { window, series } = await new SignalBars(client, 'X', times).load(START + MINUTE, SIGNAL);
    expect([window.interval, series.interval, asked.length]).toEqual(['1m', '1m', 1]);
  }
});

test('keeps the series while it grows to both sides, and begins another one with other bars', async () => {
  const { client } = clientOf([]);
  const bars = new SignalBars(client, 'X', { published: START, filled: START, closed: null });
  const first = await bars.load(START + 30 * MINUTE, SIGNAL);
  const { length } = first.series.candles;
  const second = await bars.load(START + 40 * MINUTE, SIGNAL);
  expect(second.series).toBe(first.series);
  expect(second.series.candles.length).toBeGreaterThan(length);
  const times = second.series.candles.map(({ time }) => time);
  expect(times).toEqual(times.map((_, at) => second.window.from + at * MINUTE));
  const third = await bars.load(START + 300 * MINUTE, SIGNAL);
  expect([third.window.interval, third.series === first.series]).toEqual(['3m', false]);
});
