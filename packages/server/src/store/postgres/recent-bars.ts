// Reads the newest bars of an instrument at a start.
import { TIMEFRAMES } from '@tickwire/contract';
import { asEpochMs, type Bar, type MarketSymbol } from '@tickwire/engine';
import type { StoredSeries } from '../market-store.ts';
import { LONG_MS, type PostgresDatabase } from './database.ts';

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

export async function recentBars(
  database: PostgresDatabase,
  symbols: readonly MarketSymbol[],
  limit: number,
): Promise<StoredSeries[]> {
  const found: StoredSeries[] = [];
  for (const symbol of symbols) found.push(...(await recentOf(database, symbol, limit)));
  return found;
}
