// Rows of real files, compared with the bars that the sources made of the same ticks.
import { describe, expect, test } from 'bun:test';
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import { asEpochMs, asSymbol, type Bar, type BarEvent, BarSeries, MINUTE_MS, roundSize } from '@tickwire/engine';
import { barsIn, importAll, quotesIn, tradesIn } from '../../testing/import/read-rows.fixture.ts';
import { recording, recordingSets } from '../../testing/shared-data.fixture.ts';
import { SIZE_LIMITS } from './files/size-guard.ts';
import { SourceFile } from './files/source-file.ts';
import type { ImportBar, ImportQuote } from './rows/import-row.ts';
import { BROKER } from './rows/timezone.ts';

/** The engine's bars of one timeframe, all closed. */
function engineBars(timeframe: Timeframe, feed: (series: BarSeries) => void): Bar[] {
  const bars = new Map<number, Bar>();
  const series = new BarSeries(asSymbol('ANY'), (event: BarEvent) => {
    if (event.timeframe === timeframe) bars.set(event.bar.time, event.bar);
  });
  feed(series);
  series.advance(Date.UTC(2199, 0, 1));
  return [...bars.values()];
}

const bidMinutes = (quotes: readonly ImportQuote[]): Bar[] =>
  engineBars('1m', (series) => {
    for (const quote of quotes) series.quote(quote.time, quote.bid, quote.bidSize);
  });

/** Aggregates bars of any length: the engine takes each as the minute it starts with. */
const aggregated = (rows: readonly ImportBar[], timeframe: Timeframe): Bar[] =>
  engineBars(timeframe, (series) => {
    for (const { time, open, high, low, close, volume, basis } of rows) {
      series.addMinuteBar({ time, open, high, low, close, volume, bidVolume: 0, askVolume: 0, basis });
    }
  });

type Prices = Pick<Bar, 'open' | 'high' | 'low' | 'close'>;

/** An independent computation: groups the quotes first. */
function askMinutes(quotes: readonly ImportQuote[]): Map<number, Prices> {
  const minutes = Map.groupBy(quotes, ({ time }) => Math.floor(time / MINUTE_MS) * MINUTE_MS);
  return new Map(
    [...minutes].map(([minute, inside]) => {
      const asks = inside.map(({ ask }) => ask);
      return [minute, { open: asks[0]!, high: Math.max(...asks), low: Math.min(...asks), close: asks.at(-1)! }];
    }),
  );
}

const pricesOf = ({ open, high, low, close }: Prices): Prices => ({ open, high, low, close });

/** The ask prices of Lean's minutes, which an import checks but does not store. */
async function leanAsks(file: string): Promise<Prices[]> {
  const source = await SourceFile.open(file, SIZE_LIMITS);
  const [entry] = await source.entries();
  let text = '';
  for await (const chunk of entry!.chunks()) text += Buffer.from(chunk).toString();
  await source.close();
  return text
    .trim()
    .split('\n')
    .map((line) => line.split(',').slice(6, 10).map(Number) as [number, number, number, number])
    .map(([open, high, low, close]) => ({ open, high, low, close }));
}

const DAYS = ['20140501_quote.zip', '20140502_quote.zip', '20140505_quote.zip'];

