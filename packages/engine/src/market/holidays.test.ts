// The files of holidays against the rules by which exchanges set them: each year, independently of the files.
import { describe, expect, test } from 'bun:test';
import { HOURS_NAMES, type HolidayFile } from './calendars.ts';
import { DAY_MS } from './time.ts';
import { holidaysOf } from './trading-hours.ts';

const FILES = new Map(
  HOURS_NAMES.flatMap((hours) => holidaysOf(hours) ?? []).map((file): [string, HolidayFile] => [file.name, file]),
);
const [NYSE, LSE, XETRA, TOKYO, EQUITY, COMMODITIES, BRENT, FOREX] = [
  'New York Stock Exchange',
  'London Stock Exchange',
  'Xetra',
  'Tokyo Stock Exchange',
  'CME Globex, equity index futures',
  'CME Globex, metals and energy futures',
  'ICE Futures Europe, Brent crude oil',
  'Foreign exchange',
].map((name) => new Days(FILES.get(name)!)) as [Days, Days, Days, Days, Days, Days, Days, Days];
const LAST_YEAR = Number(NYSE.file.until.slice(0, 4));
const YEARS = Array.from({ length: LAST_YEAR - 1999 }, (_, year) => 2000 + year);

class Days {
  readonly file: HolidayFile;
  readonly closed: ReadonlySet<string>;
  readonly early: ReadonlyMap<string, string>;

  constructor(file: HolidayFile) {
    this.file = file;
    this.closed = new Set(Object.values(file.closed).flatMap((dates) => dates.split(' ')));
    this.early = new Map(
      Object.entries(file.early).flatMap(([clock, dates]) => dates.split(' ').map((date) => [date, clock] as const)),
    );
  }

  /** Whether a day is not a whole trading day. */
  isSpecial(date: string): boolean {
    return this.closed.has(date) || this.early.has(date);
  }
}

const iso = (time: number): string => new Date(time).toISOString().slice(0, 10);
const weekday = (date: string): number => new Date(date).getUTCDay();
const isWeekend = (date: string): boolean => weekday(date) % 6 === 0;
const shift = (date: string, days: number): string => iso(Date.parse(date) + days * DAY_MS);
/** The n-th weekday of a month, or the last one (-1). */
function nth(year: number, month: number, day: number, n: number): string {
  if (n < 0) {
    const last = iso(Date.UTC(year, month, 0));
    return shift(last, -((weekday(last) - day + 7) % 7));
  }
  const first = iso(Date.UTC(year, month - 1, 1));
  return shift(first, ((day - weekday(first) + 7) % 7) + 7 * (n - 1));
}
/** Gauss, with the corrections of the Gregorian calendar for these years. */
function easter(year: number): string {
  const moon = (19 * (year % 19) + 24) % 30;
  const sunday = (2 * (year % 4) + 4 * (year % 7) + 6 * moon + 5) % 7;
  const late = moon === 29 && sunday === 6 ? 7 : moon === 28 && sunday === 6 && year % 19 > 10 ? 7 : 0;
  return shift(iso(Date.UTC(year, 2, 22)), moon + sunday - late);
}
/** Saturday's holiday is kept on Friday, Sunday's on Monday. */
const nearest = (date: string): string => shift(date, weekday(date) === 6 ? -1 : weekday(date) === 0 ? 1 : 0);

describe.each([...FILES.values()])('the holidays of $name', (file) => {
  test('are weekdays of the years that the file covers, each listed once and in order', () => {
    expect([file.from, file.until]).toEqual(['2000-01-01', `${LAST_YEAR}-12-31`]);
    expect(file.source.length).toBeGreaterThan(40);
    expect(file.checked).toMatch(/^20\d\d-\d\d-\d\d$/);
    const seen = new Set<string>();
    for (const record of [file.closed, file.early, file.late ?? {}]) {
      for (const dates of Object.values(record).map((text) => text.split(' '))) {
        expect(dates).toEqual(dates.toSorted());
        for (const date of dates) {
          expect(date).toBe(iso(Date.parse(date)));
          expect(isWeekend(date)).toBe(false);
          expect(date >= file.from && date <= file.until).toBe(true);
          expect(seen.has(date)).toBe(false);
          seen.add(date);
        }
      }
    }
    for (const clock of [...Object.keys(file.early), ...Object.keys(file.late ?? {})])
      expect(clock).toMatch(/^\d\d:\d\d$/);
  });
});

