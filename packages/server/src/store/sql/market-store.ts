// MarketStore in SQL that both SQLite and PostgreSQL understand. The tape, and reading many bars at once, are different.
import { TIMEFRAMES } from '@tickwire/contract';
import {
  type Bar,
  DAY_MS,
  HOUR_MS,
  type MarketSymbol,
  MINUTE_MS,
  type QuoteEvent,
  type TradeEvent,
} from '@tickwire/engine';
import { decodeHistogram, encodeHistogram } from '../histogram-codec.ts';
import type {
  AddedInstrument,
  Fetched,
  HistogramRow,
  ImportedWrite,
  LastPrices,
  MarketStore,
  PartKey,
  TapeBlock,
  Watched,
} from '../market-store.ts';
import { blocksOf, isIntact, PART, type TapeRow } from '../tape-rows.ts';
import { long, rows, rowsFor, runFor, type SharedWork, type WorkRunner } from './shared-work.ts';
import { unsealedDays } from './signal-days.ts';
import { put, storedFields } from './stored-fields.ts';
import * as tables from './tables/market-tables.ts';
import { extendWatched, mergeFetched, mergeWatched } from './watched.ts';

const BARS = storedFields(tables.BARS);
const HISTOGRAMS = storedFields(tables.HISTOGRAMS);
const PRICES = storedFields(tables.LAST_PRICES);
const NUMBERS = storedFields(tables.NUMBERS);
const ADDED = storedFields(tables.ADDED_INSTRUMENTS);

/** Columns of bars without the volumes by side and the basis. Reading them takes a third less time. */
const PRICE_COLUMNS = 'time, open, high, low, close, volume';
/** Columns named like the fields of a bar, so that a row is a bar without copying: a start reads a hundred thousand. */
export const BAR_COLUMNS = `${PRICE_COLUMNS}, bid_volume AS "bidVolume", ask_volume AS "askVolume", basis`;
/** The same for a block of the tape. */
export const BLOCK_COLUMNS =
  'symbol, minute, first_seq AS "firstSeq", count, bid_volume AS "bidVolume", ask_volume AS "askVolume", checksum, bytes';

/** The key of the tape begins with the minute, so each minute from $1 to before $2 is looked up by itself: a range would read all symbols. */
const EACH_MINUTE = `WITH RECURSIVE minutes (minute) AS (
    SELECT CAST($1 AS BIGINT) UNION ALL SELECT minute + ${MINUTE_MS} FROM minutes WHERE minute + ${MINUTE_MS} < $2)`;

/** The rows of a symbol ($3) from $1 to before $2, and the parts. */
export const ROWS_OF = `SELECT ${BLOCK_COLUMNS} FROM tape
  WHERE minute >= $1 AND minute < $2 AND symbol IN ($3, '') ORDER BY minute, first_seq`;

/** The rows of the first minute that has some of a symbol ($3), or parts. */
export const FIRST_ROWS = `${EACH_MINUTE}
  SELECT ${BLOCK_COLUMNS} FROM tape WHERE symbol IN ($3, '') AND minute = (SELECT m.minute FROM minutes m WHERE EXISTS (
    SELECT 1 FROM tape t WHERE t.minute = m.minute AND t.symbol IN ($3, '')) ORDER BY m.minute LIMIT 1) ORDER BY first_seq`;

/** All rows of the minutes that have parts. */
export const ROWS_WITH_PARTS = `${EACH_MINUTE}
  SELECT ${BLOCK_COLUMNS} FROM tape WHERE minute IN (SELECT m.minute FROM minutes m WHERE EXISTS (
    SELECT 1 FROM tape t WHERE t.minute = m.minute AND t.symbol = '')) ORDER BY minute, first_seq`;

/** SQLite responds at once. */
type Soon<T> = T | Promise<T>;

/** The tape of a realm, as described in MarketStore. */
export interface TapeStore {
  write(blocks: readonly TapeBlock[], gathered?: readonly PartKey[]): Soon<void>;
  replace(blocks: readonly TapeBlock[]): Soon<void>;
  sync(): Soon<void>;
  read(from: number, to?: number): Soon<TapeBlock[]>;
  readOf(symbol: MarketSymbol, from: number, to: number): Soon<TapeBlock[]>;
  /** All rows of the first minute that has blocks of the symbol, or parts. */
  readFirstOf(symbol: MarketSymbol, from: number, to: number): Soon<TapeRow[]>;
  /** All rows of the minutes that have parts. */
  readWithParts(from: number, to: number): Soon<TapeRow[]>;
  /** The file or table of a minute. */
  nameOf(minute: number): string;
  days(): Soon<string[]>;
  /** Sums over the rows of other minutes than `except`. */
  flow(from: number, to: number, except: readonly number[]): Soon<readonly TapeFlow[]>;
  drop(days: readonly string[]): Soon<void>;
}

export type TapeFlow = Pick<TapeBlock, 'symbol' | 'bidVolume' | 'askVolume'>;

