// Periods without data while the market was open. Weekends, daily breaks and holidays do not count.
import type { HoursName } from './calendars.ts';
import { asEpochMs, type EpochMs, MINUTE_MS } from './time.ts';
import { isMarketOpen, nextSessionChange } from './trading-hours.ts';

export interface DataGap {
  /** End of the data before the gap, start of the data after it. */
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** How long the market was open in it, in milliseconds. */
  readonly openMs: number;
}

/** Quiet minutes are common; a gap is longer. */
export const MIN_GAP_MS = 5 * MINUTE_MS;
const MAX_GAPS = 10;

/** How long the market is open between two times, in milliseconds. */
export function openBetween(hours: HoursName, from: number, to: number): number {
  let open = 0;
  let at = asEpochMs(from);
  while (at < to) {
    const change = Math.min(nextSessionChange(hours, at), to);
    if (isMarketOpen(hours, at)) open += change - at;
    at = asEpochMs(change);
  }
  return open;
}

/** Counts the gaps in data of one market, and keeps the longest ones. */
export class LongestGaps {
  count = 0;
  readonly #hours: HoursName;
  #until = Number.NaN;
  readonly #longest: DataGap[] = [];

  constructor(hours: HoursName) {
    this.#hours = hours;
  }

  /** Data that starts at `time` and lasts `length` milliseconds (0 for a tick). Data out of order closes no gap. */
  add(time: number, length: number): void {
    if (time - this.#until > (length > MIN_GAP_MS ? length : MIN_GAP_MS) - 1) this.#addGap(time, length);
    if (!(time + length <= this.#until)) this.#until = time + length;
  }

  /** The longest gaps, by the time the market was open. */
  get longest(): readonly DataGap[] {
    return this.#longest;
  }

  #addGap(time: number, length: number): void {
    const openMs = openBetween(this.#hours, this.#until, time);
    if (openMs < Math.max(length, MIN_GAP_MS)) return;
    this.count++;
    this.#longest.push({ from: asEpochMs(this.#until), to: asEpochMs(time), openMs });
    this.#longest.sort((a, b) => b.openMs - a.openMs);
    if (this.#longest.length > MAX_GAPS) this.#longest.pop();
  }
}
