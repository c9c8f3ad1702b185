// The time ranges that a file covers, by the same rule as the report's gaps: rows at most five minutes apart, or adjacent
// bars, leave no gap. A minute without a price inside a range was quiet; outside, it is unknown.
import { MIN_GAP_MS, MINUTE_MS } from '@tickwire/engine';

/** Minutes with skipped rows that are remembered. */
const MAX_HOLES = 1_000_000;

export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

export class CoveredRanges {
  #ranges: { from: number; to: number }[] = [];
  /** The range that was extended last, taken or not: the next data may extend it. */
  #last = { from: Number.NaN, to: Number.NaN };

  /** Minutes of which rows were skipped: what happened in them is not known. */
  readonly #holes = new Set<number>();

  exclude(time: number): void {
    if (this.#holes.size < MAX_HOLES) this.#holes.add(time - (time % MINUTE_MS));
  }

  /** `to` is exclusive. */
  add(from: number, to: number): void {
    const last = this.#last;
    const maxGap = Math.max(MIN_GAP_MS, to - from);
    if (from - last.to < maxGap && last.from - to < maxGap) {
      last.from = Math.min(last.from, from);
      last.to = Math.max(last.to, to);
    } else this.#last = { from, to };
    if (this.#ranges.at(-1) !== this.#last) this.#ranges.push(this.#last);
  }

  startFile(): void {
    this.#last = { from: Number.NaN, to: Number.NaN };
  }

  /** Removes and returns the ranges since the last call. */
  take(): TimeRange[] {
    const taken = this.#ranges.flatMap((range) => [...this.#withoutHoles(range)]);
    this.#ranges = [];
    return taken;
  }

  *#withoutHoles({ from, to }: TimeRange): Generator<TimeRange> {
    let start = from;
    if (this.#holes.size > 0) {
      for (let minute = from - (from % MINUTE_MS); minute < to; minute += MINUTE_MS) {
        if (!this.#holes.has(minute)) continue;
        if (minute > start) yield { from: start, to: minute };
        start = minute + MINUTE_MS;
      }
    }
    if (to > start) yield { from: start, to };
  }
}
