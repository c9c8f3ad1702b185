// A bar under construction: how ticks, and shorter bars, become one. Whoever makes bars makes them with these.
import type { EpochMs } from './brands.ts';
import type { Bar, BarBasis, Side } from './events.ts';
import { roundSize } from './price.ts';

/** A bar under construction, or one that closed so recently that a late tick may still change it. */
export interface Draft {
  start: number;
  /** False while only flow has been counted: such a draft is not a bar. */
  priced: boolean;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  bidVolume: number;
  askVolume: number;
  basis: BarBasis;
  /** Time of what set open and close: ticks in a minute, minutes in a longer bar. */
  openAt: number;
  closeAt: number;
}

export const blank = (start: number): Draft => ({
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

export const draftOf = (bar: Bar, openAt: number, closeAt: number): Draft => ({
  ...bar,
  start: bar.time,
  priced: true,
  openAt,
  closeAt,
});

export const barOf = (draft: Draft): Bar => ({
  time: draft.start as EpochMs,
  open: draft.open,
  high: draft.high,
  low: draft.low,
  close: draft.close,
  volume: roundSize(draft.volume),
  bidVolume: roundSize(draft.bidVolume),
  askVolume: roundSize(draft.askVolume),
  basis: draft.basis,
});

export function addPrice(draft: Draft, at: number, price: number, volume: number, basis: BarBasis): void {
  if (!draft.priced) {
    draft.priced = true;
    draft.open = draft.high = draft.low = draft.close = price;
    draft.openAt = draft.closeAt = at;
  } else {
    if (price > draft.high) draft.high = price;
    if (price < draft.low) draft.low = price;
    if (at >= draft.closeAt) {
      draft.close = price;
      draft.closeAt = at;
    }
    if (at < draft.openAt) {
      draft.open = price;
      draft.openAt = at;
    }
  }
  draft.volume += volume;
  draft.basis = basis;
}

export function addFlow(draft: Draft, size: number, side: Side): void {
  if (side === 'buy') draft.askVolume += size;
  else draft.bidVolume += size;
}

/** Adds a whole shorter bar to a longer one; `openAt` and `closeAt` are its first and last minute. */
export function fold(longer: Draft, shorter: Draft | Bar, openAt: number, closeAt: number): void {
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
