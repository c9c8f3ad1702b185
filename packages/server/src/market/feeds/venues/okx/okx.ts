// OKX v5: quotes and data of perpetuals on /public, trades on /business.
// Trades are `trades-all`, not `trades`: the latter merges the fills of an order at one price under the id of the last one, so
// that ids have holes, and a trade fetched over REST could not be told from a part of a merged one. The price is a message for
// each fill, on a socket of their own.
// Limits: the text `ping` within 30 s; 3 connections per second and address; 480 subscribe requests per hour and connection;
// REST 20 requests in two seconds for the requests used here.
import { asSymbol, type Bar, type EpochMs } from '@tickwire/engine';
import { asMs, asPrice, asQuotedWhole, asRecord, asText, decimalsOf } from '../../raw-values.ts';
import { barPages } from '../bar-pages.ts';
import { type NumberedTrade, readTrades, tradesBetween } from '../numbered-trade.ts';
import { tetherPerpetuals } from '../tether-perpetuals.ts';
import { underlyingClass } from '../underlying-class.ts';
import {
  type ListedSymbol,
  type MissedTradesRequest,
  PAGE_SIZE,
  type SubscribeRequest,
  spellings,
  symbolsOf,
  type Venue,
  type VenueBarLength,
  type VenueBarsRequest,
  type VenueListing,
  type VenueRest,
} from '../venue.ts';
import { checkBar, readBars, requestedBars, VENUE_BAR_MS } from '../venue-bars.ts';
import { isSwap, LIQUIDATIONS, OPTIONAL_CHANNELS, okxMapper, okxReplyKey, okxTrade, SWAP } from './mapper.ts';

type Raw = Readonly<Record<string, unknown>>;
interface Channel {
  readonly channel: string;
  readonly instId?: string;
  readonly instType?: string;
}

const CHANNELS_PER_REQUEST = 100;
const TRADES_PER_PAGE = 100;
/** /market/candles has only the newest bars of each length, but on larger pages than /market/history-candles. */
const NEWEST_BARS = 1_440;
const NEWEST_PER_PAGE = 300;
const OLDER_PER_PAGE = 100;
/** The day of `1D` starts in Hong Kong. */
const INTERVALS: Readonly<Record<VenueBarLength, string>> = { '1m': '1m', '1h': '1H', '1d': '1Dutc' };
/** By `instCategory`. The class of commodities and currencies follows from their codes. */
const CLASSES: Readonly<Record<string, VenueListing['type']>> = { 1: 'crypto', 3: 'equity' };

const PERPETUALS = tetherPerpetuals((underlying) => `${underlying}-USDT${SWAP}`, {
  BTC: 0.01,
  ETH: 0.1,
  SOL: 1,
  XRP: 100,
  XAU: 0.001,
});

export const okx: Venue = {
  name: 'okx',
  title: 'OKX',
  bars: 'trades',
  wsUrl: 'wss://ws.okx.com:8443/ws/v5',
  restUrl: 'https://www.okx.com',
  // The reply to a ping is a sign of life: one and a half pauses between pings.
  staleMs: 30_000,
  timing: { subscribeIntervalMs: 350, restIntervalMs: 110 },
  symbols: { ...spellings(['BTC', 'ETH', 'SOL', 'XRP'], 'USDT', '-'), ...symbolsOf(PERPETUALS) },
  instruments: PERPETUALS,
  heartbeat: { text: 'ping', everyMs: 20_000 },
  subscribeRequests,
  createMapper: okxMapper,
  fetchContractSizes,
  fetchTrades,
  fetchBars,
  listInstruments,
  fetchListed,
};

function subscribeRequests(venueSymbols: readonly string[]): SubscribeRequest[] {
  const swaps = venueSymbols.filter(isSwap);
  const on = (channel: string, instIds: readonly string[]): Channel[] => instIds.map((instId) => ({ channel, instId }));
  const optional = OPTIONAL_CHANNELS.flatMap((channel) =>
    on(channel, channel === 'index-tickers' ? swaps.map((instId) => instId.slice(0, -SWAP.length)) : swaps),
  );
  if (swaps.length > 0) optional.push({ channel: LIQUIDATIONS, instType: 'SWAP' });
  return [
    ...requestsFor('/public', on('bbo-tbt', venueSymbols), true),
    ...requestsFor('/business', on('trades-all', venueSymbols), true),
    ...requestsFor('/public', optional, false),
  ];
}

