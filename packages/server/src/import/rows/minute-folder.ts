// Folds bars of seconds into minutes while a file is read, so that they can be replayed as well. The file must be in order.
import { iso } from '@tickwire/contract';
import { aggregateBars, asEpochMs, type Bar, type BarBasis, MINUTE_MS } from '@tickwire/engine';
import { ImportError } from '../import-error.ts';
import type { BarDraft, RowSink } from './row-sink.ts';

const minuteOf = (time: number): number => time - (time % MINUTE_MS);

export class MinuteFolder {
  readonly #sink: RowSink;
  readonly #basis: BarBasis;
  #last = Number.NEGATIVE_INFINITY;
  /** The bars of the current minute. */
  #bars: Bar[] = [];

  constructor(sink: RowSink, basis: BarBasis) {
    this.#sink = sink;
    this.#basis = basis;
  }

  /** Adds a bar in the order of the file. Its line must be set in the sink. */
  add(time: number, bar: BarDraft): void {
    if (!this.#sink.isPossible(time, bar)) return;
    if (time <= this.#last) {
      throw new ImportError(
        'wrong_columns',
        `its rows are not in order of time (${iso(time)} after a later row), so they cannot be folded into minutes: sort the file`,
      );
    }
    if (minuteOf(time) !== minuteOf(this.#last)) this.flush();
    this.#last = time;
    this.#bars.push({ bidVolume: 0, askVolume: 0, ...bar, time: asEpochMs(time), basis: this.#basis });
  }

  /** Passes on the last minute. */
  flush(): void {
    const minute = minuteOf(this.#last);
    const bar = aggregateBars(minute, this.#bars);
    // Traded volumes add up; of the sizes of quotes, the last one counts.
    const volume = this.#basis === 'trade' ? bar?.volume : this.#bars.at(-1)?.volume;
    if (bar) this.#sink.bar(minute, '1m', this.#basis, { ...bar, volume: volume! });
    this.#bars = [];
  }
}
