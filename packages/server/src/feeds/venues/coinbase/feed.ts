// Coinbase Exchange. Subscribes to matches (every trade), ticker (best prices at each trade) and heartbeat (a message a
// second for each product, so that silence means a dead line). A client must subscribe within 5 s of connecting.
// Limits: 8 requests a second for an address, 10 subscriptions of one kind; REST 10 calls a second.
import type { MarketSymbol } from '@tickwire/engine';
import type { Source } from '../../source.ts';
import { pagesFor } from '../missed-trades.ts';
import { paceOf } from '../pace.ts';
import type { VenueOptions, VenueTiming } from '../venue.ts';
import { openVenue, type Subscription } from '../venue-socket.ts';
import { coinbaseMapper, grantOf } from './mapper.ts';
import { coinbaseMissed } from './missed.ts';

const WS_URL = 'wss://ws-feed.exchange.coinbase.com';
const REST_URL = 'https://api.exchange.coinbase.com';
const CHANNELS = ['heartbeat', 'matches', 'ticker'];
const PRODUCTS_PER_REQUEST = 50;
const STALE_MS = 10_000;
const TIMING: VenueTiming = {
  openMs: 10_000,
  answerMs: 10_000,
  requestPaceMs: 250,
  restPaceMs: 150,
  restTimeoutMs: 10_000,
  restRetryMs: 1_000,
};

export function coinbaseSource(options: VenueOptions): Source {
  const { symbols, wsUrl = WS_URL, restUrl = REST_URL } = options;
  const timing = { ...TIMING, ...options.timing };
  const pace = paceOf(timing.restPaceMs);
  const products = new Map<MarketSymbol, string>([...symbols].map(([product, symbol]) => [symbol, product]));
  return {
    name: 'coinbase',
    symbols: [...symbols.values()],
    staleMs: STALE_MS,
    connect: (sink) =>
      openVenue({
        venue: 'coinbase',
        url: wsUrl,
        subscriptions: requests([...symbols.keys()]),
        map: coinbaseMapper(symbols),
        sink,
        timing,
      }),
    async missed(symbol, after, { before = Number.POSITIVE_INFINITY, limit } = {}) {
      const product = products.get(symbol);
      if (product === undefined) return null;
      const hole = { symbol, product, after: after.id, before, pages: pagesFor(limit) };
      return coinbaseMissed(restUrl, hole, timing, pace);
    },
  };
}

function requests(products: readonly string[]): Subscription[] {
  return Array.from({ length: Math.ceil(products.length / PRODUCTS_PER_REQUEST) }, (_, index) => {
    const product_ids = products.slice(index * PRODUCTS_PER_REQUEST, (index + 1) * PRODUCTS_PER_REQUEST);
    return {
      text: JSON.stringify({ type: 'subscribe', product_ids, channels: CHANNELS }),
      grants: CHANNELS.flatMap((channel) => product_ids.map((product) => grantOf(channel, product))),
    };
  });
}
