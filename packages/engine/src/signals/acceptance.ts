// Decides whether a signal can be published against the current quote, and as which kind of order. Implements the rules of
// "Publishing" in docs/signals.md, apart from those that need a clock.
import type { Direction, ErrorCode } from '@tickwire/contract';
import type { InstrumentSpec } from '../market/instrument.ts';
import { fitsDigits, fromTicks, toTicks } from '../market/price.ts';
import { asEpochMs, DAY_MS, type EpochMs } from '../market/time.ts';
import type { QuoteEvidence } from './evidence.ts';
import type { Order, OrderKind } from './order.ts';

/** Default time for a pending entry to fill. */
const DEFAULT_ENTRY_MS = DAY_MS;
export const MAX_LIFETIME_MS = 30 * DAY_MS;
/** Fractions of a price as divisors, so that they are exact in ticks. */
const TOLERANCE_DIVISOR = 10_000;
const MAX_ENTRY_DISTANCE_DIVISOR = 5;
const MAX_LEVEL_DISTANCE_DIVISOR = 2;
/** Up to this many ticks, sums and products of prices are exact. */
const MAX_TICKS = 1e14;

export interface SignalTerms {
  readonly direction: Direction;
  readonly entry: number;
  readonly stopLoss: number;
  readonly takeProfit: number;
  readonly expiresAt: EpochMs | null;
}

export interface Rejection {
  readonly rejected: Extract<
    ErrorCode,
    | 'finer_than_digits'
    | 'levels_out_of_order'
    | 'entry_too_far'
    | 'distance_out_of_range'
    | 'level_reached'
    | 'expiry_out_of_range'
  >;
  readonly detail: string;
}

const reject = (rejected: Rejection['rejected'], detail: string): Rejection => ({ rejected, detail });

export function acceptSignal(
  id: string,
  spec: InstrumentSpec,
  quote: QuoteEvidence,
  terms: SignalTerms,
  publishedAt: EpochMs,
): Order | Rejection {
  const { digits, symbol } = spec;
  const prices = { entry: terms.entry, stop_loss: terms.stopLoss, take_profit: terms.takeProfit };
  for (const [name, price] of Object.entries(prices)) {
    if (price * 10 ** digits > MAX_TICKS)
      return reject('entry_too_far', `${name} is not a possible price of ${symbol}.`);
    if (!fitsDigits(price, digits))
      return reject('finer_than_digits', `${name} is ${price}: prices of ${symbol} have ${digits} decimals.`);
  }
  // Prices of a sell are negated, so that one set of rules covers both directions.
  const sign = terms.direction === 'buy' ? 1 : -1;
  const [entry, stop, target] = [terms.entry, terms.stopLoss, terms.takeProfit].map(
    (price) => sign * toTicks(price, digits),
  ) as [number, number, number];
  const [bid, ask] = [toTicks(quote.bid, digits), toTicks(quote.ask, digits)];
  const spread = ask - bid;
  const entrySide = sign === 1 ? ask : -bid;
  const exitSide = sign === 1 ? bid : -ask;
  const price = (ticks: number): number => fromTicks(Math.abs(ticks), digits);

  if (!(stop < entry && entry < target)) {
    const order = sign === 1 ? 'stop_loss < entry < take_profit' : 'take_profit < entry < stop_loss';
    return reject('levels_out_of_order', `A ${terms.direction} needs ${order}.`);
  }
  if (Math.abs(entry - entrySide) * MAX_ENTRY_DISTANCE_DIVISOR > Math.abs(entrySide))
    return reject('entry_too_far', `entry must be within 20 % of the market price, ${price(entrySide)}.`);
  const nearest = Math.max(1, spread);
  for (const [name, level] of [
    ['stop_loss', stop],
    ['take_profit', target],
  ] as const) {
    const distance = Math.abs(level - entry);
    if (distance < nearest || distance * MAX_LEVEL_DISTANCE_DIVISOR > Math.abs(entry))
      return reject(
        'distance_out_of_range',
        `${name} must be at least the spread of ${fromTicks(nearest, digits)} and at most 50 % away from entry.`,
      );
  }
  const kind = kindOf(entry, entrySide, spread);
  if (kind === 'market' && !(stop < exitSide && exitSide < target)) {
    const level = exitSide <= stop ? 'stop_loss' : 'take_profit';
    return reject('level_reached', `The market price is ${price(exitSide)}: ${level} has already been reached.`);
  }
  const { expiresAt } = terms;
  if (expiresAt !== null && !(expiresAt > publishedAt && expiresAt <= publishedAt + MAX_LIFETIME_MS))
    return reject('expiry_out_of_range', 'expires_at must be in the future, at most 30 days ahead.');
  return {
    id,
    symbol,
    direction: terms.direction,
    kind,
    entry: Math.abs(entry),
    stopLoss: Math.abs(stop),
    takeProfit: Math.abs(target),
    accepted: quote,
    entryDeadline: expiresAt ?? asEpochMs(publishedAt + DEFAULT_ENTRY_MS),
    deadline: expiresAt ?? asEpochMs(publishedAt + MAX_LIFETIME_MS),
    fill: kind === 'market' ? { price: Math.abs(entrySide), at: publishedAt, evidence: null } : null,
  };
}

/** An entry near the market fills immediately; any other is pending. */
function kindOf(entry: number, entrySide: number, spread: number): OrderKind {
  const tolerance = Math.max(spread, Math.floor(Math.abs(entrySide) / TOLERANCE_DIVISOR));
  if (Math.abs(entry - entrySide) <= tolerance) return 'market';
  return entry < entrySide ? 'limit' : 'stop';
}