export const flowSql = (except: readonly number[]): string =>
  `SELECT symbol, sum(bid_volume) AS "bidVolume", sum(ask_volume) AS "askVolume" FROM tape
   WHERE minute >= $1 AND minute < $2 ${except.length > 0 ? `AND minute NOT IN (${except.join()})` : ''} GROUP BY symbol`;

/** Damaged blocks of a tape. Reads it an hour at a time. */
export async function* damagedBlocks(
  tape: Pick<TapeStore, 'days' | 'read'>,
  newestDays = Number.POSITIVE_INFINITY,
): AsyncGenerator<TapeBlock, void, void> {
  for (const day of (await tape.days()).slice(-newestDays)) {
    for (let from = Date.parse(day); from < Date.parse(day) + DAY_MS; from += HOUR_MS)
      for (const block of await tape.read(from, from + HOUR_MS)) if (block.damaged) yield block;
  }
}

export interface MarketStoreOptions {
  readonly runner: WorkRunner;
  readonly tape: TapeStore;
  readonly recentBars: MarketStore['recentBars'];
  /** Creates the partitions that bars and histograms need, where the database has some. Default: it has none. */
  readonly inPartitions?: (
    write: Pick<ImportedWrite, 'bars' | 'histograms'>,
    work: () => Promise<void>,
  ) => Promise<void>;
}

export function createMarketStore({ runner, tape, recentBars, inPartitions }: MarketStoreOptions): MarketStore {
  const { read } = runner;
  const write = (imported: ImportedWrite, storeWatched: (period: Watched) => SharedWork<void>): Promise<void> => {
    const work = () => runner.write(() => long(writeMarket(imported, storeWatched)));
    return inPartitions ? inPartitions(imported, work) : work();
  };
  return {
    recentBars,
    bars: ({ symbol, timeframe, from, to, limit, first, pricesOnly = false }) =>
      read(function* () {
        const found = yield* rows<Bar>(
          `SELECT ${pricesOnly ? PRICE_COLUMNS : BAR_COLUMNS} FROM bars
           WHERE symbol = $1 AND timeframe = $2 AND time >= $3 AND time <= $4
           ORDER BY time ${first === 'oldest' ? 'ASC' : 'DESC'} LIMIT $5`,
          symbol,
          timeframe,
          from,
          to,
          limit,
        );
        return first === 'oldest' ? found : found.reverse();
      }),
    histograms: (symbols, from, to) =>
      read(function* () {
        const found = yield* long(
          rowsFor<{ symbol: MarketSymbol; time: number; bytes: Uint8Array }, 'wanted' | 'place'>(
            `SELECT symbol, time, bytes FROM histograms, {records}
             WHERE symbol = r.wanted AND time >= $1 AND time < $2 ORDER BY r.place, time`,
            { wanted: 'text', place: 'int' },
            symbols.map((wanted, place) => ({ wanted, place })),
            from,
            to,
          ),
        );
        return found.map(({ symbol, time, bytes }): HistogramRow => ({ symbol, ...decodeHistogram(time, bytes) }));
      }),
    lastPrices: () =>
      read(function* () {
        const found = yield* rows<{ symbol: MarketSymbol; quote: string | null; trade: string | null }>(
          'SELECT symbol, quote, trade FROM last_prices ORDER BY symbol',
        );
        return found.map(
          ({ symbol, quote, trade }): LastPrices => ({
            symbol,
            quote: quote ? (JSON.parse(quote) as QuoteEvent) : null,
            trade: trade ? (JSON.parse(trade) as TradeEvent) : null,
          }),
        );
      }),
    watched: (symbol, from, to) =>
      read(() =>
        rows<{ from: number; to: number }>(
          'SELECT "from", "to" FROM watched WHERE symbol = $1 AND "to" > $2 AND "from" < $3 ORDER BY "from"',
          symbol,
          from,
          to,
        ),
      ),
    fetched: (symbol, from, to) =>
      read(() =>
        rows<Fetched>(
          `SELECT timeframe, "from", "to" FROM fetched WHERE symbol = $1 AND "to" > $2 AND "from" < $3
           ORDER BY "from", timeframe`,
          symbol,
          from,
          to,
        ),
      ),
    write({ barsUntil, tapeFrom, watched = [], ...rest }) {
      const numbers = { bars_until: barsUntil, ...(tapeFrom !== undefined && { tape_from: tapeFrom }) };
      return write({ ...rest, numbers, days: [], watched }, extendWatched);
    },
    writeImported: (imported) => write(imported, mergeWatched),
    writeTape: async (blocks, gathered) => tape.write(blocks, gathered),
    async gatherTape(from) {
      const rows = await rowsWithParts(tape, from);
      const blocks = blocksOf(rows, (minute) => tape.nameOf(minute)).filter(({ damaged }) => !damaged);
      // A damaged part stays, so that it is found.
      await tape.write(
        blocks,
        rows.filter((row) => row.symbol === PART && isIntact(row)),
      );
    },
    damagedTape: (newestDays) => damagedBlocks(tape, newestDays),
    syncTape: async () => tape.sync(),
    tape: async (from) => tape.read(from),
    tapeOf: async (symbol, from, to) => tape.readOf(symbol, from, to),
    async firstTapeOf(symbol, from, to) {
      for (let start = from; start < to; ) {
        const rows = await tape.readFirstOf(symbol, start, to);
        if (rows.length === 0) break;
        const blocks = blocksOf(rows, (minute) => tape.nameOf(minute), symbol);
        if (blocks.length > 0) return blocks;
        // The parts of this minute have no ticks of the symbol.
        start = rows[0]!.minute + MINUTE_MS;
      }
      return [];
    },
    tapeDays: async () => tape.days(),
    replaceTape: async (blocks) => tape.replace(blocks),
    async flow(from, to) {
      const inParts = await rowsWithParts(tape, from, to);
      const gathered = await tape.flow(from, to, [...new Set(inParts.map(({ minute }) => minute))]);
      const sums = new Map<MarketSymbol, { bidVolume: number; askVolume: number }>();
      for (const { symbol, bidVolume, askVolume } of [
        ...gathered,
        ...blocksOf(inParts, (minute) => tape.nameOf(minute)),
      ]) {
        const sum = sums.get(symbol) ?? { bidVolume: 0, askVolume: 0 };
        sums.set(symbol, { bidVolume: sum.bidVolume + bidVolume, askVolume: sum.askVolume + askVolume });
      }
      return sums;
    },
    async pruneTape(time) {
      const ended = (await tape.days()).filter((day) => Date.parse(day) + DAY_MS <= time);
      if (ended.length === 0) return 0;
      const kept = await runner.snapshot(() => keptDays(time));
      const expired = ended.filter((day) => !kept.has(day));
      await tape.drop(expired);
      return expired.length;
    },
    number: (name) =>
      read(function* () {
        return (yield* rows<{ value: number }>('SELECT value FROM numbers WHERE name = $1', name))[0]?.value;
      }),
    setNumber: (name, value) => runner.write(() => put(NUMBERS, [{ name, value }])),
    addedInstruments: () =>
      read(() => rows<AddedInstrument>(`SELECT ${ADDED.select} FROM added_instruments ORDER BY added_at, symbol`)),
    addInstrument: (added) => runner.write(() => put(ADDED, [{ ...added }])),
    firstTradeBar: (symbol) =>
      read(function* () {
        const [minute] = yield* firstTradeBars(symbol, ['1m']);
        const [longer] = minute === undefined ? yield* firstTradeBars(symbol, TIMEFRAMES) : [];
        return minute ?? longer;
      }),
  };
}

