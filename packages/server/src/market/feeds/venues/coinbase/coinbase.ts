// Coinbase Exchange: subscribes to matches (every trade), level2_batch (the book, every 50 ms, without an account) and
// heartbeat (one message per second and product, so that silence means a dead connection). A client must subscribe within
// 5 s of connecting.
// Limits: 8 requests per second and address, 10 subscriptions of one kind; REST 10 requests per second.
import { iso } from '@tickwire/contract';
import { asSymbol, type Bar } from '@tickwire/engine';
import { asMs, asRecord, asText, decimalsOf } from '../../raw-values.ts';
import { isContiguous, type NumberedTrade, readTrades, tradesBetween } from '../numbered-trade.ts';
import {
  type ListedSymbol,
  type MissedTradesRequest,
  PAGE_SIZE,
  type SubscribeRequest,
  spellings,
  USD_BASES,
  type Venue,
  type VenueBarsRequest,
  type VenueListing,
  type VenueRest,
} from '../venue.ts';
import { checkBar, readBars, requestedBars, VENUE_BAR_MS } from '../venue-bars.ts';
import { coinbaseMapper, coinbaseReplyKey, coinbaseTrade } from './mapper.ts';

const CHANNELS = ['heartbeat', 'matches', 'level2_batch'];
const PRODUCTS_PER_REQUEST = 50;
const MAX_CANDLES = 300;

export const coinbase: Venue = {
  name: 'coinbase',
  title: 'Coinbase',
  bars: 'trades',
  wsUrl: 'wss://ws-feed.exchange.coinbase.com',
  restUrl: 'https://api.exchange.coinbase.com',
  staleMs: 10_000,
  timing: { restIntervalMs: 150 },
  symbols: spellings(USD_BASES, 'USD', '-'),
  subscribeRequests,
  createMapper: coinbaseMapper,
  fetchTrades,
  fetchBars,
  listInstruments,
  fetchListed,
};

function subscribeRequests(products: readonly string[]): SubscribeRequest[] {
  return Array.from({ length: Math.ceil(products.length / PRODUCTS_PER_REQUEST) }, (_, index) => {
    const product_ids = products.slice(index * PRODUCTS_PER_REQUEST, (index + 1) * PRODUCTS_PER_REQUEST);
    return {
      text: JSON.stringify({ type: 'subscribe', product_ids, channels: CHANNELS }),
      replyKeys: CHANNELS.flatMap((channel) => product_ids.map((product) => coinbaseReplyKey(channel, product))),
    };
  });
}

/**
 * /products/{id}/trades, newest first. `after` means older than an id (and `before` newer, but of those again the newest),
 * so the pages run from the newest missed trade back to the oldest.
 */
async function fetchTrades(request: MissedTradesRequest, rest: VenueRest): Promise<NumberedTrade[] | null> {
  const { symbol, venueSymbol, before, maxPages } = request;
  const after = request.after.id;
  const seen: NumberedTrade[] = [];
  let oldest = before;
  for (let page = 0; page < maxPages; page++) {
    const cursor = Number.isFinite(oldest) ? `&after=${oldest}` : '';
    const path = `/products/${encodeURIComponent(venueSymbol)}/trades?limit=${PAGE_SIZE}${cursor}`;
    const { status, body } = await rest.get(path);
    const trades = status === 200 ? readTrades(body, (row) => coinbaseTrade(row, symbol)) : null;
    if (!trades) return null;
    const previousOldest = oldest;
    for (const trade of trades) {
      seen.push(trade);
      oldest = Math.min(oldest, trade.id);
    }
    if (oldest <= after + 1 || trades.length === 0) break;
    // Ids have no gaps, so the first page already shows whether the remaining pages suffice.
    if (oldest - after - 1 > (maxPages - page - 1) * PAGE_SIZE) return null;
    if (oldest === previousOldest) return null;
  }
  const found = tradesBetween(seen, after, before);
  return isContiguous(found, after, before) ? found : null;
}

/** /products, which has no prices. */
async function listInstruments(rest: VenueRest): Promise<readonly VenueListing[]> {
  return (await fetchProducts(rest)).flatMap((row) => {
    const [venueSymbol, base, quoteCurrency] = [asText(row.id), asText(row.base_currency), asText(row.quote_currency)];
    const digits = decimalsOf(row.quote_increment);
    if (!venueSymbol || !base || !quoteCurrency || digits === null) return [];
    if (!isTrading(row)) return [];
    const symbol = asSymbol(`${base}${quoteCurrency}`);
    return { venueSymbol, symbol, name: `${base} / ${quoteCurrency}`, type: 'crypto' as const, digits, quoteCurrency };
  });
}

/** /products/{id}/candles, newest first. Both ends are inclusive, and a range of more than 300 bars is refused. */
async function fetchBars(request: VenueBarsRequest, rest: VenueRest): Promise<Bar[]> {
  const { venueSymbol, length, from, to } = request;
  const step = VENUE_BAR_MS[length];
  const pageMs = MAX_CANDLES * step;
  const bars: Bar[] = [];
  for (let start: number = from; start < to; start += pageMs) {
    const end = Math.min(start + pageMs, to) - step;
    const range = `start=${iso(start)}&end=${iso(end)}&granularity=${step / 1_000}`;
    const { status, body } = await rest.get(`/products/${encodeURIComponent(venueSymbol)}/candles?${range}`);
    if (status !== 200) throw new Error(`status ${status} for bars of ${venueSymbol}`);
    bars.push(
      ...readBars(body, (row) => {
        const [seconds, low, high, open, close, volume] = Array.isArray(row) ? (row as unknown[]) : [];
        return checkBar({ time: asMs(Number(seconds) * 1_000), open, high, low, close, volume }, length);
      }),
    );
  }
  return requestedBars(bars, request);
}

async function fetchListed(products: readonly string[], rest: VenueRest): Promise<ReadonlyMap<string, ListedSymbol>> {
  const wanted = new Set<unknown>(products);
  return new Map(
    (await fetchProducts(rest))
      .filter(({ id }) => wanted.has(id))
      .map((row) => [String(row.id), { digits: decimalsOf(row.quote_increment), isTrading: isTrading(row) }]),
  );
}

const isTrading = ({ status, trading_disabled }: Readonly<Record<string, unknown>>): boolean =>
  status === 'online' && trading_disabled !== true;

async function fetchProducts(rest: VenueRest): Promise<Readonly<Record<string, unknown>>[]> {
  const { status, body } = await rest.get('/products');
  if (status !== 200 || !Array.isArray(body)) throw new Error(`status ${status} for the list of products`);
  return (body as unknown[]).map((product) => asRecord(product) ?? {});
}
