import { beforeEach, describe, expect, test } from 'bun:test';
import {
  asEpochMs,
  asSymbol,
  type BarEvent,
  CATALOGUE,
  type FlowEvent,
  MINUTE_MS,
  type TickEvent,
} from '@tickwire/engine';
import { StoreError } from '../errors/store-error.ts';
import type { JournalEvent } from '../journal/journal.ts';
import { createLog } from '../ops/log.ts';
import type { MarketStore, MarketWrite, PartKey, TapeBlock } from '../store/store.ts';
import { decodeBlock } from '../store/tape-block.ts';
import { decodeMinute, isMinute } from '../store/tape-minute.ts';
import { PART, withParts } from '../store/tape-rows.ts';
import { Recorder } from './recorder.ts';

const EURUSD = asSymbol('EURUSD');
const NOON = Date.UTC(2026, 2, 4, 12);

/** An in-memory store that can fail on request. */
class FailingStore {
  readonly rows = new Map<string, TapeBlock>();
  readonly writes: MarketWrite[] = [];
  tapeFails = false;
  barsFail = false;
  readonly market = {
    writeTape: async (blocks: readonly TapeBlock[], gathered: readonly PartKey[] = []) => {
      await Promise.resolve();
      if (this.tapeFails) throw new StoreError('the disk is full');
      for (const { minute, firstSeq } of gathered) this.rows.delete(`${PART} ${minute} ${firstSeq}`);
      for (const block of blocks) this.rows.set(`${block.symbol} ${block.minute} ${block.firstSeq}`, block);
    },
    write: async (write: MarketWrite) => {
      if (this.barsFail) throw new StoreError('locked');
      this.writes.push(write);
    },
  } as unknown as MarketStore;

  get blocks(): TapeBlock[] {
    return withParts([...this.rows.values()], () => 'the tape');
  }

  get parts(): number {
    return [...this.rows.values()].filter(({ symbol }) => symbol === PART).length;
  }

  /** Every tick on the tape, by seq. */
  ticks(): { seq: number; time: number; source: string }[] {
    return this.blocks
      .filter((block) => !isMinute(block))
      .flatMap(({ bytes, symbol, minute }) => decodeBlock(bytes, symbol, minute))
      .map(({ seq, event, source }) => ({ seq, time: event.time, source }))
      .sort((a, b) => a.seq - b.seq);
  }

  /** The last state of each bar. */
  bars(): Map<string, number> {
    const rows = this.writes.flatMap(({ bars }) => bars);
    return new Map(rows.map(({ timeframe, time, close }) => [`${timeframe} ${time - NOON}`, close]));
  }
}

const tick = (time: number, symbol = EURUSD): TickEvent => ({
  kind: 'tick',
  symbol,
  time: asEpochMs(time),
  bid: 1.1,
  ask: 1.2,
  bidSize: 1,
  askSize: 1,
  volume: 1,
});
const flow = (time: number, side: 'buy' | 'sell'): FlowEvent => ({
  kind: 'flow',
  symbol: EURUSD,
  time: asEpochMs(time),
  price: 1.15,
  size: 2,
  side,
  sideMethod: null,
  cumulativeDelta: 0,
  imbalance: 0,
  absorption: null,
});
const bar = (time: number, close: number, amended = false): BarEvent => ({
  kind: 'bar',
  symbol: EURUSD,
  timeframe: '1m',
  amended,
  bar: {
    time: asEpochMs(time),
    open: 1,
    high: 2,
    low: 0.5,
    close,
    volume: 1,
    bidVolume: 0,
    askVolume: 1,
    basis: 'trade',
  },
});

let store: FailingStore;
let recorder: Recorder;
let log: string[];
let seq: number;
const readFrom = (source: string, ...events: JournalEvent[]): void => {
  recorder.read({ firstSeq: seq, source, events });
  seq += events.length;
};
const read = (...events: JournalEvent[]): void => readFrom('sim', ...events);

beforeEach(() => {
  store = new FailingStore();
  log = [];
  seq = 1;
  recorder = new Recorder({
    store: store.market,
    instruments: CATALOGUE,
    log: createLog({ level: 'info', plain: true, write: (line) => log.push(line) }),
    barsUntil: 0,
    maxWaitingTicks: 20_000,
  });
});

