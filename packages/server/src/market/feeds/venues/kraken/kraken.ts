// Kraken spot, WebSocket v2: two requests for any number of symbols, one confirmation for each symbol and channel.
// Heartbeats arrive every second if nothing else does. `ticker` is subscribed with every change of the best prices, not
// only with trades. Its currency pairs are thin books of the exchange that trade on weekends too: prices of one venue, not of
// the interbank market. Limits: the rate of requests varies with load; about 150 connections in ten minutes; REST about one
// request per second.
import { asEpochMs, asSymbol, type Bar, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { asId, asMs, asPrice, asRecord, asText } from '../../raw-values.ts';
import { type NumberedTrade, readTrades, tradesBetween } from '../numbered-trade.ts';
import { underlyingClass } from '../underlying-class.ts';
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
import { krakenMapper, krakenReplyKey, krakenRestTrade } from './mapper.ts';

const SYMBOLS_PER_REQUEST = 100;
/** Newest bars of each length that the venue keeps, the running one included. */
const KEPT_BARS = 720;
/** The time of the last known trade may be inaccurate: if the list starts too late, retry from this much earlier. */
const EARLIER_MS = [0, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS];

export const kraken: Venue = {
  name: 'kraken',
  title: 'Kraken',
  bars: 'trades',
  wsUrl: 'wss://ws.kraken.com/v2',
  restUrl: 'https://api.kraken.com',
  staleMs: 10_000,
  timing: { restIntervalMs: 1_100, restRetryMs: 2_000 },
  symbols: {
    ...spellings([...USD_BASES, 'EUR', 'GBP', 'AUD'], 'USD', '/'),
    ...Object.fromEntries(['JPY', 'CAD', 'CHF'].map((currency) => [`USD${currency}`, `USD/${currency}`])),
  },
  // pair_decimals of /0/public/AssetPairs.
  digits: { ADAUSD: 6, DOGEUSD: 7 },
  subscribeRequests,
  createMapper: krakenMapper,
  fetchTrades,
  fetchBars,
  oldestBar: (length, now) => asEpochMs(now - (KEPT_BARS - 1) * VENUE_BAR_MS[length]),
  listInstruments,
  fetchListed,
};

function subscribeRequests(venueSymbols: readonly string[]): SubscribeRequest[] {
  const requests: SubscribeRequest[] = [];
  for (let at = 0; at < venueSymbols.length; at += SYMBOLS_PER_REQUEST) {
    const symbol = venueSymbols.slice(at, at + SYMBOLS_PER_REQUEST);
    for (const params of [
      { channel: 'trade', symbol, snapshot: false },
      { channel: 'ticker', symbol, event_trigger: 'bbo', snapshot: true },
    ]) {
      const req_id = requests.length + 1;
      const text = JSON.stringify({ method: 'subscribe', params, req_id });
      requests.push({ text, replyKeys: symbol.map((name) => krakenReplyKey(req_id, name)) });
    }
  }
  return requests;
}

/**
 * /0/public/Trades from a time on, ascending. `since` is in nanoseconds and exclusive; `last` of a page is where the next
 * one starts. Several trades can share a time, so each page starts a nanosecond early and duplicates are removed by id.
 * Kraken promises rising ids, not ids without gaps: the result is complete if its list starts at a known trade and
 * reaches `before`.
 */
async function fetchTrades(request: MissedTradesRequest, rest: VenueRest): Promise<NumberedTrade[] | null> {
  const { after, before, maxPages } = request;
  let requested = 0;
  for (const earlierMs of EARLIER_MS) {
    const seen: NumberedTrade[] = [];
    // The time is truncated to the millisecond, so the known trade lies at or after it.
    let since: string | null = `${after.time - earlierMs - 1}999999`;
    while (since !== null && requested < maxPages) {
      requested++;
      const page = await fetchPage(request, since, rest);
      if (page === null) return null;
      const reachesBack = seen.length > 0 || page.trades.some((trade) => trade.id <= after.id);
      if (!reachesBack) break;
      seen.push(...page.trades);
      const isLastPage = page.trades.length < PAGE_SIZE || page.trades.some((trade) => trade.id >= before);
      if (isLastPage) return tradesBetween(seen, after.id, before);
      since = page.next === since ? null : page.next;
    }
  }
  return null;
}

/** /0/public/AssetPairs, with the last prices of /0/public/Ticker. */
async function listInstruments(rest: VenueRest): Promise<readonly VenueListing[]> {
  const pairs = await fetchRecord('AssetPairs', rest);
  const tickers = await fetchRecord('Ticker', rest);
  return Object.entries(pairs).flatMap(([key, raw]) => {
    const { wsname, pair_decimals, status } = asRecord(raw) ?? {};
    const digits = asId(pair_decimals);
    const [base, quoteCurrency] = (asText(wsname) ?? '').split('/').map((coin) => STREAM_COINS.get(coin) ?? coin);
    if (status !== 'online' || !base || !quoteCurrency || digits === null) return [];
    const isForex = underlyingClass(base) === 'forex' && underlyingClass(quoteCurrency) === 'forex';
    const closing: unknown = asRecord(tickers[key])?.c;
    const lastPrice = Array.isArray(closing) ? asPrice(closing[0]) : null;
    return {
      venueSymbol: `${base}/${quoteCurrency}`,
      symbol: asSymbol(`${base}${quoteCurrency}`),
      name: `${base} / ${quoteCurrency}`,
      type: isForex ? ('forex' as const) : ('crypto' as const),
      digits,
      quoteCurrency,
      ...(lastPrice !== null && { lastPrice }),
    };
  });
}

/** /0/public/OHLC: one page with the newest 720 bars after `since`, in seconds. */
async function fetchBars(request: VenueBarsRequest, rest: VenueRest): Promise<Bar[]> {
  const interval = VENUE_BAR_MS[request.length] / MINUTE_MS;
  const since = request.from / 1_000 - 1;
  const path = `/0/public/OHLC?pair=${restPair(request.venueSymbol)}&interval=${interval}&since=${since}`;
  const { status, body } = await rest.get(path, isBusy);
  const { error, result } = asRecord(body) ?? {};
  const lists = asRecord(result);
  if (!lists || !Array.isArray(error) || error.length > 0)
    throw new Error(`status ${status} for bars of ${request.venueSymbol}: ${JSON.stringify(error)}`);
  const rows = Object.entries(lists).find(([name]) => name !== 'last')?.[1];
  const bars = readBars(rows, (row) => {
    const [seconds, open, high, low, close, , volume] = Array.isArray(row) ? (row as unknown[]) : [];
    return checkBar({ time: asMs(Number(seconds) * 1_000), open, high, low, close, volume }, request.length);
  });
  return requestedBars(bars, request);
}

/** /0/public/AssetPairs, of all pairs: one that names an unknown pair is refused. Its entries are named in the spelling of REST (`altname`). */
async function fetchListed(
  venueSymbols: readonly string[],
  rest: VenueRest,
): Promise<ReadonlyMap<string, ListedSymbol>> {
  const names = new Map(venueSymbols.map((name) => [restPair(name), name]));
  const found = new Map<string, ListedSymbol>();
  for (const pair of Object.values(await fetchRecord('AssetPairs', rest))) {
    const { altname, pair_decimals, status } = asRecord(pair) ?? {};
    const name = names.get(encodeURIComponent(String(altname)));
    if (name !== undefined) found.set(name, { digits: asId(pair_decimals), isTrading: status === 'online' });
  }
  return found;
}

/** The result of a list by pairs. Rejects with the venue's reason. */
async function fetchRecord(request: string, rest: VenueRest): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await rest.get(`/0/public/${request}`, isBusy);
  const { error, result } = asRecord(body) ?? {};
  const found = asRecord(result);
  if (!found || !Array.isArray(error) || error.length > 0)
    throw new Error(`status ${status} for the list of pairs: ${JSON.stringify(error)}`);
  return found;
}