describe.each(recordingSets('lean'))('Lean ticks add up to the Lean minutes, %s recordings', (set, path) => {
  for (const [folder, symbol, digits] of [
    ['xauusd-oanda', 'XAUUSD', 3],
    ['eurusd-fxcm', 'EURUSD', 5],
  ] as const) {
    test.each(DAYS)(`${symbol} on %s, bid and ask`, async (day) => {
      const options = { symbol, digits };
      const ticks = await importAll([path(`lean/${folder}/tick/${day}`)], options);
      const minutes = await importAll([path(`lean/${folder}/minute/${day}`)], options);
      expect([ticks.report.skippedLines, minutes.report.skippedLines]).toEqual([0, 0]);
      const quotes = quotesIn(ticks.rows);
      const bars = barsIn(minutes.rows);
      expect(bars.length).toBeGreaterThanOrEqual(set === 'full' ? 900 : 180);
      expect(bidMinutes(quotes).map((bar) => [bar.time, pricesOf(bar)])).toEqual(
        bars.map((bar) => [bar.time, pricesOf(bar)]),
      );
      const asks = await leanAsks(path(`lean/${folder}/minute/${day}`));
      expect([...askMinutes(quotes)]).toEqual(bars.map((bar, index) => [bar.time, asks[index]!]));
    });
  }

  test('keeps and counts the crossed quotes of the EURUSD files', async () => {
    const { rows, report } = await importAll([path('lean/eurusd-fxcm/tick/20140502_quote.zip')], {});
    expect(report.crossed).toBeGreaterThan(1_000);
    expect(quotesIn(rows).filter((quote) => quote.crossed).length).toBe(report.crossed);
    expect(quotesIn(rows).filter((quote) => quote.bid > quote.ask).length).toBe(report.crossed);
  });
});

describe('Dukascopy', () => {
  const read = (name: string) => importAll([recording(`dukascopy/sample_${name}_data.json`)], { hours: 'forex' });

  test('ticks add up to the minutes, with volume', async () => {
    const bars = bidMinutes(quotesIn((await read('tick')).rows));
    const minutes = barsIn((await read('m1')).rows).slice(0, 60);
    expect(bars.length).toBe(60);
    expect(bars.map((bar) => [bar.time, pricesOf(bar), bar.volume])).toEqual(
      minutes.map((bar) => [bar.time, pricesOf(bar), bar.volume]),
    );
  });

  test('minutes add up to the hours', async () => {
    const minutes = barsIn((await read('m1')).rows);
    const hours = new Map(barsIn((await read('h1')).rows).map((bar) => [bar.time, bar]));
    const bars = aggregated(minutes, '1h');
    expect(bars.length).toBe(24);
    for (const bar of bars) {
      const own = hours.get(bar.time)!;
      expect(pricesOf(bar)).toEqual(pricesOf(own));
      // The volumes of the hours were stored as 32-bit floats.
      expect(Math.abs(bar.volume - own.volume)).toBeLessThan(own.volume * 2 ** -23);
    }
  });

  test('the timeframe is detected from the rows', async () => {
    expect(barsIn((await read('m1')).rows)[0]!.timeframe).toBe('1m');
    expect(barsIn((await read('h1')).rows)[0]!.timeframe).toBe('1h');
  });
});

describe.each(recordingSets('mt5'))('MetaTrader, %s recordings', (set, path) => {
  const read = (timeframe: string) =>
    importAll([path(`mt5/XAUUSD${timeframe}.csv`)], {
      symbol: 'XAUUSD',
      digits: 3,
      pointDigits: 2,
      timezone: 'broker',
      hours: 'metals',
    });
  /** With the times of the server, which begin the days of its bars at midnight. */
  const inServerTime = (bars: readonly ImportBar[]): ImportBar[] =>
    bars.map((bar) => ({ ...bar, time: asEpochMs(BROKER.toLocal(bar.time)) }));

  test.each([
    ['4h', 'h4', { full: 14_400, compact: 1_532 }],
    ['1d', 'd1', { full: 2_400, compact: 258 }],
  ] as const)('hours add up to %s bars', async (timeframe, name, counts) => {
    const hours = await read('h1');
    const longer = await read(name);
    expect([hours.report.skippedLines, longer.report.skippedLines]).toEqual([0, 0]);
    expect([hours.rows.length, longer.rows.length]).toEqual([set === 'full' ? 57_600 : 5_843, counts[set]]);
    const made = new Map(aggregated(inServerTime(barsIn(hours.rows)), timeframe).map((bar) => [bar.time, bar]));
    const equal = inServerTime(barsIn(longer.rows)).filter((bar) => {
      const own = made.get(bar.time);
      return own && Bun.deepEquals(pricesOf(own), pricesOf(bar)) && own.volume === bar.volume;
    });
    expect(longer.rows[0]).toMatchObject({ timeframe, align: 'ny' });
    expect(equal.length).toBe(counts[set]);
  });

  test.each(['UTC', 'Europe/London', 'UTC-8'])('weekends contradict the time zone %s', async (timezone) => {
    const options = { symbol: 'XAUUSD', digits: 3, pointDigits: 2, timezone, hours: 'metals' } as const;
    const days = importAll([path('mt5/XAUUSDd1.csv')], options);
    await expect(days).rejects.toThrow(`the market opens on Sunday in ${timezone}. Use --timezone broker`);
    for (const name of ['h1', 'h4']) {
      const file = path(`mt5/XAUUSD${name}.csv`);
      await expect(importAll([file], options)).rejects.toThrow(
        `its weekends contradict the time zone ${timezone}: rows end`,
      );
      await expect(importAll([file], options)).rejects.toThrow('which fits --timezone broker');
    }
  });

  test('does not count weekends as gaps', async () => {
    const { gaps } = (await read('h1')).report;
    expect(gaps.longest.length).toBeGreaterThan(0);
    for (const { openMs } of gaps.longest) expect(openMs).toBeLessThan(5 * TIMEFRAME_MS['1d']);
  });
});

