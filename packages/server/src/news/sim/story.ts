// What a simulated headline is about: facts of the simulated prices, each of which can be recomputed from the market.
import type { InstrumentModel } from '../../feeds/sim/model.ts';

export type Way = 1 | -1;

interface OfInstrument {
  readonly instrument: InstrumentModel;
  /** Middle price at the time of the headline. */
  readonly price: number;
}

/** Its price changed by so many percent over the minutes before. */
export interface MoveStory extends OfInstrument {
  readonly kind: 'move';
  readonly minutes: number;
  readonly percent: number;
  /** The move as a multiple of the usual one. */
  readonly times: number;
  /** The market around it went a way that goes with this one: the dollar, or most coins. */
  readonly around: { readonly what: 'dollar' | 'coins'; readonly way: Way } | null;
}

/** Higher, or lower, than at any time since 00:00 UTC. */
export interface ExtremeStory extends OfInstrument {
  readonly kind: 'extreme';
  readonly way: Way;
}

/** Takers of one side press and get nowhere: 1 for buyers. */
export interface PressureStory extends OfInstrument {
  readonly kind: 'pressure';
  readonly way: Way;
}

/** The price stayed between two values over the minutes before, which is less than usual. */
export interface QuietStory extends OfInstrument {
  readonly kind: 'quiet';
  readonly minutes: number;
  readonly low: number;
  readonly high: number;
}

/** The dollar's average change against euro, pound and yen over the minutes before. */
export interface DollarStory {
  readonly kind: 'dollar';
  readonly minutes: number;
  readonly percent: number;
}

/** A scheduled release is ahead; `minutes` until it. */
export interface AheadStory {
  readonly kind: 'ahead';
  readonly release: string;
  readonly clock: string;
  readonly minutes: number;
}

/** A scheduled release was `minutes` ago, and what the dollar did since. */
export interface AfterStory {
  readonly kind: 'after';
  readonly release: string;
  readonly minutes: number;
  readonly percent: number;
}

export type Story = MoveStory | ExtremeStory | PressureStory | QuietStory | DollarStory | AheadStory | AfterStory;
