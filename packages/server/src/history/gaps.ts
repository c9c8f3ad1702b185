// Gaps in a stream of bars: times at which the market was open, no bar was recorded, and the source is not known to have been
// connected. Ticks are judged by the minutes that have one. An import cannot know when its source was connected; its rule
// (data-gaps.ts of the engine) decides which times count as connected here.
import { iso } from '@tickwire/contract';
import {
  asEpochMs,
  type Bar,
  type EpochMs,
  type InstrumentSpec,
  intervalAt,
  isMarketOpen,
  MINUTE_MS,
  nextSessionChange,
  storedTimeframe,
} from '@tickwire/engine';
import type { MarketStore } from '../store/market-store.ts';
import { type Chart, parseChart } from './chart-reader.ts';
import { knownPeriods } from './known-periods.ts';
import type { Tick } from './tick-stream.ts';

const MINUTES = parseChart({ interval: '1m', align: 'utc' });

/** More gaps are counted, but not listed. */
const MAX_LISTED = 5_000;
/** Holes that are compared with the times of connected sources; all others count as gaps. */
const MAX_HOLES = 100_000;

/** Start (inclusive) and end (exclusive) in epoch milliseconds. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

export interface GapOptions {
  readonly store: Pick<MarketStore, 'watched' | 'fetched'>;
  /** Simulated markets are never disconnected. */
  readonly simulated: boolean;
  /** The market has no trading hours. */
  readonly alwaysOpen: boolean;
}

export class GapFinder {
  readonly #options: GapOptions;
  readonly #chart: Chart;
  readonly #spec: InstrumentSpec;
  readonly #holes: Gap[] = [];
  #unlisted = 0;
  /** End of the bar before. */
  #end = Number.NaN;

  constructor(options: GapOptions, chart: Chart, spec: InstrumentSpec) {
    this.#options = options;
    this.#chart = chart;
    this.#spec = spec;
  }

  /** For `addTicks`. */
  static ofTicks(options: GapOptions, spec: InstrumentSpec): GapFinder {
    return new GapFinder(options, MINUTES, spec);
  }

  /** The next bars, in ascending order. */
  add(bars: readonly Pick<Bar, 'time'>[]): void {
    const { interval, day } = this.#chart;
    const length = interval.unit === 'minute' && 1_440 % interval.minutes === 0 ? interval.minutes * MINUTE_MS : null;
    for (const { time } of bars) this.#add(time, length === null ? intervalAt(time, interval, day).end : time + length);
  }

  /** The next ticks, in ascending order. */
  addTicks(ticks: readonly Tick[]): void {
    for (const { event } of ticks) {
      if (event.time < this.#end) continue;
      const minute = Math.floor(event.time / MINUTE_MS) * MINUTE_MS;
      this.#add(minute, minute + MINUTE_MS);
    }
  }

  /** Gaps between the first and the last bar or tick; `count` is more if not all are listed. */
  async result(): Promise<{ readonly gaps: readonly Gap[]; readonly count: number }> {
    const holes = this.#holes;
    if (holes.length === 0 || this.#options.simulated)
      return { gaps: holes.slice(0, MAX_LISTED), count: holes.length + this.#unlisted };
    const { store } = this.#options;
    const { symbol } = this.#spec;
    const range = { from: holes[0]!.from, to: holes.at(-1)!.to };
    const { interval, day } = this.#chart;
    // Fetched bars have no ticks.
    const watched =
      this.#chart === MINUTES
        ? await store.watched(symbol, range.from, range.to)
        : await knownPeriods(store, symbol, storedTimeframe(interval, day), range);
    // Nothing traded while the source was connected.
    let next = 0;
    const gaps = holes.filter(({ from, to }) => {
      while (next < watched.length && watched[next]!.to < to) next++;
      return !(next < watched.length && watched[next]!.from <= from);
    });
    return { gaps: gaps.slice(0, MAX_LISTED), count: gaps.length + this.#unlisted };
  }

  #add(start: number, end: number): void {
    if (start > this.#end && this.#isOpen(this.#end, start)) this.#found({ from: this.#end, to: start });
    this.#end = end;
  }

  #isOpen(from: number, to: number): boolean {
    if (this.#options.alwaysOpen) return true;
    const at: EpochMs = asEpochMs(from);
    const { hours } = this.#spec;
    return isMarketOpen(hours, at) || nextSessionChange(hours, at) < to;
  }

  #found(gap: Gap): void {
    if (this.#holes.length < MAX_HOLES) this.#holes.push(gap);
    else this.#unlisted++;
  }
}

/** Entries of a file's metadata. */
export const gapMetadata = (
  gaps: readonly (Gap & { readonly symbol?: string })[],
  count: number,
): Record<string, string> => ({
  gap_count: `${count}`,
  gaps: JSON.stringify(gaps.map(({ from, to, ...rest }) => ({ ...rest, from: iso(from), to: iso(to) }))),
});
