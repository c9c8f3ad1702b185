// The data feed of TradingView charts. The charting library of TradingView brings its own client for it; these calls are for
// other charts and for tests.
import type { UdfConfig, UdfHistory, UdfMarks, UdfQuotes, UdfSearchResult, UdfSymbol } from '../common/contract.ts';
import { type CallOptions, get, type RestConfig } from './request.ts';

/**
 * Which part of a chart to return. Times are Unix time in seconds.
 * @example await client.udf.marks({ symbol: 'EURUSD', resolution: '60', from: 1772442000, to: 1772449200 });
 */
export interface UdfRange {
  /** Instrument code, with or without an exchange before a colon. */
  readonly symbol: string;
  /** Length of a bar: minutes, or `1D`, `1W`, `1M`. */
  readonly resolution: string;
  /** Start of the range, inclusive. */
  readonly from: number;
  /** End of the range, inclusive. */
  readonly to: number;
}

/**
 * Which bars to return. Times are Unix time in seconds.
 * @example await client.udf.history({ symbol: 'EURUSD', resolution: '60', to: 1772449200, countback: 300 });
 */
export interface UdfHistoryOptions extends Omit<UdfRange, 'from' | 'to'> {
  /** Start of the range, inclusive. May be left out with `countback`. */
  readonly from?: number;
  /** End of the range, exclusive. */
  readonly to: number;
  /** Number of bars before `to`, wherever they start. Default: those from `from` on. */
  readonly countback?: number;
}

/**
 * Which instruments to find.
 * @example await client.udf.search({ query: 'gold', limit: 5 });
 */
export interface UdfSearchOptions {
  /** A part of a symbol or of a name. Default: all. */
  readonly query?: string;
  /** Only instruments of this type: `forex`, `commodity`, `crypto`, `index`, `stock`. Default: all. */
  readonly type?: string;
  /** Only instruments of this exchange. Default: all. */
  readonly exchange?: string;
  /** Maximum number of instruments, up to 100. Default 30. */
  readonly limit?: number;
}

/** The data feed of TradingView charts, available as `client.udf`. */
export class UdfApi {
  readonly #rest: RestConfig;

  /** Created by {@link TickwireClient}. */
  constructor(rest: RestConfig) {
    this.#rest = rest;
  }

  /**
   * What the data feed supports.
   * @example const { supported_resolutions } = await client.udf.config();
   */
  config(call?: CallOptions): Promise<UdfConfig> {
    return get(this.#rest, '/udf/config', {}, call);
  }

  /**
   * An instrument, as charts need it.
   * @example const { pricescale } = await client.udf.symbol({ symbol: 'EURUSD' });
   */
  symbol(options: Pick<UdfRange, 'symbol'>, call?: CallOptions): Promise<UdfSymbol> {
    return get(this.#rest, '/udf/symbols', { ...options }, call);
  }

  /**
   * Instruments by a part of their symbol or name, the best match first.
   * @example const [first] = await client.udf.search({ query: 'gold' });
   */
  search(options: UdfSearchOptions = {}, call?: CallOptions): Promise<UdfSearchResult> {
    return get(this.#rest, '/udf/search', { ...options }, call);
  }

  /**
   * Bars as columns.
   * @example const bars = await client.udf.history({ symbol: 'EURUSD', resolution: '1D', to: 1772449200, countback: 250 });
   */
  history(options: UdfHistoryOptions, call?: CallOptions): Promise<UdfHistory> {
    return get(this.#rest, '/udf/history', { ...options }, call);
  }

  /**
   * Signals and headlines on the bars of a range.
   * @example const { text } = await client.udf.marks({ symbol: 'EURUSD', resolution: '60', from: 1772442000, to: 1772449200 });
   */
  marks(options: UdfRange, call?: CallOptions): Promise<UdfMarks> {
    return get(this.#rest, '/udf/marks', { ...options }, call);
  }

  /**
   * Quotes with the figures of the day.
   * @example const { d } = await client.udf.quotes({ symbols: ['EURUSD', 'XAUUSD'] });
   */
  quotes(options: { readonly symbols: readonly string[] }, call?: CallOptions): Promise<UdfQuotes> {
    return get(this.#rest, '/udf/quotes', { ...options }, call);
  }

  /**
   * The time of the service, Unix time in seconds.
   * @example const seconds = await client.udf.time();
   */
  time(call?: CallOptions): Promise<number> {
    return get(this.#rest, '/udf/time', {}, call);
  }
}
