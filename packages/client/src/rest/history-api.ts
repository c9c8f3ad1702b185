// Market history: bars of any interval, and what is missing from it.
import type { BarsPage, Coverage, OhlcvBar } from '../common/contract.ts';
import type { BarHistoryOptions, BarsOptions, CoverageOptions } from './history-options.ts';
import { MarketApi } from './market-api.ts';
import { type CallOptions, get } from './request.ts';

const marketPath = (symbol: string): string => `/api/market/${encodeURIComponent(symbol)}`;

const DEFAULT_PAGE_SIZE = 5_000;

/** Market history; part of {@link TickwireClient}. */
export class HistoryApi extends MarketApi {
  /**
   * Bars of any interval, one page: the newest, or from a time on.
   * @example const { items, next } = await client.bars('EURUSD', { interval: '1d', align: 'ny' });
   */
  bars(symbol: string, options: BarsOptions = {}, call?: CallOptions): Promise<BarsPage> {
    return get(this.rest, `/api/bars/${encodeURIComponent(symbol)}`, { ...options }, call);
  }

  /**
   * All bars of a range, fetched page by page as the loop needs them: with `from` the oldest first, without it the newest first,
   * back to the first bar.
   * @example for await (const { time, close } of client.barHistory('EURUSD', { interval: '1d', from: '2020-01-01' })) console.log(time, close);
   */
  async *barHistory(
    symbol: string,
    options: BarHistoryOptions = {},
    call?: CallOptions,
  ): AsyncGenerator<OhlcvBar, void, undefined> {
    const { pageSize = DEFAULT_PAGE_SIZE, ...range } = options;
    let cursor: string | null | undefined;
    do {
      const query = { ...range, limit: pageSize, ...(cursor && { cursor }) };
      const { items, next } = await this.bars(symbol, query, call);
      yield* range.from === undefined ? items.reverse() : items;
      cursor = next;
    } while (cursor !== null);
  }

  /**
   * Which bars of a range are absent, and why: market closed, no trades, or missing.
   * @example const { absent } = await client.coverage('EURUSD', { timeframe: '1m' });
   */
  coverage(symbol: string, options: CoverageOptions = {}, call?: CallOptions): Promise<Coverage> {
    return get(this.rest, `${marketPath(symbol)}/coverage`, { ...options }, call);
  }
}
