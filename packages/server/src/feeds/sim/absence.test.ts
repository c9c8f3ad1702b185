// The service comes back after minutes, hours, days, weeks: what the store then holds and the market shows.
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { cpSync, rmSync } from 'node:fs';
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { asEpochMs, asSymbol, type Bar, CATALOGUE, Engine, type MarketSymbol } from '@tickwire/engine';
import { loadConfig } from '../../config.ts';
import { Intake } from '../../journal/intake.ts';
import { MemoryJournal } from '../../journal/memory-journal.ts';
import { silentLog } from '../../ops/log.ts';
import { Recorder } from '../../store/recorder.ts';
import { restoreMarket } from '../../store/restore.ts';
import { openSqliteStore } from '../../store/sqlite/open.ts';
import type { Store, TapeBlock } from '../../store/store.ts';
import { decodeBlock } from '../../store/tape-block.ts';
import { decodeMinute, isMinute } from '../../store/tape-minute.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { MarketView } from '../../views/market-view.ts';
import { openSimFeed } from './open.ts';

setDefaultTimeout(30_000);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const EURUSD = asSymbol('EURUSD');
const BTCUSD = asSymbol('BTCUSD');
const INSTRUMENTS = CATALOGUE.filter(({ symbol }) => symbol === EURUSD || symbol === BTCUSD);
/** 14:37:23.456 of a Wednesday. */
const STOPPED = Date.UTC(2026, 2, 4, 14, 37, 23, 456);
/** Ticks are caught up for the last hour. */
const RATE = 50;
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

interface Market {
  readonly store: Store;
  readonly view: MarketView;
  readonly recorder: Recorder;
  /** Bars as the market endpoint answers them. */
  bars(symbol: MarketSymbol, timeframe: Timeframe): Bar[];
  delta(symbol: MarketSymbol): number;
}

