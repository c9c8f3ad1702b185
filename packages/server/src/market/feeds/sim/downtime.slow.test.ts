// The service comes back after minutes, hours, days or weeks: content of the store and the market view.
import { afterAll, describe, expect, test } from 'bun:test';
import { cpSync, rmSync } from 'node:fs';
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import {
  asEpochMs,
  asSymbol,
  type Bar,
  CATALOGUE,
  DAY_MS,
  Engine,
  HOUR_MS,
  type MarketSymbol,
  MINUTE_MS,
} from '@tickwire/engine';
import { temporaryFolder } from '../../../../testing/service.fixture.ts';
import { loadConfig } from '../../../config/config.ts';
import { MemoryJournal } from '../../../journal/memory-journal.ts';
import { silentLog } from '../../../ops/log.ts';
import { openSqliteStore } from '../../../store/sqlite/open-sqlite-store.ts';
import type { Store, TapeBlock } from '../../../store/store.ts';
import { decodeBlock } from '../../../store/tape-block.ts';
import { decodeMinute, isMinute } from '../../../store/tape-minute.ts';
import { Intake } from '../../intake.ts';
import { MarketView } from '../../market-view.ts';
import { Recorder } from '../../recorder.ts';
import { restoreMarket } from '../../restore.ts';
import { openSimFeed } from './open-sim-feed.ts';
import { SimBarSource } from './sim-bar-source.ts';

const EURUSD = asSymbol('EURUSD');
const BTCUSD = asSymbol('BTCUSD');
const INSTRUMENTS = CATALOGUE.filter(({ symbol }) => symbol === EURUSD || symbol === BTCUSD);
/** A Wednesday, 14:37:23.456. */
const STOPPED = Date.UTC(2026, 2, 4, 14, 37, 23, 456);
/** At this rate ticks are generated for the last hour. */
const RATE = 50;
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

interface Market {
  readonly store: Store;
  readonly view: MarketView;
  readonly recorder: Recorder;
  /** Bars as returned by the market endpoint. */
  bars(symbol: MarketSymbol, timeframe: Timeframe): Bar[];
  delta(symbol: MarketSymbol): number;
}

/** Starts the market part of the service on a test clock. */
async function startMarket(
  folder: string,
  time: number,
  rate = RATE,
  wrap = (store: Store): Store => store,
): Promise<Market> {
  const now = (): number => time;
  const config = loadConfig({ flags: { sim_seed: '1', sim_rate: String(rate), data: folder }, env: {}, cwd: folder });
  const store = wrap(openSqliteStore({ folder, realm: 'sim', exclusive: true }));
  const engine = new Engine(INSTRUMENTS);
  const view = new MarketView(INSTRUMENTS);
  const recorder = new Recorder({
    store: store.market,
    instruments: INSTRUMENTS,
    log: silentLog,
    barsUntil: (await store.market.number('bars_until')) ?? 0,
  });
  const reserve = {
    load: async () => (await store.market.number('seq_reserved')) ?? 1,
    save: (ceiling: number) => store.market.setNumber('seq_reserved', ceiling),
  };
  const journal = await MemoryJournal.open(reserve, silentLog);
  const intake = new Intake({ instruments: INSTRUMENTS, engine, journal, log: silentLog, now });
  const restored = await restoreMarket({ store: store.market, instruments: INSTRUMENTS, engine, view, recorder });
  journal.subscribe(view.read);
  journal.subscribe(recorder.read);
  const parts = { config, instruments: INSTRUMENTS, engine, view, store: store.market, intake, recorder };
  await openSimFeed({ ...parts, restored, now });
  intake.clock(time);
  await recorder.flush();
  expect(recorder.failure).toBeNull();
  return {
    store,
    view,
    recorder,
    bars: (symbol, timeframe) => view.recent(symbol, timeframe, 0, time),
    delta: (symbol) => view.flow(symbol)!.cumulativeDelta,
  };
}

const newFolder = (): string => {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
};

interface StoppedAt {
  readonly folder: string;
  readonly before: Snapshot;
}
const stops = new Map<number, Promise<StoppedAt>>();

