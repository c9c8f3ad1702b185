import { expect, test } from 'bun:test';
import { asEpochMs, type Bar, MAX_WARM_UP_BARS, MINUTE_MS, type WarmUpNeed } from '@tickwire/engine';
import { EURUSD } from '../../testing/store/samples.fixture.ts';
import { readWarmUp } from './warm-up-bars.ts';

const START = Date.UTC(2026, 2, 3, 10);
const timeOf = (n: number) => asEpochMs(START + n * MINUTE_MS);
const barOf = (n: number): Bar => ({
  ...{ time: timeOf(n), open: 1, high: 1, low: 1, close: 1 },
  ...{ volume: 1, askVolume: 0, bidVolume: 0, basis: 'bid' },
});

/** Numbers of the first and the last bar that are given, and how many. The newest `inMemory` are not stored. */
async function read(need: Partial<WarmUpNeed>, bars: number, inMemory: number, later = 0) {
  const stored = Array.from({ length: bars - inMemory }, (_, n) => barOf(n));
  const recent = Array.from({ length: inMemory + later }, (_, n) => barOf(bars - inMemory + n));
  let reading = recent.slice(0, inMemory);
  const sources = {
    view: { recent: () => reading, forming: () => null },
    bars: {
      bars: async ({ from, to, limit }: { from: number; to: number; limit: number }) =>
        stored.filter(({ time }) => time >= from && time <= to).slice(-limit),
    },
  };
  const needs = [{ interval: '1m', bars: 1, since: null, forming: false, ...need } as const];
  const warmUp = await readWarmUp(sources, EURUSD, needs);
  // As many as have closed meanwhile are not in memory any more.
  reading = recent.slice(later);
  const closed = warmUp().closed!['1m']!;
  for (const [n, bar] of closed.entries()) expect(bar.time - closed[0]!.time).toBe(n * MINUTE_MS);
  return { first: (closed[0]!.time - START) / MINUTE_MS, count: closed.length };
}

test('the bars since a time are those of the store and of memory, without a gap between them', async () => {
  expect(await read({ since: timeOf(40) }, 100, 10)).toEqual({ first: 40, count: 60 });
  expect(await read({ since: timeOf(95) }, 100, 10)).toEqual({ first: 95, count: 5 });
  expect(await read({ since: timeOf(40) }, 100, 10, 3)).toEqual({ first: 40, count: 63 });
});

test('those that are needed by their number come in addition', async () => {
  expect(await read({ since: timeOf(98), bars: 30 }, 100, 10)).toEqual({ first: 70, count: 30 });
  expect(await read({ since: timeOf(40), bars: 30 }, 100, 10)).toEqual({ first: 40, count: 60 });
  expect(await read({ bars: 30 }, 100, 10, 3)).toEqual({ first: 73, count: 30 });
  expect(await read({ since: timeOf(200) }, 100, 10)).toEqual({ first: 99, count: 1 });
});

test('a time that is far back does not read more than a bounded number', async () => {
  const bars = MAX_WARM_UP_BARS + 100;
  expect(await read({ since: timeOf(0) }, bars, 10, 3)).toEqual({ first: 103, count: MAX_WARM_UP_BARS });
});
