// Converts local times to UTC. A day without a clock change has one offset; on the few other days, the offsets are found per
// quarter of an hour.
import { canonicalZone, DAY_MS, HOUR_MS, MINUTE_MS, zoneOffset } from '@tickwire/engine';
import { ImportError } from '../import-error.ts';

const QUARTER_MS = 15 * MINUTE_MS;
/** A step against the order of the file by this much within the repeated hour of a clock change means that its second pass has begun. */
const STEP_BACK_MS = 30 * MINUTE_MS;
const FIXED = /^(?:UTC|GMT)?\s*([+-])(\d{1,2})(?::?(\d{2}))?$/i;

export interface TimeZone {
  readonly name: string;
  /**
   * UTC of a local time, both in milliseconds; NaN if a clock change skipped it. Call in the order of the file: it tells the two
   * passes of a repeated hour apart. Of two bars with one time, each is in a separate pass; ticks may share a time.
   */
  toUtc(local: number, isBar?: boolean): number;
  /** The local time of an instant. */
  toLocal(utc: number): number;
}

export const fixedZone = (name: string, offset: number): TimeZone => ({
  name,
  toUtc: (local) => local - offset,
  toLocal: (utc) => utc + offset,
});
export const UTC: TimeZone = fixedZone('UTC', 0);
/** New York without daylight saving time, used by HistData and FXCM. */
export const EASTERN_STANDARD: TimeZone = fixedZone('UTC-5', -5 * HOUR_MS);

/** A zone by name: an IANA name, UTC, UTC±hh[:mm], or broker. */
export function parseTimeZone(name: string): TimeZone {
  const text = name.trim();
  if (/^(utc|gmt|z)$/i.test(text)) return UTC;
  if (/^broker$/i.test(text)) return brokerZone();
  const fixed = FIXED.exec(text);
  if (fixed) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3] ?? 0);
    if (minutes <= 14 * 60 && Number(fixed[3] ?? 0) < 60) {
      return fixedZone(text, (fixed[1] === '-' ? -1 : 1) * minutes * MINUTE_MS);
    }
  }
  const zone = canonicalZone(text);
  if (zone) return new IanaZone(text, zone);
  throw new ImportError(
    'unknown_timezone',
    `unknown time zone ${JSON.stringify(name)}: use an IANA name (Europe/Athens), UTC±hh[:mm], or broker (New York + 7 hours)`,
  );
}

/** The zone of a broker's server, which its files do not contain. */
export function requireServerZone(timezone: string | undefined): TimeZone {
  if (timezone) return parseTimeZone(timezone);
  throw new ImportError(
    'timezone_required',
    "its times are in the broker's time zone: specify --timezone (broker if its day ends at 17:00 in New York, as on most servers; or Europe/Athens, or UTC±hh)",
  );
}

/** Possible offsets of a local time: none if a clock change skipped it, two if it was repeated. */
type Offsets = readonly number[];

class IanaZone implements TimeZone {
  readonly name: string;
  readonly #zone: string;
  readonly #offsets = new Map<number, Offsets>();
  #day = Number.NaN;
  #dayOffset = Number.NaN;
  #last = 0;
  #secondPass = false;
  /** The file runs backwards through the repeated hour. */
  #backwards = false;
  #isInside = false;

  constructor(name: string, zone: string) {
    this.name = name;
    this.#zone = zone;
  }

  toUtc(local: number, isBar = false): number {
    const day = Math.floor(local / DAY_MS);
    if (day !== this.#day) {
      this.#day = day;
      const before = this.#offsetAt((day - 1) * DAY_MS);
      // Offsets are less than a day, so the two days around the local day include it.
      this.#dayOffset = before === this.#offsetAt((day + 2) * DAY_MS) ? before : Number.NaN;
    }
    if (!Number.isNaN(this.#dayOffset)) return local - this.#dayOffset;
    const offsets = this.#offsetsOf(local);
    if (offsets.length === 2) this.#findPass(local, isBar);
    this.#isInside = offsets.length === 2;
    this.#last = local;
    if (offsets.length === 0) return Number.NaN;
    return local - (offsets.length === 2 && this.#secondPass ? offsets[1]! : offsets[0]!);
  }

  #findPass(local: number, isBar: boolean): void {
    const step = local - this.#last;
    if (!this.#isInside) {
      this.#backwards = step < 0;
      this.#secondPass = this.#backwards;
    } else if (step === 0 ? isBar : this.#backwards ? step >= STEP_BACK_MS : step <= -STEP_BACK_MS)
      this.#secondPass = !this.#backwards;
  }

  toLocal(utc: number): number {
    return utc + this.#offsetAt(utc);
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

  #offsetAt(utc: number): number {
    return zoneOffset(this.#zone, utc);
  }
}

const BROKER_AHEAD_MS = 7 * HOUR_MS;

/**
 * Server time of most brokers: seven hours ahead of New York all year, so that the day ends when the market closes, at 17:00
 * in New York. The clocks change on Sundays, when the market is closed.
 */
function brokerZone(): TimeZone {
  const newYork = new IanaZone('America/New_York', 'America/New_York');
  return {
    name: 'broker',
    toUtc: (local, isBar) => newYork.toUtc(local - BROKER_AHEAD_MS, isBar),
    toLocal: (utc) => newYork.toLocal(utc) + BROKER_AHEAD_MS,
  };
}

/** For instants only: a reader of a file needs a separate zone, because `toUtc` depends on the order of calls. */
export const BROKER: Pick<TimeZone, 'toLocal' | 'toUtc'> = brokerZone();