/** The market part of app.ts, at a time of our choosing. */
async function comeUp(
  folder: string,
  time: number,
  rate = RATE,
  wrap = (store: Store): Store => store,
): Promise<Market> {
  const now = (): number => time;
  const config = loadConfig({ flags: { sim_rate: String(rate), data: folder }, env: {}, cwd: folder });
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

/** Came up for the first time, ran for a while, ended at STOPPED. */
async function stopped(rate: number): Promise<StoppedAt> {
  const folder = newFolder();
  await (await comeUp(folder, STOPPED - 20 * MINUTE, rate)).store.close();
  const first = await comeUp(folder, STOPPED, rate);
  const before = await snapshot(first, STOPPED);
  await first.store.close();
  return { folder, before };
}

async function stopAndReturn(
  absence: number,
  rate = RATE,
): Promise<{ before: Snapshot; after: Market; folder: string }> {
  const made = stops.get(rate) ?? stopped(rate);
  stops.set(rate, made);
  const { folder: original, before } = await made;
  const folder = newFolder();
  cpSync(original, folder, { recursive: true });
  return { before, after: await comeUp(folder, STOPPED + absence, rate), folder };
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

/** Every longer bar whose interval the shorter ones cover is their aggregate. */
function expectAggregates(
  longer: readonly Bar[],
  shorter: readonly Bar[],
  length: number,
  shortLength: number,
): number {
  let compared = 0;
  for (const bar of longer) {
    const under = shorter.filter(({ time }) => time >= bar.time && time < bar.time + length);
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
    // The minutes under way, and what is still open to late ticks, apart: closed bars stay as they were.
    const kept = new Map(bars.map((bar) => [bar.time, bar]));
    for (const bar of closed) expect(kept.get(bar.time)).toEqual(bar);
    const missing: string[] = [];
    const from = whole.includes(timeframe) ? closed.at(-1)!.time : time - 400 * length;
    const last = time - (time % length) - length;
    for (let at = Math.ceil(from / length) * length; at <= last; at += length) {
      if (!kept.has(asEpochMs(at))) missing.push(new Date(at).toISOString());
    }
    expect({ symbol, timeframe, missing }).toEqual({ symbol, timeframe, missing: [] });
    // A jump would be a gap between two bars that is large beside the bars themselves.
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
  { name: '10 minutes', absence: 10 * MINUTE, whole: TIMEFRAMES },
  { name: '5 hours', absence: 5 * HOUR, whole: TIMEFRAMES },
  { name: '3 days', absence: 3 * DAY, whole: TIMEFRAMES },
  { name: '30 days', absence: 30 * DAY, whole: ['4h', '1d'] as const },
];

describe.each(CASES)('after $name away', ({ absence, whole }) => {
  const time = STOPPED + absence;

  test('no bar is missing, closed ones are untouched, longer ones are the aggregate, nothing jumps', async () => {
    const { before, after } = await stopAndReturn(absence);
    await expectSound(before, after, time, whole);
    await after.store.close();
  });

  test('a restart right after it changes nothing: bars, forming bars, cumulative delta', async () => {
    const { after, folder } = await stopAndReturn(absence);
    const seen = each().map(([symbol, timeframe]) => after.bars(symbol, timeframe).slice(-400));
    const deltas = INSTRUMENTS.map(({ symbol }) => after.delta(symbol));
    await after.store.close();
    const again = await comeUp(folder, time);
    expect(each().map(([symbol, timeframe]) => again.bars(symbol, timeframe).slice(-400))).toEqual(seen);
    INSTRUMENTS.forEach(({ symbol }, index) => {
      expect(again.delta(symbol)).toBeCloseTo(deltas[index]!, 6);
    });
    await again.store.close();
  });
});

test('what is filled in after an absence, minutes and ticks, has sim as its source', async () => {
  const { after } = await stopAndReturn(5 * HOUR);
  const blocks = (await after.store.market.tape(STOPPED)).filter(({ bytes }) => bytes.length > 2);
  const sourceOf = (block: TapeBlock): string =>
    isMinute(block) ? decodeMinute(block).source : decodeBlock(block.bytes, block.symbol, block.minute).at(-1)!.source;
  expect(Map.groupBy(blocks, isMinute).size).toBe(2);
  expect(new Set(blocks.map(sourceOf))).toEqual(new Set(['sim']));
  await after.store.close();
});

test('the minute it was stopped in is whole however long it was away', async () => {
  const minute = STOPPED - (STOPPED % MINUTE);
  const bars: (Bar | undefined)[] = [];
  for (const absence of [10 * MINUTE, 5 * HOUR, 30 * DAY]) {
    const { after } = await stopAndReturn(absence);
    bars.push((await stored(after, BTCUSD, '1m')).find(({ time }) => time === minute));
    await after.store.close();
  }
  // After ten minutes everything came tick by tick, so this is what an uninterrupted run has.
  expect(bars[0]).toBeDefined();
  expect(bars).toEqual([bars[0], bars[0], bars[0]]);
});

test('at a rate where no tick is worth catching up, two restarts in a row lose no minute and no delta', async () => {
  const rate = 5_000;
  const { before, after, folder } = await stopAndReturn(3 * MINUTE, rate);
  const deltas = INSTRUMENTS.map(({ symbol }) => after.delta(symbol));
  const hours = after.bars(EURUSD, '1h').at(-1);
  await after.store.close();
  const again = await comeUp(folder, STOPPED + 3 * MINUTE + 200, rate);
  await expectSound(before, again, STOPPED + 3 * MINUTE, TIMEFRAMES);
  const [low, high] = [hours!.volume, again.bars(EURUSD, '1h').at(-1)!.volume];
  expect(high).toBeGreaterThanOrEqual(low);
  // 200 ms more of ticks is all that may have come to it.
  INSTRUMENTS.forEach(({ symbol }, index) => {
    const hour = again.bars(symbol, '1h').at(-1)!;
    expect(Math.abs(again.delta(symbol) - deltas[index]!)).toBeLessThan(hour.volume * 0.05);
  });
  await again.store.close();
});

test('a first start that was cut off before its bars were stored leaves nothing that counts twice', async () => {
  const folder = newFolder();
  let opened: Store | undefined;
  const cutOff = comeUp(folder, STOPPED - 2 * MINUTE, RATE, (store) => {
    opened = store;
    const write = () => Promise.reject(new Error('killed'));
    return { ...store, market: { ...store.market, write } };
  });
  await expect(cutOff).rejects.toThrow('killed');
  await opened!.close();
  await (await comeUp(folder, STOPPED)).store.close();
  const [again, clean] = [await comeUp(folder, STOPPED), await comeUp(newFolder(), STOPPED)];
  for (const [symbol, timeframe] of each()) {
    expect(again.bars(symbol, timeframe).slice(-400)).toEqual(clean.bars(symbol, timeframe).slice(-400));
    expect(again.delta(symbol)).toBeCloseTo(clean.delta(symbol), 6);
  }
  await Promise.all([again.store.close(), clean.store.close()]);
});
