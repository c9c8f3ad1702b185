// Binance USD-M futures: perpetuals on coins and, as TRADIFI_PERPETUAL, on metals, energy and shares. Best prices and trades
// are on two connections, /public and /market. Limits (developers.binance.com): 1,024 streams per connection; ten messages per
// second from the client, pongs included; a ping every three minutes; disconnect after 24 h; REST 2,400 weights per minute.
// A subscription to a symbol that does not exist is confirmed and stays silent, so the symbols are checked with exchangeInfo.
// Open interest is offered over REST only, and is not fetched.
import { asSymbol, type Bar } from '@tickwire/engine';
import { asMs, asPrice, asRecord, asText, decimalsOf } from '../../raw-values.ts';
import { isContiguous, type NumberedTrade, readTrades, tradesBetween } from '../numbered-trade.ts';
import { underlyingClass } from '../underlying-class.ts';
import {
  type ListedSymbol,
  type MissedTradesRequest,
  PAGE_SIZE,
  type SubscribeRequest,
  symbolsOf,
  type Venue,
  type VenueBarsRequest,
  type VenueListing,
  type VenueRest,
} from '../venue.ts';
import { checkBar, readBars, requestedBars, VENUE_BAR_MS } from '../venue-bars.ts';
import { binanceusdmMapper, binanceusdmTrade } from './mapper.ts';

const MAX_STREAMS = 1_024;
const STREAMS_PER_REQUEST = 200;
/** Streams of each connection: the venue does not send them on the other. */
const STREAMS: Readonly<Record<string, readonly string[]>> = {
  '/public/stream': ['bookTicker'],
  '/market/stream': ['aggTrade', 'markPrice', 'forceOrder'],
};
const MAX_BARS = 1_500;
const TRADES_WEIGHT = 20;
/** Weights of a list of bars by its limit. */
const BARS_WEIGHTS = [
  { below: 100, weight: 1 },
  { below: 500, weight: 2 },
  { below: 1_001, weight: 5 },
  { below: MAX_BARS + 1, weight: 10 },
];
const PRICES_WEIGHT = 2;

/** Digits are those of the price filter, plus one. */
const INSTRUMENTS: readonly VenueListing[] = (
  [
    ['BTC', 'crypto', 2, 'Bitcoin'],
    ['ETH', 'crypto', 3, 'Ethereum'],
    ['SOL', 'crypto', 4, 'Solana'],
    ['XAU', 'metal', 3, 'Gold'],
    ['XAG', 'metal', 4, 'Silver'],
    ['XPT', 'metal', 3, 'Platinum'],
    ['XPD', 'metal', 3, 'Palladium'],
    ['CL', 'energy', 4, 'Crude oil WTI'],
    ['BZ', 'energy', 4, 'Crude oil Brent'],
    ['NATGAS', 'energy', 5, 'Natural gas'],
    ['COPPER', 'metal', 5, 'Copper'],
  ] as const
).map(([base, type, digits, name]) => listing(base, 'USDT', type, digits, name));

export const binanceusdm: Venue = {
  name: 'binanceusdm',
  title: 'Binance USD-M futures',
  bars: 'trades',
  wsUrl: 'wss://fstream.binance.com',
  restUrl: 'https://fapi.binance.com',
  // Two answers to the heartbeat, and a margin.
  staleMs: 45_000,
  // Nine tenths of the weights of a minute are spaced out, one tenth is for bursts.
  timing: { subscribeIntervalMs: 150, restIntervalMs: 27.8, restBurstMs: 6_000 },
  heartbeat: { text: '{"method":"LIST_SUBSCRIPTIONS","id":0}', everyMs: 20_000 },
  symbols: symbolsOf(INSTRUMENTS),
  instruments: INSTRUMENTS,
  maxSymbols: Math.floor(MAX_STREAMS / 3),
  subscribeRequests,
  createMapper: binanceusdmMapper,
  weightOf,
  fetchTrades,
  fetchBars,
  listInstruments,
  fetchListed,
};

function subscribeRequests(venueSymbols: readonly string[]): SubscribeRequest[] {
  const requests: SubscribeRequest[] = [];
  for (const [path, names] of Object.entries(STREAMS)) {
    const streams = venueSymbols.flatMap((symbol) => names.map((name) => `${symbol.toLowerCase()}@${name}`));
    for (let at = 0; at < streams.length; at += STREAMS_PER_REQUEST) {
      const id = requests.length + 1;
      const text = JSON.stringify({ method: 'SUBSCRIBE', params: streams.slice(at, at + STREAMS_PER_REQUEST), id });
      requests.push({ path, text, replyKeys: [String(id)] });
    }
  }
  return requests;
}

function weightOf(path: string): number {
  if (path.startsWith('/fapi/v1/aggTrades')) return TRADES_WEIGHT;
  if (path.startsWith('/fapi/v1/ticker/price')) return PRICES_WEIGHT;
  const limit = Number(new URLSearchParams(path.slice(path.indexOf('?'))).get('limit') ?? 0);
  return BARS_WEIGHTS.find(({ below }) => limit < below)?.weight ?? 1;
}

