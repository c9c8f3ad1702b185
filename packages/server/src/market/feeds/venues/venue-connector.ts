// Turns a venue into a connector for a set of symbols.
import type { MarketSymbol } from '@tickwire/engine';
import type { SourcePrecision, VenueConnector } from '../connector.ts';
import { type GetJsonOptions, getJson, type JsonResponse } from '../get-json.ts';
import type { SymbolMap } from '../mapper.ts';
import { DEFAULT_TIMING, PAGE_SIZE, type Venue, type VenueRest, type VenueTiming } from './venue.ts';
import { openVenueSocket } from './venue-socket.ts';

/** A gap of more trades is declared lost. */
const MAX_TRADES = 100_000;

export interface VenueConnectorOptions {
  readonly symbols: SymbolMap;
  /** Another host with the same protocol, such as a national branch of the exchange. */
  readonly wsUrl?: string;
  readonly restUrl?: string;
  /** Set only by tests. */
  readonly timing?: Partial<VenueTiming>;
}

export function createVenueConnector(venue: Venue, options: VenueConnectorOptions): VenueConnector {
  const { symbols, wsUrl = venue.wsUrl, restUrl = venue.restUrl } = options;
  const { name, wsPath = '', maxSymbols = Number.POSITIVE_INFINITY } = venue;
  if (symbols.size > maxSymbols)
    throw new Error(`${name}: ${symbols.size} symbols, but one connection can carry only ${maxSymbols}`);
  const timing = { ...DEFAULT_TIMING, ...venue.timing, ...options.timing };
  const rest = restOf(restUrl, timing);
  const venueSymbols = [...symbols.keys()];
  const spelling = new Map<MarketSymbol, string>([...symbols].map(([venueSymbol, symbol]) => [symbol, venueSymbol]));
  let checked = false;
  return {
    name,
    symbols: [...symbols.values()],
    staleMs: venue.staleMs,
    async fetchPrecision() {
      const found = await venue.fetchDigits(venueSymbols, rest);
      const precision = new Map<MarketSymbol, SourcePrecision>();
      for (const [name, digits] of found) {
        const symbol = symbols.get(name);
        if (symbol !== undefined) precision.set(symbol, { digits });
      }
      return precision;
    },
    async connect(sink) {
      const requests = venue.subscribeRequests(venueSymbols);
      const map = venue.createMapper(symbols);
      const connection = await openVenueSocket({ venue: name, url: `${wsUrl}${wsPath}`, requests, map, sink, timing });
      if (!checked) void venue.checkSymbols?.(venueSymbols, rest, sink);
      checked = true;
      return connection;
    },
    ...(venue.fetchTrades && {
      async fetchTrades(symbol, after, { before = Number.POSITIVE_INFINITY, limit = MAX_TRADES } = {}) {
        const venueSymbol = spelling.get(symbol);
        if (venueSymbol === undefined) return null;
        return venue.fetchTrades!(
          { symbol, venueSymbol, after, before, maxPages: Math.ceil(Math.min(limit, MAX_TRADES) / PAGE_SIZE) },
          rest,
        );
      },
    }),
  };
}

/** All symbols share one throttle: a venue's limits count all requests of an address. */
function restOf(restUrl: string, { restIntervalMs, restTimeoutMs, restRetryMs }: VenueTiming): VenueRest {
  const throttle = createThrottle(restIntervalMs);
  const request = async (path: string, options: Pick<GetJsonOptions, 'isBusy' | 'json'>): Promise<JsonResponse> => {
    await throttle();
    return getJson(`${restUrl}${path}`, { timeoutMs: restTimeoutMs, retryMs: restRetryMs, ...options });
  };
  return {
    get: (path, isBusy) => request(path, { isBusy }),
    post: (path, json, isBusy) => request(path, { json, isBusy }),
  };
}

/** Spaces out calls: each resolves in order, at least `intervalMs` after the previous one. */
export function createThrottle(intervalMs: number): () => Promise<void> {
  let next = 0;
  return async () => {
    const now = performance.now();
    const turn = Math.max(now, next);
    next = turn + intervalMs;
    if (turn > now) await Bun.sleep(turn - now);
  };
}
