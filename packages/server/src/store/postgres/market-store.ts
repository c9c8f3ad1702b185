// Closed bars, last prices and the tape in the schema of one realm.
import { TIMEFRAMES } from '@tickwire/contract';
import { asEpochMs, type Bar, type MarketSymbol } from '@tickwire/engine';
import { decodeHistogram, encodeHistogram } from '../histogram-codec.ts';
import type { BarRow, HistogramRow, ImportedWrite, MarketStore, StoredSeries, Watched } from '../market-store.ts';
import { BAR_COLUMNS, type LastPricesRow, toLastPrices } from '../sql/rows.ts';
import { chunks, lastOfEach, numbers } from './bulk.ts';
import { LONG_MS, type PostgresDatabase, type SqlSession } from './database.ts';
import { BARS_BY_YEAR, HISTOGRAMS_BY_YEAR, type Partitions } from './partitions.ts';
import type { PostgresTapeStore } from './tape-store.ts';
import { extendWatched, mergeWatched } from './watched.ts';

const PUT_BARS = `INSERT INTO bars (symbol, timeframe, time, open, high, low, close, volume, bid_volume, ask_volume, basis)
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::float8[], $5::float8[], $6::float8[], $7::float8[],
    $8::float8[], $9::float8[], $10::float8[], $11::text[])
  ON CONFLICT (symbol, timeframe, time) DO UPDATE SET open = excluded.open, high = excluded.high, low = excluded.low,
    close = excluded.close, volume = excluded.volume, bid_volume = excluded.bid_volume, ask_volume = excluded.ask_volume,
    basis = excluded.basis`;
const PUT_HISTOGRAMS = `INSERT INTO histograms (symbol, time, bytes) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[])
  ON CONFLICT (symbol, time) DO UPDATE SET bytes = excluded.bytes`;
const PUT_PRICES = `INSERT INTO last_prices (symbol, quote, trade) SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
  ON CONFLICT (symbol) DO UPDATE SET quote = excluded.quote, trade = excluded.trade`;
