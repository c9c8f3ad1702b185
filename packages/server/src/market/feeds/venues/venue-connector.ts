// Turns a venue into a connector for a set of symbols.
import { iso } from '@tickwire/contract';
import { HOUR_MS, type MarketSymbol } from '@tickwire/engine';
import type { ProxySettings } from '../../../config/proxy.ts';
import type { Sleep } from '../../../work/back-off.ts';
import type { ConnectorSink, Refusal, SourcePrecision, VenueConnection, VenueConnector } from '../connector.ts';
import { type GetJsonOptions, getJson, type JsonResponse, MAX_RETRY_WAIT_MS } from '../get-json.ts';
import { complaint, type SymbolMap } from '../mapper.ts';
import { ClockOffset } from '../venue-delay.ts';
import { GrowingConnection } from './growing-connection.ts';
import { createThrottle, type Throttle } from './rest-throttle.ts';
import { SeenTrades } from './seen-trades.ts';
import { SymbolSilence } from './symbol-silence.ts';
import { DEFAULT_TIMING, PAGE_SIZE, type Venue, type VenueRest, type VenueTiming } from './venue.ts';
import { openVenueSocket, REFUSED } from './venue-socket.ts';

/** A gap of more trades is declared lost. */
const MAX_TRADES = 100_000;
/** How long the list of a venue is believed. */
const CHECK_MS = HOUR_MS;

export interface VenueConnectorOptions {
  readonly symbols: SymbolMap;
  /** The first so many symbols stream even if the venue refuses one that follows. Default: all of them. */
  readonly configured?: number;
  /** Another host with the same protocol, such as a national branch of the exchange. */
  readonly wsUrl?: string;
  readonly restUrl?: string;
  /** Of the streams; requests use those of the environment. Default: none. */
  readonly proxies?: ProxySettings;
  /** Set only by tests. */
  readonly timing?: Partial<VenueTiming>;
  readonly staleMs?: number;
  readonly symbolStaleMs?: number;
}

