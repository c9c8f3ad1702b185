// Minute bars of one instrument in a store.
import { asEpochMs, type Bar, DAY_MS, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import type { openSqliteStore } from '../../packages/server/src/store/sqlite/open-sqlite-store.ts';
import { seededRandom } from './signal-pool.ts';

export const FIRST_MINUTE = Date.UTC(2025, 0, 6);
/** A year of a market that closes on weekends. */
export const YEAR_BARS = 372_000;
/** Bars per transaction. */
const BATCH = 20_000;

/** A walk of prices with five decimals, without weekends. */
function* makeBars(count: number): Generator<Bar, void, void> {
  let price = 1.08;
  const random = seededRandom(1);
  const rounded = (value: number): number => Math.round(value * 1e5) / 1e5;
  for (let index = 0; index < count; index++) {
    const time = FIRST_MINUTE + Math.floor(index / 7_200) * 7 * DAY_MS + (index % 7_200) * MINUTE_MS;
    const open = rounded(price);
    price += (random() - 0.5) * 4e-4 + (1.08 - price) * 1e-4;
    const close = rounded(price);
    const high = rounded(Math.max(open, close) + random() * 2e-4);
    const low = rounded(Math.min(open, close) - random() * 2e-4);
    const volume = Math.round(random() * 50_000) / 100;
    yield {
      time: asEpochMs(time),
      open,
      high,
      low,
      close,
      volume,
      bidVolume: Math.round(volume * 40) / 100,
      askVolume: Math.round(volume * 60) / 100,
      basis: 'trade',
    };
  }
}

export async function writeMinutes(
  { market }: Pick<ReturnType<typeof openSqliteStore>, 'market'>,
  symbol: MarketSymbol,
  count: number,
): Promise<void> {
  const write = (bars: readonly Bar[]): Promise<void> =>
    market.writeImported({
      bars: bars.map((bar) => ({ ...bar, symbol, timeframe: '1m' })),
      prices: [],
      numbers: {},
      days: [],
      watched: [],
    });
  let batch: Bar[] = [];
  for (const bar of makeBars(count)) {
    batch.push(bar);
    if (batch.length < BATCH) continue;
    await write(batch);
    batch = [];
  }
  await write(batch);
}
