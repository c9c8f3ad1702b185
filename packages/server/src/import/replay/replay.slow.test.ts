// A replay gives the same result at any speed and with any batch size.
import { afterAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine, type InstrumentSpec, roundSize } from '@tickwire/engine';
import { importAll, surveyedImport, tradesIn } from '../../../testing/import/read-rows.fixture.ts';
import { newFolder, specOf, ticksOf, withStore } from '../../../testing/import/store-dump.fixture.ts';
import { fullestRecording } from '../../../testing/shared-data.fixture.ts';
import { MemoryJournal } from '../../journal/memory-journal.ts';
import { Intake } from '../../market/intake.ts';
import { Recorder } from '../../market/recorder.ts';
import { SpikeFilter } from '../../market/spike-filter.ts';
import { silentLog } from '../../ops/log.ts';
import type { ImportRun } from '../read-files.ts';
import type { ImportRow } from '../rows/import-row.ts';
import { createReplaySink, ReplayFeed } from './replay-feed.ts';
import { ReplayPlayer } from './replay-player.ts';

const folders: string[] = [];
const folder = (): string => {
  folders.push(newFolder());
  return folders.at(-1)!;
};
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

interface Played {
  /** Over all bar and order flow events with their seq. */
  readonly hash: string;
  readonly bars: number;
  readonly flows: number;
  readonly refused: ReadonlyMap<string, number>;
}

/** The pipeline from intake to journal, fed by `play`. */
async function pipeline(
  spec: InstrumentSpec,
  play: (intake: Intake, journal: MemoryJournal) => Promise<void>,
): Promise<Played> {
  const engine = new Engine([spec]);
  const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, silentLog);
  const intake = new Intake({ instruments: [spec], engine, journal, log: silentLog, spikes: new SpikeFilter(null) });
  const hash = createHash('sha256');
  const counts = { bar: 0, flow: 0 };
  journal.subscribe(({ firstSeq, events }) => {
    for (const [index, event] of events.entries()) {
      if (event.kind !== 'bar' && event.kind !== 'flow') continue;
      counts[event.kind]++;
      hash.update(`${firstSeq + index} ${JSON.stringify(event)}\n`);
    }
  });
  await play(intake, journal);
  return { hash: hash.digest('hex'), bars: counts.bar, flows: counts.flow, refused: intake.refused };
}

const read = (spec: InstrumentSpec, file: string): Promise<ImportRun> =>
  surveyedImport([file], { symbol: spec.symbol, digits: spec.digits });

const replayed = (spec: InstrumentSpec, file: string, speed: number): Promise<Played> =>
  pipeline(spec, async (intake) => {
    const feed = new ReplayFeed({
      run: await read(spec, file),
      symbol: spec.symbol,
      speed,
      sink: createReplaySink(intake),
      written: async () => {},
    });
    feed.start();
    await feed.finished;
  });

const inBatches = (spec: InstrumentSpec, rows: readonly ImportRow[], size: number): Promise<Played> =>
  pipeline(spec, async (intake) => {
    const player = new ReplayPlayer(spec.symbol, createReplaySink(intake));
    for (let at = 0; at < rows.length; at += size) {
      player.load(rows.slice(at, at + size));
      while (player.due !== null) player.play(Number.POSITIVE_INFINITY, 1 + (at % 977));
    }
  });

describe('replay of real recordings', () => {
  test.each([
    ['BTCUSDT', 'binance-spot/btcusdt_20240808.gz', 2_000],
    ['ETHUSDT', 'binance-spot/ethusdt_20240808.gz', 2_000],
    ['XAUUSD', 'lean/xauusd-oanda/tick/20140502_quote.zip', 500_000],
    ['EURUSD', 'lean/eurusd-fxcm/tick/20140502_quote.zip', 500_000],
  ] as const)('%s: gives the same bytes at any speed and with any batch size', async (symbol, path, speed) => {
    const spec = specOf(symbol);
    const file = fullestRecording(path);
    const first = await replayed(spec, file, Number.POSITIVE_INFINITY);
    expect(first.bars).toBeGreaterThan(5);
    expect(await replayed(spec, file, Number.POSITIVE_INFINITY)).toEqual(first);
    expect(await replayed(spec, file, speed)).toEqual(first);
    const { rows } = await importAll([file], { symbol, digits: spec.digits });
    for (const size of [1, 7, 1_000, rows.length]) expect(await inBatches(spec, rows, size)).toEqual(first);
  });

  test('has every trade of the Binance recording on the tape once, and bars that equal an independent computation', async () => {
    const at = folder();
    const spec = specOf('BTCUSDT');
    const file = fullestRecording('binance-spot/btcusdt_20240808.gz');
    await withStore(at, async ({ market: store }) => {
      const played = await pipeline(spec, async (intake, journal) => {
        const recorder = new Recorder({ store, instruments: [spec], log: silentLog, barsUntil: 0 });
        journal.subscribe(recorder.read);
        const run = await read(spec, file);
        const feed = new ReplayFeed({
          run,
          symbol: spec.symbol,
          speed: Number.POSITIVE_INFINITY,
          sink: createReplaySink(intake),
          written: () => recorder.drain(),
        });
        feed.start();
        await feed.finished;
        await recorder.flush();
        expect(recorder.ticksWritten).toBe(run.report.rows);
      });
      expect([...played.refused]).toEqual([]);
    });
    const trades = tradesIn((await importAll([file], { symbol: 'BTCUSDT', digits: 2 })).rows);
    const onTape = (await ticksOf(at)).filter((tick) => tick.kind === 'trade');
    expect(onTape.map(({ id }) => id!).sort((a, b) => a - b)).toEqual(trades.map(({ id }) => id!));

    const minutes = [...Map.groupBy(trades, ({ time }) => Math.floor(time / 60_000) * 60_000)].slice(1, -1);
    const bars = await withStore(at, ({ market }) =>
      market.bars({
        symbol: spec.symbol,
        timeframe: '1m',
        from: minutes[0]![0],
        to: minutes.at(-1)![0],
        limit: 99,
        first: 'oldest',
      }),
    );
    expect(bars.map(({ time, high, low, volume }) => [time as number, high, low, volume])).toEqual(
      minutes.map(([minute, inside]) => {
        const prices = inside.map(({ price }) => price);
        const volume = roundSize(inside.reduce((sum, { size }) => sum + size, 0));
        return [minute, Math.max(...prices), Math.min(...prices), volume];
      }),
    );
  });
});

