// Bybit v5: spot on one socket, linear perpetuals on another. A perpetual has the name of its spot market (BTCUSDT): in the
// settings and in our lists it ends with `.P` (BTCUSDT.P).
// A subscribe request is refused as a whole if one symbol of it is unknown: then each symbol gets its own.
// Limits: ten topics per subscribe request on spot, 21,000 characters of topics per connection; a ping every 20 s; 500 connections
// in five minutes; REST 600 requests in five seconds per address, after which every request gets 403 for ten minutes. Blocked
// regions get 403 too.
import { asSymbol, type Bar } from '@tickwire/engine';
import { asMs, asPrice, asQuotedWhole, asRecord, asText, decimalsOf } from '../../raw-values.ts';
import { barPages } from '../bar-pages.ts';
import { type NumberedTrade, readTrades, tradesBetween } from '../numbered-trade.ts';
import { tetherPerpetuals } from '../tether-perpetuals.ts';
import { underlyingClass } from '../underlying-class.ts';
import {
  type ListedSymbol,
  type MissedTradesRequest,
  type SubscribeRequest,
  symbolsOf,
  type Venue,
  type VenueBarLength,
  type VenueBarsRequest,
  type VenueListing,
  type VenueRest,
} from '../venue.ts';
import { checkBar, readBars, requestedBars } from '../venue-bars.ts';
import {
  type BybitCategory,
  bareName,
  bybitMapper,
  bybitRestTrade,
  categoryOf,
  OPTIONAL_REQUEST,
  PERPETUAL,
} from './mapper.ts';

type Raw = Readonly<Record<string, unknown>>;

const TOPICS = ['orderbook.1', 'publicTrade'];
const SYMBOLS_PER_REQUEST = { spot: 5, linear: 100 } as const;
/** Of perpetuals. Prices are complete without them. */
const OPTIONAL_TOPICS = ['tickers', 'allLiquidation'];
/** Of spot, whose newest trades are all that the venue lists. */
const RECENT_TRADES = 60;
const BARS_PER_PAGE = 1_000;
const INTERVALS = { '1m': '1', '1h': '60', '1d': 'D' } as const;
/** A list has some thousand instruments, at most a thousand on a page. */
const MAX_LIST_PAGES = 20;

const PERPETUALS = tetherPerpetuals((underlying) => `${underlying}USDT${PERPETUAL}`);

export const bybit: Venue = {
  name: 'bybit',
  title: 'Bybit',
  bars: 'trades',
  wsUrl: 'wss://stream.bybit.com/v5/public',
  restUrl: 'https://api.bybit.com',
  limitStatus: 403,
  // The reply to a ping is a sign of life: one and a half pauses between pings.
  staleMs: 30_000,
  timing: { subscribeIntervalMs: 100, restIntervalMs: 10 },
  symbols: {
    BTCUSDT: 'BTCUSDT',
    ETHUSDT: 'ETHUSDT',
    SOLUSDT: 'SOLUSDT',
    XRPUSDT: 'XRPUSDT',
    ...symbolsOf(PERPETUALS),
  },
  instruments: PERPETUALS,
  heartbeat: { text: '{"op":"ping"}', everyMs: 20_000 },
  subscribeRequests,
  createMapper: (symbols, _contractSizes, seen, path) =>
    bybitMapper(symbols, path === '/linear' ? 'linear' : 'spot', seen),
  fetchTrades,
  fetchBars,
  listInstruments,
  fetchListed,
};

function subscribeRequests(venueSymbols: readonly string[]): SubscribeRequest[] {
  return [...Map.groupBy(venueSymbols, categoryOf)].flatMap(([category, symbols]) => {
    const names = symbols.map(bareName);
    const optional = category === 'linear' ? OPTIONAL_TOPICS : [];
    const request = (id: string, some: readonly string[], topics: readonly string[]): SubscribeRequest => ({
      text: JSON.stringify({ op: 'subscribe', req_id: id, args: some.flatMap((name) => topicsOf(name, topics)) }),
      path: `/${category}`,
      replyKeys: id.startsWith(OPTIONAL_REQUEST) ? [] : [id],
    });
    const size = SYMBOLS_PER_REQUEST[category];
    return Array.from({ length: Math.ceil(names.length / size) }, (_, index) => {
      const some = names.slice(index * size, (index + 1) * size);
      const parts = some.flatMap((name) => [
        request(name, [name], TOPICS),
        ...(optional.length > 0 ? [request(`${OPTIONAL_REQUEST} ${name}`, [name], optional)] : []),
      ]);
      return { ...request(`batch ${index}`, some, [...TOPICS, ...optional]), parts };
    });
  });
}

const topicsOf = (name: string, topics: readonly string[]): string[] => topics.map((topic) => `${topic}.${name}`);

/**
 * /v5/market/recent-trade, newest first. The list has every trade back to its oldest, so it is complete if it reaches back to a
 * known trade. Trades of perpetuals have no ids that could be compared.
 */
async function fetchTrades(request: MissedTradesRequest, rest: VenueRest): Promise<NumberedTrade[] | null> {
  const { symbol, venueSymbol, after, before } = request;
  if (categoryOf(venueSymbol) !== 'spot') return null;
  const { list } = await fetchResult(
    `recent-trade?category=spot&symbol=${encodeURIComponent(venueSymbol)}&limit=${RECENT_TRADES}`,
    rest,
  );
  const trades = readTrades(list, (row) => bybitRestTrade(row, symbol));
  if (!trades?.some(({ id }) => id <= after.id + 1)) return null;
  if (Number.isFinite(before) && !trades.some(({ id }) => id >= before - 1))
    throw new Error(`the trades of ${venueSymbol} do not yet reach the missed ones`);
  return tradesBetween(trades, after.id, before);
}

