// Market history: bars of any interval, indicators, volume at price, and what is missing from it.
import type {
  BarsPage,
  BarsPages,
  Coverage,
  FootprintPage,
  IndicatorList,
  IndicatorPage,
  IndicatorSet,
  IndicatorText,
  OhlcvBar,
  Profile,
  TicksPage,
} from '../common/contract.ts';
import type {
  BarHistoryOptions,
  BarsOptions,
  CoverageOptions,
  Download,
  DownloadOptions,
  FootprintOptions,
  ProfileOptions,
  TicksOptions,
} from './history-options.ts';
import type { IndicatorsOptions } from './indicator-options.ts';
import { MarketApi } from './market-api.ts';
import { type CallOptions, get, getStream } from './request.ts';

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
   * Every indicator of the service with its inputs, lines and formula.
   * @example const { items } = await client.indicatorList();
   */
  indicatorList(call?: CallOptions): Promise<IndicatorList> {
    return get(this.rest, '/api/indicators', {}, call);
  }

  /**
   * Values of one indicator, one page: on the newest bars, or from a time on. Inputs that are left out have their defaults.
   * @example const { items } = await client.indicators('EURUSD', 'rsi(14)', { interval: '5m' });
   */
  indicators(
    symbol: string,
    indicator: IndicatorText,
    options?: IndicatorsOptions,
    call?: CallOptions,
  ): Promise<IndicatorPage>;
  /**
   * Values of several indicators on the same bars, one page.
   * @example const { indicators } = await client.indicators('EURUSD', ['rsi(14)', 'macd(12,26,9)'], { interval: '1h' });
   */
  indicators(
    symbol: string,
    indicators: readonly IndicatorText[],
    options?: IndicatorsOptions,
    call?: CallOptions,
  ): Promise<IndicatorSet>;
  indicators(
    symbol: string,
    indicator: IndicatorText | readonly IndicatorText[],
    options: IndicatorsOptions = {},
    call?: CallOptions,
  ): Promise<IndicatorPage | IndicatorSet> {
    const which = typeof indicator === 'string' ? { name: indicator } : { indicators: indicator.join(',') };
    return get(this.rest, `/api/indicators/${encodeURIComponent(symbol)}`, { ...which, ...options }, call);
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
   * Bars or ticks of a whole range as a file: CSV, NDJSON or Parquet. Rows count against the allowance of the tier.
   * @example
   * const file = await client.download('EURUSD', { format: 'csv', interval: '1h', from: '2026-01-01' });
   * console.log(new TextDecoder().decode(await file.bytes()));
   */
  async download(symbol: string, options: DownloadOptions, call?: CallOptions): Promise<Download> {
    const { data = 'bars', ...query } = options;
    const path = `/api/${data}/${encodeURIComponent(symbol)}`;
    const response = await getStream(this.rest, path, { ...query }, '*/*', call);
    return {
      contentType: response.headers.get('Content-Type') ?? 'application/octet-stream',
      stream: response.body ?? new Blob([]).stream(),
      bytes: async () => new Uint8Array(await response.arrayBuffer()),
    };
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
   * Bars of several instruments, one page for each. Further pages are those of {@link bars}.
   * @example const { items } = await client.severalBars(['EURUSD', 'XAUUSD'], { interval: '1d' });
   */
  severalBars(
    symbols: readonly string[],
    options: Omit<BarsOptions, 'cursor'> = {},
    call?: CallOptions,
  ): Promise<BarsPages> {
    return get(this.rest, '/api/bars', { ...options, symbols }, call);
  }

  /**
   * Recorded quotes or trades, one page: the newest, or from a time on.
   * @example const { items, next } = await client.ticks('BTCUSD', { kind: 'trades', limit: 1_000 });
   */
  ticks(symbol: string, options: TicksOptions = {}, call?: CallOptions): Promise<TicksPage> {
    return get(this.rest, `/api/ticks/${encodeURIComponent(symbol)}`, { ...options }, call);
  }

  /**
   * Which bars of a range are absent, and why: market closed, no trades, or missing.
   * @example const { absent } = await client.coverage('EURUSD', { timeframe: '1m' });
   */
  coverage(symbol: string, options: CoverageOptions = {}, call?: CallOptions): Promise<Coverage> {
    return get(this.rest, `${marketPath(symbol)}/coverage`, { ...options }, call);
  }
}
