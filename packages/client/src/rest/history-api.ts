// Market history: bars of any interval, volume at price, and what is missing from it.
import type { BarsPage, Coverage, FootprintPage, Profile } from '../common/contract.ts';
import type { BarsOptions, CoverageOptions, FootprintOptions, ProfileOptions } from './history-options.ts';
import { MarketApi } from './market-api.ts';
import { type CallOptions, get } from './request.ts';

const marketPath = (symbol: string): string => `/api/market/${encodeURIComponent(symbol)}`;

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
   * Volume at price of a time range, with point of control and value area.
   * @example const { poc, value_area, levels } = await client.profile('BTCUSD');
   */
  profile(symbol: string, options: ProfileOptions = {}, call?: CallOptions): Promise<Profile> {
    return get(this.rest, `/api/profile/${encodeURIComponent(symbol)}`, { ...options }, call);
  }

  /**
   * Footprints, the volume at price of each bar, one page: the newest, or from a time on.
   * @example const { items, next } = await client.footprint('BTCUSD', { interval: '5m' });
   */
  footprint(symbol: string, options: FootprintOptions = {}, call?: CallOptions): Promise<FootprintPage> {
    return get(this.rest, `/api/footprint/${encodeURIComponent(symbol)}`, { ...options }, call);
  }

  /**
   * Which bars of a range are absent, and why: market closed, no trades, or missing.
   * @example const { absent } = await client.coverage('EURUSD', { timeframe: '1m' });
   */
  coverage(symbol: string, options: CoverageOptions = {}, call?: CallOptions): Promise<Coverage> {
    return get(this.rest, `${marketPath(symbol)}/coverage`, { ...options }, call);
  }
}
