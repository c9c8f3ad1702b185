// Handlers of the data feed for TradingView charts. The protocol has its own names for what other endpoints return.
import {
  type InstrumentType,
  UDF_RESOLUTIONS,
  UDF_TYPES,
  type UdfConfig,
  type UdfHistoryQuery,
  type UdfMarksQuery,
  type UdfQuotes,
  type UdfQuotesQuery,
  type UdfSearchQuery,
  type UdfSearchResult,
  type UdfSymbol,
  type UdfSymbolQuery,
} from '@tickwire/contract';
import {
  bySymbol,
  type InstrumentSpec,
  type Lookup,
  pairOf,
  plainSpelling,
  roundTo,
  withoutVenue,
} from '@tickwire/engine';
import { symbolNotFound } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import { countPage, type RowCounts } from '../history/history-files.ts';
import type { BarSources } from '../history/recorded-history.ts';
import { pageText } from '../history/tables/json-items.ts';
import type { HandlerCall, HandlerResult } from '../http/handler.ts';
import type { MarketView } from '../market/market-view.ts';
import { udfHistory } from './udf-history.ts';
import { type MarkSources, udfMarks } from './udf-marks.ts';

export interface UdfHandlersOptions extends RowCounts {
  readonly instruments: readonly InstrumentSpec[];
  readonly market: MarketView;
  readonly bars: BarSources['store'];
  readonly marks: MarkSources;
  readonly simulated: boolean;
}

const TYPES: Readonly<Record<InstrumentType, (typeof UDF_TYPES)[number]>> = {
  forex: 'forex',
  metal: 'commodity',
  energy: 'commodity',
  crypto: 'crypto',
  index: 'index',
  equity: 'stock',
};
const TYPE_NAMES: Readonly<Record<(typeof UDF_TYPES)[number], string>> = {
  forex: 'Forex',
  commodity: 'Commodities',
  crypto: 'Crypto',
  index: 'Indices',
  stock: 'Stocks',
};
const INTRADAY = UDF_RESOLUTIONS.filter((resolution) => /^\d+$/.test(resolution));
/** Coins are traded in small fractions. */
const VOLUME_DIGITS = 2;
const COIN_VOLUME_DIGITS = 4;

export class UdfHandlers {
  readonly #options: UdfHandlersOptions;
  readonly #specs: Lookup<InstrumentSpec>;
  readonly #sources: BarSources;
  readonly #exchange: string;

  constructor(options: UdfHandlersOptions) {
    this.#options = options;
    this.#specs = bySymbol(options.instruments);
    this.#sources = { store: options.bars, view: options.market };
    this.#exchange = options.simulated ? 'TICKWIRE-SIM' : 'TICKWIRE';
  }

