// Converts local times to UTC. IANA zones use Intl, which takes microseconds per call, so offsets are cached: one for a whole
// day without a clock change, and per quarter of an hour on the few other days.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { ImportError } from './import-error.ts';

const QUARTER_MS = 15 * MINUTE_MS;
/** A step back by this much within the repeated hour of a clock change means that its second pass has begun. */
const STEP_BACK_MS = 30 * MINUTE_MS;
const FIXED = /^(?:UTC|GMT)?\s*([+-])(\d{1,2})(?::?(\d{2}))?$/i;

export interface TimeZone {
  readonly name: string;
  /** UTC of a local time, both in milliseconds; NaN if a clock change skipped it. Call in the order of the file. */
  toUtc(local: number): number;
}

export const fixedZone = (name: string, offset: number): TimeZone => ({ name, toUtc: (local) => local - offset });
export const UTC: TimeZone = fixedZone('UTC', 0);
/** New York without daylight saving time, used by HistData and FXCM. */
export const EASTERN_STANDARD: TimeZone = fixedZone('UTC-5', -5 * HOUR_MS);

/** A zone by name: an IANA name, UTC, or UTC±hh[:mm]. */
export function parseTimeZone(name: string): TimeZone {
  const text = name.trim();
  if (/^(utc|gmt|z)$/i.test(text)) return UTC;
  const fixed = FIXED.exec(text);
  if (fixed) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3] ?? 0);
    if (minutes <= 14 * 60 && Number(fixed[3] ?? 0) < 60) {
      return fixedZone(text, (fixed[1] === '-' ? -1 : 1) * minutes * MINUTE_MS);
    }
  }
  try {
    return new IanaZone(text);
  } catch {
    throw new ImportError(
      'unknown_timezone',
      `unknown time zone ${JSON.stringify(name)}: use an IANA name (Europe/Athens) or UTC±hh[:mm]`,
    );
  }
}

/** Possible offsets of a local time: none if a clock change skipped it, two if it was repeated. */
type Offsets = readonly number[];

class IanaZone implements TimeZone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, Offsets>();
  #day = Number.NaN;
  #dayOffset = Number.NaN;
  #last = 0;
  #secondPass = false;

  constructor(name: string) {
    this.name = name;
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  }

  toUtc(local: number): number {
    const day = Math.floor(local / DAY_MS);
    if (day !== this.#day) {
      this.#day = day;
      const before = this.#offsetAt((day - 1) * DAY_MS);
      // Offsets are less than a day, so the two days around the local day include it.
      this.#dayOffset = before === this.#offsetAt((day + 2) * DAY_MS) ? before : Number.NaN;
    }
    if (!Number.isNaN(this.#dayOffset)) return local - this.#dayOffset;
    const offsets = this.#offsetsOf(local);
    if (offsets.length < 2) this.#secondPass = false;
    else if (local < this.#last - STEP_BACK_MS) this.#secondPass = true;
    this.#last = local;
    if (offsets.length === 0) return Number.NaN;
    return local - (this.#secondPass ? offsets.at(-1)! : offsets[0]!);
  }

  #offsetsOf(local: number): Offsets {
    const quarter = Math.floor(local / QUARTER_MS);
    const known = this.#offsets.get(quarter);
    if (known) return known;
    const start = quarter * QUARTER_MS;
    const candidates = [this.#offsetAt(start - DAY_MS), this.#offsetAt(start + DAY_MS)];
    const found = [...new Set(candidates)].filter((offset) => this.#offsetAt(start - offset) === offset);
    this.#offsets.set(quarter, found);
    return found;
  }

  /** Milliseconds ahead of UTC at an instant, from a text such as "1/2/2024, GMT+02:00". */
  #offsetAt(utc: number): number {
    const match = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(this.#format.format(utc));
    if (!match?.[1]) return 0;
    const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
    return (match[1] === '-' ? -1 : 1) * seconds * 1000;
  }
}
