// OKX v5 public channels → quotes, trades, and data of perpetuals. Format: okx.com/docs-v5 (bbo-tbt, trades-all, mark-price,
// index-tickers, funding-rate, open-interest, liquidation-orders).
// Quirks:
// - Sizes of swaps are in contracts. They become units of the underlying.
// - Times and trade ids are whole numbers in quotes.
// - A side of `bbo-tbt` may be empty: there is no quote then. Its `checksum` has been 0 since 2026 and is not looked at.
// - The rate that is charged next is charged at `fundingTime`; `nextFundingTime` belongs to the rate after it.
// - `liquidation-orders` cannot be restricted to instruments: it has those of all swaps.
import { type EpochMs, type MarketSymbol, type PriceEvent, roundSize } from '@tickwire/engine';
import {
  ALL_REQUESTS,
  complaint,
  type Liquidation,
  type Mapped,
  type Mapper,
  NOTHING,
  type PerpetualUpdate,
  rejected,
  type SymbolMap,
} from '../../mapper.ts';
import { asMs, asPrice, asQuotedWhole, asRecord, asSigned, asSize, asText, parseJson } from '../../raw-values.ts';
import { checkTrade, type NumberedTrade } from '../numbered-trade.ts';

type Raw = Readonly<Record<string, unknown>>;

export const SWAP = '-SWAP';
/** Prices are complete without these channels: a refusal is only a complaint. */
export const OPTIONAL_CHANNELS = ['mark-price', 'funding-rate', 'open-interest', 'index-tickers'];
export const LIQUIDATIONS = 'liquidation-orders';
/** An instrument that is unknown or delisted. */
const REFUSED = /channel:([\w-]+),instId:([\w.-]+?) doesn.t exist/;
const OPTIONAL = new RegExp([...OPTIONAL_CHANNELS, LIQUIDATIONS].join('|'));

export const isSwap = (instId: string): boolean => instId.endsWith(SWAP);
export const okxReplyKey = (channel: unknown, target: unknown): string => `${String(channel)} ${String(target)}`;

/** An instrument of the map. */
interface Market {
  readonly symbol: MarketSymbol;
  /** Units of the underlying in a size of 1; `null` if the venue did not say. */
  readonly unit: number | null;
}

export function okxMapper(symbols: SymbolMap, contractSizes: ReadonlyMap<string, number>): Mapper {
  const markets = new Map<string, Market>();
  /** By the pair of the index, which is that of the swap. */
  const byIndex = new Map<string, MarketSymbol>();
  for (const [instId, symbol] of symbols) {
    markets.set(instId, { symbol, unit: isSwap(instId) ? (contractSizes.get(instId) ?? null) : 1 });
    if (isSwap(instId)) byIndex.set(instId.slice(0, -SWAP.length), symbol);
  }
  return (text) => {
    if (text === 'pong') return NOTHING;
    const message = asRecord(parseJson(text));
    if (!message) return rejected('not a JSON object', text);
    if (message.event !== undefined) return reply(message, symbols);
    const { channel, instId } = asRecord(message.arg) ?? {};
    const { data } = message;
    if (!Array.isArray(data)) return rejected('message without data', text);
    if (channel === LIQUIDATIONS) return liquidations(data, markets);
    if (channel === 'index-tickers') {
      const symbol = byIndex.get(asText(instId) ?? '');
      return symbol === undefined ? rejected('unknown symbol', instId) : perpetuals(data, symbol);
    }
    const market = markets.get(asText(instId) ?? '');
    if (!market) return rejected('unknown symbol', instId ?? text);
    if (channel === 'bbo-tbt') return prices(data, market, quote);
    if (channel === 'trades-all') return prices(data, market, okxTrade);
    if (OPTIONAL_CHANNELS.includes(String(channel))) return perpetuals(data, market.symbol);
    return rejected('unknown channel', channel);
  };
}

function reply({ event, arg, code, msg }: Raw, symbols: SymbolMap): Mapped {
  if (event === 'subscribe') {
    const { channel, instId, instType } = asRecord(arg) ?? {};
    return {
      ...NOTHING,
      replies: [{ request: okxReplyKey(asText(channel), asText(instId ?? instType)), error: null }],
    };
  }
  const detail = `${asText(code) ?? ''} ${asText(msg) ?? ''}`.trim();
  // 64008: the connection is about to be closed for an upgrade.
  if (event === 'notice') return { ...NOTHING, closing: detail || 'the venue asks to reconnect' };
  if (event !== 'error') return rejected('unknown event', event);
  if (OPTIONAL.test(detail)) return rejected('optional channel refused', detail);
  const [, channel, target] = REFUSED.exec(detail) ?? [];
  const refused = symbols.get(target ?? '');
  if (refused !== undefined)
    return { ...NOTHING, replies: [{ request: okxReplyKey(channel, target), error: detail, refused }] };
  // Other errors name no request. One that arrives after the confirmation also ends the connection.
  return { ...NOTHING, replies: [{ request: ALL_REQUESTS, error: detail || 'no reason given' }] };
}