/** All rows of the minutes that have parts. */
async function rowsWithParts(tape: TapeStore, from: number, to = Number.POSITIVE_INFINITY): Promise<TapeRow[]> {
  const rows: TapeRow[] = [];
  for (const start of (await tape.days()).map((day) => Date.parse(day))) {
    const [first, end] = [Math.max(from - (from % MINUTE_MS), start), Math.min(to, start + DAY_MS)];
    if (first < end) for (const row of await tape.readWithParts(first, end)) rows.push(row);
  }
  return rows;
}

function* writeMarket(
  { bars, prices, numbers, days, watched, fetched = [], histograms = [] }: ImportedWrite,
  storeWatched: (period: Watched) => SharedWork<void>,
): SharedWork<void> {
  yield* put(BARS, bars);
  yield* put(
    HISTOGRAMS,
    histograms.map((row) => ({ symbol: row.symbol, time: row.time, bytes: encodeHistogram(row) })),
  );
  yield* put(
    PRICES,
    prices.map(({ symbol, quote, trade }) => ({
      symbol,
      quote: quote && JSON.stringify(quote),
      trade: trade && JSON.stringify(trade),
    })),
  );
  yield* put(
    NUMBERS,
    Object.entries(numbers).map(([name, value]) => ({ name, value })),
  );
  yield* runFor(
    'INSERT INTO imported_days (day) SELECT r.day FROM {records} WHERE true ON CONFLICT (day) DO NOTHING',
    { day: 'text' },
    days.map((day) => ({ day })),
  );
  for (const period of watched) yield* storeWatched(period);
  for (const range of fetched) yield* mergeFetched(range);
}

/** Days before `time` whose tape must be kept: imported ones, and those that signals need until they are sealed. */
function* keptDays(time: number): SharedWork<ReadonlySet<string>> {
  const imported = yield* rows<{ day: string }>('SELECT day FROM imported_days');
  const judging = yield* unsealedDays(time);
  return new Set([...imported, ...judging].map(({ day }) => day));
}

/** The times of the first bar made of trades in some of the series, ascending. */
function* firstTradeBars(symbol: string, series: readonly string[]): SharedWork<number[]> {
  const found = yield* rowsFor<{ time: number }, 'wanted'>(
    `SELECT first.time FROM {each} (SELECT time FROM bars
       WHERE symbol = $1 AND timeframe = r.wanted AND basis = 'trade' ORDER BY time LIMIT 1) first`,
    { wanted: 'text' },
    series.map((wanted) => ({ wanted })),
    symbol,
  );
  return found.map(({ time }) => time).sort((a, b) => a - b);
}
