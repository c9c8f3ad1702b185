import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../testing/random.ts';
import { aggregateBars } from './bar-aggregation.ts';
import { ChartBars, storedTimeframe } from './chart-bars.ts';
import { type DayStart, intervalAt, NEW_YORK_DAY, parseChartInterval, UTC_DAY } from './chart-interval.ts';
import type { Bar } from './events.ts';
import { asEpochMs, DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts';

const KOLKATA: DayStart = { zone: 'Asia/Kolkata', beforeMidnightMs: 0 };
const DAYS: [string, DayStart][] = [
  ['UTC', UTC_DAY],
  ['New York', NEW_YORK_DAY],
  ['Kolkata', KOLKATA],
];
const MINUTES = { '1m': 1, '5m': 5, '15m': 15, '1h': 60, '4h': 240, '1d': 1_440 } as const;

test.each([
  ['1m', UTC_DAY, '1m'],
  ['10m', UTC_DAY, '5m'],
  ['30m', UTC_DAY, '15m'],
  ['2h', UTC_DAY, '1h'],
  ['7m', UTC_DAY, '1m'],
  ['12h', UTC_DAY, '4h'],
  ['1w', UTC_DAY, '1d'],
  ['1M', UTC_DAY, '1d'],
  // Days that end at 17:00 in New York start at 21:00 or 22:00 UTC.
  ['1d', NEW_YORK_DAY, '1h'],
  ['4h', NEW_YORK_DAY, '1h'],
  ['30m', NEW_YORK_DAY, '15m'],
  ['1d', KOLKATA, '15m'],
] as const)('bars of %s are made of stored ones', (interval, day, stored) => {
  expect(storedTimeframe(parseChartInterval(interval)!, day)).toBe(stored);
});

/** Ten days around a clock change of New York, with minutes left out. */
function randomMinutes(seed: number): Bar[] {
  const random = seededRandom(seed);
  const bars: Bar[] = [];
  let price = 100;
  for (let time = Date.UTC(2026, 9, 27); time < Date.UTC(2026, 10, 6); time += MINUTE_MS) {
    if (random() < 0.3) continue;
    const open = price;
    price += Math.round((random() - 0.5) * 10);
    const [high, low] = [Math.max(open, price) + 1, Math.min(open, price) - 1];
    const [bidVolume, askVolume] = [Math.floor(random() * 5), Math.floor(random() * 5)];
    const volume = bidVolume + askVolume;
    bars.push({ time: asEpochMs(time), open, high, low, close: price, volume, bidVolume, askVolume, basis: 'trade' });
  }
  return bars;
}

function collect(bars: readonly Bar[], ...options: ConstructorParameters<typeof ChartBars>): Bar[] {
  const chart = new ChartBars(...options);
  const closed = bars.map((bar) => chart.add(bar)).filter((bar) => bar !== null);
  return chart.forming ? [...closed, chart.forming] : closed;
}

/** Straight from the definition. */
const grouped = (bars: readonly Bar[], ...[interval, day]: ConstructorParameters<typeof ChartBars>): Bar[] =>
  [...Map.groupBy(bars, ({ time }) => intervalAt(time, interval, day).start)].map(
    ([start, inside]) => aggregateBars(start, inside)!,
  );

describe.each(DAYS)('days of %s', (_name, day) => {
  test.each(['1m', '7m', '10m', '45m', '2h', '4h', '12h', '1d', '1w', '1M'])(
    'bars of %s hold the minutes of their interval, whatever they are made of',
    (text) => {
      const interval = parseChartInterval(text)!;
      const minutes = randomMinutes(text.length);
      const expected = grouped(minutes, interval, day);
      expect(collect(minutes, interval, day)).toEqual(expected);
      const length = MINUTES[storedTimeframe(interval, day)] * MINUTE_MS;
      const stored = [...Map.groupBy(minutes, ({ time }) => time - (time % length))].map(
        ([start, inside]) => aggregateBars(start, inside)!,
      );
      expect(collect(stored, interval, day)).toEqual(expected);
    },
  );
});

test('the week of forex has five days that end at 17:00 in New York, and none on Sunday', () => {
  const open = Date.UTC(2026, 10, 8, 22);
  const hours = Array.from({ length: 120 }, (_, hour): Bar => {
    const time = asEpochMs(open + hour * HOUR_MS);
    return { time, open: 1, high: 1, low: 1, close: 1, volume: 1, bidVolume: 0, askVolume: 1, basis: 'bid' };
  });
  const days = collect(hours, { unit: 'day' }, NEW_YORK_DAY);
  expect(days.map(({ time, volume }) => [time, volume])).toEqual(
    Array.from({ length: 5 }, (_, day) => [asEpochMs(open + day * DAY_MS), 24]),
  );
  expect(collect(hours, { unit: 'day' }, UTC_DAY)).toHaveLength(6);
});

test('without bars there is none', () => expect(new ChartBars({ unit: 'day' }, UTC_DAY).forming).toBeNull());
