// Kraken spot, WebSocket v2. Two requests for any number of symbols, one confirmation for each symbol and channel.
// Heartbeats come every second while nothing else does. `ticker` is asked to speak on every change of the best prices,
// not only on trades. Limits: the rate of requests varies with load; connections some 150 in ten minutes; REST about one
// call a second.
import type { MarketSymbol } from '@tickwire/engine';
import type { Source } from '../../source.ts';
import { pagesFor } from '../missed-trades.ts';
import { paceOf } from '../pace.ts';
import type { VenueOptions, VenueTiming } from '../venue.ts';
import { openVenue, type Subscription } from '../venue-socket.ts';
import { grantOf, krakenMapper } from './mapper.ts';
import { krakenMissed } from './missed.ts';

const WS_URL = 'wss://ws.kraken.com/v2';
const REST_URL = 'https://api.kraken.com';
const SYMBOLS_PER_REQUEST = 100;
const STALE_MS = 10_000;
const TIMING: VenueTiming = {
  openMs: 10_000,
  answerMs: 10_000,
  requestPaceMs: 250,
  restPaceMs: 1_100,
  restTimeoutMs: 10_000,
  restRetryMs: 2_000,
};

export function krakenSource(options: VenueOptions): Source {
  const { symbols, wsUrl = WS_URL, restUrl = REST_URL } = options;
  const timing = { ...TIMING, ...options.timing };
  const pace = paceOf(timing.restPaceMs);
  const venueSymbols = new Map<MarketSymbol, string>([...symbols].map(([name, symbol]) => [symbol, name]));
  return {
    name: 'kraken',
    symbols: [...symbols.values()],
    staleMs: STALE_MS,
    connect: (sink) =>
      openVenue({
        venue: 'kraken',
        url: wsUrl,
        subscriptions: requests([...symbols.keys()]),
        map: krakenMapper(symbols),
        sink,
        timing,
      }),
    async missed(symbol, after, { before = Number.POSITIVE_INFINITY, limit } = {}) {
      const venueSymbol = venueSymbols.get(symbol);
      if (venueSymbol === undefined) return null;
      return krakenMissed(restUrl, { symbol, venueSymbol, after, before, pages: pagesFor(limit) }, timing, pace);
    },
  };
}

function requests(names: readonly string[]): Subscription[] {
  const result: Subscription[] = [];
  for (let at = 0; at < names.length; at += SYMBOLS_PER_REQUEST) {
    const symbol = names.slice(at, at + SYMBOLS_PER_REQUEST);
    for (const params of [
      { channel: 'trade', symbol, snapshot: false },
      { channel: 'ticker', symbol, event_trigger: 'bbo', snapshot: true },
    ]) {
      const req_id = result.length + 1;
      const text = JSON.stringify({ method: 'subscribe', params, req_id });
      result.push({ text, grants: symbol.map((name) => grantOf(req_id, name)) });
    }
  }
  return result;
}
