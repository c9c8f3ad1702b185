// Offsets of IANA time zones, from the zone database of the runtime (Intl). A call of Intl takes microseconds, so the clock
// changes are found once per zone and kept, in blocks of a year.
import { DAY_MS, MINUTE_MS } from './time.ts';

/** Zones are a multiple of this away from UTC. */
export const ZONE_STEP_MS = 15 * MINUTE_MS;

/** A period without a clock change. */
interface Period {
  readonly from: number;
  readonly until: number;
  /** Milliseconds to add to UTC for local time. */
  readonly offset: number;
}

/** No zone changes its clocks twice within this time. */
const STEP_MS = 20 * DAY_MS;
const BLOCK_MS = 366 * DAY_MS;
/** Blocks kept per zone. */
const MAX_BLOCKS = 200;

class Zone {
  readonly #format: Intl.DateTimeFormat;
  readonly #blocks = new Map<number, readonly Period[]>();
  #last: Period = { from: 0, until: 0, offset: 0 };

  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  }

  offsetAt(time: number): number {
    if (time < this.#last.from || time >= this.#last.until) {
      const block = Math.floor(time / BLOCK_MS);
      let periods = this.#blocks.get(block);
      if (!periods) {
        if (this.#blocks.size >= MAX_BLOCKS) this.#blocks.clear();
        periods = this.#periodsOf(block);
        this.#blocks.set(block, periods);
      }
      this.#last = periods.find(({ until }) => time < until)!;
    }
    return this.#last.offset;
  }

  #periodsOf(block: number): Period[] {
    const end = (block + 1) * BLOCK_MS;
    const periods: Period[] = [];
    let from = block * BLOCK_MS;
    let offset = this.#ask(from);
    for (let at = from; at < end; at += STEP_MS) {
      const next = Math.min(at + STEP_MS, end - 1);
      const then = this.#ask(next);
      if (then === offset) continue;
      // The clocks change on a whole minute between `low` and `high`.
      let [low, high] = [at / MINUTE_MS, Math.ceil(next / MINUTE_MS)];
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (this.#ask(middle * MINUTE_MS) === offset) low = middle;
        else high = middle;
      }
      periods.push({ from, until: high * MINUTE_MS, offset });
      from = high * MINUTE_MS;
      offset = then;
    }
    periods.push({ from, until: end, offset });
    return periods;
  }

  /** From a text such as "1/2/2024, GMT+02:00". */
  #ask(time: number): number {
    const match = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(this.#format.format(time));
    if (!match?.[1]) return 0;
    const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
    return (match[1] === '-' ? -1 : 1) * seconds * 1000;
  }
}

const zones = new Map<string, Zone>();

/** The name of an IANA zone in its usual spelling; `null` if there is no such zone. Names from users are passed on in this form only. */
export function canonicalZone(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** Milliseconds to add to UTC for the local time of a zone, by its canonical name: each name is kept. */
export function zoneOffset(name: string, time: number): number {
  let zone = zones.get(name);
  if (!zone) {
    zone = new Zone(name);
    zones.set(name, zone);
  }
  return zone.offsetAt(time);
}

/** UTC of a local time that no clock change skips or repeats. Both in milliseconds. */
export function zoneToUtc(name: string, local: number): number {
  const near = local - zoneOffset(name, local);
  return local - zoneOffset(name, near);
}
