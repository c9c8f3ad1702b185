// How far a price moved in the last hour, as a fraction of it: the mean true range of the last twelve complete five-minute
// intervals, times √12. An interval without a price counts as 0. The running interval does not count, and a single burst
// weighs only a twelfth, so that bad prices cannot raise the measure by which they are judged.
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';

const INTERVAL_MS = 5 * MINUTE_MS;
const INTERVALS = HOUR_MS / INTERVAL_MS;

export class HourlyVolatility {
  value = 0;
  readonly #ranges = new Float64Array(INTERVALS);
  #next = 0;
  /** End of the running interval, and its prices. The range includes the last price of the interval before. */
  #end = 0;
  #high = 0;
  #low = 0;
  #last = 0;

  /** Adds a price. Returns whether an interval has ended, and `value` may have changed. */
  add(time: number, price: number): boolean {
    const left = this.#end - time;
    if (left <= 0 || left > HOUR_MS + INTERVAL_MS) {
      this.#endInterval(time, price);
      return true;
    }
    if (price > this.#high) this.#high = price;
    else if (price < this.#low) this.#low = price;
    this.#last = price;
    return false;
  }

  #endInterval(time: number, price: number): void {
    const intervals = Math.floor((time - this.#end) / INTERVAL_MS) + 1;
    this.#end = time - (time % INTERVAL_MS) + INTERVAL_MS;
    if (intervals < 1 || intervals > INTERVALS) {
      // The prices before are of another time.
      this.#ranges.fill(0);
      this.#high = this.#low = price;
    } else {
      this.#push((this.#high - this.#low) / this.#last);
      for (let silent = 1; silent < intervals; silent++) this.#push(0);
      this.#high = Math.max(this.#last, price);
      this.#low = Math.min(this.#last, price);
    }
    this.#last = price;
    let sum = 0;
    for (const range of this.#ranges) sum += range;
    this.value = (sum / INTERVALS) * Math.sqrt(INTERVALS);
  }

  #push(range: number): void {
    this.#ranges[this.#next] = range;
    this.#next = (this.#next + 1) % INTERVALS;
  }
}
