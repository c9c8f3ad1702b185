// Loads bars of any interval. The six timeframes come from `GET /api/market`, which knows the forming bar best; all others, and
// long ranges, from `GET /api/bars`.
import type { BarsPage, CoreClient, Interval, OhlcvBar, OhlcvBarDetail } from '@tickwire/client';
import { isTimeframe } from '@tickwire/contract/timeframes.ts';

/** Maximum number of bars in a response of `GET /api/market`. */
export const PAGE = 500;
/** Maximum number of bars in a response of `GET /api/bars`. */
const LONG_PAGE = 10_000;
const FIELDS = ['buy_volume', 'sell_volume'] as const;

export type LoadedBar = OhlcvBar | OhlcvBarDetail;
export type BarClient = Pick<CoreClient, 'market' | 'bars'>;

export interface LoadedBars {
  /** Oldest first. */
  readonly bars: readonly LoadedBar[];
  /** There are no older bars. */
  readonly complete: boolean;
}

export interface BarSource {
  readonly client: BarClient;
  readonly symbol: string;
  readonly interval: string;
  readonly signal: AbortSignal;
}

/** The newest bars, at most `PAGE`. */
export function loadNewest(source: BarSource, count: number = PAGE): Promise<LoadedBars> {
  return isTimeframe(source.interval) ? fromMarket(source, count) : fromHistory(source, count);
}

/** The bars before a time: one page, or as many as reach back to `until`, as far as they fit into one response. */
export function loadBefore(
  source: BarSource,
  beforeMs: number,
  until?: { readonly count: number },
): Promise<LoadedBars> {
  if (isTimeframe(source.interval) && until === undefined) return fromMarket(source, PAGE, beforeMs);
  return fromHistory(source, Math.min(LONG_PAGE, until?.count ?? PAGE), beforeMs);
}

async function fromMarket(
  { client, symbol, interval, signal }: BarSource,
  count: number,
  before?: number,
): Promise<LoadedBars> {
  if (!isTimeframe(interval)) throw new Error(`${interval} is not a timeframe`);
  const request = { timeframe: interval, bars: count, ...(before !== undefined && { before }), detail: true } as const;
  const { ohlcv } = await client.market(symbol, request, { signal });
  return { bars: ohlcv, complete: ohlcv.length < count };
}

async function fromHistory(source: BarSource, count: number, before?: number): Promise<LoadedBars> {
  const { client, symbol, signal } = source;
  const interval = source.interval as Interval;
  const query = { interval, limit: count, fields: FIELDS, ...(before !== undefined && { to: before }) };
  let page = await client.bars(symbol, query, { signal });
  // A page that reads many stored bars may be empty and still have a next one.
  while (page.items.length === 0 && page.next !== null && !signal.aborted)
    page = await client.bars(symbol, { ...query, cursor: page.next }, { signal });
  return { bars: page.items.map(withTakerVolume), complete: page.next === null };
}

const withTakerVolume = ({ buy_volume, sell_volume, ...bar }: BarsPage['items'][number]): LoadedBar => ({
  ...bar,
  ask_volume: buy_volume ?? 0,
  bid_volume: sell_volume ?? 0,
});
