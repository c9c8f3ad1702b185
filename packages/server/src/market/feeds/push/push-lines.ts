// Parses pushed ticks, one JSON object per line:
//   {"symbol","time","bid","ask","bid_size"?,"ask_size"?}   a quote
//   {"symbol","time","price","size","side"?}                 a trade; without side it is inferred
// `time` is in milliseconds or ISO 8601. Every line is checked on its own.
import {
  asEpochMs,
  type EpochMs,
  type MarketSymbol,
  type PriceEvent,
  type QuoteEvent,
  type Side,
  SideInference,
  type TradeEvent,
} from '@tickwire/engine';
import { fromColumn } from '../../../errors/malformed-json.ts';

export interface RejectedLine {
  /** Counts from 1. */
  readonly line: number;
  readonly code: string;
  readonly detail: string;
}

export type ParsedLine = { readonly event: PriceEvent; readonly line: number } | RejectedLine;

/** Infers the side of trades without one from the current quote of the symbol. */
export class PushSideInference {
  readonly #inferences = new Map<MarketSymbol, SideInference>();

  quote({ symbol, time, bid, ask }: QuoteEvent): void {
    this.#of(symbol).quote(time, bid, ask);
  }

  trade(symbol: MarketSymbol, time: number, price: number): Pick<TradeEvent, 'side' | 'sideMethod'> {
    return this.#of(symbol).trade(time, price);
  }

  #of(symbol: MarketSymbol): SideInference {
    let inference = this.#inferences.get(symbol);
    if (!inference) {
      inference = new SideInference();
      this.#inferences.set(symbol, inference);
    }
    return inference;
  }
}

const reject = (line: number, code: string, detail: string): RejectedLine => ({ line, code, detail });
const QUOTE_FIELDS: ReadonlySet<string> = new Set(['symbol', 'time', 'bid', 'ask', 'bid_size', 'ask_size']);
const TRADE_FIELDS: ReadonlySet<string> = new Set(['symbol', 'time', 'price', 'size', 'side']);
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Parses one line. `known` resolves a client's spelling to a symbol of the catalogue. */
export function parseTickLine(
  text: string,
  line: number,
  known: (code: string) => MarketSymbol | undefined,
  sides: PushSideInference,
): ParsedLine {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return reject(line, 'malformed_json', `the line is not valid JSON${fromColumn(text)}`);
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return reject(line, 'malformed_line', 'the line is not a JSON object');
  }
  const fields = raw as Record<string, unknown>;
  if (typeof fields.symbol !== 'string') return reject(line, 'malformed_line', 'symbol is missing');
  const symbol = known(fields.symbol);
  if (!symbol) return reject(line, 'unknown_symbol', `${fields.symbol.slice(0, 64)} is not in the catalogue`);
  const time = readTime(fields.time);
  if (time === null) return reject(line, 'bad_time', 'time must be in milliseconds or ISO 8601');
  const isQuote = 'bid' in fields || 'ask' in fields;
  const names = isQuote ? QUOTE_FIELDS : TRADE_FIELDS;
  for (const name in fields)
    if (!names.has(name)) {
      const what = `${name.slice(0, 64)} is not a field of a ${isQuote ? 'quote' : 'trade'}`;
      return reject(line, 'malformed_line', `${what}, which has ${[...names].join(', ')}`);
    }
  return (isQuote ? readQuote : readTrade)(fields, line, symbol, time, sides);
}

function readQuote(
  fields: Record<string, unknown>,
  line: number,
  symbol: MarketSymbol,
  time: EpochMs,
  sides: PushSideInference,
): ParsedLine {
  const { bid, ask, bid_size: bidSize = 0, ask_size: askSize = 0 } = fields;
  if (!isNumber(bid) || !isNumber(ask)) return reject(line, 'bad_price', 'bid and ask must be numbers');
  if (!isNumber(bidSize) || !isNumber(askSize))
    return reject(line, 'bad_size', 'bid_size and ask_size must be numbers');
  const event: QuoteEvent = { kind: 'quote', symbol, time, bid, ask, bidSize, askSize };
  sides.quote(event);
  return { event, line };
}

function readTrade(
  fields: Record<string, unknown>,
  line: number,
  symbol: MarketSymbol,
  time: EpochMs,
  sides: PushSideInference,
): ParsedLine {
  const { price, size, side } = fields;
  if (!isNumber(price)) return reject(line, 'malformed_line', 'the line needs either bid and ask, or price');
  if (!isNumber(size)) return reject(line, 'bad_size', 'size must be a number');
  if (side !== undefined && side !== null && side !== 'buy' && side !== 'sell') {
    return reject(line, 'bad_side', 'side must be buy or sell (the side of the taker)');
  }
  const inferred = sides.trade(symbol, time, price);
  const resolved = side ? { side: side as Side, sideMethod: null } : inferred;
  return { event: { kind: 'trade', symbol, time, price, size, ...resolved }, line };
}

/** Fractions of a millisecond are truncated. */
function readTime(value: unknown): EpochMs | null {
  if (isNumber(value)) return value >= 0 ? asEpochMs(value) : null;
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(value))
    return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : asEpochMs(time);
}
