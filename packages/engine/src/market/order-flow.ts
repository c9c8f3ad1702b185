// Order flow of one instrument: how hard each side presses, and whether the price moves with the pressure.
//
// delta          = volume that lifted the ask − volume that hit the bid; cumulative since 00:00 UTC of the event's day.
// imbalance      = delta / volume of the last 60 seconds, −1…1.
// absorption     = the passive side that holds the price although the other side pressed hard over those 60 seconds
//                  (|imbalance| ≥ 0.5, at least 2.5 × the usual volume): `buy` if buyers absorb the selling.
// A late trade counts in its own second while that second is in the window. It never changes a day that has ended.
import type { Side } from './events.ts';
import { roundSize } from './price.ts';
import { DAY_MS } from './time.ts';

const WINDOW_SECONDS = 60;
const PRESSURE = 0.5;
const VOLUME_FACTOR = 2.5;
/** The usual volume is an average over about five minutes. It is not used during the first two. */
const AVERAGE_SECONDS = 300;
const WARM_UP_SECONDS = 120;

export class OrderFlow {
  #day = 0;
  #cumulative = 0;
  /** Latest second seen; the window is (latest − 60, latest]. */
  #latest = 0;
  #first = 0;
  readonly #bid = new Float64Array(WINDOW_SECONDS);
  readonly #ask = new Float64Array(WINDOW_SECONDS);
  /** First price of each second; 0 if the second had no trade. */
  readonly #price = new Float64Array(WINDOW_SECONDS);
  #bidSum = 0;
  #askSum = 0;
  /** Mean volume per second. */
  #usual = 0;

  get cumulative(): number {
    return roundSize(this.#cumulative);
  }

  get imbalance(): number {
    const total = this.#bidSum + this.#askSum;
    return total > 0 ? Math.round(((this.#askSum - this.#bidSum) / total) * 1e4) / 1e4 : 0;
  }

  trade(time: number, price: number, size: number, side: Side): void {
    this.advance(time);
    if (Math.floor(time / DAY_MS) === this.#day) this.#cumulative += side === 'buy' ? size : -size;
    const second = Math.floor(time / 1000);
    if (second <= this.#latest - WINDOW_SECONDS) return;
    const slot = second % WINDOW_SECONDS;
    if (side === 'buy') {
      this.#ask[slot]! += size;
      this.#askSum += size;
    } else {
      this.#bid[slot]! += size;
      this.#bidSum += size;
    }
    if (this.#price[slot] === 0) this.#price[slot] = price;
  }

  /** Adds the volumes of a minute that is known only as a bar. */
  addMinute(time: number, bidVolume: number, askVolume: number): void {
    this.advance(time);
    if (Math.floor(time / DAY_MS) === this.#day) this.#cumulative += askVolume - bidVolume;
  }

  /** The passive side that absorbs the pressure, if any. A move of up to `tolerance` (price units) counts as none. */
  absorption(price: number, tolerance: number): Side | null {
    const total = this.#bidSum + this.#askSum;
    if (this.#latest - this.#first < WARM_UP_SECONDS || total < this.#usual * WINDOW_SECONDS * VOLUME_FACTOR)
      return null;
    const pressure = (this.#askSum - this.#bidSum) / total;
    if (Math.abs(pressure) < PRESSURE) return null;
    const moved = price - this.#oldestPrice();
    if (pressure < 0) return moved >= -tolerance ? 'buy' : null;
    return moved <= tolerance ? 'sell' : null;
  }

  /** Moves the window to `time`, and starts a new day if one has begun. */
  advance(time: number): void {
    const day = Math.floor(time / DAY_MS);
    if (day > this.#day) {
      this.#day = day;
      this.#cumulative = 0;
    }
    const second = Math.floor(time / 1000);
    if (second <= this.#latest) return;
    if (this.#latest === 0) this.#first = second;
    const elapsed = this.#latest === 0 ? WINDOW_SECONDS : second - this.#latest;
    const closing = this.#latest % WINDOW_SECONDS;
    this.#usual += (this.#bid[closing]! + this.#ask[closing]! - this.#usual) / AVERAGE_SECONDS;
    if (elapsed > 1) this.#usual *= (1 - 1 / AVERAGE_SECONDS) ** (elapsed - 1);
    if (elapsed >= WINDOW_SECONDS) this.#clear();
    else for (let at = this.#latest + 1; at <= second; at++) this.#evict(at % WINDOW_SECONDS);
    this.#latest = second;
  }

  /** Resumes a day with the cumulative delta of its tape. */
  restore(time: number, cumulative: number): void {
    this.#day = Math.floor(time / DAY_MS);
    this.#cumulative = cumulative;
  }

  #evict(slot: number): void {
    // Rounding stops floating-point noise from accumulating in the sums.
    this.#bidSum = roundSize(this.#bidSum - this.#bid[slot]!);
    this.#askSum = roundSize(this.#askSum - this.#ask[slot]!);
    this.#bid[slot] = this.#ask[slot] = this.#price[slot] = 0;
  }

  #clear(): void {
    this.#bid.fill(0);
    this.#ask.fill(0);
    this.#price.fill(0);
    this.#bidSum = this.#askSum = 0;
  }

  #oldestPrice(): number {
    for (let at = this.#latest + 1; at <= this.#latest + WINDOW_SECONDS; at++) {
      const price = this.#price[at % WINDOW_SECONDS]!;
      if (price > 0) return price;
    }
    return 0;
  }
}
