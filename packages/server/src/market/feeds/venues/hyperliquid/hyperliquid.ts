// Hyperliquid perpetuals, also those of builders (HIP-3), whose names have a prefix: xyz:GOLD. One connection, one subscribe
// request per coin and channel. Past trades cannot be fetched: after a disconnect, missed time is filled with minutes.
// Limits (hyperliquid.gitbook.io, rate limits and user limits): 10 connections, 1,000 subscriptions and 2,000 messages per
// minute and address; the connection ends after 60 s without a message from either side; REST 1,200 weights per minute.
import type { Bar, EpochMs } from '@tickwire/engine';
import { asId, asMs, asPrice, asRecord, asText } from '../../raw-values.ts';
import {
  type ListedSymbol,
  type SubscribeRequest,
  symbolsOf,
  type Venue,
  type VenueBarLength,
  type VenueBarsRequest,
  type VenueListing,
  type VenueRest,
} from '../venue.ts';
import { checkBar, readBars, requestedBars, VENUE_BAR_MS } from '../venue-bars.ts';
import { type Coin, type Dex, HYPERLIQUID_INSTRUMENTS, listingsOf } from './listings.ts';
import { hyperliquidMapper, hyperliquidReplyKey } from './mapper.ts';

const CHANNELS = ['bbo', 'trades', 'activeAssetCtx'];
const MAX_SUBSCRIPTIONS = 1_000;
/** Of one request, and kept by the venue of each length. */
const MAX_BARS = 5_000;
const INFO_WEIGHT = 20;
/** A list of bars adds one for each of these. */
const BARS_PER_WEIGHT = 60;
/** Prices have at most this many decimals, less those of sizes. */
const MAX_DIGITS = 6;

export const hyperliquid: Venue = {
  name: 'hyperliquid',
  title: 'Hyperliquid',
  bars: 'trades',
  wsUrl: 'wss://api.hyperliquid.xyz/ws',
  restUrl: 'https://api.hyperliquid.xyz',
  // Two answers to the heartbeat, and a margin.
  staleMs: 45_000,
  // activeAssetCtx arrives every few seconds, also of coins that are not traded.
  symbolStaleMs: 60_000,
  // Nine tenths of the weights of a minute are spaced out, one tenth is for bursts.
  timing: { subscribeIntervalMs: 35, restIntervalMs: 55.6, restBurstMs: 6_000, restRetryMs: 2_000 },
  heartbeat: { text: '{"method":"ping"}', everyMs: 20_000 },
  symbols: symbolsOf(HYPERLIQUID_INSTRUMENTS),
  instruments: HYPERLIQUID_INSTRUMENTS,
  maxSymbols: Math.floor(MAX_SUBSCRIPTIONS / CHANNELS.length),
  subscribeRequests,
  createMapper: (symbols, _contractSizes, seen) => hyperliquidMapper(symbols, seen),
  weightOf,
  barsPerRequest: MAX_BARS,
  fetchBars,
  oldestBar,
  listInstruments,
  fetchListed,
};

function subscribeRequests(coins: readonly string[]): SubscribeRequest[] {
  return CHANNELS.flatMap((type) =>
    coins.map((coin) => ({
      text: JSON.stringify({ method: 'subscribe', subscription: { type, coin } }),
      replyKeys: [hyperliquidReplyKey(type, coin)],
    })),
  );
}

interface BarsQuery {
  readonly coin: string;
  readonly interval: VenueBarLength;
  readonly startTime: number;
  readonly endTime: number;
}

function weightOf(_path: string, json?: unknown): number {
  const { type, req } = json as { readonly type: string; readonly req?: BarsQuery };
  if (type !== 'candleSnapshot' || !req) return INFO_WEIGHT;
  const bars = Math.ceil((req.endTime - req.startTime) / VENUE_BAR_MS[req.interval]);
  return INFO_WEIGHT + Math.ceil(bars / BARS_PER_WEIGHT);
}

async function info(rest: VenueRest, request: { readonly type: string; readonly [key: string]: unknown }) {
  const { status, body } = await rest.post('/info', request);
  if (status !== 200) throw new Error(`hyperliquid: status ${status} for ${request.type}`);
  return body;
}

