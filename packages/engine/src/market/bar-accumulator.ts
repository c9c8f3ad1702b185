// A bar under construction. Ticks, or shorter bars, are added to it one by one; every bar of the engine is made this way.
// A bar never mixes bids and trades: the first trade replaces the bids, and bids after a trade do not count.
import type { Bar, BarBasis, Side } from './events.ts';
import { roundSize } from './price.ts';
import type { EpochMs } from './time.ts';

/** A forming bar, or a closed one that is recent enough for a late tick to amend. */
export interface BarAccumulator {
  start: number;
  /** `false` while only order-flow volume has been added: without a price there is no bar. */
  priced: boolean;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  bidVolume: number;
  askVolume: number;
  basis: BarBasis;
  /** Times that set open and close: those of ticks in a minute, those of minutes in a longer bar. */
  openAt: number;
  closeAt: number;
}

export const emptyBar = (start: number): BarAccumulator => ({
  start,
  priced: false,
  open: 0,
  high: 0,
  low: 0,
  close: 0,
  volume: 0,
  bidVolume: 0,
  askVolume: 0,
  basis: 'bid',
  openAt: 0,
  closeAt: 0,
});

export const reopenBar = (bar: Bar, openAt: number, closeAt: number): BarAccumulator => ({
  ...bar,
  start: bar.time,
  priced: true,
  openAt,
  closeAt,
});

export const toBar = (accumulator: BarAccumulator): Bar => ({
  time: accumulator.start as EpochMs,
  open: accumulator.open,
  high: accumulator.high,
  low: accumulator.low,
  close: accumulator.close,
  volume: roundSize(accumulator.volume),
  bidVolume: roundSize(accumulator.bidVolume),
  askVolume: roundSize(accumulator.askVolume),
  basis: accumulator.basis,
});

/** Whether prices of this basis count in the bar. The first trade removes the bids. */
function acceptBasis(bar: BarAccumulator, basis: BarBasis): boolean {
  if (!bar.priced || bar.basis === basis) return true;
  if (basis === 'bid') return false;
  Object.assign(bar, emptyBar(bar.start));
  return true;
}

export function addPrice(bar: BarAccumulator, at: number, price: number, volume: number, basis: BarBasis): void {
  if (!acceptBasis(bar, basis)) return;
  if (!bar.priced) {
    bar.priced = true;
    bar.open = bar.high = bar.low = bar.close = price;
    bar.openAt = bar.closeAt = at;
  } else {
    if (price > bar.high) bar.high = price;
    if (price < bar.low) bar.low = price;
    if (at >= bar.closeAt) {
      bar.close = price;
      bar.closeAt = at;
    }
    if (at < bar.openAt) {
      bar.open = price;
      bar.openAt = at;
    }
  }
  bar.volume += volume;
  bar.basis = basis;
}

export function addFlowVolume(accumulator: BarAccumulator, size: number, side: Side): void {
  if (side === 'buy') accumulator.askVolume += size;
  else accumulator.bidVolume += size;
}

/** Adds a complete shorter bar to a longer one; `openAt` and `closeAt` are its first and last minute. */
export function addBar(longer: BarAccumulator, shorter: BarAccumulator | Bar, openAt: number, closeAt: number): void {
  if (!acceptBasis(longer, shorter.basis)) return;
  addPrice(longer, openAt, shorter.open, 0, shorter.basis);
  if (shorter.high > longer.high) longer.high = shorter.high;
  if (shorter.low < longer.low) longer.low = shorter.low;
  if (closeAt >= longer.closeAt) {
    longer.close = shorter.close;
    longer.closeAt = closeAt;
  }
  longer.volume += shorter.volume;
  longer.bidVolume += shorter.bidVolume;
  longer.askVolume += shorter.askVolume;
}
