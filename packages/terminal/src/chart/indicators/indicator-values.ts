// The values of one indicator by bar, merged from pages of history and live bars. The newest version of a bar counts; a value of a
// forming bar never replaces the final one.
import type { BarMessage, IndicatorItem } from '@tickwire/client';

export interface IndicatorPoint {
  /** In the order of the lines; `null` while there are too few bars. */
  readonly values: readonly (number | null)[];
  /** Whether a longer history would give the same values. */
  readonly settled: boolean;
  /** The bar is not closed: the values are those if it closed now. */
  readonly forming: boolean;
}

type LiveValue = NonNullable<BarMessage['indicators']>[string];
type WireValue = Pick<LiveValue, 'value' | 'values' | 'settled'>;

export class IndicatorValues {
  readonly lines: readonly string[];
  readonly #points = new Map<number, IndicatorPoint>();
  /** Times of points that may change: of bars that were forming when they were received. */
  readonly #forming = new Set<number>();
  #newest = Number.NEGATIVE_INFINITY;
  #changedFrom = Number.POSITIVE_INFINITY;
  /** Bars by which a chart draws a line later. */
  offsets: Readonly<Record<string, number>> = {};

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  /** Start of the newest bar with a value, milliseconds since the epoch. */
  get newest(): number {
    return this.#newest;
  }

  at(timeMs: number): IndicatorPoint | null {
    return this.#points.get(timeMs) ?? null;
  }

  /** Start of the oldest bar whose final value is not known although a later bar has begun; `null` if there is none. */
  get unfinished(): number | null {
    let oldest: number | null = null;
    for (const time of this.#forming) if (time < this.#newest && (oldest === null || time < oldest)) oldest = time;
    return oldest;
  }

  /** Adds a page of history, older or newer than what is known. */
  merge(items: readonly IndicatorItem[]): void {
    for (const item of items) this.#put(Date.parse(item.time), item, item.forming === true);
  }

  /** Adds the values of a live bar. */
  apply(timeMs: number, value: WireValue, closed: boolean): void {
    this.#put(timeMs, value, !closed);
  }

  /** The time from which on values have changed since the last call; infinite if none has. */
  takeChanges(): number {
    const from = this.#changedFrom;
    this.#changedFrom = Number.POSITIVE_INFINITY;
    return from;
  }

  #put(time: number, value: WireValue, forming: boolean): void {
    const known = this.#points.get(time);
    if (known && !known.forming && forming) return;
    const values = this.lines.map((line) => (value.values ? value.values[line] : value.value) ?? null);
    this.#points.set(time, { values, settled: value.settled, forming });
    if (forming) this.#forming.add(time);
    else this.#forming.delete(time);
    this.#newest = Math.max(this.#newest, time);
    const same =
      known?.settled === value.settled &&
      known.forming === forming &&
      values.every((each, at) => each === known.values[at]);
    if (!same) this.#changedFrom = Math.min(this.#changedFrom, time);
  }
}
