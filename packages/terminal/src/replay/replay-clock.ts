// The clock of a replay as this page knows it. Between two answers of the service it goes on at the speed of the session; what the
// streams deliver moves it at least to its own time.
import type { ReplaySession } from '@tickwire/client';
import { SECOND_MS } from '@tickwire/contract/durations.ts';

/** Times in epoch milliseconds. */
export class ReplayClock {
  readonly #now: () => number;
  #at = 0;
  #since = 0;
  /** Of `performance.now()`; 0 while it stands still. */
  #speed = 0;
  #end = Number.POSITIVE_INFINITY;
  /** The clock by the service at the last answer while it ran. */
  #measured: { readonly clock: number; readonly at: number } | null = null;
  #isSlow = false;
  /** Of the session: another one after each seek. */
  #epoch = '';

  /** `now`: milliseconds of a clock that is never set. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get time(): number {
    return Math.min(this.#end, Math.floor(this.#at + (this.#now() - this.#since) * this.#speed));
  }

  /** The clock runs at less than half of its speed: the tier or this browser allows no more. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** An answer of the service. */
  set({ clock, state, speed, to, epoch }: Pick<ReplaySession, 'clock' | 'state' | 'speed' | 'to' | 'epoch'>): void {
    const [time, at] = [Date.parse(clock), this.#now()];
    const runs = state === 'playing' && speed !== 'max' ? speed : 0;
    const before = epoch === this.#epoch && runs === this.#speed ? this.#measured : null;
    this.#epoch = epoch;
    if (!before || at - before.at >= SECOND_MS) {
      this.#isSlow = before !== null && time - before.clock < ((at - before.at) * runs) / 2;
      this.#measured = runs === 0 ? null : { clock: time, at };
    }
    this.#at = time;
    this.#since = at;
    this.#speed = runs;
    this.#end = Date.parse(to);
  }

  /** Something of this time was received. */
  reach(time: number): void {
    if (time <= this.time) return;
    this.#at = time;
    this.#since = this.#now();
  }
}
