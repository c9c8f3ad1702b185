// Fills a store that was created by a first start with older bars, in bulk: a year of minutes of all instruments is about fifteen
// million rows, which no feed delivers in a minute.
import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { TIMEFRAME_MS, TIMEFRAMES } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';

/** Inserts bars from the first to the last, each opening at the close of the previous one. Existing bars are kept. */
const FILL = `
  WITH RECURSIVE bar (time) AS (SELECT $from UNION ALL SELECT time + $step FROM bar WHERE time + $step < $to),
  priced AS (
    SELECT time, $price * (1 + time / $step % 997 * 1e-5) AS open, $price * (1 + (time / $step + 1) % 997 * 1e-5) AS close
    FROM bar)
  INSERT OR IGNORE INTO bars
  SELECT $symbol, $timeframe, time, open, max(open, close), min(open, close), close, 2.5, 1.25, 1.25, 'trade' FROM priced`;

/** Returns the number of rows in the store. `folder` is the data folder; the service must not be running. */
export function fillWithBars(folder: string, days: number, onSymbol: (symbol: string) => void): number {
  const database = new Database(join(folder, 'sim', 'market.db'));
  try {
    // The store is deleted after the run, so it need not survive a power cut. The service sets its own mode again.
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
