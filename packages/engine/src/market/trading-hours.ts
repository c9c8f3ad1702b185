// When markets are open, by the calendars of calendars.ts. All times are epoch milliseconds; every session edge is a whole
// minute. Clocks change on Sunday mornings, when all these markets are closed.
import { CALENDARS, type Calendar, type HolidayFile, type HoursName } from './calendars.ts';
import { asEpochMs, DAY_MS, dayOfDate, type EpochMs, MINUTE_MS } from './time.ts';
import { zoneOffset, zoneToUtc } from './time-zone.ts';

/** A time during which a market is open. Sessions that touch are one. */
export interface TradingSession {
  readonly open: EpochMs;
  readonly close: EpochMs;
}

/** A weekday on which a market is closed all day. */
export interface ClosedDay {
  /** Local date of the trading day, `yyyy-mm-dd`. */
  readonly date: string;
  readonly reason: string;
}

/** Minutes from local midnight of the trading day. */
type Span = readonly [open: number, close: number];

interface Exception {
  readonly date: string;
  readonly closed?: string;
  readonly early?: number;
  readonly late?: number;
}

/** 1970-01-01 was a Thursday. */
const EPOCH_WEEKDAY = 4;
const FRIDAY = 5;
/** Session edges are computed in blocks of this many days. */
const BLOCK_DAYS = 366;
const BLOCK_MS = BLOCK_DAYS * DAY_MS;
/** Sessions that begin or end in a neighbouring block are included: no market is closed for longer than this. */
const MARGIN_DAYS = 14;
/** Blocks kept per calendar. */
const MAX_BLOCKS = 200;

const weekdayOf = (day: number): number => (((day + EPOCH_WEEKDAY) % 7) + 7) % 7;

function minutesOf(clock: string): number {
  const [hours, minutes] = clock.replace('-', '').split(':').map(Number);
  return hours! * 60 + minutes! - (clock.startsWith('-') ? 1440 : 0);
}

/** Of a text such as `09:00 to 11:30, 12:30 to 15:00`. */
const spansOf = (sessions: string): Span[] =>
  Array.from(
    sessions.matchAll(/([-\d:]+) to ([\d:]+)/g),
    ([, open, close]): Span => [minutesOf(open!), minutesOf(close!)],
  );

function exceptionsOf({ closed, early, late = {} }: HolidayFile, ignoresEarlyCloses: boolean): Map<number, Exception> {
  const exceptions = new Map<number, Exception>();
  const add = (dates: string, exception: Omit<Exception, 'date'>): void => {
    for (const date of dates.split(' ')) {
      const day = dayOfDate(date);
      exceptions.set(day, { ...exceptions.get(day), date, ...exception });
    }
  };
  for (const [reason, dates] of Object.entries(closed)) add(dates, { closed: reason });
  if (!ignoresEarlyCloses) for (const [clock, dates] of Object.entries(early)) add(dates, { early: minutesOf(clock) });
  for (const [clock, dates] of Object.entries(late)) add(dates, { late: minutesOf(clock) });
  return exceptions;
}

