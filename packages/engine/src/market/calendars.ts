// The trading calendars: the usual sessions of a market, as they changed over the years, and its holidays.
// docs/reference/trading-hours.md lists the sources.
//
// A session belongs to a trading day and is written in local time of that day. Trading days that begin on the evening before
// have a session that opens "-18:00": 18:00 of the previous day.
import cmeCommodities from './holidays/cme-commodities.json' with { type: 'json' };
import cmeEquity from './holidays/cme-equity.json' with { type: 'json' };
import forex from './holidays/forex.json' with { type: 'json' };
import iceBrent from './holidays/ice-brent.json' with { type: 'json' };
import lse from './holidays/lse.json' with { type: 'json' };
import nyse from './holidays/nyse.json' with { type: 'json' };
import osaka from './holidays/osaka.json' with { type: 'json' };
import tokyo from './holidays/tokyo.json' with { type: 'json' };
import xetra from './holidays/xetra.json' with { type: 'json' };

/** A file of holidays. Dates are trading days, written `yyyy-mm-dd` and separated by spaces. */
export interface HolidayFile {
  readonly name: string;
  readonly source: string;
  /** When the file was last compared with its sources. */
  readonly checked: string;
  /** First and last day that the file knows about. */
  readonly from: string;
  readonly until: string;
  /** Reason → days without a session. */
  readonly closed: Readonly<Record<string, string>>;
  /** Local time (`hh:mm`) → days that end at it. */
  readonly early: Readonly<Record<string, string>>;
  /** Local time (`hh:mm`) → days that begin at it. */
  readonly late?: Readonly<Record<string, string>>;
}

/**
 * Sessions by their first trading day ('' for the beginning of time), in the order of time. All have trading days from Monday to
 * Friday. `hh:mm` is a time of the trading day, `-hh:mm` of the day before; past 24:00 is the day after. Behind a bar: those of
 * Fridays, if they differ.
 */
type Eras = Readonly<Record<string, string>>;

export interface Calendar {
  /** Name in the IANA database. */
  readonly zone: string;
  readonly holidays: HolidayFile;
  readonly eras: Eras;
  /** The market keeps its usual hours on the days on which its exchange closes early. */
  readonly ignoresEarlyCloses?: boolean;
}

const NEW_YORK = 'America/New_York';
const LONDON = 'Europe/London';
const BERLIN = 'Europe/Berlin';
const TOKYO = 'Asia/Tokyo';

/** CME Globex: metals and energy. The daily break began at 17:15 until September 2015. */
const GLOBEX_COMMODITIES: Calendar = {
  zone: NEW_YORK,
  holidays: cmeCommodities,
  eras: { '': '-18:00 to 17:15', '2015-09-21': '-18:00 to 17:00' },
};

/** Osaka: a day session, and since 2011 a night session that ends on the next morning. */
const OSAKA: Calendar = {
  zone: TOKYO,
  holidays: osaka,
  eras: {
    '': '09:00 to 11:00, 12:30 to 15:10',
    '2011-07-19': '09:00 to 15:15, 16:30 to 27:00',
    '2016-07-19': '08:45 to 15:15, 16:30 to 29:30',
    '2021-09-21': '08:45 to 15:15, 16:30 to 30:00',
    '2024-11-05': '08:45 to 15:45, 17:00 to 30:00',
  },
};

export const CALENDARS = {
  forex: { zone: NEW_YORK, holidays: forex, eras: { '': '-17:00 to 17:00' } },
  metals: GLOBEX_COMMODITIES,
  energy: GLOBEX_COMMODITIES,
  brent: { zone: NEW_YORK, holidays: iceBrent, eras: { '': '-20:00 to 18:00' } },
  // CME Globex. The halt after the close of shares was moved, shortened and, in 2021, removed.
  'us-index': {
    zone: NEW_YORK,
    holidays: cmeEquity,
    eras: {
      '': '-18:00 to 16:15, 16:30 to 17:30 | -18:00 to 16:15',
      '2012-11-19': '-18:00 to 16:15, 16:30 to 17:15',
      '2015-09-21': '-18:00 to 16:15, 16:30 to 17:00',
      '2021-06-28': '-18:00 to 17:00',
    },
  },
  // Eurex. Its hours begin in the Asian morning since December 2018.
  'germany-index': {
    zone: BERLIN,
    holidays: xetra,
    eras: { '': '08:00 to 22:00', '2018-12-10': '01:15 to 22:00' },
    ignoresEarlyCloses: true,
  },
  'uk-index': { zone: LONDON, holidays: lse, eras: { '': '01:00 to 21:00' } },
  'japan-index': OSAKA,
  // Hours of brokers for European and Asian indices that have no calendar.
  'eu-index': { zone: BERLIN, holidays: xetra, eras: { '': '01:00 to 22:00' }, ignoresEarlyCloses: true },
  'asia-index': OSAKA,
  'us-equity': { zone: NEW_YORK, holidays: nyse, eras: { '': '09:30 to 16:00' } },
  'uk-equity': { zone: LONDON, holidays: lse, eras: { '': '08:00 to 16:30' } },
  'germany-equity': { zone: BERLIN, holidays: xetra, eras: { '': '09:00 to 17:30' } },
  'japan-equity': {
    zone: TOKYO,
    holidays: tokyo,
    eras: {
      '': '09:00 to 11:00, 12:30 to 15:00',
      '2011-11-21': '09:00 to 11:30, 12:30 to 15:00',
      '2024-11-05': '09:00 to 11:30, 12:30 to 15:30',
    },
  },
  // OANDA pauses around 17:00, and quotes indices while the futures on them trade.
  'oanda-forex': { zone: NEW_YORK, holidays: forex, eras: { '': '-17:03 to 16:58' } },
  'oanda-metals': {
    zone: NEW_YORK,
    holidays: cmeCommodities,
    eras: { '': '-18:00 to 17:15 | -18:00 to 17:00', '2015-09-21': '-18:03 to 16:58' },
  },
  'oanda-us-index': {
    zone: NEW_YORK,
    holidays: cmeEquity,
    eras: { '': '-18:00 to 16:15, 16:30 to 17:00' },
  },
  'oanda-japan-index': { zone: NEW_YORK, holidays: cmeEquity, eras: { '': '-18:00 to 17:00' } },
} as const satisfies Readonly<Record<string, Calendar>>;

/** Name of a trading calendar; `always` for markets that never close. */
export type HoursName = 'always' | keyof typeof CALENDARS;

export const HOURS_NAMES: readonly HoursName[] = ['always', ...(Object.keys(CALENDARS) as (keyof typeof CALENDARS)[])];
