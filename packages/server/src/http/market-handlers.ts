// Handlers of the market and session statistics endpoints. All but older history and coverage come from memory.
import {
  type CoverageQuery,
  type FootprintQuery,
  type HoursQuery,
  type IndicatorsQuery,
  type Instrument,
  type InstrumentHours,
  type MarketQuery,
  type OverviewQuery,
  type PositionSizeQuery,
  type ProfileQuery,
  QUOTE_COLUMNS,
  type QuoteQuery,
  type QuotesQuery,
  type SessionStatistics,
  type SymbolsQuery,
} from '@tickwire/contract';
import { DAY_MS, type HoursName, type InstrumentSpec, type MarketSymbol, MINUTE_MS, pairOf } from '@tickwire/engine';
import { withStoreErrors } from '../errors/store-error.ts';
import type { ReadPosition } from '../journal/read-position.ts';
import { MarketOverview } from '../market/market-overview.ts';
import type { MarketView } from '../market/market-view.ts';
import { noQuote } from '../market/stale-quote.ts';
import type { MarketStore } from '../store/store.ts';
import { staticResponse, type TaggedResponse } from './conditional-response.ts';
import { coverageOf } from './coverage.ts';
import { CSV_HEADERS, toCsv } from './csv.ts';
import type { PositionedResponse, ResponseWithHeaders } from './handler.ts';
import { indicatorCatalogue, indicatorValues } from './indicator-handlers.ts';
import { MarketHistory } from './market-history.ts';
import { PositionSizes } from './position-size.ts';
import { symbolNotFound } from './problem.ts';
import { quoteAge } from './response-headers.ts';
import { comingHours, tradingHoursOf } from './trading-hours.ts';
import { VolumeHandlers } from './volume-handlers.ts';

/** An instrument counts as active if it had a tick within this time. */
const ACTIVE_MS = MINUTE_MS;

export interface MarketHandlerSources {
  readonly instruments: readonly InstrumentSpec[];
  readonly market: MarketView;
  readonly activeSignals: () => number;
  readonly history: Pick<MarketStore, 'bars' | 'watched'>;
  readonly volumes: Pick<MarketStore, 'histograms' | 'firstTradeBar'>;
  readonly simulated: boolean;
  /** Simulated markets without trading hours. */
  readonly alwaysOpen: boolean;
  /** Instruments that a live venue delivers. */
  readonly venueSymbols: ReadonlySet<MarketSymbol>;
  /** Market time in epoch milliseconds if it is not the current time, as in a replay. */
  readonly marketTime?: () => number;
  readonly clients: () => number;
  readonly models: () => readonly string[];
  readonly startedAt: number;
  readonly position: ReadPosition;
}

export interface MarketHandlers {
  symbols(query: SymbolsQuery, now: number): TaggedResponse;
  market(symbol: string, query: MarketQuery, now: number): TaggedResponse | Promise<TaggedResponse>;
  quote(symbol: string, query: QuoteQuery, now: number): PositionedResponse | ResponseWithHeaders;
  quotes(query: QuotesQuery, now: number): PositionedResponse | ResponseWithHeaders;
  overview(query: OverviewQuery, now: number): PositionedResponse;
  session(now: number): string;
  indicatorList(): TaggedResponse;
  indicators(symbol: string, query: IndicatorsQuery): Promise<string>;
  profile(symbol: string, query: ProfileQuery, now: number): Promise<string>;
  footprint(symbol: string, query: FootprintQuery): Promise<string>;
  coverage(symbol: string, query: CoverageQuery, now: number): Promise<string>;
  hours(symbol: string, query: HoursQuery, now: number): string;
  positionSize(query: PositionSizeQuery): string;
}

