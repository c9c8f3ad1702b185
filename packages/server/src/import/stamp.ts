// The time of a row, whatever shape it has: Unix time in any unit, a date with its zone, or a wall clock, which needs to
// be told where it hangs. A broker's server time is never guessed: most run on Athens' hours, many do not.
import { DateTimeReader, epoch } from './date-time.ts';
import { ImportError } from './import-error.ts';
import type { Zone } from './zone.ts';

export class StampReader {
  readonly #zone: Zone | null;
  readonly #reader = new DateTimeReader();

  /** Without a zone, a wall clock is refused and the whole file with it. */
  constructor(zone: Zone | null) {
    this.#zone = zone;
  }

  /** Integer milliseconds UTC; NaN where the bytes are no time. */
  read(bytes: Uint8Array, start: number, end: number): number {
    const unix = epoch(bytes, start, end);
    if (!Number.isNaN(unix)) return unix;
    return this.#utc(this.#reader.read(bytes, start, end));
  }

  /** Date and time of day in columns of their own. */
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
      'the times in it name no zone and are not guessed: give --timezone (an IANA name such as Europe/Athens, or UTC±hh[:mm])',
    );
  }
}
