// The longest stretches without data while the market was open. Weekends and daily breaks do not count; holidays do,
// because no calendar here knows them.
import { asEpochMs, type EpochMs, type HoursName, isOpen, nextChange } from '@tickwire/engine';

export interface DataGap {
  /** End of the data before, start of the data after. */
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** How much of it the market was open. */
  readonly openMs: number;
}

/** Quiet minutes are common on most instruments; a gap is longer. */
export const MIN_GAP_MS = 300_000;
const KEPT = 10;

/** Milliseconds the market is open between two times. */
export function openBetween(hours: HoursName, from: number, to: number): number {
  let open = 0;
  let at = asEpochMs(from);
  while (at < to) {
    const change = Math.min(nextChange(hours, at), to);
    if (isOpen(hours, at)) open += change - at;
    at = asEpochMs(change);
  }
  return open;
}

export class GapFinder {
  count = 0;
  readonly #hours: HoursName;
  #until = Number.NaN;
  readonly #longest: DataGap[] = [];

  constructor(hours: HoursName) {
    this.#hours = hours;
  }

  /** Data from `time` that lasts `length` milliseconds (0 for a tick). What comes out of order fills nothing. */
  seen(time: number, length: number): void {
    if (time - this.#until > (length > MIN_GAP_MS ? length : MIN_GAP_MS) - 1) this.#close(time, length);
    if (!(time + length <= this.#until)) this.#until = time + length;
  }

  /** The longest ones, by the time the market was open. */
  get longest(): readonly DataGap[] {
    return this.#longest;
  }

  #close(time: number, length: number): void {
    const openMs = openBetween(this.#hours, this.#until, time);
    if (openMs < Math.max(length, MIN_GAP_MS)) return;
    this.count++;
    this.#longest.push({ from: asEpochMs(this.#until), to: asEpochMs(time), openMs });
    this.#longest.sort((a, b) => b.openMs - a.openMs);
    if (this.#longest.length > KEPT) this.#longest.pop();
  }
}
