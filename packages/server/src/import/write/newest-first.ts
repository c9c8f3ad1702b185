// Turns the rows of a file that runs backwards into the order of time, in large parts that end between two minutes: ticks of
// the same millisecond and inferred sides then come out as from a file in order.
import { MINUTE_MS } from '@tickwire/engine';
import type { ImportRow } from '../rows/import-row.ts';

const PART_ROWS = 100_000;
const minuteOf = ({ time }: ImportRow): number => time - (time % MINUTE_MS);

export class NewestFirst {
  #rows: ImportRow[] = [];

  add(rows: readonly ImportRow[]): void {
    for (const row of rows) this.#rows.push(row);
  }

  get isFull(): boolean {
    return this.#rows.length >= PART_ROWS;
  }

  /** Removes and returns the rows in the order of time, without the oldest minute unless all are wanted. */
  take(all: boolean): ImportRow[] {
    const rows = this.#rows;
    let end = rows.length;
    if (!all) {
      const oldest = minuteOf(rows.at(-1)!);
      while (end > 0 && minuteOf(rows[end - 1]!) === oldest) end--;
      // A single minute this long is taken in parts.
      if (end === 0) end = rows.length;
    }
    this.#rows = rows.slice(end);
    return rows.slice(0, end).reverse();
  }

  /** The rows that were not taken, which precede those that were, in the order of time. */
  get before(): ImportRow[] {
    return this.#rows.toReversed();
  }
}
