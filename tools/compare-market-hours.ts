// Compares the trading calendars with those of public projects, minute by minute:
//
//   node packages/server/bin/bun.mjs tools/compare-market-hours.ts --lean market-hours-database.json --sessions tests/resources
//
// `--lean` is the file of QuantConnect Lean (Data/market-hours), `--sessions` the folder with the expected sessions of
// exchange_calendars; both projects are Apache-2.0. Prints the days on which the calendars disagree (`--all`: every one), and
// ends with 1 if there is one that is not near a holiday or an early close of either calendar: then the usual hours differ.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { asEpochMs, DAY_MS, type HoursName, holidaysOf, MINUTE_MS, tradingSessions } from '@tickwire/engine';

interface Session {
  readonly open: number;
  readonly close: number;
}

interface Span {
  readonly start: string;
  readonly end: string;
  readonly state: string;
}

interface LeanEntry extends Record<string, unknown> {
  readonly exchangeTimeZone: string;
  readonly holidays?: readonly string[];
  readonly earlyCloses?: Readonly<Record<string, string>>;
  readonly lateOpens?: Readonly<Record<string, string>>;
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const formats = new Map<string, Intl.DateTimeFormat>();

/** UTC of a local time, by the zone tables of the runtime and without the code under test. */
function toUtc(zone: string, local: number): number {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(zone, format);
  const offset = (utc: number): number => Date.parse(`${format.format(utc).replace(' ', 'T')}Z`) - utc;
  const near = local - offset(local);
  return local - offset(near);
}

const clockMs = (clock: string): number => {
  const [days, time] = clock.includes('.') ? clock.split('.') : ['0', clock];
  const [hours, minutes] = time!.split(':').map(Number);
  return Number(days) * DAY_MS + (hours! * 60 + minutes!) * MINUTE_MS;
};

/** Lean writes month/day/year. */
function isoDate(date: string): string {
  const [month, day, year] = date.split('/');
  return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
}

/** Lean lists what happens on each local date. An early close ends all sessions until the late open, if there is one. */
function leanSessions(entry: LeanEntry, onlyMarket: boolean, from: number, to: number): Session[] {
  const key = (day: number): string => new Date(day).toISOString().slice(0, 10);
  const holidays = new Set((entry.holidays ?? []).map(isoDate));
  const times = (record: Readonly<Record<string, string>> = {}): Map<string, string> =>
    new Map(Object.entries(record).map(([date, clock]) => [isoDate(date), clock]));
  const [early, late] = [times(entry.earlyCloses), times(entry.lateOpens)];
  const sessions: Session[] = [];
  for (let day = from; day < to; day += DAY_MS) {
    if (holidays.has(key(day))) continue;
    const close = early.has(key(day)) ? clockMs(early.get(key(day))!) : Number.POSITIVE_INFINITY;
    const open = late.has(key(day)) ? clockMs(late.get(key(day))!) : Number.NEGATIVE_INFINITY;
    for (const span of entry[WEEKDAYS[new Date(day).getUTCDay()]!] as Span[]) {
      if (onlyMarket && span.state !== 'market') continue;
      const [start, end] = [clockMs(span.start), clockMs(span.end)];
      // With both, the market is closed from the early close to the late open.
      const parts: [number, number][] =
        close < open
          ? [
              [start, Math.min(end, close)],
              [Math.max(start, open), end],
            ]
          : [[Math.max(start, open), Math.min(end, close)]];
      for (const [first, last] of parts) {
        if (first >= last) continue;
        sessions.push({
          open: toUtc(entry.exchangeTimeZone, day + first),
          close: toUtc(entry.exchangeTimeZone, day + last),
        });
      }
    }
  }
  return sessions;
}

function exchangeSessions(folder: string, code: string): Session[] {
  const rows = readFileSync(join(folder, `${code}.csv`), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  return rows.flatMap((row) => {
    const [, open, close, breakStart, breakEnd] = row.split(',');
    const whole = { open: Date.parse(open!), close: Date.parse(close!) };
    if (!breakStart) return [whole];
    return [
      { open: whole.open, close: Date.parse(breakStart) },
      { open: Date.parse(breakEnd!), close: whole.close },
    ];
  });
}

/** Minutes in which exactly one of the two is open, by UTC date of their start. */
function disagreement(
  ours: readonly Session[],
  theirs: readonly Session[],
  from: number,
  to: number,
): Map<string, number> {
  const edges: [time: number, ours: number, theirs: number][] = [];
  for (const { open, close } of ours) edges.push([open, 1, 0], [close, -1, 0]);
  for (const { open, close } of theirs) edges.push([open, 0, 1], [close, 0, -1]);
  edges.sort((a, b) => a[0] - b[0]);
  const days = new Map<string, number>();
  let [a, b, since] = [0, 0, from];
  for (const [time, ourStep, theirStep] of edges) {
    const end = Math.min(time, to);
    if (a > 0 !== b > 0 && end > since) {
      const day = new Date(since).toISOString().slice(0, 10);
      days.set(day, (days.get(day) ?? 0) + ((end - since) / MINUTE_MS) * (a > 0 ? 1 : -1));
    }
    [a, b, since] = [a + ourStep, b + theirStep, Math.max(since, time)];
  }
  return days;
}

interface Comparison {
  readonly hours: HoursName;
  readonly with: string;
  readonly from: string;
  readonly until: string;
}

const LEAN: readonly Comparison[] = [
  { hours: 'us-equity', with: 'Equity-usa-[*]', from: '2000-01-01', until: '2028-12-31' },
  { hours: 'oanda-forex', with: 'Forex-oanda-[*]', from: '2018-01-01', until: '2026-01-31' },
  { hours: 'oanda-metals', with: 'Cfd-oanda-XAUUSD', from: '2016-01-01', until: '2026-12-31' },
  { hours: 'oanda-us-index', with: 'Cfd-oanda-SPX500USD', from: '2019-01-01', until: '2030-12-31' },
  { hours: 'oanda-japan-index', with: 'Cfd-oanda-JP225USD', from: '2012-01-01', until: '2018-12-31' },
  { hours: 'uk-index', with: 'Cfd-oanda-UK100GBP', from: '2003-01-01', until: '2030-12-31' },
  { hours: 'germany-index', with: 'Cfd-oanda-DE30EUR', from: '2019-01-01', until: '2022-12-31' },
  { hours: 'brent', with: 'Cfd-oanda-BCOUSD', from: '2017-01-01', until: '2022-12-31' },
  { hours: 'energy', with: 'Cfd-oanda-WTICOUSD', from: '2017-01-01', until: '2022-12-31' },
  { hours: 'us-index', with: 'Future-cme-ES', from: '2021-06-28', until: '2026-12-31' },
  { hours: 'energy', with: 'Future-nymex-CL', from: '2015-09-21', until: '2026-12-31' },
  { hours: 'metals', with: 'Future-comex-GC', from: '2024-01-01', until: '2026-12-31' },
];
const EXCHANGES: readonly Comparison[] = [
  { hours: 'us-equity', with: 'xnys', from: '2000-01-01', until: '2023-01-13' },
  { hours: 'uk-equity', with: 'xlon', from: '2000-01-01', until: '2023-09-12' },
  { hours: 'germany-equity', with: 'xetr', from: '2000-01-01', until: '2023-06-06' },
  { hours: 'japan-equity', with: 'xtks', from: '2011-11-21', until: '2026-12-30' },
  { hours: 'brent', with: 'iepa', from: '2013-01-01', until: '2017-07-20' },
];

const { values } = parseArgs({
  options: { lean: { type: 'string' }, sessions: { type: 'string' }, all: { type: 'boolean', default: false } },
});
const SHOWN = values.all ? Number.POSITIVE_INFINITY : 5;

/** Compares two calendars, and prints the result. `special` are the days that theirs lists as unusual. */
function compare(
  { hours, with: name, from, until }: Comparison,
  theirs: Session[],
  special: readonly string[],
): number {
  const [start, end] = [Date.parse(from), Date.parse(until) + DAY_MS];
  const ours = tradingSessions(hours, asEpochMs(start), asEpochMs(end));
  const days = [...disagreement(ours, theirs, start, end)];
  const { closed, early, late = {} } = holidaysOf(hours)!;
  const ownSpecial = [closed, early, late].flatMap((record) => Object.values(record).join(' ').split(' '));
  const near = new Set(
    [...special, ...ownSpecial].filter(Boolean).flatMap((date) => {
      const day = Date.parse(date);
      return [day - DAY_MS, day, day + DAY_MS];
    }),
  );
  const usual = days.filter(([day]) => !near.has(Date.parse(day)));
  console.log(
    `${hours} and ${name}, ${from} to ${until}: ${days.length} days differ, ${usual.length} of them usual days`,
  );
  for (const [day, minutes] of [...usual, ...days].slice(0, SHOWN))
    console.log(`  ${day} ${Math.abs(minutes)} minutes open only ${minutes > 0 ? 'here' : 'there'}`);
  return usual.length;
}

let usual = 0;
if (values.lean) {
  const { entries } = JSON.parse(readFileSync(values.lean, 'utf8')) as { entries: Record<string, LeanEntry> };
  for (const each of LEAN) {
    const entry = entries[each.with]!;
    const [from, to] = [Date.parse(each.from) - DAY_MS, Date.parse(each.until) + 2 * DAY_MS];
    const sessions = leanSessions(entry, each.hours === 'us-equity', from, to);
    const { holidays = [], earlyCloses = {}, lateOpens = {} } = entry;
    const special = [...holidays, ...Object.keys(earlyCloses), ...Object.keys(lateOpens)];
    usual += compare(each, sessions, special.map(isoDate));
  }
}
if (values.sessions)
  for (const each of EXCHANGES) usual += compare(each, exchangeSessions(values.sessions, each.with), []);
process.exitCode = usual > 0 ? 1 : 0;
