// An import after the service was killed: the bars contain everything that the service had recorded.
import { afterAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asEpochMs, DAY_MS, Engine, type EngineEvent, MINUTE_MS } from '@tickwire/engine';
import { importInto, newFolder, specOf, withStore } from '../../../testing/import/store-dump.fixture.ts';
import { MarketView } from '../../market/market-view.ts';
import { Recorder } from '../../market/recorder.ts';
import { restoreMarket } from '../../market/restore.ts';
import { silentLog } from '../../ops/log.ts';
import type { MarketStore } from '../../store/store.ts';
import { encodeBlock } from '../../store/tape-block.ts';

const folders: string[] = [];
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

const START = Date.UTC(2024, 0, 2, 10);
const XAUUSD = specOf('XAUUSD');
const EURUSD = specOf('EURUSD');

/** The folder of a killed service: ticks of another instrument are on the tape, but not in the bars. */
async function killedService(): Promise<string> {
  const folder = newFolder();
  folders.push(folder);
  await withStore(folder, async ({ market }) => {
    for (const [index, minute] of [0, 1, 2].map((each) => START + each * MINUTE_MS).entries()) {
      const event = {
        kind: 'quote' as const,
        symbol: XAUUSD.symbol,
        time: asEpochMs(minute + 5),
        bid: 2_000 + index,
        ask: 2_001,
        bidSize: 0,
        askSize: 0,
      };
      const bytes = encodeBlock([{ seq: index + 1, event, source: 'oanda' }], minute, XAUUSD.digits);
      const block = {
        symbol: XAUUSD.symbol,
        minute: asEpochMs(minute),
        firstSeq: index + 1,
        count: 1,
        bidVolume: 0,
        askVolume: 0,
        bytes,
      };
      await market.writeTape([block]);
    }
    await market.write({ bars: [], prices: [], barsUntil: START + 2 * MINUTE_MS });
    await market.setNumber('seq_reserved', 100);
  });
  return folder;
}

const goldMinutes = async (market: MarketStore): Promise<number[]> =>
  (await market.bars({ symbol: XAUUSD.symbol, timeframe: '1m', from: 0, to: 1e14, limit: 99, first: 'oldest' })).map(
    ({ time }) => (time - START) / MINUTE_MS,
  );

async function restart(market: MarketStore) {
  const instruments = [XAUUSD, EURUSD];
  const engine = new Engine(instruments);
  const view = new MarketView(instruments);
  const recorder = new Recorder({ store: market, instruments, log: silentLog, barsUntil: 0 });
  const restored = await restoreMarket({ store: market, instruments, engine, view, recorder });
  const out: EngineEvent[] = [];
  engine.apply({ kind: 'clock', time: asEpochMs(START + 40 * DAY_MS) }, out);
  return { restored, view, out };
}

const fileOf = (folder: string, from: number, minutes: number): string => {
  const path = join(folder, 'history.csv');
  const lines = Array.from({ length: minutes }, (_, index) => `${from + index * MINUTE_MS},1.1,1.2\n`);
  writeFileSync(path, `time,bid,ask\n${lines.join('')}`);
  return path;
};

test('recovers the last minutes of the service and sets the watermarks after the imported history', async () => {
  const folder = await killedService();
  // The import does not know the instrument of the recorded ticks.
  await importInto(folder, 'EURUSD', [fileOf(folder, START + 60 * MINUTE_MS, 3_000)]);
  await withStore(folder, async ({ market }) => {
    expect(await goldMinutes(market)).toEqual([0, 1, 2]);
    const end = START + 3_060 * MINUTE_MS;
    expect([await market.number('bars_until'), await market.number('tape_from')]).toEqual([end, end]);
    const { restored, view } = await restart(market);
    // The service itself ran until its own last minute: gaps are declared from there.
    expect(restored).toEqual({ until: asEpochMs(START + 3 * MINUTE_MS - 1), ticks: 0, seq: 0 });
    expect(view.recent(EURUSD.symbol, '1m', 0, 1e14)).toHaveLength(540);
  });
});

test('does not move watermarks for history before the last run', async () => {
  const folder = await killedService();
  await importInto(folder, 'EURUSD', [fileOf(folder, START - 6_000 * MINUTE_MS, 3_000)]);
  await withStore(folder, async ({ market }) => {
    expect(await goldMinutes(market)).toEqual([0, 1, 2]);
    const mark = START + 3 * MINUTE_MS;
    expect([await market.number('bars_until'), await market.number('tape_from')]).toEqual([mark, mark]);
    expect((await restart(market)).restored).toEqual({ until: asEpochMs(mark - 1), ticks: 0, seq: 0 });
  });
});

test('does not count imported history as a run, but restores it', async () => {
  const folder = newFolder();
  folders.push(folder);
  await importInto(folder, 'EURUSD', [fileOf(folder, START, 90)]);
  await withStore(folder, async ({ market }) => {
    const { restored, view, out } = await restart(market);
    expect(restored).toBeNull();
    expect(view.tick(EURUSD.symbol)).toMatchObject({ bid: 1.1, time: START + 89 * MINUTE_MS });
    expect(view.recent(EURUSD.symbol, '1m', 0, 1e14)).toHaveLength(90);
    // The last hour of the history closes with all its minutes.
    const hours = out.flatMap((event) => (event.kind === 'bar' && event.timeframe === '1h' ? [event.bar] : []));
    expect(hours.map(({ time, volume }) => [time - START, volume])).toEqual([[60 * MINUTE_MS, 30]]);
    const stored = await market.bars({
      symbol: EURUSD.symbol,
      timeframe: '1h',
      from: 0,
      to: 1e14,
      limit: 9,
      first: 'oldest',
    });
    expect(hours).toEqual(stored.slice(-1));
  });
});

test('sets no watermark in the future', async () => {
  const folder = newFolder();
  folders.push(folder);
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const path = join(folder, 'D1.csv');
  writeFileSync(path, `time,open,high,low,close\n${today - DAY_MS},1,2,1,2\n${today},1,2,1,2\n`);
  await importInto(folder, 'EURUSD', [path], { timeframe: '1d' });
  const mark = await withStore(folder, ({ market }) => market.number('bars_until'));
  expect(mark!).toBeLessThanOrEqual(Date.now());
  expect(mark!).toBeGreaterThan(Date.now() - 5 * MINUTE_MS);
});
