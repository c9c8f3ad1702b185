// REST methods written by hand: their types depend on their options, or they return pages as one sequence, files or lines.
import type {
  BarsPage,
  ClosedSignal,
  ClosingSignal,
  EvidenceLine,
  IndicatorPage,
  IndicatorSet,
  IndicatorText,
  NewsList,
  OhlcvBar,
  QuoteList,
} from '../common/contract.ts';
import { ApiBase } from './api-base.ts';
import type { EvidenceOptions, MarketOptions, NewsOptions, SignalOptions } from './options.ts';
import { type CallOptions, type CloseOptions, get, getLines, getStream, jsonBody, postIdempotent } from './request.ts';
import type {
  BarHistoryOptions,
  Download,
  DownloadOptions,
  EvidenceDay,
  IndicatorsOptions,
  MarketDetailHistory,
  MarketHistory,
  NewsDetailList,
  SignalDetailList,
  SignalPage,
} from './special-types.ts';

const DEFAULT_PAGE_SIZE = 5_000;

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
      const { items, next } = await get<BarsPage>(this.rest, `/api/bars/${encodeURIComponent(symbol)}`, query, call);
      yield* range.from === undefined ? items.reverse() : items;
      cursor = next;
    } while (cursor !== null);
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
   * The ticks of one instrument on one UTC day, as they arrive. The timeout of the call is that of the first byte.
   * @example
   * const { sealed, lines } = await client.evidence('2026-03-02', 'XAUUSD');
   * for await (const line of lines) if ('bid' in line) console.log(line.seq, line.bid);
   */
  async evidence(day: string, symbol: string, options: EvidenceOptions = {}, call?: CallOptions): Promise<EvidenceDay> {
    const path = `/api/evidence/${encodeURIComponent(day)}/${encodeURIComponent(symbol)}`;
    const { headers, lines } = await getLines<EvidenceLine>(this.rest, path, { ...options }, call);
    const sha256 = headers.get('Evidence-SHA256');
    return { sealed: sha256 !== null, sha256, lines };
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