/** /fapi/v1/aggTrades from an id on, ascending. */
async function fetchTrades(request: MissedTradesRequest, rest: VenueRest): Promise<NumberedTrade[] | null> {
  const { symbol, venueSymbol, after, before, maxPages } = request;
  const found: NumberedTrade[] = [];
  for (let page = 0; page < maxPages; page++) {
    const from = (found.at(-1)?.id ?? after.id) + 1;
    const path = `/fapi/v1/aggTrades?symbol=${encodeURIComponent(venueSymbol)}&fromId=${from}&limit=${PAGE_SIZE}`;
    const { status, body } = await rest.get(path);
    const rows = status === 200 ? readTrades(body, (row) => binanceusdmTrade(row, symbol)) : null;
    if (rows === null) return null;
    const fresh = tradesBetween(rows, from - 1, before);
    found.push(...fresh);
    if (!isContiguous(found, after.id, Number.POSITIVE_INFINITY)) return null;
    const isLastPage = rows.length < PAGE_SIZE || fresh.length < rows.length;
    if (isLastPage) return isContiguous(found, after.id, before) ? found : null;
  }
  return null;
}

async function fetchBars(request: VenueBarsRequest, rest: VenueRest): Promise<Bar[]> {
  const { venueSymbol, length, from, to } = request;
  const step = VENUE_BAR_MS[length];
  const bars: Bar[] = [];
  for (let at: number = from; at < to; at += MAX_BARS * step) {
    // One bar more than the last one shows that it is closed.
    const limit = Math.min(MAX_BARS, Math.ceil((to - at) / step) + 1);
    const query = `symbol=${encodeURIComponent(venueSymbol)}&interval=${length}&startTime=${at}&limit=${limit}`;
    const { status, body } = await rest.get(`/fapi/v1/klines?${query}`);
    if (status !== 200) throw new Error(`binanceusdm: status ${status} for the bars of ${venueSymbol}`);
    bars.push(
      ...readBars(body, (row) => {
        const [time, open, high, low, close, volume, , , , bought] = Array.isArray(row) ? (row as unknown[]) : [];
        return checkBar({ time: asMs(time), open, high, low, close, volume, bought }, length);
      }),
    );
  }
  return requestedBars(bars, request);
}

async function fetchContracts(rest: VenueRest): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { status, body } = await rest.get('/fapi/v1/exchangeInfo');
  const found = asRecord(body)?.symbols;
  if (status !== 200 || !Array.isArray(found)) throw new Error(`binanceusdm: status ${status} for the list of symbols`);
  return (found as unknown[]).map((entry) => asRecord(entry) ?? {});
}

function digitsOf({ filters }: Readonly<Record<string, unknown>>): number | null {
  const rules = Array.isArray(filters) ? (filters as unknown[]).map(asRecord) : [];
  return decimalsOf(rules.find((rule) => rule?.filterType === 'PRICE_FILTER')?.tickSize);
}

/** `underlyingType`: COIN, INDEX (of coins), COMMODITY, EQUITY, KR_EQUITY, PREMARKET and others. */
function classOf(base: string, underlyingType: unknown): VenueListing['type'] {
  if (underlyingType === 'COMMODITY') return underlyingClass(base) === 'metal' ? 'metal' : 'energy';
  return underlyingType === 'COIN' || underlyingType === 'INDEX' ? 'crypto' : 'equity';
}

function listing(base: string, quote: string, type: VenueListing['type'], digits: number, name = base): VenueListing {
  return {
    venueSymbol: `${base}${quote}`,
    symbol: asSymbol(`${base}${quote}.P`),
    name: `${name} / ${quote} perpetual`,
    type,
    digits,
    contract: 'perpetual',
    underlying: base,
    quoteCurrency: quote,
  };
}

async function listInstruments(rest: VenueRest): Promise<VenueListing[]> {
  const contracts = await fetchContracts(rest);
  const { body } = await rest.get('/fapi/v1/ticker/price');
  const rows = (Array.isArray(body) ? (body as unknown[]) : []).map((row) => asRecord(row) ?? {});
  const prices = new Map(rows.map(({ symbol, price }) => [symbol, asPrice(price)]));
  return contracts.flatMap((contract) => {
    const { status, contractType, underlyingType } = contract;
    const [venueSymbol, base, quote] = [contract.symbol, contract.baseAsset, contract.quoteAsset].map(asText);
    const digits = digitsOf(contract);
    if (status !== 'TRADING' || !String(contractType).endsWith('PERPETUAL')) return [];
    if (!venueSymbol || !base || !quote || digits === null) return [];
    const lastPrice = prices.get(venueSymbol) ?? null;
    const entry = listing(base, quote, classOf(base, underlyingType), digits);
    return [{ ...entry, venueSymbol, ...(lastPrice !== null && { lastPrice }) }];
  });
}

async function fetchListed(
  venueSymbols: readonly string[],
  rest: VenueRest,
): Promise<ReadonlyMap<string, ListedSymbol>> {
  const wanted = new Set<unknown>(venueSymbols);
  return new Map(
    (await fetchContracts(rest))
      .filter(({ symbol }) => wanted.has(symbol))
      .map((row) => [String(row.symbol), { digits: digitsOf(row), isTrading: row.status === 'TRADING' }]),
  );
}