export function createMarketHandlers(sources: MarketHandlerSources): MarketHandlers {
  const { instruments, market, history, alwaysOpen, marketTime, position } = sources;
  const indicators = indicatorCatalogue();
  const catalogue = listOf(instruments.map(instrumentOf));
  let detailedCatalogue = { day: Number.NaN, response: catalogue };
  const histories = new MarketHistory(sources);
  const volumes = new VolumeHandlers(sources);
  const sizes = new PositionSizes(instruments, market);
  const days = new MarketOverview(market);

  const known = (code: string): MarketSymbol => {
    const symbol = market.resolve(code);
    if (!symbol) throw symbolNotFound(code);
    return symbol;
  };

  /** The instruments of a request, all by default. Throws if none of the named ones exists. */
  const selected = (
    codes: readonly string[] | undefined,
  ): { symbols: readonly MarketSymbol[]; unknown: Set<string> } => {
    const unknown = new Set(codes?.filter((code) => !market.resolve(code)));
    const given = codes && [...new Set(codes)].filter((code) => !unknown.has(code));
    if (given?.length === 0) throw symbolNotFound(codes![0]!);
    return { symbols: given ? given.map(known) : market.symbols, unknown };
  };

  const specOf = (code: string): InstrumentSpec => {
    const symbol = known(code);
    return instruments.find((each) => each.symbol === symbol)!;
  };

  /** In milliseconds; `null` if the quote is not stale. */
  const staleAgeOf = (symbol: MarketSymbol, now: number): number | null =>
    market.staleQuoteAge(symbol, marketTime?.() ?? now, alwaysOpen || marketTime !== undefined);

  return {
    symbols({ detail }, now) {
      if (!detail) return catalogue;
      const day = Math.floor(now / DAY_MS);
      if (day !== detailedCatalogue.day) detailedCatalogue = { day, response: listOf(withDetail(instruments, now)) };
      return detailedCatalogue.response;
    },
    market(code, query, now) {
      const symbol = known(code);
      return histories.of(symbol, query, staleAgeOf(symbol, now));
    },
    quote(code, { detail }, now) {
      const symbol = known(code);
      const quote = market.quote(symbol);
      if (!quote) throw noQuote(symbol);
      const age = staleAgeOf(symbol, now);
      const body = detail ? withStale(quote, age !== null) : quote;
      return age === null ? { body, position: position() } : { body, position: position(), headers: quoteAge(age) };
    },
    overview({ symbols: codes }, now) {
      const items = selected(codes).symbols.map((symbol) => days.of(specOf(symbol), marketTime?.() ?? now));
      return { body: `{"items":[${items.join(',')}]}`, position: position() };
    },
    quotes({ symbols: codes, detail, format }, now) {
      const { symbols, unknown } = selected(codes);
      const items: string[] = [];
      let oldest: number | null = null;
      for (const symbol of symbols) {
        const quote = market.quote(symbol);
        if (quote === null) continue;
        const age = staleAgeOf(symbol, now);
        if (age !== null) oldest = Math.max(age, oldest ?? 0);
        items.push(detail || format === 'csv' ? withStale(quote, age !== null) : quote);
      }
      const headers = oldest === null ? {} : quoteAge(oldest);
      if (format === 'csv') {
        const body = toCsv(
          QUOTE_COLUMNS,
          items.map((item) => JSON.parse(item) as object),
        );
        return { body, position: position(), headers: { ...headers, ...CSV_HEADERS } };
      }
      const rejected = [...unknown].map((symbol) => ({ symbol, code: 'symbol_not_found' }));
      const extra = detail ? `,"rejected":${JSON.stringify(rejected)}` : '';
      const body = `{"items":[${items.join(',')}],"count":${items.length}${extra}}`;
      const answer = { body, position: position() };
      return oldest === null ? answer : { ...answer, headers };
    },
    profile: async (code, query, now) => volumes.profile(specOf(code), query, marketTime?.() ?? now),
    footprint: async (code, query) => volumes.footprints(specOf(code), query),
    indicatorList: () => indicators,
    async indicators(code, query) {
      const symbol = known(code);
      return withStoreErrors(() => indicatorValues({ store: history, view: market }, symbol, query));
    },
    async coverage(code, query, now) {
      const spec = specOf(code);
      const { simulated, venueSymbols } = sources;
      const options = { store: history, view: market, simulated, alwaysOpen, venueSymbols };
      return JSON.stringify(await withStoreErrors(() => coverageOf(options, spec, query, now)));
    },
    hours: (code, query, now) => JSON.stringify(tradingHoursOf(specOf(code), query, now)),
    positionSize: (query) => JSON.stringify(sizes.of(known(query.symbol), query)),
    session(now) {
      const statistics: SessionStatistics = {
        instruments_active: market.activeSince(now - ACTIVE_MS),
        clients_connected: sources.clients(),
        signals_active: sources.activeSignals(),
        ai_models_available: [...sources.models()],
        server_time: new Date(now).toISOString(),
        uptime_seconds: Math.floor((now - sources.startedAt) / 1000),
      };
      return JSON.stringify(statistics);
    },
  };
}

const listOf = (items: readonly Instrument[]): TaggedResponse =>
  staticResponse(JSON.stringify({ items, count: items.length }));

/** For `detail=true`. Trading hours change with the UTC day. */
function withDetail(instruments: readonly InstrumentSpec[], now: number): Instrument[] {
  const known = new Map<HoursName, InstrumentHours>();
  return instruments.map((spec) => {
    const hours = known.get(spec.hours) ?? comingHours(spec.hours, now);
    known.set(spec.hours, hours);
    return {
      ...instrumentOf(spec),
      digits: spec.digits,
      ...pairOf(spec),
      contract_unit: spec.contractUnit ?? null,
      bars: spec.bars ?? null,
      source: spec.source ?? null,
      hours,
    };
  });
}

/** Adds `stale` to the JSON of a quote. */
const withStale = (quote: string, stale: boolean): string => `${quote.slice(0, -1)},"stale":${stale}}`;

const instrumentOf = (spec: InstrumentSpec): Instrument => ({
  symbol: spec.symbol,
  name: spec.name,
  type: spec.type,
  pip_size: spec.pipSize,
  contract_size: spec.contractSize,
  margin_rate: spec.marginRate,
  min_lot: spec.minLot,
  max_lot: spec.maxLot,
});
