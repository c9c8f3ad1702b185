// Looks for rows at times when their market is closed, by its trading hours: they show that the time zone is wrong. Some sources
// have prices outside the trading hours, so a row counts only if the file also has a break as long as the one that it misses.
import { asEpochMs, HOUR_MS, type HoursName, isMarketOpen, MINUTE_MS, nextSessionChange } from '@tickwire/engine';

/** Zones differ by an hour, rarely by half of one. Shorter breaks, and rows that exceed the hours by less, show nothing. */
const MIN_MS = 45 * MINUTE_MS;
const SLACK_MS = 15 * MINUTE_MS;
/** Longer breaks are weekends. */
const MIN_WEEKEND_MS = 40 * HOUR_MS;
const MAX_WEEKEND_MS = 100 * HOUR_MS;

/** Breaks of the market that the rows have passed, and those with rows inside. */
interface Closings {
  passed: number;
  breached: number;
}

export class ClosedHours {
  readonly weekends: Closings = { passed: 0, breached: 0 };
  readonly #days: Closings = { passed: 0, breached: 0 };
  readonly #hours: HoursName;
  /** The session or break of the market in which the last row was. */
  #from = Number.NaN;
  #until = Number.NaN;
  #isOpen = true;
  /** The last row, and the rows inside the break: from the first to the end of the last. */
  #last = Number.NaN;
  #inside = { first: Number.NaN, end: Number.NaN, gap: 0 };
  /** The usual break on a day, and how often the file has one as long. */
  #dayBreak = 0;
  #dayGaps = 0;

  constructor(hours: HoursName) {
    this.#hours = hours;
  }

  /** A row, in either order of time; `length` is that of a bar, 0 for a tick. */
  add(time: number, length: number): void {
    if (this.#hours === 'always') return;
    const gap = Math.abs(time - this.#last) - length;
    this.#last = time;
    if (gap >= MIN_MS && gap < MIN_WEEKEND_MS && gap >= this.#dayBreak - SLACK_MS) this.#dayGaps++;
    if (!(time >= this.#from && time < this.#until)) this.#enter(time, gap);
    if (this.#isOpen || time + length > this.#until) return;
    const { first, end } = this.#inside;
    this.#inside.first = Number.isNaN(first) ? time : Math.min(first, time);
    this.#inside.end = Number.isNaN(end) ? time + length : Math.max(end, time + length);
  }

  /**
   * Whether most weekends or daily breaks of the market have rows inside, although the file has breaks of the same length. Call
   * after the last row.
   */
  contradict(): boolean {
    this.#leave(0);
    const { weekends } = this;
    const days = this.#days;
    const isDaily = days.breached > 1 && days.breached * 2 > days.passed && this.#dayGaps * 2 > days.passed;
    return isDaily || weekends.breached * 2 > weekends.passed;
  }

  #enter(time: number, gap: number): void {
    const before = { from: this.#from, until: this.#until, isOpen: this.#isOpen };
    this.#leave(gap);
    this.#isOpen = isMarketOpen(this.#hours, asEpochMs(time));
    this.#until = nextSessionChange(this.#hours, asEpochMs(time));
    this.#from = this.#startOf(time);
    if (!this.#isOpen) this.#pass(this.#until - this.#from);
    else if (before.isOpen)
      this.#pass(this.#from > before.from ? this.#from - before.until : before.from - this.#until);
    this.#inside = { first: Number.NaN, end: Number.NaN, gap };
  }

  /** The rows leave a session or a break of the market; `gap` is the time without rows at that. */
  #leave(gap: number): void {
    const { first, end, gap: before } = this.#inside;
    this.#inside = { first: Number.NaN, end: Number.NaN, gap: 0 };
    if (this.#isOpen || !(end - first >= MIN_MS)) return;
    const length = this.#until - this.#from;
    if (length < MIN_WEEKEND_MS) this.#days.breached++;
    else if (length <= MAX_WEEKEND_MS && Math.max(gap, before) >= length - SLACK_MS) this.weekends.breached++;
  }

  #pass(length: number): void {
    if (length >= MIN_WEEKEND_MS && length <= MAX_WEEKEND_MS) this.weekends.passed++;
    else if (length >= MIN_MS && length < MIN_WEEKEND_MS) {
      this.#days.passed++;
      this.#dayBreak = Math.max(this.#dayBreak, length);
    }
  }

  /** The last change of the session before `time`. */
  #startOf(time: number): number {
    let start = time - MAX_WEEKEND_MS;
    for (;;) {
      const next = nextSessionChange(this.#hours, asEpochMs(start));
      if (next > time) return start;
      start = next;
    }
  }
}