function requestsFor(path: string, channels: readonly Channel[], isNeeded: boolean): SubscribeRequest[] {
  return Array.from({ length: Math.ceil(channels.length / CHANNELS_PER_REQUEST) }, (_, index) => {
    const args = channels.slice(index * CHANNELS_PER_REQUEST, (index + 1) * CHANNELS_PER_REQUEST);
    const replyKeys = isNeeded ? args.map(({ channel, instId }) => okxReplyKey(channel, instId)) : [];
    return { text: JSON.stringify({ op: 'subscribe', args }), path, replyKeys };
  });
}

/** ctVal of the swaps whose contracts are a number of units of the underlying. */
async function fetchContractSizes(
  venueSymbols: readonly string[],
  rest: VenueRest,
): Promise<ReadonlyMap<string, number>> {
  if (!venueSymbols.some(isSwap)) return new Map();
  const wanted = new Set(venueSymbols);
  return new Map(
    (await fetchList('instruments?instType=SWAP', rest)).flatMap((row) => {
      const instId = asText(row.instId) ?? '';
      const size = wanted.has(instId) ? contractSizeOf(row) : null;
      return size === null ? [] : [[instId, size] as const];
    }),
  );
}

/** `null` for an inverse swap, whose contracts are worth a number of dollars. */
function contractSizeOf({ ctType, ctVal, ctMult }: Raw): number | null {
  const [value, multiplier] = [asPrice(ctVal), asPrice(ctMult ?? '1')];
  return ctType === 'linear' && value !== null && multiplier !== null ? value * multiplier : null;
}

/**
 * /api/v5/market/history-trades, newest first; `after` means older than an id. The pages run from the newest missed trade back to
 * a known one, so that nothing is missing between them.
 */
async function fetchTrades(request: MissedTradesRequest, rest: VenueRest): Promise<NumberedTrade[] | null> {
  const { symbol, venueSymbol, after, before } = request;
  const unit = isSwap(venueSymbol) ? (await fetchContractSizes([venueSymbol], rest)).get(venueSymbol) : 1;
  if (unit === undefined) return null;
  const maxPages = request.maxPages * (PAGE_SIZE / TRADES_PER_PAGE);
  const seen: NumberedTrade[] = [];
  let oldest = before;
  for (let page = 0; page < maxPages; page++) {
    const cursor = Number.isFinite(oldest) ? `&after=${oldest}` : '';
    const path = `history-trades?instId=${encodeURIComponent(venueSymbol)}&limit=${TRADES_PER_PAGE}${cursor}`;
    const trades = readTrades(await fetchRows(`market/${path}`, rest), (row) => okxTrade(row, symbol, unit));
    if (!trades || trades.length === 0) return null;
    const newest = Math.max(...trades.map(({ id }) => id));
    if (page === 0 && Number.isFinite(before) && newest < before - 1)
      throw new Error(`okx: the trades of ${venueSymbol} do not yet reach the missed ones`);
    for (const trade of trades) seen.push(trade);
    oldest = Math.min(...trades.map(({ id }) => id));
    if (oldest <= after.id + 1) return tradesBetween(seen, after.id, before);
    // Ids are consecutive: they show whether the remaining pages suffice.
    if (oldest - after.id - 1 > (maxPages - page - 1) * TRADES_PER_PAGE) return null;
  }
  return null;
}

/** /api/v5/market/candles and history-candles, newest first. `after` and `before` are exclusive. */
async function fetchBars(request: VenueBarsRequest, rest: VenueRest): Promise<readonly Bar[]> {
  const { venueSymbol, length, from, to } = request;
  const span = VENUE_BAR_MS[length];
  // Half of what the venue keeps there: the list moves on while it is read.
  const newestFrom = Date.now() - (NEWEST_BARS / 2) * span;
  const turn = Math.min(to, Math.max(from, newestFrom - (newestFrom % span) + span)) as EpochMs;
  const parts = [
    { list: 'history-candles', size: OLDER_PER_PAGE, pages: barPages({ ...request, to: turn }, OLDER_PER_PAGE) },
    { list: 'candles', size: NEWEST_PER_PAGE, pages: barPages({ ...request, from: turn }, NEWEST_PER_PAGE) },
  ];
  const bars: Bar[] = [];
  for (const { list, size, pages } of parts) {
    for (const page of pages) {
      const range = `after=${page.to}&before=${page.from - 1}&limit=${size}`;
      const path = `market/${list}?instId=${encodeURIComponent(venueSymbol)}&bar=${INTERVALS[length]}&${range}`;
      const read = (row: unknown): Bar | string => readBar(row, request);
      for (const bar of readBars(await fetchRows(path, rest), read)) bars.push(bar);
    }
  }
  return requestedBars(bars, request);
}

