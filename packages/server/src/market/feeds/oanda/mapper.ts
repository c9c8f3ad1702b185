// OANDA v20 pricing stream → quotes, and its candles → minutes. Format: developer.oanda.com, rest-live-v20, pricing-df
// (ClientPrice, PricingHeartbeat) and instrument-df (Candlestick). Quirks:
// - One JSON object per line. `HEARTBEAT` is sent every five seconds, at weekends too.
// - At most four prices per second and instrument: the last of each 250 ms. Prices in between are never sent.
// - `bids` and `asks` are price levels, best first; either may be empty. `liquidity` is the size available at the price.
// - `tradeable: false` marks the last price before a close or a halt, which is not a quote. The deprecated `status`
//   (tradeable, non-tradeable, invalid) means the same; recordings of 2016 have only that.
// - Prices are text with as many decimals as OANDA shows, and are passed on unchanged.
import { type Bar, MINUTE_MS, type QuoteEvent } from '@tickwire/engine';
import type { SourcePrecision } from '../connector.ts';
import { type Mapper, NOTHING, rejected, type SymbolMap } from '../mapper.ts';
import { asId, asInstant, asPrice, asRecord, asSize, asText, parseJson } from '../raw-values.ts';

type Raw = Readonly<Record<string, unknown>>;

export function oandaMapper(names: SymbolMap): Mapper {
  return (text) => {
    const message = asRecord(parseJson(text));
    if (!message) return rejected('not a JSON object', text);
    if (message.type === 'HEARTBEAT') return NOTHING;
    if (message.type !== 'PRICE') return rejected('unknown type', message.type ?? message.errorMessage ?? text);
    const symbol = names.get(asText(message.instrument) ?? '');
    if (symbol === undefined) return rejected('unknown symbol', message.instrument);
    if (!isTradeable(message)) return rejected('not tradeable', message.instrument);
    const price = quote(message, symbol);
    return typeof price === 'string' ? rejected(price, text) : { events: [price], complaints: [] };
  };
}

/** Both fields are optional; either can mark the price as not tradeable. */
function isTradeable({ tradeable, status }: Raw): boolean {
  if (tradeable !== undefined && tradeable !== true) return false;
  return status === undefined || status === 'tradeable';
}

/** The quote, or the name of the problem. */
function quote({ bids, asks, time: rawTime }: Raw, symbol: QuoteEvent['symbol']): QuoteEvent | string {
  const bestBid = asRecord(Array.isArray(bids) ? bids[0] : null);
  const bestAsk = asRecord(Array.isArray(asks) ? asks[0] : null);
  const bid = asPrice(bestBid?.price);
  const ask = asPrice(bestAsk?.price);
  if (bid === null || ask === null) return 'quote without price';
  const bidSize = liquidity(bestBid);
  const askSize = liquidity(bestAsk);
  if (bidSize === null || askSize === null) return 'quote with a bad size';
  // Nanoseconds, truncated to the millisecond.
  const time = asInstant(rawTime);
  if (time === null) return 'quote without time';
  return { kind: 'quote', symbol, time, bid, ask, bidSize, askSize };
}

/** Zero if the level has none. */
const liquidity = (level: Raw | null): number | null => (level?.liquidity === undefined ? 0 : asSize(level.liquidity));

/** A candle of `granularity=M1&price=B`: the bar, partial if its minute is still running, or the name of the problem. */
export function oandaMinute(raw: unknown): Bar | string {
  const candle = asRecord(raw);
  if (!candle) return 'candle that is not an object';
  const { complete } = candle;
  if (typeof complete !== 'boolean') return 'candle without complete flag';
  const time = asInstant(candle.time);
  if (time === null || time % MINUTE_MS !== 0) return 'candle without minute';
  const prices = asRecord(candle.bid);
  const [open, high, low, close] = [prices?.o, prices?.h, prices?.l, prices?.c].map(asPrice);
  if (!open || !high || !low || !close) return 'candle without bid prices';
  if (high < Math.max(open, close) || low > Math.min(open, close)) return 'candle with inconsistent prices';
  // The number of prices: a quoted market has no other volume.
  const volume = asSize(candle.volume);
  if (volume === null) return 'candle without volume';
  const bar = { time, open, high, low, close, volume, bidVolume: 0, askVolume: 0, basis: 'bid' } as const;
  return complete ? bar : { ...bar, partial: true };
}

/**
 * Names in a response of /v3/accounts/{id}/instruments, with `displayPrecision` (decimals of prices) and `pipLocation` (a pip
 * is 10 to this power). `null` if it has another form, and for each instrument that does not say.
 */
export function offeredInstruments(body: unknown): ReadonlyMap<string, SourcePrecision | null> | null {
  const instruments = asRecord(body)?.instruments;
  if (!Array.isArray(instruments)) return null;
  const offered = new Map<string, SourcePrecision | null>();
  for (const { name, displayPrecision, pipLocation } of (instruments as unknown[]).map(
    (each) => asRecord(each) ?? {},
  )) {
    const digits = asId(displayPrecision);
    const pip = typeof pipLocation === 'number' &&
      Math.abs(pipLocation) <= 10 && { pipSize: Number(`1e${pipLocation}`) };
    const text = asText(name);
    if (text !== null) offered.set(text, digits === null ? null : { digits, ...pip });
  }
  return offered;
}
