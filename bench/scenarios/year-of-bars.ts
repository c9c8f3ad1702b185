// Fills a store that a first start has made with older bars, in the store's own table and in bulk: a year of minutes of all
// instruments is some fifteen million rows, which no feed brings in a minute.
import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { TIMEFRAME_MS, TIMEFRAMES } from '@tickwire/contract';

const DAY_MS = 86_400_000;

/** Bars from the first to the last, each opening where the one before it closed; what is there already stays. */
const FILL = `
  WITH RECURSIVE bar (time) AS (SELECT $from UNION ALL SELECT time + $step FROM bar WHERE time + $step < $to),
  priced AS (
    SELECT time, $price * (1 + time / $step % 997 * 1e-5) AS open, $price * (1 + (time / $step + 1) % 997 * 1e-5) AS close
    FROM bar)
  INSERT OR IGNORE INTO bars
  SELECT $symbol, $timeframe, time, open, max(open, close), min(open, close), close, 2.5, 1.25, 1.25, 'trade' FROM priced`;

/** Rows in the store afterwards. `folder` is that of the data; the service must not be running. */
export function fillWithBars(folder: string, days: number, onSymbol: (symbol: string) => void): number {
  const database = new Database(join(folder, 'sim', 'market.db'));
  try {
    // It is thrown away after the run: it need not survive a power cut. The service sets its own mode again.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000');
    const newest = database
      .query<{ symbol: string; time: number; close: number }, []>(
        "SELECT symbol, max(time) AS time, close FROM bars WHERE timeframe = '1m' GROUP BY symbol",
      )
      .all();
    const fill = database.query(FILL);
    for (const { symbol, time, close } of newest) {
      onSymbol(symbol);
      for (const timeframe of TIMEFRAMES) {
        const step = TIMEFRAME_MS[timeframe];
        const to = time - (time % step);
        const from = to - days * DAY_MS;
        fill.run({
          $from: from - (from % step),
          $to: to,
          $step: step,
          $price: close,
          $symbol: symbol,
          $timeframe: timeframe,
        });
      }
    }
    return database.query<{ rows: number }, []>('SELECT count(*) AS rows FROM bars').get()!.rows;
  } finally {
    database.close();
  }
}
