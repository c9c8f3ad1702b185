// REST methods written by hand: their types depend on their options.
import type {
  ClosedSignal,
  ClosingSignal,
  IndicatorPage,
  IndicatorSet,
  IndicatorText,
  NewsList,
  QuoteList,
} from '../common/contract.ts';
import { ApiBase } from './api-base.ts';
import type { MarketOptions, NewsOptions, SignalOptions } from './options.ts';
import { type CallOptions, type CloseOptions, get, jsonBody, postIdempotent } from './request.ts';
import type {
  IndicatorsOptions,
  MarketDetailHistory,
  MarketHistory,
  NewsDetailList,
  SignalDetailList,
  SignalPage,
} from './special-types.ts';

/** REST methods that are not generated; part of {@link TickwireClient}. */
export class SpecialCalls extends ApiBase {
  /**
   * Bars of one instrument in ascending order, and its current quote. An interval without data has no bar.
   * With `detail: true`, each bar has the volumes at the bid and at the ask.
   * @example const { ohlcv } = await client.market('XAUUSD', { timeframe: '5m', detail: true });
   */
  market(
    symbol: string,
    options: MarketOptions & { readonly detail: true },
    call?: CallOptions,
  ): Promise<MarketDetailHistory>;
  /**
   * Bars of one instrument in ascending order, and its current quote. An interval without data has no bar.
   * @example const { ohlcv, quote } = await client.market('XAUUSD', { timeframe: '1h', bars: 100 });
   */
  market(symbol: string, options?: MarketOptions, call?: CallOptions): Promise<MarketHistory>;
  market(symbol: string, options: MarketOptions = {}, call?: CallOptions): Promise<MarketHistory> {
    return get(this.rest, `/api/market/${encodeURIComponent(symbol)}`, { ...options }, call);
  }

  /**
   * The current bid and ask of up to 200 named instruments, or of all. Instruments without a quote are left out. `rejected`
   * lists named symbols that do not exist; if none of them exists, the call fails with `symbol_not_found`.
   * @example const { items, rejected } = await client.quotes(['EURUSD', 'XAUUSD']);
   */
  quotes(symbols?: readonly string[], call?: CallOptions): Promise<QuoteList> {
    return get(this.rest, '/api/quotes', { symbols, detail: symbols && true }, call);
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
   * Published signals, newest first. With `detail: true`, each has its order type, state, fill, exits and stop in force.
   * @example const { items } = await client.signals({ status: 'active', detail: true });
   */
  signals(options: SignalOptions & { readonly detail: true }, call?: CallOptions): Promise<SignalDetailList>;
  /**
   * Published signals, newest first.
   * @example const { items } = await client.signals({ status: 'closed', limit: 20 });
   */
  signals(options?: SignalOptions, call?: CallOptions): Promise<SignalPage>;
  signals(options: SignalOptions = {}, call?: CallOptions): Promise<SignalPage | SignalDetailList> {
    return get(this.rest, '/api/signals', { ...options }, call);
  }

  /**
   * Requests to close one of your own signals, or to withdraw it if its entry is still pending. The next quote of its
   * instrument does it. If none comes within 5 seconds, the result is the active signal, with `close_requested_at`.
   * @example const result = await client.closeSignal('sig_1'); // result.status === 'closed' && result.pnl, in pips
   */
  closeSignal(id: string, options: CloseOptions = {}): Promise<ClosedSignal | ClosingSignal> {
    const { signed, ...rest } = options;
    return postIdempotent(
      this.rest,
      `/api/signals/${encodeURIComponent(id)}/close`,
      signed ? jsonBody({ signed }) : null,
      rest,
    );
  }

  /**
   * Headlines with sentiment, newest first. To page back, pass the id of the last item as `before`.
   * With `detail: true`, each headline has its id, source, symbols and revision.
   * @example const { items } = await client.news({ symbol: 'XAUUSD', detail: true });
   */
  news(options: NewsOptions & { readonly detail: true }, call?: CallOptions): Promise<NewsDetailList>;
  /**
   * Headlines with sentiment, newest first. To page back, pass the id of the last item as `before`.
   * @example const { items } = await client.news({ category: 'gold', limit: 50 });
   */
  news(options?: NewsOptions, call?: CallOptions): Promise<NewsList>;
  news(options: NewsOptions = {}, call?: CallOptions): Promise<NewsList> {
    return get(this.rest, '/api/news', { ...options }, call);
  }
}
