// Observes the rows of a file while it is surveyed: the steps between its bars, its order, its weekly breaks, and where its
// days begin.
import { iso } from '@tickwire/contract';
import {
  type BarAlign,
  type BarInterval,
  type HoursName,
  intervalMs,
  intervalOfLength,
  MINUTE_MS,
} from '@tickwire/engine';
import { ImportError } from '../import-error.ts';
import { barStart, isAlignedAnywhere, UNKNOWN_INTERVAL } from '../rows/bar-interval.ts';
import type { DateEvidence, DateOrder } from '../rows/date-time.ts';
import type { TimeSurvey } from '../rows/timestamp.ts';
import { BROKER, type TimeZone } from '../rows/timezone.ts';
import { BarSteps } from './bar-steps.ts';
import { ClosedHours } from './closed-hours.ts';
import { type LastLines, RepeatedTimes } from './repeated-times.ts';
import { MIN_BREAK_MS, WeeklyBreaks } from './weekly-breaks.ts';

/** Ten times the busiest minute on record. More ticks mean that the times are misread. */
const MAX_TICKS_PER_MINUTE = 1_000_000;

export class RowSurvey implements TimeSurvey {
  readonly dateOrder: DateOrder | null;
  readonly dateEvidence: DateEvidence = { mdy: 0, dmy: 0, example: '' };
  zone: TimeZone | null = null;
  /** Steps in the time of the file, or in UTC; and in broker time, for days that end at 17:00 in New York. */
  readonly #steps = new BarSteps();
  readonly #brokerSteps = new BarSteps();
  readonly breaks = new WeeklyBreaks();
  readonly closed: ClosedHours;
  readonly repeated: RepeatedTimes;
  /** Symbols of a symbol column, as the file spells them, in the order of their appearance. */
  readonly symbols = new Set<string>();
  /** The length of its bars; `null` if it has none. */
  interval: BarInterval | null = null;
  ascents = 0;
  descents = 0;
  /** Bars that start where one of a UTC day, or of a day that ends at 17:00 in New York, does. */
  #alignedUtc = 0;
  #alignedNy = 0;
  #last = Number.NaN;
  #minute = Number.NaN;
  #inMinute = 0;

  constructor(dateOrder: DateOrder | null, hours: HoursName, repeated: LastLines | null) {
    this.dateOrder = dateOrder;
    this.closed = new ClosedHours(hours);
    this.repeated = new RepeatedTimes(repeated);
  }

  /** Where the days of its bars begin. */
  get align(): BarAlign {
    return this.#alignedNy > this.#alignedUtc ? 'ny' : 'utc';
  }

  /** A change of the clocks makes steps irregular in any other time than that of the bars. */
  get steps(): BarSteps {
    const { gcd } = this.#brokerSteps;
    return gcd > this.#steps.gcd && intervalOfLength(gcd) !== null ? this.#brokerSteps : this.#steps;
  }

  /** A bar with a valid time, whether it can be used or not. */
  bar(time: number, interval: BarInterval, line: number): void {
    this.row(time, intervalMs(interval));
    this.barTime(time, interval, line);
  }

  /** The time of a bar that fills a gap: it shows where bars begin, but not when the market was open. */
  barTime(time: number, interval: BarInterval, line: number): void {
    this.interval = interval;
    this.#steps.add(this.zone ? this.zone.toLocal(time) : time, line);
    this.#brokerSteps.add(BROKER.toLocal(time), line);
    if (interval === UNKNOWN_INTERVAL || isAlignedAnywhere(interval)) return;
    if (!Number.isNaN(barStart(interval, 'utc', time))) this.#alignedUtc++;
    if (!Number.isNaN(barStart(interval, 'ny', time))) this.#alignedNy++;
  }

  /** A tick (length 0), or a bar. */
  row(time: number, length: number): void {
    this.closed.add(time, length);
    const step = time - this.#last;
    if (step > 0) this.ascents++;
    else if (step < 0) this.descents++;
    if (step >= MIN_BREAK_MS || step <= -MIN_BREAK_MS) this.breaks.add(this.#last, time, length);
    this.#last = time;
    if (time >= this.#minute && time < this.#minute + MINUTE_MS) this.#inMinute++;
    else {
      this.#minute = time - (time % MINUTE_MS);
      this.#inMinute = 1;
    }
    if (this.#inMinute > MAX_TICKS_PER_MINUTE) throw crowded(this.#minute);
  }
}

const crowded = (minute: number): ImportError =>
  new ImportError(
    'crowded_minute',
    `more than ${MAX_TICKS_PER_MINUTE.toLocaleString('en-US')} rows in the minute ${iso(minute)}: the times are probably misread`,
  );
