// What each endpoint answers, as JSON text. Everything but older history comes from memory.
import type { CoverageQuery, Instrument, MarketQuery, SessionStatistics, Usage } from '@tickwire/contract';
import type { InstrumentSpec, MarketSymbol } from '@tickwire/engine';
import type { Caller } from '../access/keyring.ts';
import { WINDOW_MS } from '../access/rolling-minute.ts';
import type { MarketStore } from '../store/store.ts';
import type { MarketView } from '../views/market-view.ts';
import { ApiError } from './api-error.ts';
import { available } from './available.ts';
import { prepared, type Tagged } from './conditional.ts';
import { coverageOf } from './coverage.ts';
import { HistoryAnswers } from './history-answers.ts';

const DAY_MS = 86_400_000;
const ACTIVE_MS = 60_000;

export interface AnswerSources {
  readonly instruments: readonly InstrumentSpec[];
  readonly market: MarketView;
  readonly activeSignals: () => number;
  readonly history: Pick<MarketStore, 'bars' | 'watched'>;
  readonly simulated: boolean;
  /** Simulated markets that keep no hours. */
  readonly alwaysOpen: boolean;
  readonly clients: () => number;
  readonly models: () => readonly string[];
  readonly startedAt: number;
}

export interface Answers {
  symbols(): Tagged;
  market(symbol: string, query: MarketQuery): Tagged | Promise<Tagged>;
  quote(symbol: string): string;
  quotes(symbols: readonly string[] | undefined): string;
  session(now: number): string;
  usage(caller: Caller, now: number): string;
  coverage(symbol: string, query: CoverageQuery, now: number): Promise<string>;
}

export function createAnswers(sources: AnswerSources): Answers {
  const { instruments, market, history } = sources;
  const catalogue = prepared(JSON.stringify({ items: instruments.map(instrumentOf), count: instruments.length }));
  const histories = new HistoryAnswers(sources);

  const known = (code: string): MarketSymbol => {
    const symbol = market.resolve(code);
    if (!symbol)
      throw new ApiError(
        'symbol_not_found',
        `No instrument is called ${JSON.stringify(code.slice(0, 64))}; /api/symbols lists them.`,
      );
    return symbol;
  };

  return {
    symbols: () => catalogue,
    market: (code, query) => histories.of(known(code), query),
    quote(code) {
      const symbol = known(code);
      const quote = market.quote(symbol);
      if (!quote)
        throw new ApiError('no_quote', `${symbol} has had no quote yet.`, { headers: { 'Retry-After': '1' } });
      return quote;
    },
    quotes(codes) {
      const wanted = codes ? [...new Set(codes)].map(known) : market.symbols;
      const items = wanted.map((symbol) => market.quote(symbol)).filter((quote) => quote !== null);
      return `{"items":[${items.join(',')}],"count":${items.length}}`;
    },
    async coverage(code, query, now) {
      const symbol = known(code);
      const spec = instruments.find((each) => each.symbol === symbol)!;
      const { simulated, alwaysOpen } = sources;
      return JSON.stringify(
        await available(() => coverageOf({ store: history, view: market, simulated, alwaysOpen }, spec, query, now)),
      );
    },
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
    usage({ keyId, scopes, account }, now) {
      const { tier, tierName, minute, streams, name } = account;
      const used = account.aiCallsUsed(now);
      const usage: Usage = {
        account: name,
        key: keyId,
        scopes: [...scopes],
        tier: tierName,
        requests: {
          limit: minute.limit,
          window_seconds: WINDOW_MS / 1000,
          remaining: minute.remaining(now),
          reset_seconds: Math.ceil(minute.resetMs(now) / 1000),
        },
        streams: { limit: tier.streams, open: streams },
        ai_calls: {
          limit: tier.ai_calls_per_day,
          used,
          remaining: Math.max(0, tier.ai_calls_per_day - used),
          resets_at: new Date(now - (now % DAY_MS) + DAY_MS).toISOString(),
        },
      };
      return JSON.stringify(usage);
    },
  };
}

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
