// Reads the time of a row: Unix time in any unit, a date with a zone, or a local time, which needs a time zone. A broker's
// server time is never guessed: most use Athens time, many do not.
import { DateTimeReader, parseUnixTime } from './date-time.ts';
import { ImportError } from './import-error.ts';
import type { TimeZone } from './timezone.ts';

export class TimestampReader {
  readonly #zone: TimeZone | null;
  readonly #reader = new DateTimeReader();

  /** Without a zone, a local time makes the whole file fail. */
  constructor(zone: TimeZone | null) {
    this.#zone = zone;
  }

  /** Integer milliseconds in UTC; NaN if the bytes are not a time. */
  read(bytes: Uint8Array, start: number, end: number): number {
    const unix = parseUnixTime(bytes, start, end);
    if (!Number.isNaN(unix)) return unix;
    return this.#utc(this.#reader.read(bytes, start, end));
  }

  /** Date and time of day in separate columns. */
  readSplit(bytes: Uint8Array, date: number, dateEnd: number, clock: number, clockEnd: number): number {
    const day = this.#reader.date(bytes, date, dateEnd);
    return this.#utc(day + this.#reader.clock(bytes, clock, clockEnd));
  }

  #utc(local: number): number {
    if (Number.isNaN(local)) return local;
    if (this.#reader.offset !== null) return local - this.#reader.offset;
    if (this.#zone) return this.#zone.toUtc(local);
    throw new ImportError(
      'timezone_required',
      'its times have no time zone: specify --timezone (an IANA name such as Europe/Athens, or UTC±hh[:mm])',
    );
  }
}