describe.each(recordingSets('binance-spot'))('the Binance recording, %s', (_set, path) => {
  test.each(['BTCUSDT', 'ETHUSDT'])(
    '%s: has every trade once, no crossed quote, and a corrected clock',
    async (symbol) => {
      const file = path(`binance-spot/${symbol.toLowerCase()}_20240808.gz`);
      const { rows, report } = await importAll([file], { symbol, digits: 2 });
      const trades = tradesIn(rows);
      const ids = trades.map(({ id }) => id!);
      expect(ids.length).toBeGreaterThan(5_000);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.at(-1)! - ids[0]! + 1).toBe(ids.length);
      expect([report.missingIds, report.repeatedIds, report.crossed]).toEqual([0, 0, 0]);
      expect([...report.skipped.keys()]).toEqual(['other_stream']);
      const quotes = quotesIn(rows);
      expect(quotes.every(({ bid, ask }) => bid < ask)).toBe(true);
      // The local clock is 1.27 s behind: uncorrected quotes would be older than the trades before them.
      let latestTrade = Number.NEGATIVE_INFINITY;
      for (const row of rows) {
        if (row.kind === 'trade') latestTrade = Math.max(latestTrade, row.time);
        else expect(row.time).toBeGreaterThanOrEqual(latestTrade);
      }
      expect(report.lastTime! - report.firstTime!).toBeLessThan(6 * MINUTE_MS);
      expect(report.firstTime!).toBeGreaterThan(asEpochMs(Date.UTC(2024, 7, 8, 23, 54)));
    },
  );

  test('minutes of its trades equal an independent grouping', async () => {
    const { rows } = await importAll([path('binance-spot/btcusdt_20240808.gz')], {
      symbol: 'BTCUSDT',
      digits: 2,
    });
    const trades = tradesIn(rows);
    const bars = engineBars('1m', (series) => {
      for (const { time, price, size, side } of trades) series.trade(time, price, size, side!);
    });
    const minutes = [...Map.groupBy(trades, ({ time }) => Math.floor(time / MINUTE_MS) * MINUTE_MS)];
    expect(bars.length).toBe(minutes.length);
    for (const [index, [minute, inside]] of minutes.entries()) {
      const sorted = inside.toSorted((a, b) => a.time - b.time);
      const prices = inside.map(({ price }) => price);
      const volume = (side: string | null) =>
        roundSize(
          inside.filter((trade) => side === null || trade.side === side).reduce((sum, { size }) => sum + size, 0),
        );
      expect(bars[index]!).toEqual({
        time: asEpochMs(minute),
        open: sorted[0]!.price,
        high: Math.max(...prices),
        low: Math.min(...prices),
        close: sorted.at(-1)!.price,
        volume: volume(null),
        bidVolume: volume('sell'),
        askVolume: volume('buy'),
        basis: 'trade',
      });
    }
  });
});