export function createVenueConnector(venue: Venue, options: VenueConnectorOptions): VenueConnector {
  const { wsUrl = venue.wsUrl, restUrl = venue.restUrl, staleMs = venue.staleMs } = options;
  const { symbolStaleMs = venue.symbolStaleMs, configured = options.symbols.size } = options;
  const { name, wsPath = '', maxSymbols = Number.POSITIVE_INFINITY } = venue;
  const symbols = new Map(options.symbols);
  if (symbols.size > maxSymbols)
    throw new Error(`${name}: ${symbols.size} symbols, but one connection can carry only ${maxSymbols}`);
  const timing = { ...DEFAULT_TIMING, ...venue.timing, ...options.timing };
  const clock = new ClockOffset();
  const rest = venueRest(venue, restUrl, timing, clock);
  const onceRest = venueRest(venue, restUrl, { ...timing, restAttempts: 1 }, clock);
  const seen = new SeenTrades();
  const silence = symbolStaleMs === undefined ? null : new SymbolSilence(symbolStaleMs);
  const venueSymbols = [...symbols.keys()];
  const spelling = new Map<MarketSymbol, string>([...symbols].map(([venueSymbol, symbol]) => [symbol, venueSymbol]));
  const contractSizes = new Map<string, number>();
  const sized = new Set<string>();
  const instruments = [...symbols.values()];
  const subscribed = new Set<MarketSymbol>();
  /** On the current connection. */
  const refused = new Set<MarketSymbol>();
  let connection: GrowingConnection | null = null;
  const readContractSizes = async (names: readonly string[]): Promise<void> => {
    const unknown = names.filter((each) => !sized.has(each));
    if (!venue.fetchContractSizes || unknown.length === 0) return;
    // One attempt: the supervisor repeats the whole connection, and shows why.
    for (const [each, size] of await venue.fetchContractSizes(unknown, onceRest)) contractSizes.set(each, size);
    for (const each of unknown) sized.add(each);
  };
  const refuse = (symbol: MarketSymbol, why: Refusal, sink: ConnectorSink): void => {
    refused.add(symbol);
    subscribed.delete(symbol);
    silence?.remove(symbol);
    sink.refused?.(symbol, why);
  };
  const open = async (names: readonly string[], sink: ConnectorSink, isSecond: boolean): Promise<VenueConnection> => {
    await readContractSizes(names);
    const { heartbeat } = venue;
    const own = new Map(names.map((each) => [each, symbols.get(each)!]));
    const byPath = Map.groupBy(venue.subscribeRequests(names), ({ path = wsPath }) => path);
    const notRefused = new Set(
      [...byPath].flatMap(([path, requests]) =>
        requests.flatMap(({ replyKeys }) => replyKeys.map((key) => `${wsUrl}${path} ${key}`)),
      ),
    );
    return openTogether(
      [...byPath].map(([path, requests]) =>
        openVenueSocket({
          venue: name,
          url: `${wsUrl}${path}`,
          requests,
          notRefused,
          map: venue.createMapper(own, contractSizes, seen, path),
          sink,
          timing,
          proxies: options.proxies,
          ...(heartbeat && { heartbeat }),
          // Of one socket the supervisor knows when it is silent; of several, another may go on.
          ...((byPath.size > 1 || isSecond) && { staleMs }),
          ...(silence && { silence }),
          onRefused: (symbol) => refuse(symbol, 'not offered', sink),
        }),
      ),
    );
  };
  /** Symbols that the venue does not list, or does not trade. */
  const unlisted = new Map<MarketSymbol, Refusal>();
  /** Those that the venue grants. Some venues refuse all if they refuse one: then each half is tried alone. */
  const granted = async (names: readonly string[], sink: ConnectorSink): Promise<readonly string[]> => {
    try {
      (await open(names, sink, true)).close();
      return names;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const middle = Math.ceil(names.length / 2);
      if (names.length > 1)
        return [...(await granted(names.slice(0, middle), sink)), ...(await granted(names.slice(middle), sink))];
      refuse(symbols.get(names[0]!)!, 'not offered', sink);
      return [];
    }
  };
  const openAdded = async (added: readonly string[], sink: ConnectorSink): Promise<VenueConnection> => {
    const names = added.filter((each) => {
      const symbol = symbols.get(each)!;
      return !refused.has(symbol) && unlisted.get(symbol) !== 'not offered';
    });
    try {
      return names.length > 0 ? await open(names, sink, true) : NO_CONNECTION;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      sink.complain(complaint('added symbols not subscribed', (error as Error).message));
      const others = await granted(names, sink);
      return others.length > 0 ? open(others, sink, true) : NO_CONNECTION;
    }
  };
  let checkedAt = Number.NEGATIVE_INFINITY;
  /** Under way. */
  let listing: ReturnType<Venue['fetchListed']> | null = null;
  const fetchListed = () => {
    listing ??= venue.fetchListed(venueSymbols, rest).finally(() => {
      listing = null;
    });
    return listing;
  };
  /** Only complains if it fails: prices are useful without it. */
  const check = async (sink: ConnectorSink): Promise<void> => {
    for (const [symbol, why] of unlisted) refuse(symbol, why, sink);
    if (performance.now() - checkedAt < CHECK_MS) return;
    checkedAt = performance.now();
    // Without those that are added before the list arrives: it was not asked for them.
    const asked = [...symbols];
    const listed = await fetchListed().catch((error: unknown) => {
      sink.complain(`symbols not checked: ${error instanceof Error ? error.message : String(error)}`);
    });
    if (!listed) return;
    unlisted.clear();
    for (const [venueSymbol, symbol] of asked) {
      if (listed.get(venueSymbol)?.isTrading) continue;
      const why = listed.has(venueSymbol) ? 'not trading' : 'not offered';
      unlisted.set(symbol, why);
      sink.complain(complaint(`symbol ${why}`, venueSymbol));
      refuse(symbol, why, sink);
    }
  };
  return {
    name,
    title: venue.title,
    symbols: instruments,
    staleMs,
    maxSymbols,
    subscribeMs: () => (venue.subscribeRequests(venueSymbols).length - 1) * timing.subscribeIntervalMs,
    isSubscribed: (symbol) => subscribed.has(symbol),
    add(venueSymbol, symbol) {
      symbols.set(venueSymbol, symbol);
      spelling.set(symbol, venueSymbol);
      venueSymbols.push(venueSymbol);
      instruments.push(symbol);
      listing = null;
      void connection?.grow();
    },
    ...(venue.listInstruments && { listInstruments: () => venue.listInstruments!(rest) }),
    clockOffset: () => clock.value,
    async fetchPrecision() {
      const precision = new Map<MarketSymbol, SourcePrecision>();
      for (const [name, { digits }] of await fetchListed()) {
        const symbol = symbols.get(name);
        if (symbol !== undefined && digits !== null) precision.set(symbol, { digits });
      }
      return precision;
    },
    async connect(sink) {
      subscribed.clear();
      refused.clear();
      silence?.clear();
      let names = [...venueSymbols];
      const first = await open(names, sink, false).catch((error: Error) => {
        // A symbol that was added may have left the venue.
        if (names.length <= configured || !isRefusal(error)) throw error;
        sink.complain(complaint('added symbols not subscribed', error.message));
        names = names.slice(0, configured);
        refused.clear();
        return open(names, sink, false);
      });
      const onSubscribed = (known: readonly string[]): void => {
        for (const symbol of known.map((each) => symbols.get(each)!)) {
          if (refused.has(symbol) || unlisted.get(symbol) === 'not offered') continue;
          subscribed.add(symbol);
          silence?.add(symbol, performance.now());
        }
      };
      const opened = new GrowingConnection({
        first,
        count: names.length,
        venueSymbols,
        open: (added) => openAdded(added, sink),
        onSubscribed,
        onFailed: (reason) => sink.complain(complaint('added symbols not subscribed', reason)),
        sleep: timing.sleep,
      });
      connection = opened;
      void opened.closed.then(() => {
        if (connection === opened) connection = null;
      });
      onSubscribed(names);
      // Those that were added while it was opened.
      void opened.grow();
      void check(sink);
      return opened;
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
      fetchBars: ({ isBackground, ...request }) =>
        venue.fetchBars!(
          { ...request, venueSymbol: spelling.get(request.symbol)! },
          isBackground ? venueRest(venue, restUrl, timing, clock, true) : rest,
        ),
    }),
    isBusy: () => throttleOf(restUrl, timing).isBusy,
    ...(venue.barsPerRequest !== undefined && { barsPerRequest: venue.barsPerRequest }),
    ...(venue.oldestBar && { oldestBar: venue.oldestBar }),
  };
}

