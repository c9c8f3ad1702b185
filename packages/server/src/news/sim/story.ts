// What a simulated headline reports: facts that can be recomputed from the simulated prices.
import type { InstrumentModel } from '../../market/feeds/sim/model.ts';

export type Direction = 1 | -1;

interface InstrumentFacts {
  readonly instrument: InstrumentModel;
  /** Mid price at the time of the headline. */
  readonly price: number;
}

/** The price changed by `percent` over the last `minutes`. */
export interface MoveStory extends InstrumentFacts {
  readonly kind: 'move';
  readonly minutes: number;
  readonly percent: number;
  /** The move as a multiple of the usual move. */
  readonly multiple: number;
  /** A related move in line with this one: of the dollar, or of most coins. */
  readonly related: { readonly what: 'dollar' | 'coins'; readonly direction: Direction } | null;
}

/** Highest (1) or lowest (-1) price since 00:00 UTC. */
export interface ExtremeStory extends InstrumentFacts {
  readonly kind: 'extreme';
  readonly direction: Direction;
}

/** Aggressive orders of one side are absorbed without moving the price: 1 for buyers. */
export interface PressureStory extends InstrumentFacts {
  readonly kind: 'pressure';
  readonly direction: Direction;
}

/** The price stayed in an unusually narrow range over the last `minutes`. */
export interface QuietStory extends InstrumentFacts {
  readonly kind: 'quiet';
  readonly minutes: number;
  readonly low: number;
  readonly high: number;
}

/** The dollar's average change against euro, pound and yen over the last `minutes`. */
export interface DollarStory {
  readonly kind: 'dollar';
  readonly minutes: number;
  readonly percent: number;
}

/** A scheduled release is due in `minutes`. */
export interface AheadStory {
  readonly kind: 'ahead';
  readonly release: string;
  readonly clock: string;
  readonly minutes: number;
}

/** A scheduled release was `minutes` ago; `percent` is the dollar's change since. */
export interface AfterStory {
  readonly kind: 'after';
  readonly release: string;
  readonly minutes: number;
  readonly percent: number;
}

export type Story = MoveStory | ExtremeStory | PressureStory | QuietStory | DollarStory | AheadStory | AfterStory;
