// Binance spot: one connection with combined streams, subscribed by message so that the venue confirms.
// Limits (web-socket-streams.md): 1,024 streams per connection; 5 frames per second from the client, pongs included; a ping
// every 20 s; disconnect after 24 h; 300 connections in 5 minutes. A subscription to a symbol that does not exist is
// confirmed like any other and stays silent, so the symbols are checked with exchangeInfo.
import { asSymbol, type Bar } from '@tickwire/engine';
import { asMs, asPrice, asRecord, asText, decimalsOf } from '../../raw-values.ts';
import { isContiguous, type NumberedTrade, readTrades, tradesBetween } from '../numbered-trade.ts';
import {
  type ListedSymbol,
  type MissedTradesRequest,
  PAGE_SIZE,
  type SubscribeRequest,
  spellings,
  USDT_BASES,
  type Venue,
  type VenueBarsRequest,
  type VenueListing,
  type VenueRest,
} from '../venue.ts';
import { checkBar, readBars, requestedBars } from '../venue-bars.ts';
import { binanceMapper, binanceRestTrade } from './mapper.ts';

const MAX_STREAMS = 1_024;
const STREAMS = ['trade', 'bookTicker'];
const STREAMS_PER_REQUEST = 200;
const SYMBOLS_PER_CHECK = 100;

export const binance: Venue = {
  name: 'binance',
  title: 'Binance',
  bars: 'trades',
  wsUrl: 'wss://stream.binance.com:9443',
  wsPath: '/stream',
  restUrl: 'https://api.binance.com',
  // Two pings and a margin: a quiet symbol sends nothing else.
  staleMs: 45_000,
  // Four requests per second leave one frame for a pong. REST: a page of trades costs 25 of 6,000 weights per minute.
  timing: { subscribeIntervalMs: 300, restIntervalMs: 300 },
  symbols: spellings(USDT_BASES, 'USDT', ''),
  maxSymbols: MAX_STREAMS / STREAMS.length,
  subscribeRequests,
  createMapper: binanceMapper,
  fetchTrades,
  fetchBars,
  listInstruments,
  fetchListed,
};

function subscribeRequests(venueSymbols: readonly string[]): SubscribeRequest[] {
  const streams = venueSymbols.flatMap((name) => STREAMS.map((stream) => `${name.toLowerCase()}@${stream}`));
  return Array.from({ length: Math.ceil(streams.length / STREAMS_PER_REQUEST) }, (_, index) => {
    const params = streams.slice(index * STREAMS_PER_REQUEST, (index + 1) * STREAMS_PER_REQUEST);
    return { text: JSON.stringify({ method: 'SUBSCRIBE', params, id: index + 1 }), replyKeys: [String(index + 1)] };
  });
}

/**
 * /api/v3/historicalTrades from an id on, ascending. Hosts that require a key there or do not have it (binance.us,
 * data-api.binance.vision) still list the newest thousand at /api/v3/trades. aggTrades cannot be used: it merges trades
 * and so loses their ids.
 */
async function fetchTrades(request: MissedTradesRequest, rest: VenueRest): Promise<NumberedTrade[] | null> {
  const { after, before, maxPages } = request;
  const found: NumberedTrade[] = [];
  for (let page = 0; page < maxPages; page++) {
    const from = (found.at(-1)?.id ?? after.id) + 1;
    const rows = await fetchPage('historicalTrades', `&fromId=${from}`, request, rest);
    if (rows === null) return page === 0 ? fetchNewest(request, rest) : null;
    const fresh = tradesBetween(rows, from - 1, before);
    found.push(...fresh);
    if (!isContiguous(found, after.id, Number.POSITIVE_INFINITY)) return null;
    const isLastPage = rows.length < PAGE_SIZE || fresh.length < rows.length;
    if (isLastPage) return isContiguous(found, after.id, before) ? found : null;
  }
  return null;
}

async function fetchNewest(request: MissedTradesRequest, rest: VenueRest): Promise<NumberedTrade[] | null> {
  const { after, before } = request;
  const rows = await fetchPage('trades', '', request, rest);
  const found = tradesBetween(rows ?? [], after.id, before);
  // Otherwise the list may start after the first missed trade.
  const reachesBack = rows?.some((trade) => trade.id <= after.id + 1) ?? false;
  return reachesBack && isContiguous(found, after.id, before) ? found : null;
}

