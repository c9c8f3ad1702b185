// The trading calendars: the usual sessions of a market, as they changed over the years, and its holidays. docs/feeds.md
// lists the sources.
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

/** `hh:mm` of the trading day, `-hh:mm` of the day before; past 24:00 is the day after. */
type Session = readonly [open: string, close: string];

export interface Era {
  /** First trading day of these sessions; '' for the beginning of time. */
  readonly from: string;
  readonly sessions: readonly Session[];
  /** If Fridays differ. */
  readonly friday?: readonly Session[];
}

export interface Calendar {
  /** Name in the IANA database. */
  readonly zone: string;
  readonly holidays: HolidayFile;
  /** In the order of time. All have trading days from Monday to Friday. */
  readonly eras: readonly Era[];
  /** The market keeps its usual hours on the days on which its exchange closes early. */
  readonly ignoresEarlyCloses?: boolean;
}

const NEW_YORK = 'America/New_York';
const LONDON = 'Europe/London';
const BERLIN = 'Europe/Berlin';
const TOKYO = 'Asia/Tokyo';

/** The same sessions in all years. */
const allYears = (...sessions: Session[]): readonly Era[] => [{ from: '', sessions }];

/** CME Globex: metals and energy. The daily break began at 17:15 until September 2015. */
const GLOBEX_COMMODITIES: Calendar = {
  zone: NEW_YORK,
  holidays: cmeCommodities,
  eras: [
    { from: '', sessions: [['-18:00', '17:15']] },
    { from: '2015-09-21', sessions: [['-18:00', '17:00']] },
  ],
};

/** Osaka: a day session, and since 2011 a night session that ends on the next morning. */
const OSAKA: Calendar = {
  zone: TOKYO,
  holidays: osaka,
  eras: [
    {
      from: '',
      sessions: [
        ['09:00', '11:00'],
        ['12:30', '15:10'],
      ],
    },
    {
      from: '2011-07-19',
      sessions: [
        ['09:00', '15:15'],
        ['16:30', '27:00'],
      ],
    },
    {
      from: '2016-07-19',
      sessions: [
        ['08:45', '15:15'],
        ['16:30', '29:30'],
      ],
    },
    {
      from: '2021-09-21',
      sessions: [
        ['08:45', '15:15'],
        ['16:30', '30:00'],
      ],
    },
    {
      from: '2024-11-05',
      sessions: [
        ['08:45', '15:45'],
        ['17:00', '30:00'],
      ],
    },
  ],
};

export const CALENDARS = {
  forex: { zone: NEW_YORK, holidays: forex, eras: allYears(['-17:00', '17:00']) },
  metals: GLOBEX_COMMODITIES,
  energy: GLOBEX_COMMODITIES,
  brent: { zone: NEW_YORK, holidays: iceBrent, eras: allYears(['-20:00', '18:00']) },
  // CME Globex. The halt after the close of shares was moved, shortened and, in 2021, removed.
  'us-index': {
    zone: NEW_YORK,
    holidays: cmeEquity,
    eras: [
      {
        from: '',
        sessions: [
          ['-18:00', '16:15'],
          ['16:30', '17:30'],
        ],
        friday: [['-18:00', '16:15']],
      },
      {
        from: '2012-11-19',
        sessions: [
          ['-18:00', '16:15'],
          ['16:30', '17:15'],
        ],
      },
      {
        from: '2015-09-21',
        sessions: [
          ['-18:00', '16:15'],
          ['16:30', '17:00'],
        ],
      },
      { from: '2021-06-28', sessions: [['-18:00', '17:00']] },
    ],
  },
  // Eurex. Its hours begin in the Asian morning since December 2018.
  'germany-index': {
    zone: BERLIN,
    holidays: xetra,
    eras: [
      { from: '', sessions: [['08:00', '22:00']] },
      { from: '2018-12-10', sessions: [['01:15', '22:00']] },
    ],
    ignoresEarlyCloses: true,
  },
  'uk-index': { zone: LONDON, holidays: lse, eras: allYears(['01:00', '21:00']) },
  'japan-index': OSAKA,
  // Hours of brokers for European and Asian indices that have no calendar of their own.
  'eu-index': { zone: BERLIN, holidays: xetra, eras: allYears(['01:00', '22:00']), ignoresEarlyCloses: true },
  'asia-index': OSAKA,
  'us-equity': { zone: NEW_YORK, holidays: nyse, eras: allYears(['09:30', '16:00']) },
  'uk-equity': { zone: LONDON, holidays: lse, eras: allYears(['08:00', '16:30']) },
  'germany-equity': { zone: BERLIN, holidays: xetra, eras: allYears(['09:00', '17:30']) },
  'japan-equity': {
    zone: TOKYO,
    holidays: tokyo,
    eras: [
      {
        from: '',
        sessions: [
          ['09:00', '11:00'],
          ['12:30', '15:00'],
        ],
      },
      {
        from: '2011-11-21',
        sessions: [
          ['09:00', '11:30'],
          ['12:30', '15:00'],
        ],
      },
      {
        from: '2024-11-05',
        sessions: [
          ['09:00', '11:30'],
          ['12:30', '15:30'],
        ],
      },
    ],
  },
  // OANDA pauses around 17:00, and quotes indices while the futures on them trade.
  'oanda-forex': { zone: NEW_YORK, holidays: forex, eras: allYears(['-17:03', '16:58']) },
  'oanda-metals': {
    zone: NEW_YORK,
    holidays: cmeCommodities,
    eras: [
      { from: '', sessions: [['-18:00', '17:15']], friday: [['-18:00', '17:00']] },
      { from: '2015-09-21', sessions: [['-18:03', '16:58']] },
    ],
  },
  'oanda-us-index': {
    zone: NEW_YORK,
    holidays: cmeEquity,
    eras: allYears(['-18:00', '16:15'], ['16:30', '17:00']),
  },
  'oanda-japan-index': { zone: NEW_YORK, holidays: cmeEquity, eras: allYears(['-18:00', '17:00']) },
} as const satisfies Readonly<Record<string, Calendar>>;

/** Name of a trading calendar; `always` for markets that never close. */
export type HoursName = 'always' | keyof typeof CALENDARS;

export const HOURS_NAMES: readonly HoursName[] = ['always', ...(Object.keys(CALENDARS) as (keyof typeof CALENDARS)[])];
