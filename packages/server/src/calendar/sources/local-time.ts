// Converts wall-clock times of calendars to UTC. Time zones have IANA names, or names of Windows and of calendar programs.
import { canonicalZone, DAY_MS, zoneOffset } from '@tickwire/engine';

/** Names that statistics offices and calendar programs use. */
const ALIASES: Readonly<Record<string, string>> = {
  'us-eastern': 'America/New_York',
  'us-central': 'America/Chicago',
  'us-mountain': 'America/Denver',
  'us-pacific': 'America/Los_Angeles',
  eastern: 'America/New_York',
  et: 'America/New_York',
  'eastern time': 'America/New_York',
  'eastern standard time': 'America/New_York',
  'central standard time': 'America/Chicago',
  'pacific standard time': 'America/Los_Angeles',
  'gmt standard time': 'Europe/London',
  'greenwich standard time': 'UTC',
  'w. europe standard time': 'Europe/Berlin',
  'central europe standard time': 'Europe/Budapest',
  'central european standard time': 'Europe/Warsaw',
  'romance standard time': 'Europe/Paris',
  cet: 'Europe/Berlin',
  'tokyo standard time': 'Asia/Tokyo',
  'china standard time': 'Asia/Shanghai',
  'aus eastern standard time': 'Australia/Sydney',
  'new zealand standard time': 'Pacific/Auckland',
  'canada/eastern': 'America/Toronto',
};

/** The IANA name of a time zone; `null` if it is not known. */
export function zoneNamed(name: string): string | null {
  // Some programs write a path: /freeassociation.sourceforge.net/Europe/London
  const text = name.trim().replace(/^\/[^/]+\/(?:Tzfile\/)?/, '');
  if (/^(utc|gmt|z|etc\/utc)$/i.test(text)) return 'UTC';
  return ALIASES[text.toLowerCase()] ?? canonicalZone(text) ?? null;
}

/**
 * UTC of a wall-clock time that is given as if it were UTC. A time that a clock change skips is read with the offset before it;
 * of a repeated one, the first counts (RFC 5545, 3.3.5).
 */
export function toUtc(zone: string, wallClock: number): number {
  if (zone === 'UTC') return wallClock;
  const before = zoneOffset(zone, wallClock - DAY_MS);
  const after = zoneOffset(zone, wallClock + DAY_MS);
  for (const offset of [before, after]) if (zoneOffset(zone, wallClock - offset) === offset) return wallClock - offset;
  return wallClock - before;
}