/** First start, a run of 20 minutes, end at STOPPED. */
async function stopped(rate: number): Promise<StoppedAt> {
  const folder = newFolder();
  await (await startMarket(folder, STOPPED - 20 * MINUTE_MS, rate)).store.close();
  const first = await startMarket(folder, STOPPED, rate);
  const before = await snapshot(first, STOPPED);
  await first.store.close();
  return { folder, before };
}

async function stopAndReturn(
  downtime: number,
  rate = RATE,
): Promise<{ before: Snapshot; after: Market; folder: string }> {
  const made = stops.get(rate) ?? stopped(rate);
  stops.set(rate, made);
  const { folder: original, before } = await made;
  const folder = newFolder();
  cpSync(original, folder, { recursive: true });
  return { before, after: await startMarket(folder, STOPPED + downtime, rate), folder };
}

type Snapshot = ReadonlyMap<string, readonly Bar[]>;
const each = (): [MarketSymbol, Timeframe][] =>
  INSTRUMENTS.flatMap(({ symbol }) => TIMEFRAMES.map((timeframe): [MarketSymbol, Timeframe] => [symbol, timeframe]));

async function stored({ store }: Market, symbol: MarketSymbol, timeframe: Timeframe): Promise<Bar[]> {
  const range = { symbol, timeframe, from: 0, to: STOPPED * 2, limit: 1_000_000, first: 'oldest' as const };
  return store.market.bars(range);
}

async function snapshot(market: Market, until: number): Promise<Snapshot> {
  const bars = new Map<string, readonly Bar[]>();
  for (const [symbol, timeframe] of each()) {
    const closed = (await stored(market, symbol, timeframe)).filter(
      ({ time }) => time + TIMEFRAME_MS[timeframe] <= until,
    );
    bars.set(`${symbol} ${timeframe}`, closed);
  }
  return bars;
}

const sum = (bars: readonly Bar[], field: 'volume' | 'bidVolume' | 'askVolume'): number =>
  Math.round(bars.reduce((total, bar) => total + bar[field], 0) * 1e6) / 1e6;

/** Every longer bar that is covered by shorter ones is their aggregate. */
function expectAggregates(
  longer: readonly Bar[],
  shorter: readonly Bar[],
  length: number,
  shortLength: number,
): number {
  let compared = 0;
  const groups = Map.groupBy(shorter, ({ time }) => time - (time % length));
  for (const bar of longer) {
    const under = groups.get(bar.time) ?? [];
    if (under.length < length / shortLength) continue;
    compared++;
    expect(bar.open).toBe(under[0]!.open);
    expect(bar.close).toBe(under.at(-1)!.close);
    expect(bar.high).toBe(Math.max(...under.map(({ high }) => high)));
    expect(bar.low).toBe(Math.min(...under.map(({ low }) => low)));
    expect(Math.round(bar.volume * 1e6) / 1e6).toBe(sum(under, 'volume'));
  }
  return compared;
}

async function expectSound(before: Snapshot, after: Market, time: number, whole: readonly Timeframe[]): Promise<void> {
  for (const [symbol, timeframe] of each()) {
    const length = TIMEFRAME_MS[timeframe];
    const bars = await stored(after, symbol, timeframe);
    const closed = before.get(`${symbol} ${timeframe}`)!;
    // Closed bars stay unchanged, except for those still open to late ticks.
    const kept = new Map(bars.map((bar) => [bar.time, bar]));
    for (const bar of closed) expect(kept.get(bar.time)).toEqual(bar);
    const missing: string[] = [];
    const from = whole.includes(timeframe) ? closed.at(-1)!.time : time - 400 * length;
    const last = time - (time % length) - length;
    for (let at = Math.ceil(from / length) * length; at <= last; at += length) {
      if (!kept.has(asEpochMs(at))) missing.push(new Date(at).toISOString());
    }
    expect({ symbol, timeframe, missing }).toEqual({ symbol, timeframe, missing: [] });
    // A jump would be a large difference between two adjacent bars.
    const recent = bars.filter((bar) => bar.time >= closed.at(-1)!.time - 20 * length);
    for (const [index, bar] of recent.slice(1).entries()) {
      const previous = recent[index]!;
      if (bar.time - previous.time !== length) continue;
      expect(Math.abs(bar.open - previous.close) / previous.close).toBeLessThan(0.002);
    }
    const shorter = TIMEFRAMES[TIMEFRAMES.indexOf(timeframe) - 1];
    if (shorter) {
      const compared = expectAggregates(bars, await stored(after, symbol, shorter), length, TIMEFRAME_MS[shorter]);
      expect(compared).toBeGreaterThan(20);
    }
    const shown = after.bars(symbol, timeframe).filter((bar) => bar.time + length <= time);
    expect(shown.slice(-300)).toEqual(bars.slice(-300));
  }
}

