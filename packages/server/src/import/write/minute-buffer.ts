// Collects ticks by minute on their way to the store, so that each minute is written once, when its rows are complete. Most
// files are in order of time, some run backwards, some have late rows: the minutes touched last stay open for those.
import { MINUTE_MS, type PriceEvent } from '@tickwire/engine';

/** Ticks and minutes collected before they are written: limits memory. */
const CHUNK_TICKS = 100_000;
const CHUNK_MINUTES = 5_000;
const OPEN_MINUTES = 16;

export interface MinuteTicks {
  readonly minute: number;
  /** In the order of the file. */
  readonly ticks: PriceEvent[];
}

export class MinuteBuffer {
  /** In the order in which they were last touched. */
  readonly #minutes = new Map<number, MinuteTicks>();
  #current: MinuteTicks = { minute: Number.NaN, ticks: [] };
  #count = 0;
  #fullAt = CHUNK_TICKS;

  add(tick: PriceEvent): void {
    const { time } = tick;
    const { minute } = this.#current;
    if (!(time >= minute && time < minute + MINUTE_MS)) this.#switchTo(time - (time % MINUTE_MS));
    this.#current.ticks.push(tick);
    this.#count++;
  }

  /** Time to write the complete minutes. */
  get isFull(): boolean {
    return this.#count >= this.#fullAt || this.#minutes.size >= CHUNK_MINUTES;
  }

  /** Removes and returns the minutes that expect no more rows, ascending; all of them at the end of a file. */
  take(all: boolean): MinuteTicks[] {
    const taken: MinuteTicks[] = [];
    let keep = all ? 0 : OPEN_MINUTES;
    for (const each of [...this.#minutes.values()].reverse()) {
      if (keep-- > 0) continue;
      taken.push(each);
      this.#minutes.delete(each.minute);
      this.#count -= each.ticks.length;
    }
    if (all) this.#current = { minute: Number.NaN, ticks: [] };
    this.#fullAt = this.#count + CHUNK_TICKS;
    return taken.sort((a, b) => a.minute - b.minute);
  }

  #switchTo(minute: number): void {
    const known = this.#minutes.get(minute);
    if (known) this.#minutes.delete(minute);
    this.#current = known ?? { minute, ticks: [] };
    this.#minutes.set(minute, this.#current);
  }
}