describe('Recorder', () => {
  test('writes ticks with seq and volumes by side to one growing block', async () => {
    read(tick(NOON), flow(NOON + 5, 'buy'));
    await recorder.flush();
    read(flow(NOON + 9, 'sell'), flow(NOON + 9, 'buy'));
    await recorder.flush();
    expect(store.ticks().map((each) => each.seq)).toEqual([1, 2, 3, 4]);
    expect(store.blocks.map(({ count, bidVolume, askVolume }) => [count, bidVolume, askVolume])).toEqual([[4, 2, 4]]);
    expect([recorder.ticksWritten, recorder.waitingTicks]).toEqual([4, 0]);
  });

  test('writes the source of each tick, in a growing block and in the next', async () => {
    readFrom('push:pub_a', tick(NOON), tick(NOON + 1));
    await recorder.flush();
    readFrom('push:pub_b', flow(NOON + 2, 'buy'));
    readFrom('push:pub_a', tick(NOON + 3));
    readFrom('push:pub_a', tick(NOON + MINUTE_MS));
    await recorder.flush();
    expect(store.blocks).toHaveLength(2);
    expect(store.ticks().map(({ seq: each, source }) => [each, source])).toEqual([
      [1, 'push:pub_a'],
      [2, 'push:pub_a'],
      [3, 'push:pub_b'],
      [4, 'push:pub_a'],
      [5, 'push:pub_a'],
    ]);
  });

  test('writes few ticks of many symbols in one part, and gathers parts in blocks when the minute ends', async () => {
    const symbols = [EURUSD, asSymbol('XAUUSD'), asSymbol('BTCUSD')];
    read({ kind: 'clock', time: asEpochMs(NOON) });
    await recorder.flush();
    for (let second = 0; second < 5; second++) {
      read(...symbols.map((symbol) => tick(NOON + second * 1_000, symbol)));
      await recorder.flush();
    }
    expect([store.parts, store.rows.size]).toEqual([5, 5]);
    const before = store.blocks;
    expect(before.map(({ symbol, count }) => [symbol, count])).toEqual(symbols.map((symbol) => [symbol, 5]));
    read({ kind: 'clock', time: asEpochMs(NOON + MINUTE_MS) });
    await recorder.flush();
    expect([store.parts, store.rows.size]).toEqual([0, 3]);
    expect(store.blocks).toEqual(before);
  });

  test('gathers parts before the minute ends if there are many, and goes on after them', async () => {
    read({ kind: 'clock', time: asEpochMs(NOON) });
    for (let at = 0; at < 250; at++) {
      read(tick(NOON + at * 200));
      await recorder.flush();
    }
    expect(store.parts).toBeWithin(1, 150);
    expect(store.ticks().map(({ time }) => time)).toEqual(Array.from({ length: 250 }, (_, at) => NOON + at * 200));
  });

  test('writes many ticks of a symbol once, without a part', async () => {
    read(...Array.from({ length: 1_000 }, (_, at) => tick(NOON + at)));
    await recorder.flush();
    expect([store.parts, store.blocks.length, store.ticks().length]).toEqual([0, 4, 1_000]);
  });

  test('writes last prices and bars_until only when a minute has ended', async () => {
    read(tick(NOON), { kind: 'clock', time: asEpochMs(NOON + 500) });
    await recorder.flush();
    read(flow(NOON + 1_000, 'buy'));
    await recorder.flush();
    expect(store.writes.map(({ barsUntil, prices }) => [barsUntil, prices.length])).toEqual([[NOON, 1]]);
    read({ kind: 'clock', time: asEpochMs(NOON + MINUTE_MS + 3) });
    await recorder.flush();
    const { barsUntil, prices } = store.writes.at(-1)!;
    expect(barsUntil).toBe(NOON + MINUTE_MS);
    expect(prices[0]!.trade?.price).toBe(1.15);
    expect(prices[0]!.quote?.bid).toBe(1.1);
  });

  test('restores a minute that is known only as a bar from the tape', async () => {
    const { bar: whole } = bar(NOON, 1.5);
    const minute = { kind: 'minute' as const, symbol: EURUSD, bar: { ...whole, volume: 0.1 + 0.2, bidVolume: 0.25 } };
    readFrom('oanda', minute);
    await recorder.flush();
    expect(store.blocks.map(decodeMinute)).toEqual([{ seq: 1, event: minute, source: 'oanda' }]);
  });

  test('writes a running minute to the tape and does not count it as watched', async () => {
    const clock = (ms: number) => read({ kind: 'clock', time: asEpochMs(NOON + ms) });
    const { bar: whole } = bar(NOON + MINUTE_MS, 1.5);
    recorder.connected = () => [EURUSD];
    clock(0);
    clock(MINUTE_MS);
    readFrom('oanda', { kind: 'minute', symbol: EURUSD, bar: { ...whole, partial: true } });
    for (const minute of [2, 3, 4]) clock(minute * MINUTE_MS);
    await recorder.flush();
    expect(store.blocks.map((block) => decodeMinute(block).event.bar.partial)).toEqual([true]);
    expect(store.bars().size).toBe(0);
    const watched = store.writes.flatMap((write) => write.watched ?? []);
    expect(watched.map(({ from }) => (from - NOON) / MINUTE_MS)).toEqual([0, 3]);
  });
});

