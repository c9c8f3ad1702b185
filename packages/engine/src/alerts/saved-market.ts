// The present of an instrument, as part of the state of each of its alerts.
import type { Side } from '../market/events.ts';
import type { InstrumentSpec } from '../market/instrument.ts';
import { toTicks } from '../market/price.ts';
import type { StandingPrices } from './alert.ts';
import type { SavedClock } from './market-clock.ts';

/** Prices are in ticks. `null` if it is not known. */
export interface SavedMarket {
  readonly bid: number | null;
  readonly ask: number | null;
  readonly trade: number | null;
  /** Of the newest quote. A backfilled minute changes the bid, but not the spread. */
  readonly spread: number | null;
  /** Times of the newest quote and trade. */
  readonly quoted: number | null;
  readonly traded: number | null;
  readonly absorption: Side | 'none' | null;
  readonly clock: SavedClock;
}

/** A market of which only prices are known. */
export function marketOf({ bid, ask, trade, time }: StandingPrices, { digits }: InstrumentSpec): SavedMarket {
  const ticks = (price: number | undefined): number | null => (price === undefined ? null : toTicks(price, digits));
  return {
    bid: ticks(bid),
    ask: ticks(ask),
    trade: ticks(trade),
    spread: bid === undefined || ask === undefined ? null : ticks(ask)! - ticks(bid)!,
    quoted: time,
    traded: time,
    absorption: null,
    clock: { time: null, resumed: 0, quoted: time },
  };
}
