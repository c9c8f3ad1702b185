// Turns a venue into a connector for a set of symbols.
import { iso } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { SourcePrecision, VenueConnection, VenueConnector } from '../connector.ts';
import { type GetJsonOptions, getJson, type JsonResponse, MAX_RETRY_WAIT_MS } from '../get-json.ts';
import type { SymbolMap } from '../mapper.ts';
import { ClockOffset } from '../venue-delay.ts';
import { SeenTrades } from './seen-trades.ts';
import { SymbolSilence } from './symbol-silence.ts';
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
  readonly staleMs?: number;
  readonly symbolStaleMs?: number;
}

export function createVenueConnector(venue: Venue, options: VenueConnectorOptions): VenueConnector {
  const { symbols, wsUrl = venue.wsUrl, restUrl = venue.restUrl, staleMs = venue.staleMs } = options;
  const { symbolStaleMs = venue.symbolStaleMs } = options;
  const { name, wsPath = '', maxSymbols = Number.POSITIVE_INFINITY } = venue;
  if (symbols.size > maxSymbols)
    throw new Error(`${name}: ${symbols.size} symbols, but one connection can carry only ${maxSymbols}`);
  const timing = { ...DEFAULT_TIMING, ...venue.timing, ...options.timing };
  const clock = new ClockOffset();
  const rest = venueRest(venue, restUrl, timing, clock);
  const seen = new SeenTrades();
  const silence = symbolStaleMs === undefined ? null : new SymbolSilence([...symbols.values()], symbolStaleMs);
  const venueSymbols = [...symbols.keys()];
  const spelling = new Map<MarketSymbol, string>([...symbols].map(([venueSymbol, symbol]) => [symbol, venueSymbol]));
  let checked = false;
  let contractSizes: ReadonlyMap<string, number> | null = venue.fetchContractSizes ? null : new Map();
  return {
    name,
    symbols: [...symbols.values()],
    staleMs,
    clockOffset: () => clock.value,
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
      const sizes = contractSizes ?? (await venue.fetchContractSizes!(venueSymbols, rest));
      contractSizes = sizes;
      const { heartbeat } = venue;
      const byPath = Map.groupBy(venue.subscribeRequests(venueSymbols), ({ path = wsPath }) => path);
      const notRefused = new Set(
        [...byPath].flatMap(([path, requests]) =>
          requests.flatMap(({ replyKeys }) => replyKeys.map((key) => `${wsUrl}${path} ${key}`)),
        ),
      );
      const connection = await openTogether(
        [...byPath].map(([path, requests]) =>
          openVenueSocket({
            venue: name,
            url: `${wsUrl}${path}`,
            requests,
            notRefused,
            map: venue.createMapper(symbols, sizes, seen, path),
            sink,
            timing,
            ...(heartbeat && { heartbeat }),
            // Of one socket the supervisor knows when it is silent; of several, another may go on.
            ...(byPath.size > 1 && { staleMs }),
            ...(silence && { silence }),
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
    // Without trades to ask for, missed time is filled with minutes.
    ...(venue.fetchBars &&
      !venue.fetchTrades && {
        async fetchMinutes(symbol, from, to) {
          const venueSymbol = spelling.get(symbol);
          if (venueSymbol === undefined) return [];
          // Bars of a part of the missed time would leave the rest undeclared.
          const oldest = venue.oldestBar?.('1m', to) ?? 0;
          if (from < oldest) throw new Error(`${name} keeps no minutes before ${iso(oldest)}`);
          return venue.fetchBars!({ symbol, venueSymbol, length: '1m', from, to, running: true }, rest);
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

/** One per venue and host: a venue's limits count all requests of an address, whichever connector sends them. */
const throttles = new Map<string, Throttle>();

/** The REST interface of a venue, within its rate limit. */
export function venueRest(venue: Venue, restUrl: string, timing: VenueTiming, clock?: ClockOffset): VenueRest {
  const { restIntervalMs, restBurstMs, restTimeoutMs, restRetryMs, restBanMs } = timing;
  const key = `${restUrl} ${restIntervalMs} ${restBurstMs}`;
  const throttle = throttles.get(key) ?? createThrottle(restIntervalMs, restBurstMs);
  throttles.set(key, throttle);
  const request = async (path: string, options: Pick<GetJsonOptions, 'isBusy' | 'json'>): Promise<JsonResponse> => {
    const weight = venue.weightOf?.(path, options.json) ?? 1;
    // During a ban, requests fail instead of waiting for its end.
    const onLimited = (waitMs: number): void => throttle.pause(Math.min(waitMs, MAX_RETRY_WAIT_MS));
    const response = await getJson(`${restUrl}${path}`, {
      timeoutMs: restTimeoutMs,
      retryMs: restRetryMs,
      take: () => throttle.take(weight),
      onLimited,
      clock,
      ...options,
    });
    if (response.status === venue.limitStatus) onLimited(restBanMs);
    return response;
  };
  return {
    get: (path, isBusy) => request(path, { isBusy }),
    post: (path, json, isBusy) => request(path, { json, isBusy }),
  };
}

export interface Throttle {
  /** Resolves when a request of this weight may be sent, in the order of the calls. */
  take(weight?: number): Promise<void>;
  /** No request starts before this many milliseconds have passed. */
  pause(ms: number): void;
}

/** Spaces out calls by `intervalMs` per weight. After a rest, calls worth `burstMs` need not wait. */
export function createThrottle(
  intervalMs: number,
  burstMs = 0,
  sleep: (ms: number) => Promise<void> = Bun.sleep,
): Throttle {
  let next = Number.NEGATIVE_INFINITY;
  let last = Promise.resolve();
  const wait = async (weight: number): Promise<void> => {
    const now = performance.now();
    const turn = Math.max(now - burstMs, next);
    if (turn > now) await sleep(turn - now);
    const pausedMs = next - turn;
    if (pausedMs > 0) await sleep(pausedMs);
    next = Math.max(turn, next) + intervalMs * weight;
  };
  return {
    take(weight = 1) {
      last = last.then(() => wait(weight));
      return last;
    },
    pause(ms) {
      next = Math.max(next, performance.now() + ms);
    },
  };
}
