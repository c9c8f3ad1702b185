// Checks the time zone of a file by its weekends. Currencies, metals, energies and indices of the American exchanges trade from
// Sunday 17:00 or 18:00 to Friday 17:00 in New York: from Monday to Friday in broker time. In a wrong zone, the weeks of a
// file begin and end at other times.
import { canonicalZone, DAY_MS, HOUR_MS, type HoursName, MINUTE_MS } from '@tickwire/engine';
import { ImportError } from '../import-error.ts';
import { BROKER, fixedZone, parseTimeZone, type TimeZone } from '../rows/timezone.ts';
import type { ClosedHours } from './closed-hours.ts';

interface Break {
  /** Start of the last row before it and of the first row after it. */
  readonly last: number;
  readonly next: number;
}

/** A shorter time between two rows is no weekend. */
export const MIN_BREAK_MS = 40 * HOUR_MS;
const MONDAY = 1;
const WEEKEND_MS = 2 * DAY_MS;
/** Forty years. */
const MAX_BREAKS = 2_100;
/** Some markets open an hour later than currencies, and the first price may follow some minutes later. */
const MAX_LATE_MS = 70 * MINUTE_MS;
const MAX_EARLY_CLOSE_MS = 3 * HOUR_MS;
const SLACK_MS = 15 * MINUTE_MS;
/** Share of the weeks that a proposed zone must fit. */
const MIN_FIT = 0.8;
/** Weeks by which it must fit better than the given zone, if it does not fit all. */
const MIN_BETTER = 2;
/** In fewer weeks a late opening may be a gap of the file: only prices at times when the market is closed count. */
const FEW_WEEKS = 3;
/** Yahoo's currencies have the days of London, from Monday to Friday, without the hours of Sunday. */
export const YAHOO_ZONE = 'Europe/London';
const NEW_YORK_WEEKS: ReadonlySet<HoursName> = new Set<HoursName>(['forex', 'metals', 'energy', 'us-index']);

export class WeeklyBreaks {
  length = 0;
  readonly breaks: Break[] = [];

  /** Two consecutive rows, in either order, and the length of their bars (0 for ticks). */
  add(before: number, time: number, length: number): void {
    const between = time > before ? time - before : before - time;
    this.length = length;
    // A weekend that a holiday makes longer shows nothing.
    if (between > WEEKEND_MS + length + MAX_LATE_MS + MAX_EARLY_CLOSE_MS) return;
    if (between <= length || this.breaks.length >= MAX_BREAKS) return;
    this.breaks.push({ last: Math.min(before, time), next: Math.max(before, time) });
  }
}

/** Throws if the weekends of the file, or rows while the market is closed, show that a zone is wrong. `isGiven`: by the user. */
export function requireFittingZone(
  { breaks: found, closed }: { readonly breaks: WeeklyBreaks; readonly closed: ClosedHours },
  zone: TimeZone,
  hours: HoursName,
  name: string,
  isGiven: boolean,
): void {
  if (hours === 'always' || found.length > DAY_MS) return;
  const isImpossible = closed.contradict();
  const better = NEW_YORK_WEEKS.has(hours) ? betterZone(found, closed, zone) : null;
  if (!better && !isImpossible) return;
  const at = found.breaks.at(-1);
  if (at && !isImpossible && found.length === DAY_MS && new Date(zone.toLocal(at.next)).getUTCDay() === MONDAY) {
    // A format that knows its zone may have no Sunday.
    if (isYahooZone(zone, hours, name) || !isGiven) return;
    const yahoo = hours === 'forex' ? `, ${YAHOO_ZONE} for a file of Yahoo with a name like EURUSD=X.csv` : '';
    throw wrongZone(
      `its days are from Monday to Friday, but the market opens on Sunday in ${zone.name}. Use --timezone broker if they end at 17:00 in New York, as those of MetaTrader${yahoo}`,
    );
  }
  const rows = at
    ? `: rows end ${dayAndTime(zone.toLocal(at.last))} and begin ${dayAndTime(zone.toLocal(at.next))}`
    : '';
  if (better)
    throw wrongZone(
      `its weekends contradict the time zone ${zone.name}${rows}, which fits --timezone ${better.zone.name} (${better.weeks} of ${found.breaks.length} weekends; ${better.given} fit ${zone.name}). Use that zone`,
    );
  throw wrongZone(
    `it has rows while the market is closed, if its times are ${zone.name}${rows}. Find out the time zone of its source`,
  );
}

