// The stretches of time a file covers, as the report has it: rows at most five minutes apart, or a bar, leave no gap. A
// minute inside without a price was quiet; outside, nobody knows.
import { MIN_GAP_MS } from './gaps.ts';

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export class Stretches {
  #gathered: { from: number; to: number }[] = [];
  /** The stretch added to last, written or not: what follows joins it. */
  #last = { from: Number.NaN, to: Number.NaN };

  /** Covered from `from` to `to`, whose end is exclusive. */
  add(from: number, to: number): void {
    const last = this.#last;
    const reach = Math.max(MIN_GAP_MS, to - from);
    if (from - last.to < reach && last.from - to < reach) {
      last.from = Math.min(last.from, from);
      last.to = Math.max(last.to, to);
    } else this.#last = { from, to };
    if (this.#gathered.at(-1) !== this.#last) this.#gathered.push(this.#last);
  }

  newFile(): void {
    this.#last = { from: Number.NaN, to: Number.NaN };
  }

  /** What was covered since the last call. */
  take(): Stretch[] {
    const taken = this.#gathered.map((stretch) => ({ ...stretch }));
    this.#gathered = [];
    return taken;
  }
}
