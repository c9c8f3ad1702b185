// One pass of an indicator over bars. A closed bar is added once, and the forming bar is a preview. A late tick changes a closed
// bar: the run goes back to a checkpoint before that bar and adds the bars since again.
import { type IndicatorSpec, TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import {
  type Bar,
  chartContext,
  definitionOf,
  IndicatorSeries,
  type IndicatorValues,
  LATE_WINDOW_MS,
  type Restore,
  UTC_DAY,
} from '@tickwire/engine';

/** A closed bar that may still change, with its values. */
interface Closed {
  readonly bar: Bar;
  readonly values: IndicatorValues;
}

/** Bars since a state of the run that can be restored. */
interface Checkpoint {
  readonly restore: Restore;
  readonly closed: Closed[];
}

/** Bars of a timeframe that a late tick can change. */
export const changeableBars = (timeframe: Timeframe): number => Math.ceil(LATE_WINDOW_MS / TIMEFRAME_MS[timeframe]) + 1;

export class IndicatorRun {
  /** Whether the values of the last bar are settled. */
  settled = false;
  readonly #series: IndicatorSeries;
  readonly #recent: number;
  /** At most two: the older one reaches back over all bars that can change. */
  readonly #checkpoints: Checkpoint[] = [];

  /** `isWhole`: the first bar is the first of the instrument. */
  constructor(spec: IndicatorSpec, timeframe: Timeframe, isWhole: boolean) {
    this.#series = new IndicatorSeries(definitionOf(spec), spec.inputs, chartContext(UTC_DAY, isWhole));
    this.#recent = changeableBars(timeframe);
  }

  /** Adds a bar that cannot change any more. */
  addFinal(bar: Bar): void {
    this.settled = this.#series.add(bar).settled;
  }

  add(bar: Bar): void {
    let checkpoint = this.#checkpoints.at(-1);
    if (!checkpoint || checkpoint.closed.length >= this.#recent) {
      checkpoint = { restore: this.#series.save(), closed: [] };
      if (this.#checkpoints.length === 2) this.#checkpoints.shift();
      this.#checkpoints.push(checkpoint);
    }
    const values = this.#series.add(bar);
    checkpoint.closed.push({ bar, values });
    this.settled = values.settled;
  }

  /** Adds a bar, or replaces one and adds those after it again. Returns false if it is older than any that can change. */
  put(bar: Bar): boolean {
    const last = this.#checkpoints.at(-1)?.closed.at(-1)?.bar;
    if (!last || bar.time > last.time) {
      this.add(bar);
      return true;
    }
    const at = this.#checkpoints.findLastIndex(({ closed }) => closed[0]!.bar.time <= bar.time);
    if (at < 0) return false;
    const undone = this.#checkpoints.splice(at);
    const bars = undone.flatMap(({ closed }) => closed.map((each) => each.bar));
    const kept = bars.filter(({ time }) => time !== bar.time);
    undone[0]!.restore();
    for (const each of [...kept, bar].sort((a, b) => a.time - b.time)) this.add(each);
    return true;
  }

  /** Values if the forming bar closed now. */
  preview(bar: Bar): IndicatorValues {
    return this.#series.preview(bar);
  }

  /** Values at a closed bar; `null` if it is not among those that can change. */
  closed(time: number): IndicatorValues | null {
    for (const { closed } of this.#checkpoints)
      for (const { bar, values } of closed) if (bar.time === time) return values;
    return null;
  }
}