/** [start, open, high, low, close, volume, volume in units of the underlying of a swap, …, 1 if closed]. */
function readBar(row: unknown, { venueSymbol, length }: VenueBarsRequest): Bar | string {
  const values = Array.isArray(row) ? (row as unknown[]) : [];
  const [start, open, high, low, close] = values;
  const volume = values[isSwap(venueSymbol) ? 6 : 5];
  return checkBar({ time: asMs(asQuotedWhole(start)), open, high, low, close, volume }, length);
}

async function listInstruments(rest: VenueRest): Promise<readonly VenueListing[]> {
  const found: VenueListing[] = [];
  for (const type of ['SPOT', 'SWAP']) {
    const rows = await fetchList(`instruments?instType=${type}`, rest);
    const tickers = (await fetchRows(`market/tickers?instType=${type}`, rest)).map((row) => asRecord(row) ?? {});
    const prices = new Map(tickers.map(({ instId, last }) => [instId, asPrice(last)]));
    for (const row of rows) {
      const listing = listingOf(row, prices.get(row.instId) ?? null);
      if (listing) found.push(listing);
    }
  }
  return found;
}

/** `null` for an instrument that does not trade, and for an inverse swap. */
function listingOf(row: Raw, lastPrice: number | null): VenueListing | null {
  const instId = asText(row.instId) ?? '';
  const [base, quoteCurrency] = instId.split('-');
  const digits = decimalsOf(row.tickSz);
  if (row.state !== 'live' || !base || !quoteCurrency || digits === null) return null;
  const last = lastPrice !== null && { lastPrice };
  const pair = { venueSymbol: instId, name: `${base} / ${quoteCurrency}`, digits, quoteCurrency, ...last };
  const type = CLASSES[asText(row.instCategory) ?? ''] ?? underlyingClass(base);
  if (!isSwap(instId)) return { ...pair, symbol: asSymbol(`${base}${quoteCurrency}`), type };
  const contractSize = contractSizeOf(row);
  if (contractSize === null) return null;
  return {
    ...pair,
    name: `${pair.name} perpetual`,
    symbol: asSymbol(`${base}${quoteCurrency}.P`),
    type,
    contract: 'perpetual',
    underlying: base,
    contractSize,
  };
}

async function fetchListed(
  venueSymbols: readonly string[],
  rest: VenueRest,
): Promise<ReadonlyMap<string, ListedSymbol>> {
  const types = new Set(venueSymbols.map((instId) => (isSwap(instId) ? 'SWAP' : 'SPOT')));
  const lists = await Promise.all([...types].map((type) => fetchList(`instruments?instType=${type}`, rest)));
  const wanted = new Set<unknown>(venueSymbols);
  return new Map(
    lists
      .flat()
      .filter(({ instId }) => wanted.has(instId))
      .map(({ instId, tickSz, state }) => [
        String(instId),
        { digits: decimalsOf(tickSz), isTrading: state === 'live' },
      ]),
  );
}

const fetchList = async (request: string, rest: VenueRest): Promise<Raw[]> =>
  (await fetchRows(`public/${request}`, rest)).map((row) => asRecord(row) ?? {});

/** `data` of a response. Rejects with the venue's reason. */
async function fetchRows(request: string, rest: VenueRest): Promise<readonly unknown[]> {
  const { status, body } = await rest.get(`/api/v5/${request}`, isBusy);
  const { code, msg, data } = asRecord(body) ?? {};
  if (status !== 200 || code !== '0' || !Array.isArray(data))
    throw new Error(`okx: ${asText(msg) || `status ${status}`} (${request.split('?')[0]})`);
  return data as unknown[];
}

/** 50011 is a rate limit, 50001 and 50013 an overload. */
const isBusy = (body: unknown): boolean => ['50001', '50011', '50013'].includes(String(asRecord(body)?.code));