async function fetchBars(request: VenueBarsRequest, rest: VenueRest): Promise<Bar[]> {
  const { venueSymbol: coin, length, to } = request;
  const step = VENUE_BAR_MS[length];
  const bars: Bar[] = [];
  for (let at: number = request.from; at < to; at += MAX_BARS * step) {
    // One bar more shows that the one before it is closed.
    const endTime = Math.min(at + MAX_BARS * step, to + step, Date.now()) - 1;
    const req: BarsQuery = { coin, interval: length, startTime: at, endTime };
    const rows = await info(rest, { type: 'candleSnapshot', req });
    bars.push(
      ...readBars(rows, (row) => {
        const { t, o: open, h: high, l: low, c: close, v: volume } = asRecord(row) ?? {};
        return checkBar({ time: asMs(t), open, high, low, close, volume }, length);
      }),
    );
  }
  return requestedBars(bars, request);
}

/** The venue keeps the newest bars of each length. */
function oldestBar(length: VenueBarLength, now: EpochMs): EpochMs {
  const step = VENUE_BAR_MS[length];
  return Math.max(0, now - (now % step) - (MAX_BARS - 1) * step) as EpochMs;
}

/** Index of the token in which the contracts of most exchanges are settled. */
const USDC = 0;

async function fetchDex(name: string, tokens: ReadonlyMap<number, string>, rest: VenueRest): Promise<Dex> {
  const body = await info(rest, { type: 'metaAndAssetCtxs', ...(name !== '' && { dex: name }) });
  const [meta, contexts] = Array.isArray(body) ? (body as unknown[]) : [];
  const { universe, collateralToken } = asRecord(meta) ?? {};
  if (!Array.isArray(universe) || !Array.isArray(contexts)) throw new Error('hyperliquid: no list of coins');
  const coins = (universe as unknown[]).flatMap((entry, index): Coin[] => {
    const coin = asRecord(entry);
    const [coinName, sizeDigits] = [asText(coin?.name), asId(coin?.szDecimals)];
    if (coinName === null || sizeDigits === null) return [];
    const digits = Math.max(0, MAX_DIGITS - sizeDigits);
    const markPrice = asPrice(asRecord((contexts as unknown[])[index])?.markPx);
    return [{ name: coinName, digits, isDelisted: coin?.isDelisted === true, markPrice }];
  });
  const token = asId(collateralToken) ?? USDC;
  return { name, coins, quoteCurrency: token === USDC ? 'USDC' : (tokens.get(token) ?? 'USDC') };
}

/** The name of the exchange in that of a coin: `xyz` of `xyz:GOLD`, otherwise empty. */
const dexOf = (coin: string): string => (coin.includes(':') ? coin.slice(0, coin.indexOf(':')) : '');

async function listInstruments(rest: VenueRest): Promise<VenueListing[]> {
  const names = await info(rest, { type: 'perpDexs' });
  // The first entry, null, is the venue's own exchange.
  const others = Array.isArray(names) ? (names as unknown[]).flatMap((dex) => asText(asRecord(dex)?.name) ?? []) : [];
  const spot = asRecord(await info(rest, { type: 'spotMeta' }))?.tokens;
  const tokens = new Map<number, string>();
  for (const { index, name } of (Array.isArray(spot) ? (spot as unknown[]) : []).map((token) => asRecord(token) ?? {}))
    if (asId(index) !== null && asText(name) !== null) tokens.set(index as number, name as string);
  const dexes: Dex[] = [];
  for (const name of ['', ...others]) dexes.push(await fetchDex(name, tokens, rest));
  return listingsOf(dexes);
}

async function fetchListed(coins: readonly string[], rest: VenueRest): Promise<ReadonlyMap<string, ListedSymbol>> {
  const wanted = new Set(coins);
  const found = new Map<string, ListedSymbol>();
  for (const dex of new Set(coins.map(dexOf)))
    for (const { name, digits, isDelisted } of (await fetchDex(dex, new Map(), rest)).coins)
      if (wanted.has(name)) found.set(name, { digits, isTrading: !isDelisted });
  return found;
}
