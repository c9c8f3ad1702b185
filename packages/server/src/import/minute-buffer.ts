// Ticks on their way into the store, gathered by minute: a minute is written once, when its rows are through. Files are
// mostly in order of time, some run backwards, some have stragglers: the minutes touched last stay open for those.
import { ImportError } from './import-error.ts';
import type { Tick } from './row-events.ts';

const MINUTE = 60_000;
/** Ticks gathered before they are written: bounds memory. */
const CHUNK_TICKS = 100_000;
const CHUNK_MINUTES = 5_000;
const STAY_OPEN = 16;
/** The busiest minute of any market on record has a tenth of this. Times that crowd so are not times of day. */
const MOST_IN_A_MINUTE = 1_000_000;

export interface MinuteTicks {
  readonly minute: number;
  /** In the order of the file. */
  readonly ticks: Tick[];
}

export class MinuteBuffer {
  /** The minute touched last is the last one. */
  readonly #minutes = new Map<number, MinuteTicks>();
  #current: MinuteTicks = { minute: Number.NaN, ticks: [] };
  #count = 0;
  #fullAt = CHUNK_TICKS;

  add(tick: Tick): void {
    const { time } = tick;
    const minute = time - (time % MINUTE);
    if (minute !== this.#current.minute) this.#turnTo(minute);
    this.#current.ticks.push(tick);
    this.#count++;
  }

  /** Time to write what is ready. */
  get full(): boolean {
    return this.#count >= this.#fullAt || this.#minutes.size >= CHUNK_MINUTES;
  }

  /** Takes out the minutes that no more rows are expected for, ascending; at the end of a file all of them. */
  take(all: boolean): MinuteTicks[] {
    const taken: MinuteTicks[] = [];
    let staying = all ? 0 : STAY_OPEN;
    for (const each of [...this.#minutes.values()].reverse()) {
      if (staying-- > 0) continue;
      taken.push(each);
      this.#minutes.delete(each.minute);
      this.#count -= each.ticks.length;
    }
    if (all) this.#current = { minute: Number.NaN, ticks: [] };
    this.#fullAt = this.#count + CHUNK_TICKS;
    return taken.sort((a, b) => a.minute - b.minute);
  }

  #turnTo(minute: number): void {
    const known = this.#minutes.get(minute);
    if (known) this.#minutes.delete(minute);
    this.#current = known ?? { minute, ticks: [] };
    this.#minutes.set(minute, this.#current);
  }

  /** Called now and then: a minute must not outgrow the memory. */
  check(): void {
    if (this.#current.ticks.length <= MOST_IN_A_MINUTE) return;
    const minute = new Date(this.#current.minute).toISOString();
    throw new ImportError(
      'crowded_minute',
      `more than ${MOST_IN_A_MINUTE.toLocaleString('en-US')} rows fall into the minute ${minute}: its times are not read rightly`,
    );
  }
}
