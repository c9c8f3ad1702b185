// Bars from the REST interface of a venue, checked.
import { type Bar, DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { asPrice, asSize } from '../raw-values.ts';
import type { VenueBarLength, VenueBarsRequest } from './venue.ts';

export const VENUE_BAR_MS: Readonly<Record<VenueBarLength, number>> = { '1m': MINUTE_MS, '1h': HOUR_MS, '1d': DAY_MS };

/** Our clock may be ahead of the venue's: a bar counts as closed this long after its end, or once a later one exists. */
const CLOCK_TOLERANCE_MS = 5_000;

export interface RawBar {
  /** Start. */
  readonly time: EpochMs | null;
  readonly open: unknown;
  readonly high: unknown;
  readonly low: unknown;
  readonly close: unknown;
  /** Units of the underlying. */
  readonly volume: unknown;
  /** The part of `volume` whose taker bought. Left out if the venue does not say. */
  readonly bought?: unknown;
}

/** A bar of trades, or the name of the problem. */
export function checkBar(raw: RawBar, length: VenueBarLength): Bar | string {
  const { time } = raw;
  if (time === null || time % VENUE_BAR_MS[length] !== 0) return 'bar without time';
  const open = asPrice(raw.open);
  const high = asPrice(raw.high);
  const low = asPrice(raw.low);
  const close = asPrice(raw.close);
  if (open === null || high === null || low === null || close === null) return 'bar without prices';
  if (high < Math.max(open, close) || low > Math.min(open, close)) return 'bar with inconsistent prices';
  const volume = asSize(raw.volume);
  if (volume === null) return 'bar without volume';
  const bar = { time, open, high, low, close, volume, bidVolume: 0, askVolume: 0, basis: 'trade' } as const;
  if (raw.bought === undefined) return bar;
  const askVolume = asSize(raw.bought);
  if (askVolume === null || askVolume > volume) return 'bar without taker volume';
  // Without the float error of the difference.
  return { ...bar, askVolume, bidVolume: Number((volume - askVolume).toFixed(8)) };
}

/** The bars of a list of rows. Throws with the problem of the first that cannot be used. */
export function readBars(rows: unknown, read: (row: unknown) => Bar | string): Bar[] {
  if (!Array.isArray(rows)) throw new Error('response without bars');
  return (rows as unknown[]).map((row) => {
    const bar = read(row);
    if (typeof bar === 'string') throw new Error(bar);
    return bar;
  });
}

/**
 * The bars that were asked for: ascending, each once, without those in which nothing was traded. The running bar is left out
 * or marked; of a request for it, `to` is the present.
 */
export function requestedBars(bars: readonly Bar[], { length, from, to, running }: VenueBarsRequest): Bar[] {
  const sorted = [...new Map(bars.map((bar) => [bar.time, bar])).values()].sort((a, b) => a.time - b.time);
  const newest = sorted.at(-1)?.time ?? 0;
  const closedBefore = (running ? to : Date.now()) - VENUE_BAR_MS[length] - CLOCK_TOLERANCE_MS;
  return sorted.flatMap((bar) => {
    if (bar.time < from || bar.time >= to || bar.volume === 0) return [];
    if (bar.time < newest || bar.time <= closedBefore) return bar;
    return running ? { ...bar, partial: true } : [];
  });
}
