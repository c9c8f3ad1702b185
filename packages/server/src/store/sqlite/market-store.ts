// Closed bars, last prices and the tape in the SQLite files of one realm.
import type { Database } from 'bun:sqlite';
import { TIMEFRAMES } from '@tickwire/contract';
import type { Bar, MarketSymbol } from '@tickwire/engine';
import { decodeHistogram, encodeHistogram } from '../histogram-codec.ts';
import type { HistogramRow, ImportedWrite, MarketStore, Watched } from '../market-store.ts';
import { BAR_COLUMNS, type LastPricesRow, PRICE_COLUMNS, toLastPrices } from '../sql/rows.ts';
import { withFileErrors } from './errors.ts';
import { unsealedDays } from './signal-days.ts';
import type { SqliteTapeStore } from './tape-store.ts';
import { extendWatched, mergeWatched } from './watched.ts';

const SET_NUMBER =
  'INSERT INTO numbers (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value';

export function createMarketStore(database: Database, tape: SqliteTapeStore): MarketStore {
  const run = async <T>(work: () => T): Promise<T> => withFileErrors(database.filename, work);
  const inTransaction = (
    { bars, prices, numbers, days, watched, histograms = [] }: ImportedWrite,
    storeWatched: (database: Database, period: Watched) => void,
  ): Promise<void> =>
    run(() => {
      const bar = database.query('INSERT OR REPLACE INTO bars VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
      const histogram = database.query('INSERT OR REPLACE INTO histograms VALUES (?, ?, ?)');
      const price = database.query('INSERT OR REPLACE INTO last_prices VALUES (?, ?, ?)');
      const number = database.query(SET_NUMBER);
      const imported = database.query('INSERT OR IGNORE INTO imported_days VALUES (?)');
      database
        .transaction(() => {
          for (const b of bars) {
            bar.run(
              b.symbol,
              b.timeframe,
              b.time,
              b.open,
              b.high,
              b.low,
              b.close,
              b.volume,
              b.bidVolume,
              b.askVolume,
              b.basis,
            );
          }
          for (const row of histograms) histogram.run(row.symbol, row.time, encodeHistogram(row));
          for (const { symbol, quote, trade } of prices) {
            price.run(symbol, quote && JSON.stringify(quote), trade && JSON.stringify(trade));
          }
          for (const [name, value] of Object.entries(numbers)) number.run(name, value);
          for (const day of days) imported.run(day);
          for (const period of watched) storeWatched(database, period);
        })
        .immediate();
    });
  return {
    recentBars: (symbols, limit) =>
      run(() => {
        const newest = database.query<Bar, [string, string, number]>(
          `SELECT ${BAR_COLUMNS} FROM bars WHERE symbol = ? AND timeframe = ? ORDER BY time DESC LIMIT ?`,
        );
        return symbols.flatMap((symbol) =>
          TIMEFRAMES.map((timeframe) => ({ symbol, timeframe, bars: newest.all(symbol, timeframe, limit).reverse() })),
        );
      }),
    bars: ({ symbol, timeframe, from, to, limit, first, pricesOnly = false }) =>
      run(() => {
        const rows = database
          .query<Bar, [string, string, number, number, number]>(
            `SELECT ${pricesOnly ? PRICE_COLUMNS : BAR_COLUMNS} FROM bars WHERE symbol = ? AND timeframe = ? AND time >= ? AND time <= ?
             ORDER BY time ${first === 'oldest' ? 'ASC' : 'DESC'} LIMIT ?`,
          )
          .all(symbol, timeframe, from, to, limit);
        return first === 'oldest' ? rows : rows.reverse();
      }),
    histograms: (symbols, from, to) =>
      run(() => {
        const stored = database.query<
          { symbol: MarketSymbol; time: number; bytes: Uint8Array },
          [string, number, number]
        >('SELECT symbol, time, bytes FROM histograms WHERE symbol = ? AND time >= ? AND time < ? ORDER BY time');
        const found: HistogramRow[] = [];
        for (const symbol of symbols)
          for (const { time, bytes } of stored.all(symbol, from, to))
            found.push({ symbol, ...decodeHistogram(time, bytes) });
        return found;
      }),
    lastPrices: () => run(() => database.query<LastPricesRow, []>('SELECT * FROM last_prices').all().map(toLastPrices)),
    watched: (symbol, from, to) =>
      run(() =>
        database
          .query<{ from: number; to: number }, [string, number, number]>(
            'SELECT "from", "to" FROM watched WHERE symbol = ? AND "to" > ? AND "from" < ? ORDER BY "from"',
          )
          .all(symbol, from, to),
      ),
    write: ({ bars, prices, barsUntil, watched = [], histograms = [] }) =>
      inTransaction({ bars, prices, numbers: { bars_until: barsUntil }, days: [], watched, histograms }, extendWatched),
    writeImported: (write) => inTransaction(write, mergeWatched),
    writeTape: async (blocks) => tape.write(blocks),
    syncTape: () => tape.sync(),
    tape: async (from) => tape.read(from),
    tapeOf: async (symbol, from, to) => tape.readOf(symbol, from, to),
    tapeDays: async () => tape.days(),
    replaceTape: async (blocks) => tape.replace(blocks),
    flow: async (from, to) => tape.flow(from, to),
    pruneTape: (time) =>
      run(() => {
        const rows = database.query<{ day: string }, []>('SELECT day FROM imported_days').all();
        // Only days before `time` are pruned, so days after it need not be computed for active signals.
        const judging = unsealedDays(database, time);
        return tape.prune(time, new Set([...rows, ...judging].map(({ day }) => day)));
      }),
    number: (name) =>
      run(
        () => database.query<{ value: number }, [string]>('SELECT value FROM numbers WHERE name = ?').get(name)?.value,
      ),
    setNumber: (name, value) =>
      run(() => {
        database.query(SET_NUMBER).run(name, value);
      }),
    firstTradeBar: (symbol) =>
      run(() => {
        const first = database.query<{ time: number }, [string]>(
          "SELECT time FROM bars WHERE symbol = ? AND basis = 'trade' ORDER BY timeframe <> '1m', time LIMIT 1",
        );
        return first.get(symbol)?.time;
      }),
  };
}