const CASES = [
  { name: '10 minutes', downtime: 10 * MINUTE_MS, whole: TIMEFRAMES },
  { name: '5 hours', downtime: 5 * HOUR_MS, whole: TIMEFRAMES },
  { name: '3 days', downtime: 3 * DAY_MS, whole: TIMEFRAMES },
  { name: '30 days', downtime: 30 * DAY_MS, whole: ['4h', '1d'] as const },
];

describe.each(CASES)('after a downtime of $name', ({ downtime, whole }) => {
  const time = STOPPED + downtime;

  test('has every bar, unchanged closed bars, correct aggregates and no jumps', async () => {
    const { before, after } = await stopAndReturn(downtime);
    await expectSound(before, after, time, whole);
    await after.store.close();
  });

  test('changes no bar and no delta in a restart right after it', async () => {
    const { after, folder } = await stopAndReturn(downtime);
    const seen = each().map(([symbol, timeframe]) => after.bars(symbol, timeframe).slice(-400));
    const deltas = INSTRUMENTS.map(({ symbol }) => after.delta(symbol));
    await after.store.close();
    const again = await startMarket(folder, time);
    expect(each().map(([symbol, timeframe]) => again.bars(symbol, timeframe).slice(-400))).toEqual(seen);
    INSTRUMENTS.forEach(({ symbol }, index) => {
      expect(again.delta(symbol)).toBeCloseTo(deltas[index]!, 6);
    });
    await again.store.close();
  });
});

test.each(CASES)('computes the minutes that were never stored, after a downtime of $name', async ({ downtime }) => {
  const time = STOPPED + downtime;
  const { after } = await stopAndReturn(downtime);
  const source = new SimBarSource({ store: after.store.market, instruments: INSTRUMENTS, now: () => time });
  const read = (symbol: MarketSymbol, timeframe: Timeframe): Promise<Bar[]> =>
    source.bars({ symbol, timeframe, from: STOPPED - 100 * DAY_MS, to: time, limit: 1_000_000, first: 'oldest' });
  for (const { symbol } of INSTRUMENTS) {
    const minutes = await read(symbol, '1m');
    for (let at = 1; at < minutes.length; at++) {
      const [previous, bar] = [minutes[at - 1]!, minutes[at]!];
      const jump = Math.abs(bar.open - previous.close) / previous.close;
      if (bar.time - previous.time !== MINUTE_MS || jump > 0.002) expect([previous, bar]).toEqual([]);
    }
    for (const timeframe of TIMEFRAMES.slice(1)) {
      const length = TIMEFRAME_MS[timeframe];
      // Also the bars that were served before the downtime and those that the start after it generated.
      const compared = expectAggregates(await read(symbol, timeframe), minutes, length, MINUTE_MS);
      expect(compared).toBeGreaterThanOrEqual(Math.floor((100 * DAY_MS) / length) - 1);
    }
  }
  await after.store.close();
});

test('records sim as the source of generated minutes and ticks', async () => {
  const { after } = await stopAndReturn(5 * HOUR_MS);
  const blocks = (await after.store.market.tape(STOPPED)).filter(({ bytes }) => bytes.length > 2);
  const sourceOf = (block: TapeBlock): string =>
    isMinute(block) ? decodeMinute(block).source : decodeBlock(block.bytes, block.symbol, block.minute).at(-1)!.source;
  expect(Map.groupBy(blocks, isMinute).size).toBe(2);
  expect(new Set(blocks.map(sourceOf))).toEqual(new Set(['sim']));
  await after.store.close();
});

