// A service was killed, then history is imported: nothing of what the service had recorded is lost for the bars.
import { afterAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asEpochMs, Engine, type EngineEvent } from '@tickwire/engine';
import { silentLog } from '../ops/log.ts';
import { Recorder } from '../store/recorder.ts';
import { restoreMarket } from '../store/restore.ts';
import type { MarketStore } from '../store/store.ts';
import { encodeBlock } from '../store/tape-block.ts';
import { MarketView } from '../views/market-view.ts';
import { importInto, newFolder, specOf, withStore } from './store-dump.fixture.ts';

const folders: string[] = [];
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

const MINUTE = 60_000;
const START = Date.UTC(2024, 0, 2, 10);
const XAUUSD = specOf('XAUUSD');
const EURUSD = specOf('EURUSD');

/** A folder as a killed service leaves it: ticks of another instrument on the tape, whose bars were not written. */
async function killedService(): Promise<string> {
  const folder = newFolder();
  folders.push(folder);
  await withStore(folder, async ({ market }) => {
    for (const [index, minute] of [0, 1, 2].map((each) => START + each * MINUTE).entries()) {
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
    await market.write({ bars: [], prices: [], barsUntil: START + 2 * MINUTE });
    await market.setNumber('seq_reserved', 100);
  });
  return folder;
}

const goldMinutes = async (market: MarketStore): Promise<number[]> =>
  (await market.bars({ symbol: XAUUSD.symbol, timeframe: '1m', from: 0, to: 1e14, limit: 99, first: 'oldest' })).map(
    ({ time }) => (time - START) / MINUTE,
  );

async function restart(market: MarketStore) {
  const instruments = [XAUUSD, EURUSD];
  const engine = new Engine(instruments);
  const view = new MarketView(instruments);
  const recorder = new Recorder({ store: market, instruments, log: silentLog, barsUntil: 0 });
  const restored = await restoreMarket({ store: market, instruments, engine, view, recorder });
  const out: EngineEvent[] = [];
  engine.apply({ kind: 'clock', time: asEpochMs(START + 40 * 24 * 60 * MINUTE) }, out);
  return { restored, view, out };
}

const fileOf = (folder: string, from: number, minutes: number): string => {
  const path = join(folder, 'history.csv');
  const lines = Array.from({ length: minutes }, (_, index) => `${from + index * MINUTE},1.1,1.2\n`);
  writeFileSync(path, `time,bid,ask\n${lines.join('')}`);
  return path;
};

test('history from after the service: its last minutes are in the bars, and the start reads none of the history', async () => {
  const folder = await killedService();
  // The command is not told of the instrument whose ticks are there.
  await importInto(folder, 'EURUSD', [fileOf(folder, START + 60 * MINUTE, 3_000)]);
  await withStore(folder, async ({ market }) => {
    expect(await goldMinutes(market)).toEqual([0, 1, 2]);
    const end = START + 3_060 * MINUTE;
    expect([await market.number('bars_until'), await market.number('tape_from')]).toEqual([end, end]);
    const { restored, view } = await restart(market);
    // The service itself had been there until its own last minute: what it missed since is declared from there.
    expect(restored).toEqual({ until: asEpochMs(START + 3 * MINUTE - 1), ticks: 0, seq: 0 });
    expect(view.recent(EURUSD.symbol, '1m', 0, 1e14)).toHaveLength(540);
  });
});

test('history from before the service moves no mark', async () => {
  const folder = await killedService();
  await importInto(folder, 'EURUSD', [fileOf(folder, START - 6_000 * MINUTE, 3_000)]);
  await withStore(folder, async ({ market }) => {
    expect(await goldMinutes(market)).toEqual([0, 1, 2]);
    const mark = START + 3 * MINUTE;
    expect([await market.number('bars_until'), await market.number('tape_from')]).toEqual([mark, mark]);
    expect((await restart(market)).restored).toEqual({ until: asEpochMs(mark - 1), ticks: 0, seq: 0 });
  });
});

test('history alone is no earlier run, and is there all the same', async () => {
  const folder = newFolder();
  folders.push(folder);
  await importInto(folder, 'EURUSD', [fileOf(folder, START, 90)]);
  await withStore(folder, async ({ market }) => {
    const { restored, view, out } = await restart(market);
    expect(restored).toBeNull();
    expect(view.tick(EURUSD.symbol)).toMatchObject({ bid: 1.1, time: START + 89 * MINUTE });
    expect(view.recent(EURUSD.symbol, '1m', 0, 1e14)).toHaveLength(90);
    // The hour that the history ends in closes with all its minutes.
    const hours = out.flatMap((event) => (event.kind === 'bar' && event.timeframe === '1h' ? [event.bar] : []));
    expect(hours.map(({ time, volume }) => [time - START, volume])).toEqual([[60 * MINUTE, 30]]);
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

test('a bar that ends in the future sets no mark there', async () => {
  const folder = newFolder();
  folders.push(folder);
  const today = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  const path = join(folder, 'D1.csv');
  writeFileSync(path, `time,open,high,low,close\n${today - 86_400_000},1,2,1,2\n${today},1,2,1,2\n`);
  await importInto(folder, 'EURUSD', [path], { timeframe: '1d' });
  const mark = await withStore(folder, ({ market }) => market.number('bars_until'));
  expect(mark!).toBeLessThanOrEqual(Date.now());
  expect(mark!).toBeGreaterThan(Date.now() - 5 * MINUTE);
});
