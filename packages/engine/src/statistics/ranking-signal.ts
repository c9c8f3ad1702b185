// A signal as track records and the ranking see it, and what its result counts: rules CR1 to CR10 of docs/reference/signals.md,
// "Track records".
import type { Direction, ORDER_KINDS } from '@tickwire/contract';
import type { MarketSymbol } from '../market/instrument.ts';
import type { EpochMs } from '../market/time.ts';

/** R is summed in integer units of 1e-4, because sums of decimals drift. */
export const UNITS_PER_R = 1e4;

export const toUnits = (r: number): number => Math.round(r * UNITS_PER_R);

export interface RankingSignal {
  readonly id: string;
  /** Number of the publishing record. */
  readonly publishedN: number;
  readonly symbol: MarketSymbol;
  readonly direction: Direction;
  readonly order: (typeof ORDER_KINDS)[number];
  readonly publishedAt: EpochMs;
  /** `null` while pending, and if it never filled. */
  readonly filledAt: EpochMs | null;
  /** Number of the closing record. `null` while active, like the five fields below. */
  readonly closedN: number | null;
  /** `at` of the closing record. */
  readonly closingAt: EpochMs | null;
  readonly closedAt: EpochMs | null;
  /** `unfilled` if the entry never filled. */
  readonly reason: string | null;
  /** Result / |entry − stop_loss| as published, four decimals. */
  readonly pnlR: number | null;
  /** Result / the greater of |entry − stop_loss| and 10 spreads of the accepted quote, four decimals. */
  readonly rankR: number | null;
  /** Where its deciding prices came from. `null` if nothing has filled or closed it. */
  readonly sources: {
    readonly accepted: string;
    readonly filled: string | null;
    readonly decided: string | null;
    /** Of exits at targets before the last one. */
    readonly exits?: readonly string[];
  };
  /** Prices are missing for part of its life. */
  readonly gap: boolean;
  /** Its own publisher pushed one of the deciding prices. */
  readonly selfSourced: boolean;
  /** Its own publisher pushed the accepted quote. */
  readonly acceptedOwn?: boolean;
  /** Pending, and withdrawn by its publisher. */
  readonly withdrawn: boolean;
  /** Highest R for ranking that its targets allow, at most 10. */
  readonly maxR: number;
  /** `entry`, |entry − stop_loss| and |entry − last target| as published, in the same unit. */
  readonly entry: number;
  readonly plannedRisk: number;
  readonly plannedReward: number;
  /** An operator declared it void. */
  readonly voided: boolean;
}

/** Whether the operator declares a source of prices as trusted. */
export type IsTrusted = (source: string) => boolean;

/** How a result counts: as it is, only if it is a loss, at best as a loss of the whole risk, or not at all. */
export type Counting = 'full' | 'losses' | 'whole_loss' | 'none';

export function countingOf(signal: RankingSignal, isTrusted: IsTrusted): Counting {
  const { voided, gap, filledAt, selfSourced, acceptedOwn, sources } = signal;
  if (voided || filledAt === null) return 'none';
  if (!isTrusted(sources.accepted)) return selfSourced ? 'losses' : 'none';
  if (acceptedOwn) return 'losses';
  // Accepted at a true price and ended at a pushed one: otherwise losers could be closed cheaply.
  if (hasUntrustedPrices(signal, isTrusted)) return 'whole_loss';
  return gap ? 'losses' : 'full';
}

/** Units of a result as it counts; `null` if it does not count. */
export function countedUnits(r: number, counting: Counting): number | null {
  const units = toUnits(r);
  switch (counting) {
    case 'full':
      return units;
    case 'losses':
      return Math.min(units, 0);
    case 'whole_loss':
      return Math.min(units, -UNITS_PER_R);
    case 'none':
      return null;
  }
}

/** How the mark of an open signal counts. */
export const countingOfMark = (
  signal: RankingSignal,
  { isTrusted: fromTrusted }: Mark,
  isTrusted: IsTrusted,
): Counting => {
  const counting = countingOf(signal, isTrusted);
  return counting === 'full' && !fromTrusted ? 'whole_loss' : counting;
};

export const hasUntrustedPrices = ({ sources, selfSourced }: RankingSignal, isTrusted: IsTrusted): boolean =>
  selfSourced ||
  !isTrusted(sources.accepted) ||
  (sources.filled !== null && !isTrusted(sources.filled)) ||
  (sources.decided !== null && !isTrusted(sources.decided)) ||
  (sources.exits?.some((source) => !isTrusted(source)) ?? false);

/** The standing of an open signal: as if it closed now at the exit side of the standing price, partial exits included. */
export interface Mark {
  readonly pnlR: number;
  readonly rankR: number;
  /** Lowest `pnlR` since the fill. */
  readonly worstR: number;
  /** The current price is from a trusted source, and not from its own publisher. */
  readonly isTrusted: boolean;
}

/** `null` if there is no price. */
export type MarkOf = (signal: RankingSignal) => Mark | null;

/**
 * Predicate of a list of trusted sources: names of feeds, `push` for every pushing account, `push:<account>` for one.
 * Without a list, everything is trusted that was neither pushed nor imported.
 */
export function trustedSources(names?: readonly string[]): IsTrusted {
  const trusted = names && new Set(names);
  const isPushed = (source: string): boolean => source === 'push' || source.startsWith('push:');
  const decide = (source: string): boolean =>
    trusted
      ? trusted.has(source) || (isPushed(source) && trusted.has('push'))
      : !isPushed(source) && source !== 'import';
  const known = new Map<string, boolean>();
  return (source) => {
    let isTrusted = known.get(source);
    if (isTrusted === undefined) {
      isTrusted = decide(source);
      known.set(source, isTrusted);
    }
    return isTrusted;
  };
}