test('every year has Good Friday, and Christmas where it is a weekday', () => {
  expect(easter(2024)).toBe('2024-03-31');
  for (const year of YEARS) {
    const goodFriday = shift(easter(year), -2);
    for (const days of [NYSE, LSE, XETRA, COMMODITIES, BRENT]) expect(days.closed.has(goodFriday)).toBe(true);
    expect(EQUITY.isSpecial(goodFriday)).toBe(true);
    for (const days of [LSE, XETRA]) expect(days.closed.has(shift(goodFriday, 3))).toBe(true);
    for (const days of [NYSE, LSE, XETRA, EQUITY, COMMODITIES, BRENT, FOREX])
      for (const date of [`${year}-12-25`, `${year}-01-01`].filter((each) => !isWeekend(each)))
        expect([days.file.name, date, days.closed.has(date)]).toEqual([days.file.name, date, true]);
  }
});

test('American holidays close shares and shorten the day of futures', () => {
  for (const year of YEARS) {
    const holidays = [
      nth(year, 1, 1, 3),
      nth(year, 2, 1, 3),
      nth(year, 5, 1, -1),
      nearest(`${year}-07-04`),
      nth(year, 9, 1, 1),
      nth(year, 11, 4, 4),
      ...(year >= 2022 ? [nearest(`${year}-06-19`)] : []),
    ];
    for (const date of holidays) {
      expect([date, NYSE.closed.has(date)]).toEqual([date, true]);
      for (const days of [EQUITY, COMMODITIES, BRENT]) expect([date, days.early.has(date)]).toEqual([date, true]);
    }
    const friday = shift(nth(year, 11, 4, 4), 1);
    expect([NYSE.early.get(friday), EQUITY.early.get(friday)]).toEqual(['13:00', '13:15']);
    // Christmas on a Saturday is kept on Friday, on a Sunday on Monday.
    for (const days of [NYSE, EQUITY, COMMODITIES, BRENT]) expect(days.closed.has(nearest(`${year}-12-25`))).toBe(true);
  }
});

test('bank holidays of England close London', () => {
  const moved: Readonly<Record<string, string>> = {
    '2020-05-04': '2020-05-08',
    '2002-05-27': '2002-06-04',
    '2012-05-28': '2012-06-04',
    '2022-05-30': '2022-06-02',
  };
  for (const year of YEARS)
    for (const rule of [nth(year, 5, 1, 1), nth(year, 5, 1, -1), nth(year, 8, 1, -1)]) {
      expect(LSE.closed.has(rule)).toBe(!(rule in moved));
      expect(LSE.closed.has(moved[rule] ?? rule)).toBe(true);
    }
});

test('Tokyo is closed from December 31 to January 3, and on Mondays by law', () => {
  for (const year of YEARS) {
    const days = [`${year}-01-01`, `${year}-01-02`, `${year}-01-03`, `${year}-12-31`].filter(
      (date) => !isWeekend(date),
    );
    for (const date of [...days, nth(year, 1, 1, 2)]) expect([date, TOKYO.closed.has(date)]).toEqual([date, true]);
    const [marine, sports] = [nth(year, 7, 1, 3), nth(year, 10, 1, 2)];
    // Both were moved for the Olympic Games.
    const isOlympic = year === 2020 || year === 2021;
    if (year >= 2003) expect([marine, TOKYO.closed.has(marine)]).toEqual([marine, !isOlympic]);
    expect([sports, TOKYO.closed.has(sports)]).toEqual([sports, !isOlympic]);
  }
});

test('no year has fewer or more holidays than is usual', () => {
  const bounds: [Days, number, number][] = [
    [NYSE, 8, 13],
    [LSE, 7, 10],
    [XETRA, 3, 11],
    [TOKYO, 12, 22],
    [EQUITY, 1, 6],
    [COMMODITIES, 2, 4],
    [BRENT, 2, 3],
    [FOREX, 0, 2],
  ];
  for (const [{ closed, file }, min, max] of bounds)
    for (const year of YEARS) {
      const count = [...closed].filter((date) => date.startsWith(`${year}`)).length;
      expect([file.name, year, count >= min && count <= max]).toEqual([file.name, year, true]);
    }
});