/** Throws if times that need no zone lie where the market is closed: a broker's clock was taken for UTC. */
export function requireOpenMarket({
  breaks,
  closed,
}: {
  readonly breaks: WeeklyBreaks;
  readonly closed: ClosedHours;
}): void {
  if (breaks.length > DAY_MS || !closed.contradict()) return;
  throw wrongZone(
    'it has rows while the market is closed: its Unix times, or times with a zone, are probably those of the clock of a broker, as in data of the Python package MetaTrader5. Write them as dates without a zone, and specify --timezone',
  );
}

/** Whether the days of a file are those of Yahoo, by its name: EURUSD=X.csv. */
export const isYahooZone = (zone: TimeZone | null, hours: HoursName, name: string): boolean =>
  zone !== null && hours === 'forex' && /[A-Z]=X/i.test(name) && canonicalZone(zone.name) === YAHOO_ZONE;

const wrongZone = (message: string): ImportError =>
  new ImportError('wrong_timezone', `${message}, or --trust-timezone if you are certain`);

interface BetterZone {
  readonly zone: TimeZone;
  /** Weekends that fit it, and that fit the given one. */
  readonly weeks: number;
  readonly given: number;
}

/** A zone that fits the weekends of the file better than the given one. */
function betterZone({ breaks, length }: WeeklyBreaks, { weekends }: ClosedHours, zone: TimeZone): BetterZone | null {
  const local = breaks.map(({ last, next }) => ({ last: zone.toLocal(last), next: zone.toLocal(next) }));
  const given = fittingWeeks(local, zone, length);
  let best: BetterZone | null = null;
  for (const candidate of candidates()) {
    const weeks = fittingWeeks(local, candidate, length);
    if (weeks > (best?.weeks ?? 0)) best = { zone: candidate, weeks, given };
  }
  if (!best || best.weeks < MIN_FIT * local.length) return null;
  // One weekend is enough if another zone explains all: the file may end soon after the clocks have changed in one of the two.
  if (best.weeks - given < (best.weeks === local.length ? 1 : MIN_BETTER)) return null;
  return length < DAY_MS && local.length < FEW_WEEKS && weekends.breached === 0 ? null : best;
}

const dayAndTime = (local: number): string => {
  const date = new Date(local);
  return `${['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][date.getUTCDay()]} ${date.toISOString().slice(11, 16)}`;
};

/** The usual zones first: of several that fit equally well, the first is proposed. */
function* candidates(): Generator<TimeZone> {
  for (const name of ['broker', 'Europe/Athens', 'UTC', 'America/New_York', 'UTC-5', 'Europe/London', 'Europe/Berlin'])
    yield parseTimeZone(name);
  for (let hours = -12; hours <= 14; hours++)
    if (hours !== 0 && hours !== -5) yield fixedZone(`UTC${hours < 0 ? '-' : '+'}${Math.abs(hours)}`, hours * HOUR_MS);
}

/** The number of weekends that are at the right time in a zone, and all equally late. */
function fittingWeeks(local: readonly Break[], zone: TimeZone, length: number): number {
  const counts = new Map<number, number>();
  for (const { last, next } of local) {
    const late = lateOpening(last, next, zone, length);
    if (late !== null) counts.set(late, (counts.get(late) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

/** The opening after a weekend and the closing before it, in local time. */
function weekendAt(next: number, zone: TimeZone): { open: number; close: number } {
  // In broker time the market opens on Monday at 00:00; 1970-01-05 was a Monday.
  const broker = BROKER.toLocal(zone.toUtc(next));
  const week = Math.round((broker - 4 * DAY_MS) / (7 * DAY_MS)) * 7 * DAY_MS + 4 * DAY_MS;
  return { open: zone.toLocal(BROKER.toUtc(week)), close: zone.toLocal(BROKER.toUtc(week - 2 * DAY_MS)) };
}

/** How late after the opening of the market the week begins, in quarters of an hour; `null` if the weekend does not fit. */
function lateOpening(last: number, next: number, zone: TimeZone, length: number): number | null {
  const { open, close } = weekendAt(next, zone);
  const step = Math.max(1, length);
  const firstBar = (time: number): number => Math.floor(time / step) * step;
  const late = next - firstBar(open);
  if (late < (length === 0 ? -SLACK_MS : 0)) return null;
  if (late > (length > HOUR_MS ? firstBar(open + HOUR_MS) - firstBar(open) : MAX_LATE_MS)) return null;
  const latest = close - 1 + (length < SLACK_MS ? SLACK_MS : 0);
  const earliest = firstBar(close - 1) - MAX_EARLY_CLOSE_MS - (length > HOUR_MS ? length : 0);
  if (last > latest || last < earliest) return null;
  return Math.floor(late / SLACK_MS);
}