class TradingCalendar {
  readonly zone: string;
  readonly #eras: readonly {
    readonly from: number;
    readonly daily: readonly Span[];
    readonly friday: readonly Span[];
  }[];
  readonly #exceptions: ReadonlyMap<number, Exception>;
  /** By block: opening and closing times in turn, from some days before the block to some days after it. */
  readonly #edges = new Map<number, Float64Array>();
  /** The state that was looked up last, because most questions are about the present. */
  #from = 0;
  #until = 0;
  #isOpen = false;

  constructor({ zone, eras, holidays, ignoresEarlyCloses = false }: Calendar) {
    this.zone = zone;
    this.#eras = Object.entries(eras).map(([from, sessions]) => {
      const [daily = '', friday = daily] = sessions.split(' | ');
      return {
        from: from === '' ? Number.NEGATIVE_INFINITY : dayOfDate(from),
        daily: spansOf(daily),
        friday: spansOf(friday),
      };
    });
    this.#exceptions = exceptionsOf(holidays, ignoresEarlyCloses);
  }

  isOpen(time: number): boolean {
    this.#find(time);
    return this.#isOpen;
  }

  /** The next time at which the state changes. */
  nextChange(time: number): number {
    this.#find(time);
    return this.#until;
  }

  /** Sessions that overlap the time from `from` to `to`. */
  *sessions(from: number, to: number): Generator<TradingSession, void, undefined> {
    let reached = from;
    for (let block = Math.floor(from / BLOCK_MS); block * BLOCK_MS < to; block++) {
      const edges = this.#edgesOf(block);
      const end = Math.min(to, (block + 1) * BLOCK_MS);
      for (let at = 0; at < edges.length; at += 2) {
        const [open, close] = [edges[at]!, edges[at + 1]!];
        if (close <= reached || open >= end) continue;
        reached = close;
        yield { open: asEpochMs(open), close: asEpochMs(close) };
      }
    }
  }

  /** Trading days without a session whose local date overlaps the time from `from` to `to`. */
  closedDays(from: number, to: number): ClosedDay[] {
    const days: ClosedDay[] = [];
    const local = (time: number): number => (time + zoneOffset(this.zone, time)) / DAY_MS;
    for (let day = Math.floor(local(from)); day < local(to); day++) {
      const { date, closed: reason } = this.#exceptions.get(day) ?? {};
      if (date !== undefined && reason !== undefined) days.push({ date, reason });
    }
    return days;
  }

  #find(time: number): void {
    if (time >= this.#from && time < this.#until) return;
    const edges = this.#edgesOf(Math.floor(time / BLOCK_MS));
    let [low, high] = [0, edges.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (edges[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    this.#from = edges[low - 1]!;
    this.#until = edges[low]!;
    this.#isOpen = low % 2 === 1;
  }

  #edgesOf(block: number): Float64Array {
    let edges = this.#edges.get(block);
    if (!edges) {
      if (this.#edges.size >= MAX_BLOCKS) this.#edges.clear();
      edges = Float64Array.from(this.#computeEdges(block));
      this.#edges.set(block, edges);
    }
    return edges;
  }

  #computeEdges(block: number): number[] {
    const edges: number[] = [];
    const end = (block + 1) * BLOCK_DAYS + MARGIN_DAYS;
    for (let day = block * BLOCK_DAYS - MARGIN_DAYS; day < end; day++) {
      for (const [open, close] of this.#spansOf(day)) {
        const from = this.#utc(day, open);
        if (edges.at(-1) === from) edges.pop();
        else edges.push(from);
        edges.push(this.#utc(day, close));
      }
    }
    return edges;
  }

  #spansOf(day: number): readonly Span[] {
    const weekday = weekdayOf(day);
    if (weekday === 0 || weekday > FRIDAY) return [];
    const era = this.#eras.findLast(({ from }) => from <= day)!;
    const spans = weekday === FRIDAY ? era.friday : era.daily;
    const exception = this.#exceptions.get(day);
    if (!exception) return spans;
    if (exception.closed !== undefined) return [];
    const { early = Number.POSITIVE_INFINITY, late = Number.NEGATIVE_INFINITY } = exception;
    return spans
      .map(([open, close]): Span => [Math.max(open, late), Math.min(close, early)])
      .filter(([open, close]) => open < close);
  }

  #utc(day: number, minutes: number): number {
    return zoneToUtc(this.zone, day * DAY_MS + minutes * MINUTE_MS);
  }
}

type ClosingHours = Exclude<HoursName, 'always'>;
const calendars = new Map<ClosingHours, TradingCalendar>();

function calendarOf(hours: ClosingHours): TradingCalendar {
  let calendar = calendars.get(hours);
  if (!calendar) {
    calendar = new TradingCalendar(CALENDARS[hours]);
    calendars.set(hours, calendar);
  }
  return calendar;
}

export const isMarketOpen = (hours: HoursName, time: EpochMs): boolean =>
  hours === 'always' || calendarOf(hours).isOpen(time);

/** The next time at which the market opens or closes; `Infinity` if it never closes. */
export const nextSessionChange = (hours: HoursName, time: EpochMs): EpochMs =>
  asEpochMs(hours === 'always' ? Number.POSITIVE_INFINITY : calendarOf(hours).nextChange(time));

/** Sessions that overlap the time from `from` to `to`, whole. A market that never closes has one, exactly that long. */
export const tradingSessions = (hours: HoursName, from: EpochMs, to: EpochMs): TradingSession[] =>
  hours === 'always' ? (from < to ? [{ open: from, close: to }] : []) : [...calendarOf(hours).sessions(from, to)];

/** Holidays whose local date overlaps the time from `from` to `to`. Weekends are not holidays. */
export const closedDays = (hours: HoursName, from: EpochMs, to: EpochMs): ClosedDay[] =>
  hours === 'always' ? [] : calendarOf(hours).closedDays(from, to);

/** IANA name of the zone in which the hours are defined. */
export const timeZoneOf = (hours: HoursName): string => (hours === 'always' ? 'UTC' : CALENDARS[hours].zone);

/** The file with the holidays of a market; `null` if it never closes. */
export const holidaysOf = (hours: HoursName): HolidayFile | null =>
  hours === 'always' ? null : CALENDARS[hours].holidays;
