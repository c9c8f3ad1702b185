// What a follower would have had who did everything some time after the signal, at the quotes of that time.
import { type Direction, type ExitPart, roundedRatio, WHOLE } from '@tickwire/contract';
import { asEpochMs, type EpochMs } from '../market/time.ts';

/** A closed signal that was filled. Prices are in ticks. */
export interface FollowedSignal {
  readonly direction: Direction;
  readonly entry: number;
  readonly stopLoss: number;
  readonly filledAt: EpochMs;
  /** In order of time; the fractions add up to the whole position. */
  readonly exits: readonly (Pick<ExitPart, 'fraction'> & { readonly at: EpochMs })[];
}

/** Bid and ask in ticks. */
export interface FollowerQuote {
  readonly bid: number;
  readonly ask: number;
}

export interface FollowerResult {
  /** Ticks. */
  readonly entryPrice: number;
  readonly exits: readonly ExitPart[];
  /** Multiples of the published risk, rounded to four decimals. */
  readonly pnlR: number;
}

/**
 * Enters at the first quote at least `delayMs` after the fill, and leaves at the first quote at least `delayMs` after each
 * exit. `quoteFrom` gives the first quote at or after a time. `null` if the tape has no such quote.
 */
export function followerResult(
  { direction, entry, stopLoss, filledAt, exits }: FollowedSignal,
  delayMs: number,
  quoteFrom: (time: EpochMs) => FollowerQuote | null,
): FollowerResult | null {
  const buy = direction === 'buy';
  const entered = quoteFrom(asEpochMs(filledAt + delayMs));
  if (!entered) return null;
  const entryPrice = buy ? entered.ask : entered.bid;
  const parts: ExitPart[] = [];
  for (const { at, fraction } of exits) {
    const left = quoteFrom(asEpochMs(at + delayMs));
    if (!left) return null;
    parts.push({ fraction, price: buy ? left.bid : left.ask });
  }
  const moved = parts.reduce((sum, { fraction, price }) => sum + BigInt(fraction) * BigInt(price - entryPrice), 0n);
  const risk = BigInt(Math.abs(entry - stopLoss)) * BigInt(WHOLE);
  return { entryPrice, exits: parts, pnlR: roundedRatio(buy ? moved : -moved, risk) };
}