test('completes the minute in which the service stopped after any downtime', async () => {
  const minute = STOPPED - (STOPPED % MINUTE_MS);
  const bars: (Bar | undefined)[] = [];
  for (const downtime of [10 * MINUTE_MS, 5 * HOUR_MS, 30 * DAY_MS]) {
    const { after } = await stopAndReturn(downtime);
    bars.push((await stored(after, BTCUSD, '1m')).find(({ time }) => time === minute));
    await after.store.close();
  }
  // After ten minutes everything is generated as ticks, as in an uninterrupted run.
  expect(bars[0]).toBeDefined();
  expect(bars).toEqual([bars[0], bars[0], bars[0]]);
});

test('loses no minute and no delta in two restarts at a rate without tick catch-up', async () => {
  const rate = 5_000;
  const { before, after, folder } = await stopAndReturn(3 * MINUTE_MS, rate);
  const deltas = INSTRUMENTS.map(({ symbol }) => after.delta(symbol));
  const hours = after.bars(EURUSD, '1h').at(-1);
  await after.store.close();
  const again = await startMarket(folder, STOPPED + 3 * MINUTE_MS + 200, rate);
  await expectSound(before, again, STOPPED + 3 * MINUTE_MS, TIMEFRAMES);
  const [low, high] = [hours!.volume, again.bars(EURUSD, '1h').at(-1)!.volume];
  expect(high).toBeGreaterThanOrEqual(low);
  // At most 200 ms of ticks were added.
  INSTRUMENTS.forEach(({ symbol }, index) => {
    const hour = again.bars(symbol, '1h').at(-1)!;
    expect(Math.abs(again.delta(symbol) - deltas[index]!)).toBeLessThan(hour.volume * 0.05);
  });
  await again.store.close();
});

/** A first start that fails at the `n`th call of a function of the store. */
async function killedStart(folder: string, time: number, name: 'write' | 'writeImported', n: number): Promise<void> {
  let opened: Store | undefined;
  const cutOff = startMarket(folder, time, RATE, (store) => {
    opened = store;
    let calls = 0;
    const call = (write: never): Promise<void> =>
      ++calls === n ? Promise.reject(new Error('killed')) : store.market[name](write);
    return { ...store, market: { ...store.market, [name]: call } };
  });
  await expect(cutOff).rejects.toThrow('killed');
  await opened!.close();
}

describe.each([
  ['while it stored its bars', 'writeImported', 2],
  ['before it stored where they end', 'write', 1],
] as const)('a first start that was killed %s', (_, name, n) => {
  test('is continued, and counts nothing twice', async () => {
    const [folder, reference] = [newFolder(), newFolder()];
    await killedStart(folder, STOPPED - 2 * MINUTE_MS, name, n);
    await (await startMarket(folder, STOPPED)).store.close();
    await (await startMarket(reference, STOPPED - 2 * MINUTE_MS)).store.close();
    const [again, clean] = [await startMarket(folder, STOPPED), await startMarket(reference, STOPPED)];
    for (const [symbol, timeframe] of each()) {
      expect(await stored(again, symbol, timeframe)).toEqual(await stored(clean, symbol, timeframe));
      expect(again.bars(symbol, timeframe).slice(-400)).toEqual(clean.bars(symbol, timeframe).slice(-400));
      expect(again.delta(symbol)).toBeCloseTo(clean.delta(symbol), 6);
    }
    await Promise.all([again.store.close(), clean.store.close()]);
  });

  test('leaves no bar that the next start, hours later, makes in another way', async () => {
    const folder = newFolder();
    await killedStart(folder, STOPPED, name, n);
    const later = await startMarket(folder, STOPPED + 3 * HOUR_MS);
    for (const [symbol, timeframe] of each()) {
      const shorter = TIMEFRAMES[TIMEFRAMES.indexOf(timeframe) - 1];
      if (!shorter) continue;
      const lengths = [TIMEFRAME_MS[timeframe], TIMEFRAME_MS[shorter]] as const;
      const bars = await stored(later, symbol, timeframe);
      expect(expectAggregates(bars, await stored(later, symbol, shorter), ...lengths)).toBeGreaterThan(20);
    }
    await later.store.close();
  });
});
