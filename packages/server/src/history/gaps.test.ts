import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, CATALOGUE, MINUTE_MS } from '@tickwire/engine';
import { parseChart } from './chart-reader.ts';
import { GapFinder, gapMetadata } from './gaps.ts';
import type { Tick } from './tick-stream.ts';

const EURUSD = CATALOGUE.find(({ symbol }) => symbol === 'EURUSD')!;
const MONDAY = Date.UTC(2026, 10, 9, 10);
const FRIDAY_EVENING = Date.UTC(2026, 10, 13, 21, 59);
const SUNDAY_EVENING = Date.UTC(2026, 10, 15, 22);

const tick = (time: number): Tick => ({
  seq: time,
  source: 'test',
  event: {
    kind: 'quote',
    symbol: asSymbol('EURUSD'),
    time: asEpochMs(time),
    bid: 1.1,
    ask: 1.2,
    bidSize: 1,
    askSize: 1,
  },
});

async function gapsOf(times: readonly number[], watched: readonly { from: number; to: number }[] = []) {
  const store = { watched: async () => [...watched], fetched: async () => [] };
  const finder = GapFinder.ofTicks({ store, simulated: false, alwaysOpen: false }, EURUSD);
  // Batches end anywhere.
  for (const time of times) finder.addTicks([tick(time)]);
  return finder.result();
}

test('a fetched period has no gaps of its bars, but of its ticks', async () => {
  const range = { from: MONDAY, to: MONDAY + 40 * MINUTE_MS };
  const store = { watched: async () => [], fetched: async () => [{ timeframe: '1m' as const, ...range }] };
  const options = { store, simulated: false, alwaysOpen: false };
  const bars = new GapFinder(options, parseChart({ interval: '5m', align: 'utc' }), EURUSD);
  bars.add([MONDAY, MONDAY + 30 * MINUTE_MS].map((time) => ({ time: asEpochMs(time) })));
  expect((await bars.result()).count).toBe(0);
  const ticks = GapFinder.ofTicks(options, EURUSD);
  ticks.addTicks([tick(MONDAY), tick(MONDAY + 30 * MINUTE_MS)]);
  expect((await ticks.result()).count).toBe(1);
});

describe('gaps of ticks', () => {
  test('are the minutes without a tick while the market is open', async () => {
    const times = [0, 100, 59_999, 60_000, 5 * MINUTE_MS + 7, 6 * MINUTE_MS].map((time) => MONDAY + time);
    expect(await gapsOf(times)).toEqual({
      gaps: [{ from: MONDAY + 2 * MINUTE_MS, to: MONDAY + 5 * MINUTE_MS }],
      count: 1,
    });
  });

  test('are none while a source was connected, and none at a weekend', async () => {
    const times = [MONDAY, MONDAY + 30 * MINUTE_MS];
    expect((await gapsOf(times, [{ from: MONDAY, to: MONDAY + 40 * MINUTE_MS }])).count).toBe(0);
    expect((await gapsOf(times, [{ from: MONDAY, to: MONDAY + 20 * MINUTE_MS }])).count).toBe(1);
    expect((await gapsOf([FRIDAY_EVENING, SUNDAY_EVENING])).count).toBe(0);
  });

  test('are listed in the metadata of a file', () => {
    expect(gapMetadata([{ from: MONDAY, to: MONDAY + MINUTE_MS }], 3)).toEqual({
      gap_count: '3',
      gaps: '[{"from":"2026-11-09T10:00:00.000Z","to":"2026-11-09T10:01:00.000Z"}]',
    });
  });
});
