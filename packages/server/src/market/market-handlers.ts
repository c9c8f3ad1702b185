// Handlers of the market endpoints. All but older bars come from memory.
import {
  type HoursQuery,
  type Instrument,
  type InstrumentHours,
  type MarketQuery,
  type OverviewQuery,
  type PositionSizeQuery,
  QUOTE_COLUMNS,
  type QuoteQuery,
  type QuotesQuery,
  type SymbolsQuery,
} from '@tickwire/contract';
import { contractOf, DAY_MS, type HoursName, type InstrumentSpec, type MarketSymbol, pairOf } from '@tickwire/engine';
import { symbolNotFound } from '../errors/service-error.ts';
import { staticResponse, type TaggedBody } from '../http/conditional-response.ts';
import { CSV_HEADERS, toCsv } from '../http/csv.ts';
import type { ApiResponse } from '../http/handler.ts';
import { quoteAge } from '../http/response-headers.ts';
import type { ReadPosition } from '../journal/read-position.ts';
import type { MarketStore } from '../store/store.ts';
import { MarketHistory } from './market-history.ts';
import { MarketOverview } from './market-overview.ts';
import type { MarketView } from './market-view.ts';
import { PositionSizes } from './position-size.ts';
import { noQuote } from './stale-quote.ts';
import { comingHours, tradingHoursOf } from './trading-hours.ts';

export interface MarketHandlerSources {
  readonly instruments: readonly InstrumentSpec[];
  readonly market: MarketView;
  readonly history: Pick<MarketStore, 'bars' | 'watched'>;
  /** Called with the instrument of each request for bars. */
  readonly asked?: (symbol: MarketSymbol) => void;
  readonly simulated: boolean;
  /** Simulated markets without trading hours. */
  readonly alwaysOpen: boolean;
  /** Market time in epoch milliseconds if it is not the current time, as in a replay. */
  readonly marketTime?: () => number;
  readonly position: ReadPosition;
  readonly startedAt: number;
}

export interface MarketHandlers {
  symbols(query: SymbolsQuery, now: number): TaggedBody;
  market(symbol: string, query: MarketQuery, now: number): ApiResponse | Promise<ApiResponse>;
  quote(symbol: string, query: QuoteQuery, now: number): ApiResponse;
  quotes(query: QuotesQuery, now: number): ApiResponse;
  overview(query: OverviewQuery, now: number): ApiResponse;
  hours(symbol: string, query: HoursQuery, now: number): string;
  positionSize(query: PositionSizeQuery): string;
}

export function createMarketHandlers(sources: MarketHandlerSources): MarketHandlers {
  const { market, alwaysOpen, marketTime, position } = sources;
  // A simulated market that trades at any hour says so, instead of stating the calendar of the real one.
  const instruments = alwaysOpen
    ? sources.instruments.map((spec) => ({ ...spec, hours: 'always' as const }))
    : sources.instruments;
  // Made again when an instrument was added.
  let catalogue = { count: 0, response: listOf([]) };
  let detailedCatalogue = { count: 0, day: Number.NaN, response: catalogue.response };
  const histories = new MarketHistory(sources);
  const sizes = new PositionSizes(instruments, market);
  const days = new MarketOverview(market);

  const known = (code: string): MarketSymbol => {
    const symbol = market.resolve(code);
    if (!symbol) throw symbolNotFound(code, market.similar(code));
    return symbol;
  };

  /** The instruments of a request, all by default. Throws if none of the named ones exists. */
  const selected = (
    codes: readonly string[] | undefined,
  ): { symbols: readonly MarketSymbol[]; unknown: Set<string> } => {
    const unknown = new Set(codes?.filter((code) => !market.resolve(code)));
    const given = codes && [...new Set(codes)].filter((code) => !unknown.has(code));
    if (given?.length === 0) throw symbolNotFound(codes![0]!, market.similar(codes![0]!));
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
      const count = instruments.length;
      if (!detail) {
        if (count !== catalogue.count) catalogue = { count, response: listOf(instruments.map(instrumentOf)) };
        return catalogue.response;
      }
      const day = Math.floor(now / DAY_MS);
      if (day !== detailedCatalogue.day || count !== detailedCatalogue.count)
        detailedCatalogue = { count, day, response: listOf(withDetail(instruments, now)) };
      return detailedCatalogue.response;
    },
    market(code, query, now) {
      const symbol = known(code);
      sources.asked?.(symbol);
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
    hours: (code, query, now) => JSON.stringify(tradingHoursOf(specOf(code), query, now)),
    positionSize: (query) => JSON.stringify(sizes.of(known(query.symbol), query)),
  };
}

const listOf = (items: readonly Instrument[]): TaggedBody =>
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
      ...contractOf(spec),
      contract_unit: spec.contractUnit ?? null,
      bars: spec.bars ?? null,
      source: spec.source ?? null,
      hours,
    };
  });
}

/** Adds `stale` to the JSON of a quote. */
const withStale = (quote: string, stale: boolean): string => `${quote.slice(0, -1)},"stale":${stale}}`;

export const instrumentOf = (spec: InstrumentSpec): Instrument => ({
  symbol: spec.symbol,
  name: spec.name,
  type: spec.type,
  pip_size: spec.pipSize,
  contract_size: spec.contractSize,
  margin_rate: spec.marginRate,
  min_lot: spec.minLot,
  max_lot: spec.maxLot,
});