describe('ReplayPlayer', () => {
  const spec = specOf('EURUSD');
  const START = Date.UTC(2024, 0, 2);
  const quote = (ms: number): ImportRow =>
    ({ kind: 'quote', time: START + ms, bid: 1.1, ask: 1.2, bidSize: 0, askSize: 0, crossed: false }) as never;
  const recordingPlayer = () => {
    const played: string[] = [];
    const sink = {
      accept: (events: Iterable<{ time: number }>) =>
        played.push(...[...events].map(({ time }) => `tick ${time - START}`)),
      fill: (minutes: Iterable<{ bar: { time: number } }>) =>
        played.push(...[...minutes].map(({ bar }) => `minute ${bar.time - START}`)),
      clock: (time: number) => played.push(`clock ${time - START}`),
    };
    return { played, player: new ReplayPlayer(spec.symbol, sink as never) };
  };

  test('sets the clock to the latest time, never back', () => {
    const { played, player } = recordingPlayer();
    player.load([quote(100), quote(900), quote(2_500), quote(1_000), quote(2_600), quote(3_000)]);
    player.play(Number.POSITIVE_INFINITY, 99);
    expect(played).toEqual([
      'clock 0',
      'tick 100',
      'tick 900',
      'clock 2000',
      'tick 2500',
      'tick 1000',
      'tick 2600',
      'clock 3000',
      'tick 3000',
    ]);
  });

  test('plays only rows that are due; late rows are due immediately', () => {
    const { played, player } = recordingPlayer();
    player.load([quote(100), quote(900), quote(50), quote(901)]);
    player.play(START + 500, 99);
    expect([played.at(-1), player.due as number]).toEqual(['tick 100', START + 900]);
    player.play(START + 900, 99);
    expect([played.at(-1), player.due as number]).toEqual(['tick 50', START + 901]);
    player.play(START + 901, 99);
    expect([player.due, player.played]).toEqual([null, 4]);
  });

  test('plays minutes when they have ended and rejects longer bars', () => {
    const { played, player } = recordingPlayer();
    const bar = (timeframe: string): ImportRow =>
      ({
        kind: 'bar',
        time: START,
        timeframe,
        open: 1,
        high: 1,
        low: 1,
        close: 1,
        volume: 1,
        bidVolume: 0,
        askVolume: 0,
        basis: 'bid',
      }) as never;
    player.load([bar('1m')]);
    player.play(START + 59_998, 9);
    expect(played).toEqual([]);
    player.play(START + 60_000, 9);
    expect(played).toEqual(['clock 59000', 'minute 0']);
    player.load([bar('1h')]);
    expect(() => player.play(Number.POSITIVE_INFINITY, 9)).toThrow('its bars have the timeframe 1h');
  });

  test('plays at the given speed and stops immediately', async () => {
    const files = mkdtempSync(join(tmpdir(), 'tickwire-replay-'));
    const path = join(files, 'slow.csv');
    writeFileSync(
      path,
      `time,bid,ask\n${[0, 1_000, 2_000, 3_600_000].map((ms) => `${START + ms},1.1,1.2\n`).join('')}`,
    );
    let ticks = 0;
    const sink = {
      accept: (events: Iterable<unknown>) => (ticks += [...events].length),
      fill: () => {},
      clock: () => {},
    };
    const feed = new ReplayFeed({
      run: await read(spec, path),
      symbol: spec.symbol,
      speed: 10,
      sink: sink as never,
      written: async () => {},
    });
    const started = performance.now();
    feed.start();
    while (ticks < 3) await Bun.sleep(5);
    expect(performance.now() - started).toBeGreaterThan(190);
    feed.stop();
    await feed.finished;
    expect([ticks, feed.status().state]).toEqual([3, 'stopped']);
    rmSync(files, { recursive: true });
  });
});
