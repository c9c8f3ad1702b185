// Folds bars shorter than a minute into minutes. All bars of a minute are collected, in any order and from any file of the
// import, before it is built: none is left out.
import { aggregateBars, MINUTE_MS } from '@tickwire/engine';
import type { ImportBar } from '../rows/import-row.ts';

/** Minutes that are kept open, because rows of them may follow. */
const OPEN_MINUTES = 5_000;

export class SecondFold {
  readonly #minutes = new Map<number, Map<number, ImportBar>>();

  add(bar: ImportBar): void {
    const minute = bar.time - (bar.time % MINUTE_MS);
    const known = this.#minutes.get(minute);
    if (known) known.set(bar.time, bar);
    else this.#minutes.set(minute, new Map([[bar.time, bar]]));
  }

  get isFull(): boolean {
    return this.#minutes.size >= 2 * OPEN_MINUTES;
  }

  /** Removes and returns minutes, the first ones that were begun; all of them at the end of the import. */
  take(all: boolean): ImportBar[] {
    const taken: ImportBar[] = [];
    let count = this.#minutes.size - (all ? 0 : OPEN_MINUTES);
    for (const [minute, bars] of this.#minutes) {
      if (count-- <= 0) break;
      const ascending = [...bars.values()].sort((a, b) => a.time - b.time);
      taken.push({ kind: 'bar', timeframe: '1m', ...aggregateBars(minute, ascending)! });
      this.#minutes.delete(minute);
    }
    return taken;
  }
}
