// Whatever is exported is imported to equal content, in every layout: real recordings of each kind, and simulated markets.
import { beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asEpochMs, asSymbol, type Bar, CATALOGUE, DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { runHere } from '../../testing/command.fixture.ts';
import {
  barsOf,
  filesUnder,
  newFolders,
  type Realm,
  roundTrip,
  ticksOf,
} from '../../testing/export/round-trip.fixture.ts';
import { atScale } from '../../testing/scale.fixture.ts';
import type { Settings } from '../../testing/service.fixture.ts';
import { recording } from '../../testing/shared-data.fixture.ts';
import { encodeMinuteBlocks } from '../import/write/minute-blocks.ts';
import { simHistory } from '../market/feeds/sim/sim-history.ts';
import { SimMarket } from '../market/feeds/sim/sim-market.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import type { TapeRecord } from '../store/store.ts';

const newFolder = newFolders();
const files = (path: string): string[] => filesUnder(recording(path));
const FORMATS = ['csv', 'ndjson', 'parquet'];
const FEW_SERIES = ['1m', '7m', '1d@ny'];
const SERIES = [
  ...FEW_SERIES,
  ...[
    '5m',
    '90m',
    '1h',
    '1h@Asia/Kolkata',
    '2h@ny',
    '4h',
    '4h@ny',
    '1d',
    '1d@Europe/London',
    '1w',
    '1w@ny',
    '1M',
    '1M@ny',
  ],
];

const FREQTRADE_SERIES = atScale(['1m', '4h', '1M'], ['1m', '5m', '1h', '4h', '1d', '1w', '1M']);

interface Source {
  readonly name: string;
  readonly symbol: string;
  readonly realm: Realm;
  readonly settings?: Settings;
  /** The shortest bars that it has. */
  readonly shortest: number;
  readonly series: readonly string[];
  readonly fill: (data: string) => Promise<void>;
}

const imported =
  (paths: string[], flags: string, settings: Settings = {}) =>
  async (data: string): Promise<void> => {
    const { status, err } = await runHere(['import', ...paths, ...flags.split(' ')], { ...settings, data });
    // On a busy machine, standard error has lines of progress.
    if (status !== 0) throw new Error(`the import failed: ${err}`);
  };

const BINANCE = { feeds: 'binance' };
const SOURCES: readonly Source[] = [
  {
    name: 'EURUSD of FXCM, with crossed quotes',
    symbol: 'EURUSD',
    realm: 'live',
    shortest: MINUTE_MS,
    series: SERIES,
    fill: imported(files('lean/eurusd-fxcm/tick'), '--symbol EURUSD'),
  },
  {
    name: 'XAUUSD of OANDA, with more decimals than the instrument',
    symbol: 'XAUUSD',
    realm: 'live',
    shortest: MINUTE_MS,
    series: FEW_SERIES,
    fill: imported(files('lean/xauusd-oanda/tick'), '--symbol XAUUSD --digits 3'),
  },
  {
    name: 'EURUSD of Dukascopy, with volumes',
    symbol: 'EURUSD',
    realm: 'live',
    shortest: MINUTE_MS,
    series: FEW_SERIES,
    fill: imported(
      [recording('dukascopy/sample_m1_data.json')],
      '--symbol EURUSD --format dukascopy-json --timeframe 1m',
    ),
  },
  {
    name: 'BTCUSDT of Binance, with ids and sides of trades',
    symbol: 'BTCUSDT',
    realm: 'live',
    settings: BINANCE,
    shortest: MINUTE_MS,
    series: FEW_SERIES,
    fill: imported([recording('binance-spot/btcusdt_20240808.gz')], '--symbol BTCUSDT', BINANCE),
  },
  {
    name: 'XAUUSD of MetaTrader, with days that end at 17:00 in New York',
    symbol: 'XAUUSD',
    realm: 'live',
    shortest: HOUR_MS,
    series: ['1h', '2h@ny', '4h', '4h@ny', '1d', '1d@ny', '1w', '1w@ny', '1M', '1M@ny'],
    fill: async (data) => {
      for (const name of ['h1', 'd1'])
        await imported([recording(`mt5/XAUUSD${name}.csv`)], '--symbol XAUUSD --timezone broker --points 2')(data);
    },
  },
  {
    name: 'simulated EURUSD',
    symbol: 'EURUSD',
    realm: 'sim',
    shortest: MINUTE_MS,
    series: FEW_SERIES,
    fill: (data) => simulate(data, 'EURUSD'),
  },
  {
    name: 'simulated BTCUSD',
    symbol: 'BTCUSD',
    realm: 'sim',
    shortest: MINUTE_MS,
    series: atScale(FEW_SERIES, SERIES),
    fill: (data) => simulate(data, 'BTCUSD'),
  },
  {
    name: 'BTCUSDT.P, a perpetual',
    symbol: 'BTCUSDT.P',
    realm: 'sim',
    settings: perpetualSettings(),
    shortest: MINUTE_MS,
    series: ['1m', '7m', '1d@ny'],
    fill: (data) => simulate(data, 'BTCUSD', 'BTCUSDT.P'),
  },
];

/** A perpetual of the operator, as its file describes it. */
function perpetualSettings(): Settings {
  const instruments = join(newFolder(), 'instruments.json');
  const perpetual = { symbol: 'BTCUSDT.P', name: 'Bitcoin perpetual', contract: 'perpetual', underlying: 'BTC' };
  const terms = { type: 'crypto', currency: 'USDT', pip_size: 1, digits: 2, contract_size: 1, margin_rate: 0.5 };
  writeFileSync(instruments, JSON.stringify({ instruments: [{ ...perpetual, ...terms, min_lot: 0.01, max_lot: 50 }] }));
  return { feeds: 'push', instruments };
}

/** The history that a first start has, over a change of the clocks, and half an hour of ticks. Stored under `name`. */
async function simulate(data: string, symbol: string, name = symbol): Promise<void> {
  const instrument = CATALOGUE.find((spec) => spec.symbol === symbol)!;
  const market = new SimMarket([instrument], { seed: 7, rate: 1, hours: 'real' });
  const until = asEpochMs(Date.UTC(2026, 2, 10, 15));
  const store = openSqliteStore({ folder: data, realm: 'sim', exclusive: true });
  try {
    const bars = [...simHistory(market, until)].flatMap(({ timeframe, bars: list }) =>
      list.map((bar) => ({ symbol: asSymbol(name), timeframe, ...bar })),
    );
    await store.market.write({ bars, prices: [], barsUntil: until });
    const events = [...market.events(until, asEpochMs(until + 30 * MINUTE_MS))].map((event) => ({
      ...event,
      symbol: asSymbol(name),
    }));
    const records = events.map((event, seq): TapeRecord => ({ seq: seq + 1, event, source: 'sim' }));
    for (const [minute, list] of Map.groupBy(records, ({ event }) => event.time - (event.time % MINUTE_MS)))
      await store.market.writeTape(encodeMinuteBlocks({ ...instrument, symbol: asSymbol(name) }, minute, list));
  } finally {
    await store.close();
  }
}

/** What a layout without sides has of bars. */
const withoutSides = (bars: readonly Bar[]) => bars.map((bar) => ({ ...bar, bidVolume: 0, askVolume: 0 }));
type Tick = Record<string, unknown>;

describe.each(SOURCES)('$name', ({ symbol, realm, settings = {}, shortest, series: names, fill }) => {
  const data = newFolder();
  beforeAll(() => fill(data));
  const again = (command: string): Promise<string> => roundTrip({ symbol, data, realm, command, settings, newFolder });
  const lengthOf = (interval: string): number =>
    ({ m: MINUTE_MS, h: HOUR_MS })[interval.at(-1)!]! * Number.parseInt(interval, 10) || DAY_MS;
  const series = names.map((name) => name.split('@') as [string, string?]);

  test.each(series.map(([interval, align = 'utc'], index) => [interval, align, FORMATS[index % FORMATS.length]!]))(
    'bars of %s (%s) as %s',
    async (interval, align, format) => {
      const partition = interval.endsWith('m') ? 'day' : 'month';
      const copy = await again(
        `bars --interval ${interval} --align ${align} --format ${format} --partition ${partition}`,
      );
      const expected = await closed(interval, align);
      expect(expected.length).toBeGreaterThan(0);
      expect(await barsOf(copy, 'live', symbol, interval, align)).toEqual(expected);
    },
  );

  test.each(FORMATS)('the shortest bars as %s, in one file', async (format) => {
    const interval = shortest === MINUTE_MS ? '1m' : '1h';
    const copy = await again(`bars --interval ${interval} --format ${format} --partition none`);
    expect(await barsOf(copy, 'live', symbol, interval)).toEqual(await closed(interval, 'utc'));
  });

  test.each(['1m', '1h', '1d'].filter((interval) => lengthOf(interval) >= shortest))(
    'bars of %s for Lean',
    async (interval) => {
      const copy = await again(`bars --interval ${interval} --format lean`);
      expect(await barsOf(copy, 'live', symbol, interval)).toEqual(withoutSides(await closed(interval, 'utc')));
    },
  );

  test.each(FREQTRADE_SERIES.filter((interval) => lengthOf(interval) >= shortest))(
    'bars of %s for freqtrade',
    async (interval) => {
      const copy = await again(`bars --interval ${interval} --format freqtrade`);
      expect(await barsOf(copy, 'live', symbol, interval)).toEqual(withoutSides(await closed(interval, 'utc')));
    },
  );

  test.each(FORMATS)('ticks as %s, crossed quotes included', async (format) => {
    if (!(await hasTicks())) return;
    const copy = await again(`ticks --format ${format} --crossed`);
    for (const kind of ['quotes', 'trades'] as const)
      expect(await ticksOf(copy, 'live', symbol, kind)).toEqual(await ticksOf(data, realm, symbol, kind));
    // Bars of the same ticks are the same.
    const whole = await barsOf(copy, 'live', symbol, '1m');
    const recorded = new Map((await barsOf(data, realm, symbol, '1m')).map((bar) => [bar.time, bar]));
    for (const bar of whole) if (recorded.has(bar.time)) expect(bar).toEqual(recorded.get(bar.time)!);
  });

  test('ticks for Lean', async () => {
    if (!(await hasTicks())) return;
    const copy = await again('ticks --format lean');
    const isCrypto = symbol.startsWith('BTC');
    const quotes = (await ticksOf(data, realm, symbol, 'quotes', false)) as Tick[];
    const sized = isCrypto ? quotes : quotes.map((quote) => ({ ...quote, bidSize: 0, askSize: 0 }));
    expect(await ticksOf(copy, 'live', symbol, 'quotes')).toEqual(sized);
    const plain = (trades: unknown[]) => (trades as Tick[]).map(({ time, price, size }) => ({ time, price, size }));
    const trades = await ticksOf(data, realm, symbol, 'trades');
    expect(plain(await ticksOf(copy, 'live', symbol, 'trades'))).toEqual(plain(trades));
  });

  test('trades for freqtrade', async () => {
    const trades = (await ticksOf(data, realm, symbol, 'trades')) as Tick[];
    if (trades.length === 0) return;
    const copy = await again('ticks --format freqtrade');
    expect(await ticksOf(copy, 'live', symbol, 'trades')).toEqual(
      trades.map((trade) => ({ ...trade, sideMethod: null })),
    );
  });

  const hasTicks = async (): Promise<boolean> => (await ticksOf(data, realm, symbol, 'quotes')).length > 0;
  const closed = (interval: string, align: string): Promise<Bar[]> => barsOf(data, realm, symbol, interval, align);
});
