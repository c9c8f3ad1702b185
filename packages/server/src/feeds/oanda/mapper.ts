// OANDA v20 pricing stream → quotes, and its candles → minutes. Format: developer.oanda.com, rest-live-v20, pricing-df
// (ClientPrice, PricingHeartbeat) and instrument-df (Candlestick). Quirks:
// - One JSON object a line. `HEARTBEAT` comes every five seconds, at weekends too.
// - At most four prices a second and instrument: the last of each 250 ms. What lay between is never sent.
// - `bids` and `asks` are ladders, best first; either may be empty. `liquidity` is what may be had at the price.
// - `tradeable: false` is the last price before a close or a halt, at which nobody deals: no quote. `status` says the same
//   in older words (tradeable, non-tradeable, invalid) and is deprecated, but the recordings of 2016 have it alone.
// - Prices are text, with as many decimals as OANDA shows: they are handed on as they are, whatever the instrument says.
import type { Bar, QuoteEvent } from '@tickwire/engine';
import { asInstant, asPrice, asRecord, asSize, asText, parse } from '../venues/raw-values.ts';
import { complain, type Mapper, NOTHING, type SymbolMap } from '../venues/venue.ts';

type Raw = Readonly<Record<string, unknown>>;

const MINUTE_MS = 60_000;

export function oandaMapper(names: SymbolMap): Mapper {
  return (text) => {
    const message = asRecord(parse(text));
    if (!message) return complain('not a JSON object', text);
    if (message.type === 'HEARTBEAT') return NOTHING;
    if (message.type !== 'PRICE') return complain('unknown type', message.type ?? message.errorMessage ?? text);
    const symbol = names.get(asText(message.instrument) ?? '');
    if (symbol === undefined) return complain('unknown symbol', message.instrument);
    if (!isTradeable(message)) return complain('not tradeable', message.instrument);
    const price = quote(message, symbol);
    return typeof price === 'string' ? complain(price, text) : { events: [price], complaints: [] };
  };
}

/** Both words are optional; either can say no. */
function isTradeable({ tradeable, status }: Raw): boolean {
  if (tradeable !== undefined && tradeable !== true) return false;
  return status === undefined || status === 'tradeable';
}

/** The quote, or the name of what is wrong with it. */
function quote({ bids, asks, time: rawTime }: Raw, symbol: QuoteEvent['symbol']): QuoteEvent | string {
  const bestBid = asRecord(Array.isArray(bids) ? bids[0] : null);
  const bestAsk = asRecord(Array.isArray(asks) ? asks[0] : null);
  const bid = asPrice(bestBid?.price);
  const ask = asPrice(bestAsk?.price);
  if (bid === null || ask === null) return 'quote without price';
  const bidSize = liquidity(bestBid);
  const askSize = liquidity(bestAsk);
  if (bidSize === null || askSize === null) return 'quote with a bad size';
  // Nanoseconds, cut to the millisecond.
  const time = asInstant(rawTime);
  if (time === null) return 'quote without time';
  return { kind: 'quote', symbol, time, bid, ask, bidSize, askSize };
}

/** Zero where it is not told. */
const liquidity = (rung: Raw | null): number | null => (rung?.liquidity === undefined ? 0 : asSize(rung.liquidity));

/** A candle of `granularity=M1&price=B`: the bar, partial while its minute still runs, or the name of what is wrong. */
export function oandaMinute(raw: unknown): Bar | string {
  const candle = asRecord(raw);
  if (!candle) return 'candle that is no object';
  const { complete } = candle;
  if (typeof complete !== 'boolean') return 'candle without word on its completion';
  const time = asInstant(candle.time);
  if (time === null || time % MINUTE_MS !== 0) return 'candle without its minute';
  const prices = asRecord(candle.bid);
  const [open, high, low, close] = [prices?.o, prices?.h, prices?.l, prices?.c].map(asPrice);
  if (!open || !high || !low || !close) return 'candle without bid prices';
  if (high < Math.max(open, close) || low > Math.min(open, close)) return 'candle that contradicts itself';
  // The number of prices in it, which is all that a quoted market has for volume.
  const volume = asSize(candle.volume);
  if (volume === null) return 'candle without volume';
  const bar = { time, open, high, low, close, volume, bidVolume: 0, askVolume: 0, basis: 'bid' } as const;
  return complete ? bar : { ...bar, partial: true };
}

/** Names out of /v3/accounts/{id}/instruments; null where the answer is something else. */
export function offeredNames(body: unknown): ReadonlySet<string> | null {
  const instruments = asRecord(body)?.instruments;
  if (!Array.isArray(instruments)) return null;
  return new Set(
    (instruments as unknown[]).map((each) => asText(asRecord(each)?.name)).filter((name) => name !== null),
  );
}
