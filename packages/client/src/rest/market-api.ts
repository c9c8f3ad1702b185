// Current market data: instruments, quotes, newest bars, trading hours, and prices that you push.
import type {
  FeedList,
  IngestAnswer,
  IngestLine,
  InstrumentList,
  Overview,
  PositionSize,
  QuoteList,
  SessionStatistics,
  SymbolQuote,
  TradingHours,
} from '../common/contract.ts';
import { ApiBase } from './api-base.ts';
import type {
  HoursOptions,
  MarketDetailHistory,
  MarketHistory,
  MarketOptions,
  OverviewOptions,
  PositionSizeOptions,
  SymbolsOptions,
} from './market-options.ts';
import { type CallOptions, get, ndjsonBody, type PostOptions, postIdempotent } from './request.ts';

const marketPath = (symbol: string): string => `/api/market/${encodeURIComponent(symbol)}`;

/** Instruments, quotes and trading hours; part of {@link TickwireClient}. */
export class MarketApi extends ApiBase {
  /**
   * All instruments with their contract specification. With `detail: true`, also digits, currencies, the source of the terms and
   * trading hours.
   * @example const { items } = await client.symbols();
   */
  symbols({ detail, ...call }: SymbolsOptions & CallOptions = {}): Promise<InstrumentList> {
    return get(this.rest, '/api/symbols', detail === undefined ? {} : { detail }, call);
  }

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
    return get(this.rest, marketPath(symbol), { ...options }, call);
  }

  /**
   * The current bid and ask of one instrument.
   * @example const { bid, ask } = await client.quote('EURUSD');
   */
  quote(symbol: string, call?: CallOptions): Promise<SymbolQuote> {
    return get(this.rest, `${marketPath(symbol)}/quote`, {}, call);
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
   * Open, high, low and change of the UTC day, and the line of the last 24 hours, of up to 200 named instruments, or of all.
   * @example const { items } = await client.overview({ symbols: ['EURUSD', 'XAUUSD'] });
   */
  overview({ symbols, ...call }: OverviewOptions & CallOptions = {}): Promise<Overview> {
    return get(this.rest, '/api/overview', { symbols }, call);
  }

  /**
   * Trading sessions and holidays of one instrument, from its calendar.
   * @example const { sessions, closed } = await client.hours('UK100', { from: '2026-12-20', to: '2027-01-05' });
   */
  hours(symbol: string, options: HoursOptions = {}, call?: CallOptions): Promise<TradingHours> {
    return get(this.rest, `${marketPath(symbol)}/hours`, { ...options }, call);
  }

  /**
   * The lots that lose a given share of an account if the stop is hit.
   * @example
   * const { lots } = await client.positionSize({ symbol: 'EURUSD', entry: 1.084, stop_loss: 1.081, balance: 10_000 });
   */
  positionSize(options: PositionSizeOptions, call?: CallOptions): Promise<PositionSize> {
    return get(this.rest, '/api/position-size', { ...options }, call);
  }

  /**
   * Statistics of the running service: active instruments, connected clients, uptime.
   * @example const { instruments_active, uptime_seconds } = await client.session();
   */
  session(call?: CallOptions): Promise<SessionStatistics> {
    return get(this.rest, '/api/session', {}, call);
  }

  /**
   * State of the price feeds. Needs the scope `admin`.
   * @example const { items, quarantine } = await client.feeds();
   */
  feeds(call?: CallOptions): Promise<FeedList> {
    return get(this.rest, '/api/feeds', {}, call);
  }

  /**
   * Pushes your own quotes and trades. Each line is accepted or rejected on its own. Needs the scope `ingest`.
   * @example const { accepted } = await client.ingestTicks([{ symbol: 'EURUSD', time: Date.now(), bid: 1.084, ask: 1.0841 }]);
   */
  ingestTicks(lines: Iterable<IngestLine>, options?: PostOptions): Promise<IngestAnswer> {
    return postIdempotent(this.rest, '/ingest/ticks', ndjsonBody(lines), options);
  }
}
