// Finds bars of a file that have the same time. A first reading finds the times, with a bit for each possible one; if there are
// any, a second reading compares the bars.
import { iso } from '@tickwire/contract';
import { type Bar, DAY_MS, MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import { formatCount } from '../../ops/progress.ts';
import { ImportError } from '../import-error.ts';

/** Limits memory. A file with more is no history of prices. */
const MAX_REPEATED = 1_000_000;
const MAX_EXAMPLES = 3;

/** Times that several bars have, with the line of the last one. */
export type LastLines = ReadonlyMap<number, number>;
type Values = Omit<Bar, 'time' | 'basis'>;

export class RepeatedTimes {
  readonly #known: LastLines | null;
  readonly #lines = new Map<number, number>();
  readonly #days = new Map<number, Uint32Array>();
  #day = Number.NaN;
  #bits: Uint32Array = new Uint32Array(0);
  /** Values and line of the first bar at each repeated time. */
  readonly #first = new Map<number, { readonly values: string; readonly line: number }>();
  #conflicts = 0;
  readonly #examples: string[] = [];

  /** `known`: the times that the reading before has found, whose bars are now compared. */
  constructor(known: LastLines | null) {
    this.#known = known;
  }

  /** Those that were found; `null` if there are none, or the bars were already compared. */
  get found(): LastLines | null {
    return this.#lines.size > 0 ? this.#lines : null;
  }

  add(time: number, length: number, values: Values, line: number): void {
    if (this.#known) this.#compare(time, values, line);
    else if (length > 0) this.#mark(time, length < MINUTE_MS ? SECOND_MS : MINUTE_MS, line);
  }

  /** Throws if two bars of the same time differ. */
  requireEqual(): void {
    if (this.#conflicts === 0) return;
    throw new ImportError(
      'repeated_times',
      `${formatCount(this.#conflicts, 'bar')} of the same time as another with other values: ${this.#examples.join('; ')}${this.#conflicts > MAX_EXAMPLES ? '; …' : ''}. Correct the file, or use --last-wins to import the last bar of each time`,
    );
  }

  #mark(time: number, unit: number, line: number): void {
    const day = Math.floor(time / DAY_MS);
    if (day !== this.#day) {
      this.#day = day;
      this.#bits = this.#days.get(day) ?? new Uint32Array(Math.ceil(DAY_MS / unit / 32));
      this.#days.set(day, this.#bits);
    }
    const bit = Math.floor((time - day * DAY_MS) / unit);
    const mask = 1 << (bit & 31);
    if ((this.#bits[bit >> 5]! & mask) === 0) this.#bits[bit >> 5]! |= mask;
    else {
      this.#lines.set(time, line);
      if (this.#lines.size > MAX_REPEATED)
        throw new ImportError(
          'repeated_times',
          `more than ${formatCount(MAX_REPEATED)} of its times have several bars: the times are probably misread, or the file has several instruments`,
        );
    }
  }

  #compare(time: number, values: Values, line: number): void {
    if (!this.#known!.has(time)) return;
    const text = Object.values(values).join();
    const first = this.#first.get(time);
    if (!first) this.#first.set(time, { values: text, line });
    else if (first.values !== text && this.#conflicts++ < MAX_EXAMPLES)
      this.#examples.push(`${iso(time)} in lines ${first.line} and ${line}`);
  }
}
