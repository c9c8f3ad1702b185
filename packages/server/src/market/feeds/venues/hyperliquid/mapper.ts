// Hyperliquid → quotes, trades and perpetual data. Format: hyperliquid.gitbook.io, API, WebSocket subscriptions (bbo, trades,
// activeAssetCtx). Quirks:
// - `tid` identifies a trade but is in no order, so missing trades cannot be seen: events have no id. The first message of a
//   subscription repeats trades of about the last minute; those that were seen before are left out.
// - `side` is the taker's: B bought, A sold.
// - A side of `bbo` is null while the book has none: there is no quote then.
// - activeAssetCtx has no time: it gets the venue's clock as estimated by venue-clock.ts. Funding is paid every hour.
import { type EpochMs, HOUR_MS, type MarketSymbol, type TradeEvent } from '@tickwire/engine';
import { complaint, type Mapped, type Mapper, NOTHING, rejected, type SymbolMap } from '../../mapper.ts';
import { asMs, asPrice, asRecord, asSigned, asSize, asText, parseJson } from '../../raw-values.ts';
import { checkTrade, withoutId } from '../numbered-trade.ts';
import type { SeenTrades } from '../seen-trades.ts';
import { VenueClock } from '../venue-clock.ts';

type Raw = Readonly<Record<string, unknown>>;

const SIDES = new Map<unknown, 'buy' | 'sell'>([
  ['B', 'buy'],
  ['A', 'sell'],
]);

export function hyperliquidMapper(symbols: SymbolMap, seen: SeenTrades): Mapper {
  const clock = new VenueClock();
  const byCoin = (
    message: Raw,
    receivedAt: number,
    read: (data: Raw, symbol: MarketSymbol, receivedAt: number, clock: VenueClock) => Mapped,
  ): Mapped => {
    const data = asRecord(message.data);
    if (!data) return rejected('channel without data', message.channel);
    const symbol = symbols.get(asText(data.coin) ?? '');
    return symbol === undefined ? rejected('unknown symbol', data.coin) : read(data, symbol, receivedAt, clock);
  };
  return (text, receivedAt) => {
    const message = asRecord(parseJson(text));
    if (!message) return rejected('not a JSON object', text);
    switch (message.channel) {
      case 'bbo':
        return byCoin(message, receivedAt, quote);
      case 'trades':
        return trades(message.data, symbols, seen);
      case 'activeAssetCtx':
        return byCoin(message, receivedAt, perpetual);
      case 'subscriptionResponse':
        return reply(message.data);
      case 'error':
        return refusal(message.data, symbols);
      case 'pong':
        return NOTHING;
      default:
        return rejected('unknown channel', message.channel ?? text);
    }
  };
}

export const hyperliquidReplyKey = (type: string, coin: string): string => `${type} ${coin}`;

function reply(raw: unknown): Mapped {
  const { type, coin } = asRecord(asRecord(raw)?.subscription) ?? {};
  if (typeof type !== 'string' || typeof coin !== 'string') return rejected('unknown reply', raw);
  return { ...NOTHING, replies: [{ request: hyperliquidReplyKey(type, coin), error: null }] };
}

/** The text of an error ends with the subscription. One that is refused, such as of a delisted coin, does not stop the others. */
function refusal(raw: unknown, symbols: SymbolMap): Mapped {
  const text = asText(raw) ?? '';
  const subscription = asRecord(parseJson(text.slice(text.indexOf('{'))));
  const { replies = [] } = reply({ subscription });
  const refused = symbols.get(asText(subscription?.coin) ?? '');
  // Prices are complete without the data of the perpetual.
  if (!text.startsWith('Invalid subscription') || subscription?.type === 'activeAssetCtx' || refused === undefined)
    return { ...rejected('refused by the venue', raw), replies };
  return { ...NOTHING, replies: replies.map(({ request }) => ({ request, error: text, refused })) };
}

function quote(data: Raw, symbol: MarketSymbol, receivedAt: number, clock: VenueClock): Mapped {
  const { bbo } = data;
  const time = asMs(data.time);
  if (time === null) return rejected('quote without time', data.time);
  if (!Array.isArray(bbo) || bbo.length !== 2) return rejected('quote without sides', bbo);
  clock.observe(symbol, time, receivedAt);
  if (bbo[0] === null || bbo[1] === null) return NOTHING;
  const bids = asRecord(bbo[0]);
  const asks = asRecord(bbo[1]);
  const bid = asPrice(bids?.px);
  const ask = asPrice(asks?.px);
  const bidSize = asSize(bids?.sz);
  const askSize = asSize(asks?.sz);
  if (bid === null || ask === null) return rejected('quote without price', bbo);
  if (bidSize === null || askSize === null) return rejected('quote without size', bbo);
  return { events: [{ kind: 'quote', symbol, time, bid, ask, bidSize, askSize }], complaints: [] };
}

function trades(rows: unknown, symbols: SymbolMap, seen: SeenTrades): Mapped {
  if (!Array.isArray(rows)) return rejected('channel without data', 'trades');
  const events: TradeEvent[] = [];
  const complaints: string[] = [];
  let duplicates = 0;
  for (const entry of rows as unknown[]) {
    const row = asRecord(entry);
    const symbol = symbols.get(asText(row?.coin) ?? '');
    if (!row || symbol === undefined) {
      complaints.push(complaint('unknown symbol', row ? row.coin : entry));
      continue;
    }
    const { tid: id, px: price, sz: size } = row;
    const trade = checkTrade(symbol, { id, price, size, time: asMs(row.time), side: SIDES.get(row.side) ?? null });
    if (typeof trade === 'string') complaints.push(complaint(trade, row));
    else if (seen.add(symbol, trade.id)) events.push(withoutId(trade));
    else duplicates++;
  }
  return duplicates === 0 ? { events, complaints } : { events, complaints, duplicates };
}

function perpetual(data: Raw, symbol: MarketSymbol, receivedAt: number, clock: VenueClock): Mapped {
  const ctx = asRecord(data.ctx);
  if (!ctx) return rejected('channel without data', 'activeAssetCtx');
  const markPrice = asPrice(ctx.markPx);
  const indexPrice = asPrice(ctx.oraclePx);
  const fundingRate = asSigned(ctx.funding);
  const openInterest = asSize(ctx.openInterest);
  if (markPrice === null || indexPrice === null || fundingRate === null || openInterest === null)
    return rejected('perpetual data incomplete', ctx);
  const time = clock.timeOf(symbol, receivedAt);
  const nextFundingTime = (time - (time % HOUR_MS) + HOUR_MS) as EpochMs;
  const funding = { fundingRate, fundingIntervalMs: HOUR_MS, nextFundingTime };
  return { ...NOTHING, perpetuals: [{ symbol, time, markPrice, indexPrice, ...funding, openInterest }] };
}
