// Imports of real files into the store, compared with the bars that the sources made of the same ticks.
import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { aggregateBars, type Bar, DAY_MS, HOUR_MS, SideInference } from '@tickwire/engine';
import { barsIn, importAll } from '../../testing/import/read-rows.fixture.ts';
import { importInto, newFolder, specOf, ticksOf, withStore } from '../../testing/import/store-dump.fixture.ts';
import { recording, recordingSets } from '../../testing/shared-data.fixture.ts';
import { BROKER } from './rows/timezone.ts';

const folders: string[] = [];
const folder = (): string => {
  folders.push(newFolder());
  return folders.at(-1)!;
};
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

const storedBars = (at: string, symbol: string, timeframe: string): Promise<Bar[]> =>
  withStore(at, ({ market }) =>
    market.bars({ symbol: specOf(symbol).symbol, timeframe, from: 0, to: 1e14, limit: 1e6, first: 'oldest' }),
  );
const shape = ({ time, open, high, low, close }: Bar): number[] => [time, open, high, low, close];
const DAYS = ['20140501_quote.zip', '20140502_quote.zip', '20140505_quote.zip'];

describe.each(recordingSets('lean'))('Lean ticks in the store, %s recordings', (_set, path) => {
  test.each([
    ['xauusd-oanda', 'XAUUSD'],
    ['eurusd-fxcm', 'EURUSD'],
  ] as const)('%s: minutes equal the Lean minutes, in any order of days', async (source, symbol) => {
    const ticks = DAYS.map((day) => path(`lean/${source}/tick/${day}`));
    const minutes = DAYS.map((day) => path(`lean/${source}/minute/${day}`));
    const expected = barsIn((await importAll(minutes, { symbol, digits: specOf(symbol).digits })).rows).map(shape);
    for (const files of [ticks, ticks.toReversed()]) {
      const at = folder();
      const { report, written, fault } = await importInto(at, symbol, files);
      expect([fault, report.skippedLines, written.ticks]).toEqual([null, 0, report.rows]);
      expect((await storedBars(at, symbol, '1m')).map(shape)).toEqual(expected);
      expect((await ticksOf(at)).length).toBe(report.rows);
    }
  });

  test('longer bars equal those of the Lean minutes', async () => {
    const [ofTicks, ofMinutes] = [folder(), folder()];
    await importInto(
      ofTicks,
      'XAUUSD',
      DAYS.map((day) => path(`lean/xauusd-oanda/tick/${day}`)),
    );
    await importInto(
      ofMinutes,
      'XAUUSD',
      DAYS.map((day) => path(`lean/xauusd-oanda/minute/${day}`)),
    );
    for (const timeframe of ['5m', '15m', '1h', '4h', '1d'] as const) {
      const bars = (await storedBars(ofTicks, 'XAUUSD', timeframe)).map(shape);
      expect(bars.length).toBeGreaterThan(2);
      expect((await storedBars(ofMinutes, 'XAUUSD', timeframe)).map(shape)).toEqual(bars);
    }
  });
});

describe.each(recordingSets('mt5'))('MetaTrader hours in the store, %s recordings', (set, path) => {
  test('are stored in UTC; its 4h and 1d bars, of days that end at 17:00 in New York, as such', async () => {
    const at = folder();
    const options = { pointDigits: 2, timezone: 'broker' };
    const { written } = await importInto(at, 'XAUUSD', [path('mt5/XAUUSDh1.csv')], options);
    expect(written).toMatchObject({ ticks: 0, minutes: 0 });
    const hours = (await storedBars(at, 'XAUUSD', '1h')).map((bar) => ({ ...bar, local: BROKER.toLocal(bar.time) }));
    for (const [series, name, length] of [
      ['4h@ny', 'h4', 4 * HOUR_MS],
      ['1d@ny', 'd1', DAY_MS],
    ] as const) {
      const utc = await storedBars(at, 'XAUUSD', '1d');
      await importInto(at, 'XAUUSD', [path(`mt5/XAUUSD${name}.csv`)], options);
      expect(await storedBars(at, 'XAUUSD', '1d')).toEqual(utc);
      const made = Map.groupBy(hours, ({ local }) => local - (local % length));
      const stored = await storedBars(at, 'XAUUSD', series);
      expect(stored.length).toBeGreaterThan(set === 'full' ? 2_000 : 250);
      for (const bar of stored) {
        const own = aggregateBars(bar.time, made.get(BROKER.toLocal(bar.time))!)!;
        expect([...shape(own), own.volume]).toEqual([...shape(bar), bar.volume]);
      }
    }
  });
});

describe('the Binance recording in the store', () => {
  test.each(['BTCUSDT', 'ETHUSDT'])('%s: has every trade id once, even after a second import', async (symbol) => {
    const at = folder();
    const file = recording(`binance-spot/${symbol.toLowerCase()}_20240808.gz`);
    for (let round = 0; round < 2; round++) await importInto(at, symbol, [file]);
    const ids = (await ticksOf(at)).flatMap((tick) => (tick.kind === 'trade' ? [tick.id!] : []));
    expect(new Set(ids).size).toBe(ids.length);
    expect(Math.max(...ids) - Math.min(...ids) + 1).toBe(ids.length);
  });

  // The true side is known here. docs/reference/import.md contains the results: this test shows a change of the rules.
  test.each([
    ['BTCUSDT', 0.985, 0.96],
    ['ETHUSDT', 0.985, 0.96],
  ] as const)('%s: infers sides as well as documented', async (symbol, quoteRule, tickRule) => {
    const { rows } = await importAll([recording(`binance-spot/${symbol.toLowerCase()}_20240808.gz`)], {
      symbol,
      digits: 2,
    });
    const both = new SideInference();
    const ticksOnly = new SideInference();
    const right = { trades: 0, both: 0, ticksOnly: 0, byQuote: 0, byQuoteRight: 0 };
    for (const row of rows) {
      if (row.kind === 'quote') both.quote(row.time, row.bid, row.ask);
      if (row.kind !== 'trade') continue;
      right.trades++;
      const inferred = both.trade(row.time, row.price);
      if (inferred.side === row.side) right.both++;
      if (inferred.sideMethod === 'quote_rule') {
        right.byQuote++;
        if (inferred.side === row.side) right.byQuoteRight++;
      }
      if (ticksOnly.trade(row.time, row.price).side === row.side) right.ticksOnly++;
    }
    const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)}%`;
    console.info(
      `${symbol}: of ${right.trades} trades, quote rule then tick rule ${percent(right.both, right.trades)} right (quote rule alone ${percent(right.byQuoteRight, right.byQuote)} of the ${right.byQuote} it decides), tick rule only ${percent(right.ticksOnly, right.trades)}`,
    );
    expect(right.both / right.trades).toBeGreaterThan(quoteRule);
    expect(right.ticksOnly / right.trades).toBeGreaterThan(tickRule);
  });
});