/** /v5/market/kline, newest first. `end` is the last start of a bar. */
async function fetchBars(request: VenueBarsRequest, rest: VenueRest): Promise<readonly Bar[]> {
  const { venueSymbol, length } = request;
  const market = `category=${categoryOf(venueSymbol)}&symbol=${encodeURIComponent(bareName(venueSymbol))}`;
  const bars: Bar[] = [];
  for (const { from, to } of barPages(request, BARS_PER_PAGE)) {
    const range = `interval=${INTERVALS[length]}&start=${from}&end=${to - 1}&limit=${BARS_PER_PAGE}`;
    const { list } = await fetchResult(`kline?${market}&${range}`, rest);
    for (const bar of readBars(list, (row) => readBar(row, length))) bars.push(bar);
  }
  return requestedBars(bars, request);
}

/** [start, open, high, low, close, volume in units of the underlying, turnover]. */
function readBar(row: unknown, barLength: VenueBarLength): Bar | string {
  const [start, open, high, low, close, volume] = Array.isArray(row) ? (row as unknown[]) : [];
  return checkBar({ time: asMs(asQuotedWhole(start)), open, high, low, close, volume }, barLength);
}

async function listInstruments(rest: VenueRest): Promise<readonly VenueListing[]> {
  const found: VenueListing[] = [];
  for (const category of ['spot', 'linear'] as const) {
    const rows = await fetchList(category, rest);
    const { list: tickers } = await fetchResult(`tickers?category=${category}`, rest);
    const prices = new Map((Array.isArray(tickers) ? tickers : []).map((one: Raw) => [one.symbol, one.lastPrice]));
    for (const row of rows) {
      const listing = listingOf(category, row, asPrice(prices.get(row.symbol)));
      if (listing) found.push(listing);
    }
  }
  return found;
}

/** `null` for a market that does not trade, or that is neither spot nor a perpetual. */
function listingOf(category: BybitCategory, row: Raw, lastPrice: number | null): VenueListing | null {
  const [name, base, quoteCurrency] = [asText(row.symbol), asText(row.baseCoin), asText(row.quoteCoin)];
  const digits = decimalsOf(asRecord(row.priceFilter)?.tickSize);
  if (row.status !== 'Trading' || !name || !base || !quoteCurrency || digits === null) return null;
  const last = lastPrice !== null && { lastPrice };
  const pair = { name: `${base} / ${quoteCurrency}`, digits, quoteCurrency, ...last };
  if (category === 'spot')
    return { ...pair, venueSymbol: name, symbol: asSymbol(`${base}${quoteCurrency}`), type: 'crypto' };
  if (row.contractType !== 'LinearPerpetual') return null;
  return {
    ...pair,
    name: `${pair.name} perpetual`,
    venueSymbol: `${name}${PERPETUAL}`,
    symbol: asSymbol(`${base}${quoteCurrency}${PERPETUAL}`),
    type: underlyingClass(base),
    contract: 'perpetual',
    underlying: base,
  };
}

async function fetchListed(
  venueSymbols: readonly string[],
  rest: VenueRest,
): Promise<ReadonlyMap<string, ListedSymbol>> {
  const found = new Map<string, ListedSymbol>();
  for (const [category, wanted] of Map.groupBy(venueSymbols, categoryOf)) {
    const rows = new Map((await fetchList(category, rest)).map((row) => [row.symbol, row]));
    for (const venueSymbol of wanted) {
      const row = rows.get(bareName(venueSymbol));
      const digits = decimalsOf(asRecord(row?.priceFilter)?.tickSize);
      if (row) found.set(venueSymbol, { digits, isTrading: row.status === 'Trading' });
    }
  }
  return found;
}

/** /v5/market/instruments-info, page by page. */
async function fetchList(category: BybitCategory, rest: VenueRest): Promise<Raw[]> {
  const rows: Raw[] = [];
  let cursor = '';
  for (let page = 0; page < MAX_LIST_PAGES; page++) {
    const next = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const result = await fetchResult(`instruments-info?category=${category}&limit=1000${next}`, rest);
    if (!Array.isArray(result.list)) throw new Error(`no list of ${category} instruments`);
    for (const row of result.list as unknown[]) rows.push(asRecord(row) ?? {});
    cursor = asText(result.nextPageCursor) ?? '';
    if (cursor === '') break;
  }
  return rows;
}

/** `result` of a response. Rejects with the venue's reason. */
async function fetchResult(request: string, rest: VenueRest): Promise<Raw> {
  const { status, body } = await rest.get(`/v5/market/${request}`, isBusy);
  const { retCode, retMsg, result } = asRecord(body) ?? {};
  const found = asRecord(result);
  if (status === 403) throw new Error('bybit: status 403: too many requests, or not available in this region');
  if (status !== 200 || retCode !== 0 || !found)
    throw new Error(`bybit: ${asText(retMsg) || `status ${status}`} (${request.split('?')[0]})`);
  return found;
}

/** 10006 and 10018 are rate limits, 10016 an internal error; all come with status 200. */
const isBusy = (body: unknown): boolean => [10_006, 10_016, 10_018].includes(Number(asRecord(body)?.retCode));
