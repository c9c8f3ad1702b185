// Volume at price of a range, from the minutes in the store and in memory. A minute counts only if its levels add up to its
// bar; the volume of all others is reported as not covered, never left out silently.
import { TIMEFRAME_MS } from '@tickwire/contract';
import {
  type Bar,
  DAY_MS,
  explainsBar,
  HOUR_MS,
  type InstrumentSpec,
  type MarketSymbol,
  MINUTE_MS,
  type MinuteHistogram,
  roundSize,
  tradedVolume,
} from '@tickwire/engine';
import type { MarketView } from '../market/market-view.ts';
import { pauses } from '../ops/pauses.ts';
import type { MarketStore } from '../store/store.ts';
import { barsByTime } from './recorded-history.ts';

export interface VolumeSources {
  readonly store: Pick<MarketStore, 'bars' | 'histograms'>;
  readonly view: MarketView;
  /** Volume at price of a simulated minute that is known only as a bar; `null` if the market is real. */
  readonly generate: ((spec: InstrumentSpec, bar: Bar) => MinuteHistogram | null) | null;
}

/** From `from` (inclusive) to `to` (exclusive), both starts of minutes. */
export interface VolumeRange {
  readonly from: number;
  readonly to: number;
}

export interface MinuteVolume {
  readonly time: number;
  /** `null` if the prices of its trades are not known. */
  readonly histogram: MinuteHistogram | null;
  /** Traded volume of the bar. */
  readonly volume: number;
}

/** Sums of volumes differ in their last digits, depending on the order. */
const VOLUME_TOLERANCE = 1e-6;
/** Longer bars that reveal minutes which were never recorded. */
const LONGER = ['1d', '1h', '5m'] as const;

/** Histograms of a symbol in this time are read within a millisecond or two. */
const HISTOGRAMS_MS = 4 * HOUR_MS;

/** The minutes of a range that had trades, ascending, read day by day. Other work runs in between. */
export async function* minuteVolumes(
  sources: VolumeSources,
  spec: InstrumentSpec,
  { from, to }: VolumeRange,
): AsyncGenerator<MinuteVolume> {
  const { store, view, generate } = sources;
  const { symbol } = spec;
  const pause = pauses();
  for (let start = from; start < to; ) {
    const end = Math.min(to, (Math.floor(start / DAY_MS) + 1) * DAY_MS);
    const histograms = new Map<number, MinuteHistogram>();
    for (let part = start; part < end; part += HISTOGRAMS_MS) {
      for (const row of await store.histograms([symbol], part, Math.min(end, part + HISTOGRAMS_MS)))
        histograms.set(row.time, row);
      await pause();
    }
    const bars = await barsByTime(sources, symbol, '1m', start, end);
    // Memory may be newer than the store.
    for (const histogram of view.histograms(symbol, start, end)) histograms.set(histogram.time, histogram);
    for (const bar of [...bars.values()].sort((a, b) => a.time - b.time)) {
      const volume = tradedVolume(bar);
      if (volume === 0) continue;
      const recorded = histograms.get(bar.time);
      const histogram = recorded && explainsBar(recorded, bar) ? recorded : (generate?.(spec, bar) ?? null);
      yield { time: bar.time, histogram, volume };
      await pause();
    }
    start = end;
  }
}

/** Closed and forming bars longer than a minute that lie within a range, none of them in another. */
export async function longerBars(
  sources: VolumeSources,
  symbol: MarketSymbol,
  range: VolumeRange,
): Promise<readonly (Bar & { readonly end: number })[]> {
  const found: (Bar & { readonly end: number })[] = [];
  let rest: readonly VolumeRange[] = [range];
  for (const timeframe of LONGER) {
    const length = TIMEFRAME_MS[timeframe];
    const next: VolumeRange[] = [];
    for (const { from, to } of rest) {
      const [first, last] = [Math.ceil(from / length) * length, Math.floor(to / length) * length];
      if (first >= last) {
        next.push({ from, to });
        continue;
      }
      for (const bar of (await barsByTime(sources, symbol, timeframe, first, last)).values())
        if (bar.basis === 'trade') found.push({ ...bar, end: bar.time + length });
      if (from < first) next.push({ from, to: first });
      if (last < to) next.push({ from: last, to });
    }
    rest = next;
  }
  return found;
}

/** Volume of a bar beyond that of the minutes in it; 0 if they are the same. */
export const volumeBeyond = (volume: number, minutes: number): number =>
  volume - minutes > volume * VOLUME_TOLERANCE ? roundSize(volume - minutes) : 0;

export const startOfMinute = (time: number): number => Math.ceil(time / MINUTE_MS) * MINUTE_MS;