interface Page {
  readonly trades: readonly NumberedTrade[];
  /** `since` of the next page. */
  readonly next: string | null;
}

async function fetchPage(request: MissedTradesRequest, since: string, rest: VenueRest): Promise<Page | null> {
  const path = `/0/public/Trades?pair=${restPair(request.venueSymbol)}&since=${since}&count=${PAGE_SIZE}`;
  const { body } = await rest.get(path, isBusy);
  const { error, result } = asRecord(body) ?? {};
  const lists = asRecord(result);
  if (!lists || !Array.isArray(error) || error.length > 0) return null;
  // The key of the list is the pair in a third spelling: XXBTZUSD.
  const rows = Object.entries(lists).find(([name]) => name !== 'last')?.[1];
  const trades = readTrades(rows, (row) => krakenRestTrade(row, request.symbol));
  if (!trades) return null;
  const { last } = lists;
  const next = typeof last === 'string' && /^\d{1,25}$/.test(last) ? String(BigInt(last) - 1n) : null;
  return { trades, next };
}

const REST_COINS = new Map([
  ['BTC', 'XBT'],
  ['DOGE', 'XDG'],
]);

/** The other way round: lists have the spelling of REST, and the stream has the usual one. */
const STREAM_COINS = new Map([...REST_COINS].map(([usual, rest]) => [rest, usual]));

/** REST spells BTC/USD as XBTUSD. */
export const restPair = (venueSymbol: string): string =>
  encodeURIComponent(
    venueSymbol
      .split('/')
      .map((coin) => REST_COINS.get(coin) ?? coin)
      .join(''),
  );

/** Kraken reports a rate limit with status 200. */
function isBusy(body: unknown): boolean {
  const error = asRecord(body)?.error;
  return (
    Array.isArray(error) && error.some((one) => /Too many requests|Rate limit|Unavailable|Busy/i.test(String(one)))
  );
}
