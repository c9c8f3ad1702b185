// Volume at price: what was bought and sold at one level, and at all levels of one minute.
import type { EpochMs } from './time.ts';

export interface VolumeLevel {
  /** Lowest price of the level, in ticks of the instrument: a multiple of the level size. */
  readonly ticks: number;
  /** Volume of trades that lifted the ask. */
  readonly buy: number;
  /** Volume of trades that hit the bid. */
  readonly sell: number;
}

/** How the sides of trades are known, as a set of bits: minutes with different ones can be added. */
export const SIDES_OF_FEED = 1;
export const SIDES_BY_QUOTE_RULE = 2;
export const SIDES_BY_TICK_RULE = 4;

export interface MinuteHistogram {
  /** Start of the minute. */
  readonly time: EpochMs;
  /** Decimals of the instrument: ticks are multiples of 10^-digits. */
  readonly digits: number;
  /** Height of a level in ticks. */
  readonly levelTicks: number;
  /** `SIDES_…` bits. */
  readonly sides: number;
  /** Number of trades. */
  readonly trades: number;
  /** Sum of price × size of all trades: divided by the volume, it is their average price. */
  readonly turnover: number;
  /** Ascending, without levels that had no trade. */
  readonly levels: readonly VolumeLevel[];
}
