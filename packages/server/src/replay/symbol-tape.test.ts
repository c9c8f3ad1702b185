// When a replay plays a tick, if the clocks of sources differ from that of the service.
import { expect, test } from 'bun:test';
import { asEpochMs, MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import { BTCUSD, SPECS } from '../../testing/replay/recorded-day.fixture.ts';
import { MAX_AHEAD_MS } from '../market/intake.ts';
import type { TapeBlock } from '../store/store.ts';
import { encodeBlock } from '../store/tape-block.ts';
import { asOfStore } from './as-of-store.ts';
import { SymbolTape } from './symbol-tape.ts';

const FROM = Date.UTC(2026, 2, 4, 12);
const spec = SPECS.find(({ symbol }) => symbol === BTCUSD)!;

/** The tape of ticks that arrived in this order, with their times in milliseconds after the start. */
function tapeOf(...times: readonly number[]): TapeBlock {
  const records = times.map((ms, index) => ({
    seq: index + 1,
    event: {
      ...({ kind: 'quote', symbol: BTCUSD, time: asEpochMs(FROM + ms) } as const),
      ...{ bid: 60_000, ask: 60_001, bidSize: 1, askSize: 1 },
    },
    source: 'test',
  }));
  const about = { symbol: BTCUSD, minute: asEpochMs(FROM), firstSeq: 1, count: records.length };
  return { ...about, bidVolume: 0, askVolume: 0, bytes: encodeBlock(records, FROM, 2) };
}

/** When each of them is played, and how many of them can be read at a time; in milliseconds after the start. */
async function played(...times: readonly number[]) {
  const block = tapeOf(...times);
  const inRange = async (_: string, from: number, to: number) => (from <= FROM && FROM < to ? [block] : []);
  const none = { bars: async () => [], watched: async () => [], fetched: async () => [] };
  const market = { tapeOf: inRange, firstTapeOf: inRange, tapeDays: async () => [] };
  const tape = new SymbolTape({ tape: market, bars: none }, spec, FROM);
  await tape.load(FROM + MINUTE_MS);
  const arrivals = tape.take(FROM + MINUTE_MS).map(({ arrival }) => arrival - FROM);
  const readAt = async (ms: number): Promise<number> => {
    const store = asOfStore({
      bars: none,
      market: { ...market, histograms: async () => [], firstTradeBar: async () => undefined },
      digits: new Map([[BTCUSD, 2]]),
      clock: () => FROM + ms,
    });
    const blocks = await store.tapeOf(BTCUSD, FROM, FROM + MINUTE_MS);
    return blocks.reduce((sum, { count }) => sum + count, 0);
  };
  return { arrivals, readAt };
}

test('a tick of a source whose clock is ahead is played at its time, and those that came after it not earlier', async () => {
  const ahead = 2 * SECOND_MS + MAX_AHEAD_MS;
  const { arrivals, readAt } = await played(1_000, ahead, 3_000, 4_000, ahead + 1);
  expect(arrivals).toEqual([1_000, ahead, ahead, ahead, ahead + 1]);
  expect([await readAt(1_000), await readAt(ahead - 1), await readAt(ahead), await readAt(ahead + 1)]).toEqual([
    1, 1, 4, 5,
  ]);
});

test('a late tick is played with the tick before it', async () => {
  const { arrivals, readAt } = await played(1_000, 20_000, 5_000, 30_000);
  expect(arrivals).toEqual([1_000, 20_000, 20_000, 30_000]);
  expect([await readAt(19_999), await readAt(20_000), await readAt(29_999)]).toEqual([1, 3, 3]);
});
