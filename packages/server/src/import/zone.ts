// From a wall clock to UTC. Fixed offsets subtract; zones of the IANA database go by Intl, which costs microseconds, so
// each day is asked for once: a day without a change of the clocks has one offset, only the few others go by the quarter
// of an hour.
import { ImportError } from './import-error.ts';

const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
/** Clocks go back by an hour; a step back of this much inside the doubled hour means its second pass has begun. */
const STEP_BACK_MS = 1_800_000;
const FIXED = /^(?:UTC|GMT)?\s*([+-])(\d{1,2})(?::?(\d{2}))?$/i;

export interface Zone {
  readonly name: string;
  /** UTC of a wall clock, both in milliseconds; NaN where the clocks jumped over it. Call in the order of the file. */
  toUtc(local: number): number;
}

export const fixedZone = (name: string, offset: number): Zone => ({ name, toUtc: (local) => local - offset });
export const UTC: Zone = fixedZone('UTC', 0);
/** New York without summer time, the year round: what HistData and FXCM stamp. */
export const EASTERN_STANDARD: Zone = fixedZone('UTC-5', -5 * 3_600_000);

/** A zone by name: an IANA name, UTC, or UTC±hh[:mm]. */
export function zoneOf(name: string): Zone {
  const text = name.trim();
  if (/^(utc|gmt|z)$/i.test(text)) return UTC;
  const fixed = FIXED.exec(text);
  if (fixed) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3] ?? 0);
    if (minutes <= 14 * 60 && Number(fixed[3] ?? 0) < 60) {
      return fixedZone(text, (fixed[1] === '-' ? -1 : 1) * minutes * 60_000);
    }
  }
  try {
    return new PlaceZone(text);
  } catch {
    throw new ImportError(
      'unknown_timezone',
      `the timezone ${JSON.stringify(name)} is not known: give an IANA name (Europe/Athens) or UTC±hh[:mm]`,
    );
  }
}

/** Offsets of a wall clock: none where it was jumped over, two where the clocks went back over it. */
type Offsets = readonly number[];

class PlaceZone implements Zone {
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
      // Offsets lie within a day of UTC, so two days round the wall clock's day hold all of it.
      this.#dayOffset = before === this.#offsetAt((day + 2) * DAY_MS) ? before : Number.NaN;
    }
    if (!Number.isNaN(this.#dayOffset)) return local - this.#dayOffset;
    const offsets = this.#around(local);
    if (offsets.length < 2) this.#secondPass = false;
    else if (local < this.#last - STEP_BACK_MS) this.#secondPass = true;
    this.#last = local;
    if (offsets.length === 0) return Number.NaN;
    return local - (this.#secondPass ? offsets.at(-1)! : offsets[0]!);
  }

  #around(local: number): Offsets {
    const quarter = Math.floor(local / QUARTER_MS);
    const known = this.#offsets.get(quarter);
    if (known) return known;
    const start = quarter * QUARTER_MS;
    const candidates = [this.#offsetAt(start - DAY_MS), this.#offsetAt(start + DAY_MS)];
    const found = [...new Set(candidates)].filter((offset) => this.#offsetAt(start - offset) === offset);
    this.#offsets.set(quarter, found);
    return found;
  }

  /** Milliseconds ahead of UTC at an instant, out of a text such as "1/2/2024, GMT+02:00". */
  #offsetAt(utc: number): number {
    const match = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(this.#format.format(utc));
    if (!match?.[1]) return 0;
    const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
    return (match[1] === '-' ? -1 : 1) * seconds * 1000;
  }
}