function prices(
  data: readonly unknown[],
  market: Market,
  read: (row: unknown, symbol: MarketSymbol, unit: number) => PriceEvent | string | null,
): Mapped {
  if (market.unit === null) return rejected('unknown contract size', market.symbol);
  const events: PriceEvent[] = [];
  const complaints: string[] = [];
  for (const row of data) {
    const event = read(row, market.symbol, market.unit);
    if (typeof event === 'string') complaints.push(complaint(event, row));
    else if (event) events.push(event);
  }
  return { events, complaints };
}

function quote(row: unknown, symbol: MarketSymbol, unit: number): PriceEvent | string | null {
  const { bids, asks, ts } = asRecord(row) ?? {};
  if (!Array.isArray(bids) || !Array.isArray(asks)) return 'quote without price';
  if (bids.length === 0 || asks.length === 0) return null;
  const [bidLevel, askLevel] = [bids[0], asks[0]] as unknown[];
  if (!Array.isArray(bidLevel) || !Array.isArray(askLevel)) return 'quote without price';
  const [bid, ask] = [asPrice(bidLevel[0]), asPrice(askLevel[0])];
  const [bidSize, askSize] = [unitsOf(bidLevel[1], unit), unitsOf(askLevel[1], unit)];
  const time = timeOf(ts);
  if (bid === null || ask === null) return 'quote without price';
  if (bidSize === null || askSize === null) return 'quote without size';
  if (time === null) return 'quote without time';
  return { kind: 'quote', symbol, time, bid, ask, bidSize, askSize };
}

/** A row of `trades-all`, or of /api/v5/market/history-trades, which has the same fields. `unit`: of a size of 1. */
export function okxTrade(row: unknown, symbol: MarketSymbol, unit: number): NumberedTrade | string {
  const { tradeId, px: price, sz, side, ts } = asRecord(row) ?? {};
  const taker = side === 'buy' || side === 'sell' ? side : null;
  const size = unitsOf(sz, unit);
  return checkTrade(symbol, { id: asQuotedWhole(tradeId), price, size, time: timeOf(ts), side: taker });
}

const timeOf = (ts: unknown): EpochMs | null => asMs(asQuotedWhole(ts));

function unitsOf(size: unknown, unit: number): number | null {
  const contracts = asSize(size);
  if (contracts === null || unit === 1) return contracts;
  const units = roundSize(contracts * unit);
  return Number.isFinite(units) ? units : null;
}

/** Rows of the optional channels: each has some of these fields. */
function perpetuals(data: readonly unknown[], symbol: MarketSymbol): Mapped {
  const found: PerpetualUpdate[] = [];
  const complaints: string[] = [];
  for (const row of data) {
    const {
      markPx,
      idxPx,
      fundingRate: rate,
      fundingTime,
      nextFundingTime: following,
      oiCcy,
      ts,
    } = asRecord(row) ?? {};
    const time = timeOf(ts);
    const markPrice = asPrice(markPx);
    const indexPrice = asPrice(idxPx);
    const fundingRate = asSigned(rate);
    const nextFundingTime = timeOf(fundingTime);
    const fundingIntervalMs = nextFundingTime === null ? 0 : (timeOf(following) ?? 0) - nextFundingTime;
    const openInterest = asSize(oiCcy);
    const update = {
      ...(markPrice !== null && { markPrice }),
      ...(indexPrice !== null && { indexPrice }),
      ...(fundingRate !== null && { fundingRate }),
      ...(fundingIntervalMs > 0 && { fundingIntervalMs }),
      ...(nextFundingTime !== null && { nextFundingTime }),
      ...(openInterest !== null && { openInterest }),
    };
    if (time === null || Object.keys(update).length === 0)
      complaints.push(complaint('unusable data of a perpetual', row));
    else found.push({ symbol, time, ...update });
  }
  return { events: [], complaints, perpetuals: found };
}

function liquidations(data: readonly unknown[], markets: ReadonlyMap<string, Market>): Mapped {
  const found: Liquidation[] = [];
  const complaints: string[] = [];
  for (const row of data) {
    const { instId, details } = asRecord(row) ?? {};
    const market = markets.get(asText(instId) ?? '');
    if (!market || market.unit === null || !Array.isArray(details)) continue;
    for (const detail of details as unknown[]) {
      const { side, bkPx, sz, ts } = asRecord(detail) ?? {};
      const [time, price, size] = [timeOf(ts), asPrice(bkPx), unitsOf(sz, market.unit)];
      if ((side !== 'buy' && side !== 'sell') || time === null || price === null || !size)
        complaints.push(complaint('unusable liquidation', detail));
      else found.push({ symbol: market.symbol, time, price, size, side });
    }
  }
  return { events: [], complaints, liquidations: found };
}
