// Reads the time of a row: Unix time in any unit, a date with a zone, or a local time, which needs a time zone. A broker's
// server time is never guessed: most use Athens time, many do not.

import { ImportError } from '../import-error.ts';
import { type DateEvidence, type DateOrder, DateTimeReader, parseUnixTime } from './date-time.ts';
import type { TimeZone } from './timezone.ts';

/** What is known of a file's times, and what is found out about them. */
export interface TimeSurvey {
  readonly dateOrder: DateOrder | null;
  readonly dateEvidence: DateEvidence | null;
  /** The zone of local times, once one was read. */
  zone: TimeZone | null;
}

export class TimestampReader {
  readonly #zone: TimeZone | null;
  readonly #survey: TimeSurvey | null;
  readonly #reader: DateTimeReader;
  readonly #isBar: boolean;
  readonly #hasServerTimes: boolean;

  /** Without a zone, a local time makes the whole file fail. `isBar`: the times are those of bars. `hasServerTimes`: Unix times are local. */
  constructor(zone: TimeZone | null, survey: TimeSurvey | null, isBar: boolean, hasServerTimes = false) {
    this.#hasServerTimes = hasServerTimes;
    this.#isBar = isBar;
    this.#zone = zone;
    this.#survey = survey;
    this.#reader = new DateTimeReader(survey?.dateOrder ?? null, survey?.dateEvidence ?? null);
  }

  /** Integer milliseconds in UTC; NaN if the bytes are not a time. */
  read(bytes: Uint8Array, start: number, end: number): number {
    const unix = parseUnixTime(bytes, start, end);
    if (!Number.isNaN(unix)) return this.#hasServerTimes ? this.#utc(unix, null) : unix;
    const local = this.#reader.read(bytes, start, end);
    return this.#utc(local, this.#reader.offset);
  }

  /** Date and time of day in separate columns. */
  readSplit(bytes: Uint8Array, date: number, dateEnd: number, clock: number, clockEnd: number): number {
    const day = this.#reader.date(bytes, date, dateEnd);
    const local = day + this.#reader.clock(bytes, clock, clockEnd);
    return this.#utc(local, this.#reader.offset);
  }

  #utc(local: number, offset: number | null): number {
    if (Number.isNaN(local)) return local;
    if (offset !== null) return local - offset;
    if (this.#zone) {
      if (this.#survey) this.#survey.zone = this.#zone;
      return this.#zone.toUtc(local, this.#isBar);
    }
    throw new ImportError(
      'timezone_required',
      'its times have no time zone: specify --timezone (UTC, an IANA name such as Europe/Athens, UTC±hh[:mm], or broker for the server time of MetaTrader)',
    );
  }
}
