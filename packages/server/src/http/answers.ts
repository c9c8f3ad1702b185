// What each endpoint answers, as JSON text. Everything but older history comes from memory.
import type { CoverageQuery, FeedReport, Instrument, MarketQuery, SessionStatistics, Usage } from '@tickwire/contract';
import type { InstrumentSpec, MarketSymbol } from '@tickwire/engine';
import type { Caller } from '../access/keyring.ts';
import { WINDOW_MS } from '../access/rolling-minute.ts';
import type { FeedStatus } from '../feeds/feed.ts';
import type { Quarantined } from '../journal/spike-filter.ts';
import type { MarketStore } from '../store/store.ts';
import type { MarketView } from '../views/market-view.ts';
import { ApiError } from './api-error.ts';
import { available } from './available.ts';
import { coverageOf } from './coverage.ts';

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
  readonly feeds: () => readonly FeedStatus[];
  readonly quarantine: () => readonly Quarantined[];
  readonly startedAt: number;
}

export interface Answers {
  symbols(): string;
  market(symbol: string, query: MarketQuery): string | Promise<string>;
  quote(symbol: string): string;
  quotes(symbols: readonly string[] | undefined): string;
  session(now: number): string;
  usage(caller: Caller, now: number): string;
  feeds(): string;
  coverage(symbol: string, query: CoverageQuery, now: number): Promise<string>;
}

export function createAnswers(sources: AnswerSources): Answers {
  const { instruments, market, history } = sources;
  const catalogue = JSON.stringify({ items: instruments.map(instrumentOf), count: instruments.length });

  const known = (code: string): MarketSymbol => {
    const symbol = market.resolve(code);
    if (!symbol)
      throw new ApiError(
        'symbol_not_found',
        `No instrument is called ${JSON.stringify(code.slice(0, 64))}; /api/symbols lists them.`,
      );
    return symbol;
  };

  /** Bars of the range from the store, with those on top that only memory has yet. */
  const older = async (symbol: MarketSymbol, query: MarketQuery): Promise<string> => {
    const { timeframe, bars: limit, before, from } = query;
    const start = from ?? 0;
    const end = Math.min(
      before === undefined ? Number.MAX_SAFE_INTEGER : before - 1,
      query.to ?? Number.MAX_SAFE_INTEGER,
    );
    const first = from !== undefined && before === undefined ? 'oldest' : 'newest';
    const stored = await available(() => history.bars({ symbol, timeframe, from: start, to: end, limit, first }));
    const byTime = new Map(stored.map((bar) => [bar.time, bar]));
    for (const bar of market.recent(symbol, timeframe, start, end)) byTime.set(bar.time, bar);
    const bars = [...byTime.values()].sort((a, b) => a.time - b.time);
    return market.marketOf(symbol, timeframe, first === 'oldest' ? bars.slice(0, limit) : bars.slice(-limit));
  };

  return {
    symbols: () => catalogue,
    market(code, query) {
      const symbol = known(code);
      if (query.before !== undefined || query.from !== undefined || query.to !== undefined) return older(symbol, query);
      return market.market(symbol, query.timeframe, query.bars);
    },
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
    feeds() {
      const items = sources.feeds().map(feedReport);
      const quarantine = sources
        .quarantine()
        .map(({ time, ...rest }) => ({ ...rest, time: new Date(time).toISOString() }));
      return JSON.stringify({ items, count: items.length, quarantine });
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

const feedReport = ({ name, state, symbols, lastEventAt, lastError, ...counts }: FeedStatus): FeedReport => ({
  name,
  state,
  symbols: [...symbols],
  last_event_at: lastEventAt > 0 ? new Date(lastEventAt).toISOString() : null,
  connects: counts.connects,
  disconnects: counts.disconnects,
  duplicates: counts.duplicates,
  backfilled: counts.backfilled,
  gaps: counts.gaps,
  complaints: counts.complaints,
  last_error: lastError,
});

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
