// Whether a signal may be published against the standing quote, and as what: the rules of "Publishing" in docs/signals.md
// that need no clock but the one they are given.
import type { Direction, ErrorCode } from '@tickwire/contract';
import { asEpochMs, type EpochMs } from '../brands.ts';
import type { InstrumentSpec } from '../instrument.ts';
import { fitsDigits, fromTicks, toTicks } from '../price.ts';
import type { Order, OrderKind, QuoteEvidence } from './order.ts';

const HOUR_MS = 3_600_000;
/** How long a pending entry has where the publisher says nothing. */
const ENTRY_MS = 24 * HOUR_MS;
export const LONGEST_LIFE_MS = 30 * 24 * HOUR_MS;
/** Fractions as whole divisors: exact in ticks. */
const TOLERANCE_DIVISOR = 10_000;
const FARTHEST_ENTRY_DIVISOR = 5;
const FARTHEST_LEVEL_DIVISOR = 2;
/** Ticks that sums and products of prices stay exact with. */
const MAX_TICKS = 1e14;

export interface SignalTerms {
  readonly direction: Direction;
  readonly entry: number;
  readonly stopLoss: number;
  readonly takeProfit: number;
  readonly expiresAt: EpochMs | null;
}

export interface Refused {
  readonly refused: Extract<
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

const refuse = (refused: Refused['refused'], detail: string): Refused => ({ refused, detail });

export function acceptSignal(
  id: string,
  spec: InstrumentSpec,
  standing: QuoteEvidence,
  terms: SignalTerms,
  publishedAt: EpochMs,
): Order | Refused {
  const { digits, symbol } = spec;
  const prices = { entry: terms.entry, stop_loss: terms.stopLoss, take_profit: terms.takeProfit };
  for (const [name, price] of Object.entries(prices)) {
    if (price * 10 ** digits > MAX_TICKS) return refuse('entry_too_far', `${name} is no price of ${symbol}.`);
    if (!fitsDigits(price, digits))
      return refuse('finer_than_digits', `${name} is ${price}: prices of ${symbol} have ${digits} decimals.`);
  }
  // Seen from a sell, prices run backwards: with the sign in them, one rule serves both directions.
  const sign = terms.direction === 'buy' ? 1 : -1;
  const [entry, stop, target] = [terms.entry, terms.stopLoss, terms.takeProfit].map(
    (price) => sign * toTicks(price, digits),
  ) as [number, number, number];
  const [bid, ask] = [toTicks(standing.bid, digits), toTicks(standing.ask, digits)];
  const spread = ask - bid;
  const entrySide = sign === 1 ? ask : -bid;
  const exitSide = sign === 1 ? bid : -ask;
  const price = (ticks: number): number => fromTicks(Math.abs(ticks), digits);

  if (!(stop < entry && entry < target)) {
    const order = sign === 1 ? 'stop_loss < entry < take_profit' : 'take_profit < entry < stop_loss';
    return refuse('levels_out_of_order', `A ${terms.direction} needs ${order}.`);
  }
  if (Math.abs(entry - entrySide) * FARTHEST_ENTRY_DIVISOR > Math.abs(entrySide))
    return refuse('entry_too_far', `entry must be within 20 % of the market, which stands at ${price(entrySide)}.`);
  const nearest = Math.max(1, spread);
  for (const [name, level] of [
    ['stop_loss', stop],
    ['take_profit', target],
  ] as const) {
    const distance = Math.abs(level - entry);
    if (distance < nearest || distance * FARTHEST_LEVEL_DIVISOR > Math.abs(entry))
      return refuse(
        'distance_out_of_range',
        `${name} must lie at least the spread of ${fromTicks(nearest, digits)} and at most 50 % away from entry.`,
      );
  }
  const kind = kindOf(entry, entrySide, spread);
  if (kind === 'market' && !(stop < exitSide && exitSide < target)) {
    const level = exitSide <= stop ? 'stop_loss' : 'take_profit';
    return refuse('level_reached', `The market stands at ${price(exitSide)}: ${level} is reached already.`);
  }
  const { expiresAt } = terms;
  if (expiresAt !== null && !(expiresAt > publishedAt && expiresAt <= publishedAt + LONGEST_LIFE_MS))
    return refuse('expiry_out_of_range', 'expires_at must lie in the future, at most 30 days ahead.');
  return {
    id,
    symbol,
    direction: terms.direction,
    kind,
    entry: Math.abs(entry),
    stopLoss: Math.abs(stop),
    takeProfit: Math.abs(target),
    accepted: standing,
    entryDeadline: expiresAt ?? asEpochMs(publishedAt + ENTRY_MS),
    deadline: expiresAt ?? asEpochMs(publishedAt + LONGEST_LIFE_MS),
    fill: kind === 'market' ? { price: Math.abs(entrySide), at: publishedAt, evidence: null } : null,
  };
}

/** Near the market it fills at once; away from it, it waits. */
function kindOf(entry: number, entrySide: number, spread: number): OrderKind {
  const tolerance = Math.max(spread, Math.floor(Math.abs(entrySide) / TOLERANCE_DIVISOR));
  if (Math.abs(entry - entrySide) <= tolerance) return 'market';
  return entry < entrySide ? 'limit' : 'stop';
}
