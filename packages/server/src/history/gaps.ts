// Gaps in a stream of bars: times at which the market was open, no bar was recorded, and the source is not known to have been
// connected.
import {
  asEpochMs,
  type Bar,
  type EpochMs,
  type InstrumentSpec,
  intervalAt,
  isMarketOpen,
  nextSessionChange,
} from '@tickwire/engine';
import type { MarketStore } from '../store/market-store.ts';
import type { Chart } from './chart-reader.ts';

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
  readonly store: Pick<MarketStore, 'watched'>;
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

  /** The next bars, in ascending order. */
  add(bars: readonly Bar[]): void {
    const { interval, day } = this.#chart;
    const length = interval.unit === 'minute' && 1_440 % interval.minutes === 0 ? interval.minutes * 60_000 : null;
    for (const { time } of bars) {
      if (time > this.#end && this.#isOpen(this.#end, time)) this.#found({ from: this.#end, to: time });
      this.#end = length === null ? intervalAt(time, interval, day).end : time + length;
    }
  }

  /** Gaps between the first and the last bar; `count` is more if not all are listed. */
  async result(): Promise<{ readonly gaps: readonly Gap[]; readonly count: number }> {
    const holes = this.#holes;
    if (holes.length === 0 || this.#options.simulated)
      return { gaps: holes.slice(0, MAX_LISTED), count: holes.length + this.#unlisted };
    const watched = await this.#options.store.watched(this.#spec.symbol, holes[0]!.from, holes.at(-1)!.to);
    // Nothing traded while the source was connected.
    let next = 0;
    const gaps = holes.filter(({ from, to }) => {
      while (next < watched.length && watched[next]!.to < to) next++;
      return !(next < watched.length && watched[next]!.from <= from);
    });
    return { gaps: gaps.slice(0, MAX_LISTED), count: gaps.length + this.#unlisted };
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