const PUT_NUMBERS = `INSERT INTO numbers (name, value) SELECT * FROM unnest($1::text[], $2::float8[])
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

async function putBars(session: SqlSession, bars: readonly BarRow[]): Promise<void> {
  const rows = lastOfEach(bars, ({ symbol, timeframe, time }) => `${symbol} ${timeframe} ${time}`);
  for (const part of chunks(rows)) {
    const column = (read: (bar: BarRow) => number): string => numbers(part.map(read));
    await session.run(
      PUT_BARS,
      [
        part.map(({ symbol }) => symbol),
        part.map(({ timeframe }) => timeframe),
        column(({ time }) => time),
        column(({ open }) => open),
        column(({ high }) => high),
        column(({ low }) => low),
        column(({ close }) => close),
        column(({ volume }) => volume),
        column(({ bidVolume }) => bidVolume),
        column(({ askVolume }) => askVolume),
        part.map(({ basis }) => basis),
      ],
      LONG_MS,
    );
  }
}

async function putHistograms(session: SqlSession, histograms: readonly HistogramRow[]): Promise<void> {
  for (const part of chunks(lastOfEach(histograms, ({ symbol, time }) => `${symbol} ${time}`)))
    await session.run(
      PUT_HISTOGRAMS,
      [
        part.map(({ symbol }) => symbol),
        numbers(part.map(({ time }) => time)),
        part.map((row) => Buffer.from(encodeHistogram(row))),
      ],
      LONG_MS,
    );
}

/**
 * The newest bars of every timeframe, read backwards from the key. A start reads a hundred thousand bars: each column
 * is fetched as one text, which costs a fraction of as many rows.
 */
async function recentOf(database: PostgresDatabase, symbol: MarketSymbol, limit: number): Promise<StoredSeries[]> {
  const columns = ['time', 'open', 'high', 'low', 'close', 'volume', 'bid_volume', 'ask_volume', 'basis'];
  const rows = await database.rows<Record<string, string>>(
    `SELECT timeframe, ${columns.map((name) => `string_agg(${name}::text, ',') AS ${name}`).join(', ')}
     FROM (SELECT frames.timeframe, recent.* FROM unnest($2::text[]) AS frames (timeframe) CROSS JOIN LATERAL
       (SELECT ${columns.join(', ')} FROM bars WHERE symbol = $1 AND bars.timeframe = frames.timeframe
        ORDER BY time DESC LIMIT $3) recent) bars GROUP BY timeframe`,
    [symbol, TIMEFRAMES, limit],
    LONG_MS,
  );
  const byFrame = new Map(rows.map((row) => [row.timeframe, row]));
  return TIMEFRAMES.map((timeframe) => {
    const row = byFrame.get(timeframe);
    const of = (name: string): string[] => row?.[name]?.split(',') ?? [];
    const [open, high, low, close, volume] = ['open', 'high', 'low', 'close', 'volume'].map(of);
    const [bid, ask, basis] = ['bid_volume', 'ask_volume', 'basis'].map(of);
    const bars = of('time').map(
      (time, index): Bar => ({
        time: asEpochMs(Number(time)),
        open: Number(open![index]),
        high: Number(high![index]),
        low: Number(low![index]),
        close: Number(close![index]),
        volume: Number(volume![index]),
        bidVolume: Number(bid![index]),
        askVolume: Number(ask![index]),
        basis: basis![index] as Bar['basis'],
      }),
    );
    // All columns have the same order, but which one is unspecified.
    return { symbol, timeframe, bars: bars.sort((a, b) => a.time - b.time) };
  });
}

export function createMarketStore(
  database: PostgresDatabase,
  partitions: Partitions,
  tape: PostgresTapeStore,
): MarketStore {
  const inTransaction = (
    { bars, prices, numbers: named, days, watched, histograms = [] }: ImportedWrite,
    storeWatched: (session: SqlSession, period: Watched) => Promise<void>,
  ): Promise<void> => {
    const years = [...new Set(bars.map(({ time }) => BARS_BY_YEAR.at(time).from))];
    const histogramYears = [...new Set(histograms.map(({ time }) => HISTOGRAMS_BY_YEAR.at(time).from))];
    const write = (): Promise<void> =>
      database.write(async (session) => {
        await putBars(session, bars);
        await putHistograms(session, histograms);
        const last = lastOfEach(prices, ({ symbol }) => symbol);
        if (last.length > 0)
          await session.run(PUT_PRICES, [
            last.map(({ symbol }) => symbol),
            last.map(({ quote }) => quote && JSON.stringify(quote)),
            last.map(({ trade }) => trade && JSON.stringify(trade)),
          ]);
        const entries = Object.entries(named);
        if (entries.length > 0)
          await session.run(PUT_NUMBERS, [entries.map(([name]) => name), numbers(entries.map(([, value]) => value))]);
        if (days.length > 0)
          await session.run('INSERT INTO imported_days (day) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [days]);
        for (const period of watched) await storeWatched(session, period);
      });
    return partitions.retried(BARS_BY_YEAR, years, () => partitions.retried(HISTOGRAMS_BY_YEAR, histogramYears, write));
  };
  return {
    async recentBars(symbols, limit) {
      const found: StoredSeries[] = [];
      for (const symbol of symbols) found.push(...(await recentOf(database, symbol, limit)));
      return found;
    },
    async bars({ symbol, timeframe, from, to, limit, first }) {
      const rows = await database.rows<Bar>(
        `SELECT ${BAR_COLUMNS} FROM bars WHERE symbol = $1 AND timeframe = $2 AND time >= $3 AND time <= $4
         ORDER BY time ${first === 'oldest' ? 'ASC' : 'DESC'} LIMIT $5`,
        [symbol, timeframe, from, to, limit],
      );
      return first === 'oldest' ? rows : rows.reverse();
    },
    async histograms(symbols, from, to) {
      const rows = await database.rows<{ symbol: MarketSymbol; time: number; bytes: Buffer }>(
        `SELECT symbol, time, bytes FROM histograms WHERE symbol = ANY($1::text[]) AND time >= $2 AND time < $3
         ORDER BY array_position($1::text[], symbol::text), time`,
        [symbols, from, to],
        LONG_MS,
      );
      return rows.map(({ symbol, time, bytes }) => ({ symbol, ...decodeHistogram(time, bytes) }));
    },
    async lastPrices() {
      const rows = await database.rows<LastPricesRow>('SELECT symbol, quote, trade FROM last_prices ORDER BY symbol');
      return rows.map(toLastPrices);
    },
    watched: (symbol, from, to) =>
      database.rows(
        'SELECT "from", "to" FROM watched WHERE symbol = $1 AND "to" > $2 AND "from" < $3 ORDER BY "from"',
        [symbol, from, to],
      ),
    write: ({ bars, prices, barsUntil, watched = [], histograms = [] }) =>
      inTransaction({ bars, prices, numbers: { bars_until: barsUntil }, days: [], watched, histograms }, extendWatched),
    writeImported: (write) => inTransaction(write, mergeWatched),
    writeTape: (blocks) => tape.write(blocks),
    // Commits are on disk when they resolve: see database.ts.
    syncTape: async () => {},
    tape: (from) => tape.read(from),
    tapeOf: (symbol, from, to) => tape.readOf(symbol, from, to),
    tapeDays: () => tape.days(),
    replaceTape: (blocks) => tape.replace(blocks),
    flow: (from, to) => tape.flow(from, to),
    pruneTape: (time) => tape.prune(time),
    async number(name) {
      const [row] = await database.rows<{ value: number }>('SELECT value FROM numbers WHERE name = $1', [name]);
      return row?.value;
    },
    setNumber: (name, value) =>
      database.write(async (session) => {
        await session.run(PUT_NUMBERS, [[name], numbers([value])]);
      }),
    async firstTradeBar(symbol) {
      const first =
        "SELECT time FROM bars WHERE symbol = $1 AND timeframe = $2 AND basis = 'trade' ORDER BY time LIMIT 1";
      const [minute] = await database.rows<{ time: number }>(first, [symbol, '1m']);
      if (minute) return minute.time;
      const [longer] = await database.rows<{ time: number | null }>(
        `SELECT min(found.time) AS time FROM unnest($2::text[]) AS frames (timeframe) CROSS JOIN LATERAL
           (${first.replace('$2', 'frames.timeframe')}) found`,
        [symbol, TIMEFRAMES],
      );
      return longer?.time ?? undefined;
    },
  };
}