  config(): string {
    const config: UdfConfig = {
      supports_search: true,
      supports_group_request: false,
      supports_marks: true,
      supports_timescale_marks: false,
      supports_time: true,
      supported_resolutions: [...UDF_RESOLUTIONS],
      exchanges: [{ value: this.#exchange, name: this.#exchange, desc: this.#options.simulated ? 'Simulated' : '' }],
      symbols_types: [
        { name: 'All', value: '' },
        ...UDF_TYPES.map((value) => ({ name: TYPE_NAMES[value], value: value as string })),
      ],
    };
    return JSON.stringify(config);
  }

  symbol({ symbol: code }: UdfSymbolQuery): string {
    const spec = this.#known(code);
    const currency = pairOf(spec).quote;
    const symbol: UdfSymbol = {
      name: spec.symbol,
      ticker: spec.symbol,
      description: spec.name,
      type: TYPES[spec.type],
      exchange: this.#exchange,
      listed_exchange: this.#exchange,
      timezone: 'Etc/UTC',
      session: '24x7',
      minmov: 1,
      pricescale: 10 ** spec.digits,
      has_intraday: true,
      has_daily: true,
      has_weekly_and_monthly: true,
      intraday_multipliers: INTRADAY,
      supported_resolutions: [...UDF_RESOLUTIONS],
      visible_plots_set: 'ohlcv',
      volume_precision: spec.type === 'crypto' ? COIN_VOLUME_DIGITS : VOLUME_DIGITS,
      data_status: 'streaming',
      format: 'price',
      ...(currency !== null && { currency_code: currency }),
    };
    return JSON.stringify(symbol);
  }

  search({ query, type, exchange, limit }: UdfSearchQuery): string {
    const isWanted = (spec: InstrumentSpec): boolean =>
      (type === '' || TYPES[spec.type] === type) && (exchange === '' || exchange === this.#exchange);
    const found: UdfSearchResult = this.#options.instruments
      .filter(isWanted)
      .map((spec) => ({ spec, rank: rankOf(spec, query) }))
      .filter(({ rank }) => rank !== null)
      .sort((a, b) => a.rank! - b.rank!)
      .slice(0, limit)
      .map(({ spec: { symbol, name, type: of } }) => ({
        symbol,
        full_name: `${this.#exchange}:${symbol}`,
        description: name,
        exchange: this.#exchange,
        ticker: symbol,
        type: TYPES[of],
      }));
    return JSON.stringify(found);
  }

  async history({ query: given, caller }: HandlerCall): Promise<HandlerResult> {
    const query = given as UdfHistoryQuery;
    const { symbol } = this.#known(query.symbol);
    const history = await withStoreErrors(() => udfHistory(this.#sources, symbol, query));
    const headers = await countPage(this.#options, caller!, history.s === 'ok' ? history.t.length : 0);
    return { body: await pageText(history), headers };
  }

  async marks(query: UdfMarksQuery): Promise<string> {
    const { symbol } = this.#known(query.symbol);
    return JSON.stringify(await withStoreErrors(() => udfMarks(this.#sources, this.#options.marks, symbol, query)));
  }

  quotes({ symbols }: UdfQuotesQuery): string {
    const quotes: UdfQuotes = { s: 'ok', d: symbols.map((code) => this.#quote(code)) };
    return JSON.stringify(quotes);
  }

  time(now: number): string {
    return `${Math.floor(now / 1000)}`;
  }

  #quote(code: string): UdfQuotes['d'][number] {
    const { market } = this.#options;
    const symbol = market.resolveWithVenue(code);
    const today = symbol && market.latestBar(symbol, '1d');
    if (!symbol || !today) return { s: 'error', n: code, v: {} };
    const { name, digits } = this.#specs.get(symbol)!;
    const before = market
      .closedBars(symbol, '1d')
      .newest(2)
      .findLast(({ time }) => time < today.time);
    const tick = market.tick(symbol);
    return {
      s: 'ok',
      n: code,
      v: {
        ...(before && {
          ch: roundTo(today.close - before.close, digits),
          chp: roundTo(((today.close - before.close) / before.close) * 100, 4),
        }),
        short_name: symbol,
        exchange: this.#exchange,
        description: name,
        lp: today.close,
        ...(tick && { ask: tick.ask, bid: tick.bid, spread: roundTo(tick.ask - tick.bid, digits) }),
        open_price: today.open,
        high_price: today.high,
        low_price: today.low,
        ...(before && { prev_close_price: before.close }),
        volume: today.volume,
      },
    };
  }

  #known(code: string): InstrumentSpec {
    const symbol = this.#options.market.resolveWithVenue(code);
    if (!symbol) throw symbolNotFound(code, this.#options.market.similar(code));
    return this.#specs.get(symbol)!;
  }
}

/** How well an instrument matches what was typed, 0 best; `null` if it does not. */
function rankOf({ symbol, name }: InstrumentSpec, query: string): number | null {
  const typed = plainSpelling(withoutVenue(query).trim());
  const code = plainSpelling(symbol);
  if (code === typed) return 0;
  if (code.startsWith(typed)) return 1;
  if (code.includes(typed)) return 2;
  return name.toLowerCase().includes(query.trim().toLowerCase()) ? 3 : null;
}
