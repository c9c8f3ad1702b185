// Turns a venue into a connector for a set of symbols.
import type { MarketSymbol } from '@tickwire/engine';
import type { SourcePrecision, VenueConnection, VenueConnector } from '../connector.ts';
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
  let contractSizes: ReadonlyMap<string, number> | null = venue.fetchContractSizes ? null : new Map();
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
      contractSizes ??= await venue.fetchContractSizes!(venueSymbols, rest);
      const map = venue.createMapper(symbols, contractSizes);
      const { heartbeat } = venue;
      const byPath = Map.groupBy(venue.subscribeRequests(venueSymbols), ({ path = wsPath }) => path);
      const connection = await openTogether(
        [...byPath].map(([path, requests]) =>
          openVenueSocket({
            venue: name,
            url: `${wsUrl}${path}`,
            requests,
            map,
            sink,
            timing,
            ...(heartbeat && { heartbeat }),
          }),
        ),
      );
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
    ...(venue.fetchBars && {
      fetchBars: (request) => venue.fetchBars!({ ...request, venueSymbol: spelling.get(request.symbol)! }, rest),
    }),
    ...(venue.oldestBar && { oldestBar: venue.oldestBar }),
  };
}

/** Sockets that count as one connection: if one cannot be opened, or ends, the others are closed. */
async function openTogether(opening: readonly Promise<VenueConnection>[]): Promise<VenueConnection> {
  if (opening.length === 1) return opening[0]!;
  const results = await Promise.allSettled(opening);
  const sockets = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const close = (): void => {
    for (const socket of sockets) socket.close();
  };
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    close();
    throw failed.reason;
  }
  const closed = Promise.race(sockets.map((socket) => socket.closed));
  void closed.then(close);
  return { close, closed };
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