async function fetchPage(
  endpoint: string,
  cursor: string,
  { symbol, venueSymbol }: MissedTradesRequest,
  rest: VenueRest,
): Promise<NumberedTrade[] | null> {
  const path = `/api/v3/${endpoint}?symbol=${encodeURIComponent(venueSymbol)}&limit=${PAGE_SIZE}${cursor}`;
  const { status, body } = await rest.get(path);
  return status === 200 ? readTrades(body, (row) => binanceRestTrade(row, symbol)) : null;
}

/** exchangeInfo, without the permissions, which make most of it, and the last prices of ticker/price. */
async function listInstruments(rest: VenueRest): Promise<readonly VenueListing[]> {
  const list = await rest.get('/api/v3/exchangeInfo?symbolStatus=TRADING&showPermissionSets=false');
  const symbols = asRecord(list.body)?.symbols;
  if (list.status !== 200 || !Array.isArray(symbols)) throw new Error(`status ${list.status} for the list of symbols`);
  const { body: prices } = await rest.get('/api/v3/ticker/price');
  const rows = Array.isArray(prices) ? (prices as unknown[]).map((row) => asRecord(row) ?? {}) : [];
  const lastPrices = new Map(rows.map(({ symbol, price }) => [symbol, asPrice(price)]));
  return (symbols as unknown[]).flatMap((entry) => {
    const row = asRecord(entry) ?? {};
    const [venueSymbol, base, quoteCurrency] = [asText(row.symbol), asText(row.baseAsset), asText(row.quoteAsset)];
    const digits = digitsOf(row);
    if (!venueSymbol || !base || !quoteCurrency || digits === null || row.isSpotTradingAllowed !== true) return [];
    const lastPrice = lastPrices.get(venueSymbol) ?? null;
    return {
      venueSymbol,
      symbol: asSymbol(venueSymbol),
      name: `${base} / ${quoteCurrency}`,
      type: 'crypto' as const,
      digits,
      quoteCurrency,
      ...(lastPrice !== null && { lastPrice }),
    };
  });
}

/** Of tickSize, in the price filter of a symbol. */
function digitsOf({ filters }: Readonly<Record<string, unknown>>): number | null {
  const rules = Array.isArray(filters) ? (filters as unknown[]).map(asRecord) : [];
  return decimalsOf(rules.find((rule) => rule?.filterType === 'PRICE_FILTER')?.tickSize);
}

/** /api/v3/klines, ascending. Start and end are those of the bars' first milliseconds, both inclusive. */
async function fetchBars(request: VenueBarsRequest, rest: VenueRest): Promise<Bar[]> {
  const { venueSymbol, length, to } = request;
  const bars: Bar[] = [];
  for (let from: number = request.from; from < to; ) {
    const range = `startTime=${from}&endTime=${to - 1}&limit=${PAGE_SIZE}`;
    const path = `/api/v3/klines?symbol=${encodeURIComponent(venueSymbol)}&interval=${length}&${range}`;
    const { status, body } = await rest.get(path);
    if (status !== 200) throw new Error(`status ${status} for bars of ${venueSymbol}`);
    const page = readBars(body, (row) => {
      const [time, open, high, low, close, volume, , , , bought] = Array.isArray(row) ? (row as unknown[]) : [];
      return checkBar({ time: asMs(time), open, high, low, close, volume, bought }, length);
    });
    bars.push(...page);
    const newest = page.at(-1);
    if (!newest || page.length < PAGE_SIZE) break;
    from = newest.time + 1;
  }
  return requestedBars(bars, request);
}

/** A request that names an unknown symbol is refused as a whole: then the list of all symbols has the others. */
async function fetchListed(
  venueSymbols: readonly string[],
  rest: VenueRest,
): Promise<ReadonlyMap<string, ListedSymbol>> {
  const found = new Map<string, ListedSymbol>();
  for (let at = 0; at < venueSymbols.length; at += SYMBOLS_PER_CHECK) {
    const some = venueSymbols.slice(at, at + SYMBOLS_PER_CHECK);
    const named = await rest.get(`/api/v3/exchangeInfo?symbols=${encodeURIComponent(JSON.stringify(some))}`);
    const { status, body } =
      named.status === 400 ? await rest.get('/api/v3/exchangeInfo?showPermissionSets=false') : named;
    const rows = asRecord(body)?.symbols;
    if (status !== 200 || !Array.isArray(rows)) throw new Error(`status ${status} for the list of symbols`);
    for (const row of (rows as unknown[]).map((entry) => asRecord(entry) ?? {})) {
      const name = asText(row.symbol) ?? '';
      if (some.includes(name)) found.set(name, { digits: digitsOf(row), isTrading: row.status === 'TRADING' });
    }
  }
  return found;
}
