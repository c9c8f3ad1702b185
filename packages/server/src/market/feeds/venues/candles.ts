// Bars from a venue's list of candles, checked from untrusted values.
import { type Bar, type EpochMs, roundSize } from '@tickwire/engine';
import { asMs, asPrice, asSize } from '../raw-values.ts';
import type { VenueBarsRequest } from './venue.ts';

export interface RawCandle {
  /** Start in epoch milliseconds. */
  readonly time: unknown;
  readonly open: unknown;
  readonly high: unknown;
  readonly low: unknown;
  readonly close: unknown;
  readonly volume: unknown;
  /** Volume of takers that bought. Left out if the venue does not state it: the sides of the bar are unknown, both 0. */
  readonly bought?: unknown;
}

/** The bars of a response whose rows are in any order. Rejects the whole response if a row cannot be read. */
export function barsOfRows(body: unknown, read: (row: readonly unknown[]) => RawCandle): Bar[] {
  if (!Array.isArray(body)) throw new Error('response without bars');
  return (body as unknown[]).flatMap((row) => {
    const bar = Array.isArray(row) ? barOf(read(row)) : 'row that is not a list';
    if (typeof bar === 'string') throw new Error(`${bar}: ${JSON.stringify(row).slice(0, 200)}`);
    return bar ?? [];
  });
}

/** Bars of the requested range, ascending and without duplicates. */
export function barsInRange(bars: Iterable<Bar>, { from, to }: Pick<VenueBarsRequest, 'from' | 'to'>): Bar[] {
  const byTime = new Map<number, Bar>();
  for (const bar of bars) if (bar.time >= from && bar.time < to) byTime.set(bar.time, bar);
  return [...byTime.values()].sort((a, b) => a.time - b.time);
}

/** The bar, the name of the problem, or `null`: some venues list the last price for an interval without trades. */
function barOf(raw: RawCandle): Bar | string | null {
  const time: EpochMs | null = asMs(raw.time);
  const [open, high, low, close] = [raw.open, raw.high, raw.low, raw.close].map(asPrice);
  const volume = asSize(raw.volume);
  const bought = raw.bought === undefined ? 0 : asSize(raw.bought);
  if (time === null) return 'bar without time';
  if (!open || !high || !low || !close || high < Math.max(open, close) || low > Math.min(open, close))
    return 'bar without prices';
  if (volume === null || bought === null) return 'bar without volume';
  if (volume === 0) return null;
  const bidVolume = raw.bought === undefined ? 0 : Math.max(0, roundSize(volume - bought));
  return { time, open, high, low, close, volume, bidVolume, askVolume: bought, basis: 'trade' };
}