describe('while the store cannot write', () => {
  test('logs it once, reports a failure, and loses nothing when the store recovers', async () => {
    store.tapeFails = true;
    for (let second = 0; second < 150; second++) {
      read(tick(NOON + second * 1_000), { kind: 'clock', time: asEpochMs(NOON + second * 1_000) });
      if (second % 60 === 59) read(bar(NOON + Math.floor(second / 60) * MINUTE_MS, second));
      await recorder.flush();
    }
    expect(recorder.failure?.message).toBe('the disk is full');
    expect(recorder.waitingTicks).toBe(150);
    expect(store.ticks()).toEqual([]);
    expect(store.writes).toEqual([]);
    expect(log.filter((line) => line.includes('cannot write'))).toHaveLength(1);
    store.tapeFails = false;
    await recorder.flush();
    expect(recorder.failure).toBeNull();
    expect(store.ticks().map(({ time }) => time)).toEqual(Array.from({ length: 150 }, (_, s) => NOON + s * 1_000));
    expect([...store.bars()]).toEqual([
      ['1m 0', 59],
      ['1m 60000', 119],
    ]);
    expect(store.writes.at(-1)!.barsUntil).toBe(NOON + 2 * MINUTE_MS);
    expect([recorder.ticksLost, recorder.waitingTicks]).toEqual([0, 0]);
    expect(log.some((line) => line.includes('the store writes again'))).toBe(true);
  });

  test('writes the newest state of a bar after a failure', async () => {
    store.barsFail = true;
    read(tick(NOON), bar(NOON, 1));
    await recorder.flush();
    read(bar(NOON, 2, true));
    const flushing = recorder.flush();
    read(bar(NOON, 3, true));
    await flushing;
    store.barsFail = false;
    await recorder.flush();
    expect([...store.bars()]).toEqual([['1m 0', 3]]);
  });

  test('keeps the volume at price of a bar that still waits when a fetched one replaces it', async () => {
    const histogram = { minute: NOON, step: 1, levels: [] } as unknown as NonNullable<BarEvent['histogram']>;
    const fetched = bar(NOON, 4).bar;
    store.barsFail = true;
    read(tick(NOON), { ...bar(NOON, 1), histogram });
    await recorder.flush();
    read({ kind: 'history', symbol: EURUSD, bars: { '1m': [fetched] } });
    store.barsFail = false;
    await recorder.flush();
    expect([...store.bars()]).toEqual([['1m 0', 4]]);
    expect(store.writes.flatMap(({ histograms }) => histograms)).toHaveLength(1);
  });

  test('does not write ticks twice if only the bars failed', async () => {
    store.barsFail = true;
    read(tick(NOON), { kind: 'clock', time: asEpochMs(NOON + 1) });
    await recorder.flush();
    store.barsFail = false;
    read(tick(NOON + 10));
    await recorder.flush();
    expect(store.ticks()).toHaveLength(2);
    expect(recorder.ticksWritten).toBe(2);
    expect(store.writes).toHaveLength(1);
    expect(store.writes[0]!.prices).toHaveLength(1);
  });

  test('writes events that arrive during a write with the next one', async () => {
    read(tick(NOON));
    const first = recorder.flush();
    read(tick(NOON + 1), tick(NOON + MINUTE_MS));
    await Promise.all([first, recorder.flush()]);
    expect(recorder.waitingTicks).toBe(2);
    await recorder.flush();
    expect(store.ticks().map(({ seq: each }) => each)).toEqual([1, 2, 3]);
    expect(recorder.waitingTicks).toBe(0);
  });

  test('drain writes what came during a running flush, which flush alone does not', async () => {
    read(tick(NOON));
    const running = recorder.flush();
    read(tick(NOON + 1));
    await recorder.flush();
    expect(recorder.waitingTicks).toBe(1);
    await running;

    const next = recorder.flush();
    read(tick(NOON + 2));
    await recorder.drain();
    expect(recorder.waitingTicks).toBe(0);
    expect(store.ticks().map(({ seq: each }) => each)).toEqual([1, 2, 3]);
    await next;
  });

  test('drain does not reject while the store cannot write, and reports the failure', async () => {
    store.tapeFails = true;
    read(tick(NOON));
    await recorder.drain();
    expect([recorder.failure, recorder.waitingTicks]).toEqual([expect.any(Error), 1]);
    store.tapeFails = false;
    await recorder.drain();
    expect([recorder.failure, recorder.waitingTicks]).toEqual([null, 0]);
  });

  test('drops the oldest ticks beyond the memory limit, counts them and logs it', async () => {
    store.tapeFails = true;
    const TICKS = 25_000;
    const batch = Array.from({ length: 1_000 }, (_, index) => tick(NOON + index));
    for (let at = 0; at < TICKS; at += batch.length) read(...batch);
    await recorder.flush();
    expect(recorder.waitingTicks).toBeLessThanOrEqual(20_000);
    expect(recorder.ticksLost).toBeGreaterThan(0);
    expect(recorder.ticksLost + recorder.waitingTicks).toBe(TICKS);
    // Logged once while it lasts, and summed up at the end.
    expect(log.filter((line) => line.includes('ticks are being lost'))).toHaveLength(1);
    store.tapeFails = false;
    await recorder.flush();
    expect(log.filter((line) => line.includes('ticks were lost'))).toHaveLength(1);
    expect(recorder.ticksWritten).toBe(TICKS - recorder.ticksLost);
    expect(recorder.waitingTicks).toBe(0);
    const kept = store.ticks();
    expect(kept.at(-1)!.seq).toBe(TICKS);
    expect(kept[0]!.seq).toBe(recorder.ticksLost + 1);
  });
});
