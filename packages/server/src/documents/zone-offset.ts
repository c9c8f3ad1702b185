// Offsets of the time zones that feeds name, in minutes ahead of UTC.
import { DAY_MS, MINUTE_MS, zoneOffset } from '@tickwire/engine';

/**
 * Hours ahead of UTC. An abbreviation with several meanings has the one of RFC 822 (CST), or that of the publishers that
 * use it (BST: British Summer Time), or is missing here (IST: India, Israel or Ireland).
 */
const FIXED: Readonly<Record<string, number>> = {
  ...{ z: 0, ut: 0, utc: 0, uct: 0, gmt: 0, wet: 0, west: 1, bst: 1 },
  ...{ cet: 1, cest: 2, met: 1, mest: 2, mez: 1, mesz: 2, eet: 2, eest: 3, msk: 3, trt: 3, sast: 2 },
  ...{ est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7, akst: -9, akdt: -8, hst: -10 },
  ...{ nst: -3.5, ndt: -2.5, brt: -3 },
  ...{ jst: 9, kst: 9, hkt: 8, sgt: 8, wib: 7 },
  ...{ awst: 8, acst: 9.5, acdt: 10.5, aest: 10, aedt: 11, nzst: 12, nzdt: 13 },
};

/** Standard or daylight time, whichever holds at the date. */
const US_ZONES: Readonly<Record<string, string>> = {
  et: 'America/New_York',
  ct: 'America/Chicago',
  mt: 'America/Denver',
  pt: 'America/Los_Angeles',
};

const NUMERIC = /^(?:gmt|utc|z)?\s?([+-])(\d{1,2})(?::?(\d{1,2}))?$/i;
/** From the date line to Kiribati. */
const OFFSETS = { first: -12 * 60, last: 14 * 60 };

/** `wallClock`: the local date and time, as if it were UTC (epoch milliseconds). `null` if the offset is unknown. */
export function feedZoneOffset(zone: string, wallClock: number): number | null {
  const numeric = NUMERIC.exec(zone);
  if (numeric) {
    const [, sign, hours, minutes = '0'] = numeric;
    const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
    return Number(minutes) > 59 || offset < OFFSETS.first || offset > OFFSETS.last ? null : offset;
  }
  const name = zone.toLowerCase();
  if (Object.hasOwn(FIXED, name)) return FIXED[name]! * 60;
  return Object.hasOwn(US_ZONES, name) ? regionalOffset(US_ZONES[name]!, wallClock) : null;
}

/** `null` for the hour that occurs twice when daylight time ends, and for the hour that is skipped when it begins. */
function regionalOffset(region: string, wallClock: number): number | null {
  // A change of the clock moves it by an hour, so a day earlier and later show both offsets that may hold.
  const candidates = new Set([wallClock - DAY_MS, wallClock + DAY_MS].map((time) => zoneOffset(region, time)));
  const matching = [...candidates].filter((offset) => zoneOffset(region, wallClock - offset) === offset);
  return matching.length === 1 ? matching[0]! / MINUTE_MS : null;
}