/** Of symbols that the venue all refuses. */
const NO_CONNECTION: VenueConnection = { close: () => {}, closed: new Promise(() => {}) };

const isRefusal = (error: unknown): boolean => error instanceof Error && error.message.includes(REFUSED);

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
const throttles = new Map<Sleep, Map<string, Throttle>>();

function throttleOf(restUrl: string, { restIntervalMs, restBurstMs, sleep }: VenueTiming): Throttle {
  const key = `${restUrl} ${restIntervalMs} ${restBurstMs}`;
  const waiting = throttles.get(sleep) ?? new Map<string, Throttle>();
  const throttle = waiting.get(key) ?? createThrottle(restIntervalMs, restBurstMs, sleep);
  throttles.set(sleep, waiting.set(key, throttle));
  return throttle;
}

/** The REST interface of a venue, within its rate limit. `isBackground`: requests let all others pass. */
export function venueRest(
  venue: Venue,
  restUrl: string,
  timing: VenueTiming,
  clock?: ClockOffset,
  isBackground = false,
): VenueRest {
  const { restTimeoutMs, restAttempts, restRetryMs, restBanMs, sleep } = timing;
  const throttle = throttleOf(restUrl, timing);
  const request = async (path: string, options: Pick<GetJsonOptions, 'isBusy' | 'json'>): Promise<JsonResponse> => {
    const weight = venue.weightOf?.(path, options.json) ?? 1;
    // During a ban, requests fail instead of waiting for its end.
    const onLimited = (waitMs: number): void => throttle.pause(Math.min(waitMs, MAX_RETRY_WAIT_MS));
    const response = await getJson(`${restUrl}${path}`, {
      timeoutMs: restTimeoutMs,
      retryMs: restRetryMs,
      take: () => throttle.take(weight, isBackground),
      onLimited,
      clock,
      maxAttempts: restAttempts,
      sleep,
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
