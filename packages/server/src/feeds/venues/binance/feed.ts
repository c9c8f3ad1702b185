// Binance spot. One connection, combined streams, subscribed by message so that the venue confirms.
// Limits (web-socket-streams.md): 1,024 streams a connection; 5 frames a second from the client, pongs included; a ping
// every 20 s; cut after 24 h; 300 connections in 5 minutes. A subscription to a symbol that does not exist is confirmed
// like any other and then silent: so the first connection asks exchangeInfo and complains.
import type { Source, SourceSink } from '../../source.ts';
import { pagesFor } from '../missed-trades.ts';
import { paceOf } from '../pace.ts';
import { asRecord } from '../raw-values.ts';
import { getJson } from '../rest.ts';
import type { VenueOptions, VenueTiming } from '../venue.ts';
import { openVenue, type Subscription } from '../venue-socket.ts';
import { binanceMapper } from './mapper.ts';
import { binanceMissed } from './missed.ts';

const WS_URL = 'wss://stream.binance.com:9443';
const REST_URL = 'https://api.binance.com';
const MAX_STREAMS = 1_024;
const STREAMS_PER_REQUEST = 200;
/** Two pings and a bit: a quiet symbol may have nothing else to say. */
const STALE_MS = 45_000;
const SYMBOLS_PER_CHECK = 100;
/** Four requests in any second leave one frame for a pong; REST: 25 of 6,000 weights a minute for each page. */
const TIMING: VenueTiming = {
  openMs: 10_000,
  answerMs: 10_000,
  requestPaceMs: 300,
  restPaceMs: 300,
  restTimeoutMs: 10_000,
  restRetryMs: 1_000,
};

export function binanceSource(options: VenueOptions): Source {
  const { symbols, wsUrl = WS_URL, restUrl = REST_URL } = options;
  const timing = { ...TIMING, ...options.timing };
  const pace = paceOf(timing.restPaceMs);
  const venueSymbols = new Map([...symbols].map(([venueSymbol, symbol]) => [symbol, venueSymbol]));
  const streams = [...symbols.keys()].flatMap((name) => {
    const lower = name.toLowerCase();
    return [`${lower}@trade`, `${lower}@bookTicker`];
  });
  if (streams.length > MAX_STREAMS) {
    throw new Error(`binance: ${symbols.size} symbols are more than one connection may have (${MAX_STREAMS / 2})`);
  }
  let checked = false;
  return {
    name: 'binance',
    symbols: [...symbols.values()],
    staleMs: STALE_MS,
    async connect(sink) {
      const url = `${wsUrl}/stream`;
      const map = binanceMapper(symbols);
      const link = await openVenue({ venue: 'binance', url, subscriptions: requests(streams), map, sink, timing });
      if (!checked) void checkListing([...symbols.keys()], restUrl, sink, timing);
      checked = true;
      return link;
    },
    async missed(symbol, after, { before = Number.POSITIVE_INFINITY, limit } = {}) {
      const venueSymbol = venueSymbols.get(symbol);
      if (venueSymbol === undefined) return null;
      const hole = { symbol, venueSymbol, after: after.id, before, pages: pagesFor(limit) };
      return binanceMissed(restUrl, hole, timing, pace);
    },
  };
}

function requests(streams: readonly string[]): Subscription[] {
  return Array.from({ length: Math.ceil(streams.length / STREAMS_PER_REQUEST) }, (_, index) => {
    const params = streams.slice(index * STREAMS_PER_REQUEST, (index + 1) * STREAMS_PER_REQUEST);
    return { text: JSON.stringify({ method: 'SUBSCRIBE', params, id: index + 1 }), grants: [String(index + 1)] };
  });
}

/** Only complains: prices of the other symbols are worth having even where this cannot be asked. */
async function checkListing(names: string[], restUrl: string, sink: SourceSink, timing: VenueTiming): Promise<void> {
  for (let at = 0; at < names.length; at += SYMBOLS_PER_CHECK) {
    const some = names.slice(at, at + SYMBOLS_PER_CHECK);
    const list = encodeURIComponent(JSON.stringify(some));
    try {
      const { status, body } = await getJson(`${restUrl}/api/v3/exchangeInfo?symbols=${list}`, timing);
      const found = asRecord(body)?.symbols;
      if (status === 400) sink.complain(`symbol not listed: one of ${some.join(' ')}`);
      for (const entry of Array.isArray(found) ? found : []) {
        const { symbol, status: state } = asRecord(entry) ?? {};
        if (state !== 'TRADING') sink.complain(`symbol not trading: ${String(symbol)}`);
      }
    } catch (error) {
      sink.complain(`listing not checked: ${(error as Error).message}`);
    }
  }
}
