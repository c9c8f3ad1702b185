// Rules of the importer: time zones of brokers, lengths of bars, decimals, skipped rows.

import { COLUMNS } from './columns.ts';
import { bars, type CorpusEntry, quotes, refused, text } from './entry.ts';
import {
  type BarValues,
  BTCUSD,
  DAY,
  dated,
  EURUSD,
  HOUR,
  MIDNIGHT,
  MINUTE,
  QUOTES,
  SECOND,
  START,
  times,
} from './values.ts';

const UTC = ['--timezone', 'UTC'];
const BROKER = ['--timezone', 'broker'];
const UTC_BID = [...UTC, '--basis', 'bid'];
const p5 = (value: number): string => value.toFixed(5);
const zip = (at: readonly number[], line: (time: number, bar: BarValues) => string, values = EURUSD): string[] =>
  values.map((bar, index) => line(at[index]!, bar));
const HOURS = times(START, HOUR);

/** Broker time is two hours ahead of UTC; three while New York has daylight saving time. */
const US_SUMMER = Date.parse('2024-03-10T07:00:00Z');
const brokerHours = (time: number): number => (time < US_SUMMER ? 2 : 3);
const tabbed = (bar: BarValues): string => [...bar.slice(0, 4).map(p5), bar[4], 0, 2].join('\t');
const MT5 = '<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>';
/** Midnights of the broker from Monday 2024-03-04 on, without weekends. */
const BROKER_DAYS = times(Date.parse('2024-03-03T22:00:00Z'), DAY, 16)
  .filter((_, index) => index % 7 < 5)
  .map((time) => (time < US_SUMMER ? time : time - HOUR));
const BROKER_FOURS = times(Date.parse('2024-03-04T22:00:00Z'), 4 * HOUR);
/** The last four hours of a week and the first eight of the next, in which New York has changed its clocks. */
const BROKER_HOURS = [
  ...times(Date.parse('2024-03-08T18:00:00Z'), HOUR, 4),
  ...times(Date.parse('2024-03-10T21:00:00Z'), HOUR, 8),
];
const brokerHourFile = text(
  `<DATE>\t<TIME>\t${MT5}`,
  ...zip(BROKER_HOURS, (time, bar) => `${dated(time, 'YYYY.MM.DD\thh:mm:ss', brokerHours(time))}\t${tabbed(bar)}`),
);

const brokerTime: readonly CorpusEntry[] = [
  {
    file: 'rules/EURUSD_Daily_broker.csv',
    symbol: 'EURUSD',
    flags: BROKER,
    content: text(
      `<DATE>\t${MT5}`,
      ...zip(BROKER_DAYS, (time, bar) => `${dated(time, 'YYYY.MM.DD', brokerHours(time))}\t${tabbed(bar)}`),
    ),
    expect: bars('1d@ny', 'bid', EURUSD, 0, { at: BROKER_DAYS }),
  },
  {
    file: 'rules/EURUSD_H4_broker.csv',
    symbol: 'EURUSD',
    flags: BROKER,
    content: text(
      `<DATE>\t<TIME>\t${MT5}`,
      ...zip(BROKER_FOURS, (time, bar) => `${dated(time, 'YYYY.MM.DD\thh:mm:ss', 2)}\t${tabbed(bar)}`),
    ),
    expect: bars('4h@ny', 'bid', EURUSD, 0, { at: BROKER_FOURS }),
  },
  {
    file: 'rules/EURUSD_H1_broker.csv',
    symbol: 'EURUSD',
    flags: BROKER,
    content: brokerHourFile,
    expect: bars('1h', 'bid', EURUSD, 0, { at: BROKER_HOURS }),
  },
  {
    file: 'rules/EURUSD_H1_not_utc.csv',
    symbol: 'EURUSD',
    flags: UTC,
    content: brokerHourFile,
    expect: refused('broker'),
  },
];

const NAMES = 'open,high,low,close,volume';
const csvOf = (header: string, lines: readonly string[]): string => text(header, ...lines);
const hourLine = (time: number, bar: BarValues): string => `${dated(time, 'YYYY-MM-DD hh:mm:ss')},${bar.join(',')}`;

/** 1.085005 lies between 1.08500 and 1.08501: it becomes the even one. */
const HALVES = '1.085005,1.085015,1.084995,1.085005,7';
const FINE_QUOTES = csvOf(
  'time,bid,ask,bid_size,ask_size',
  QUOTES.map(([ms, bid, ask, bidSize, askSize]) =>
    [START + ms, `${p5(bid)}2`, `${p5(ask)}4`, bidSize, askSize].join(','),
  ),
);
const digits: readonly CorpusEntry[] = [
  {
    file: 'rules/finer-bars.csv',
    symbol: 'EURUSD',
    flags: UTC_BID,
    content: csvOf(`datetime,${NAMES}`, [
      ...zip(
        HOURS,
        (time, bar) =>
          `${dated(time, 'YYYY-MM-DD hh:mm:ss')},${bar
            .slice(0, 4)
            .map((price) => `${p5(price)}2`)
            .join(',')},${bar[4]}`,
      ),
      `${dated(START + 12 * HOUR, 'YYYY-MM-DD hh:mm:ss')},${HALVES}`,
    ]),
    expect: bars('1h', 'bid', [...EURUSD, [1.085, 1.08502, 1.085, 1.085, 7]], START),
  },
  { file: 'rules/finer-quotes.csv', symbol: 'EURUSD', content: FINE_QUOTES, expect: refused('--round') },
];

const WEEKS = times(Date.parse('2024-03-04T00:00:00Z'), 7 * DAY);
const MONTHS = Array.from({ length: 12 }, (_, month) => Date.UTC(2023, month, 1));
const btc = (at: readonly number[], header = `datetime,${NAMES}`): string => csvOf(header, zip(at, hourLine, BTCUSD));
/** Six bars of 10 seconds in each of two minutes. */
const TENS = times(START, 10 * SECOND);
const folded = [0, 6].map((first): BarValues => {
  const part = BTCUSD.slice(first, first + 6);
  const sum = part.reduce((total, [, , , , volume]) => total + volume, 0);
  return [
    part[0]![0],
    Math.max(...part.map(([, high]) => high)),
    Math.min(...part.map(([, , low]) => low)),
    part[5]![3],
    sum,
  ];
});
const chart = (at: readonly number[]): string =>
  csvOf(
    'time,open,high,low,close,Volume',
    zip(at, (time, bar) => `${time / 1000},${bar.join(',')}`, BTCUSD),
  );
const lengths: readonly CorpusEntry[] = [
  {
    file: 'rules/BTCUSD_30m.csv',
    symbol: 'BTCUSD',
    flags: UTC,
    content: btc(times(START, 30 * MINUTE)),
    expect: bars('30m', 'trade', BTCUSD, START),
  },
  {
    file: 'rules/BTCUSD-2h.csv',
    symbol: 'BTCUSD',
    flags: UTC,
    content: btc(times(START, 2 * HOUR)),
    expect: bars('2h', 'trade', BTCUSD, START),
  },
  {
    file: 'rules/BTCUSD_weekly.csv',
    symbol: 'BTCUSD',
    flags: UTC,
    content: btc(WEEKS),
    expect: bars('1w', 'trade', BTCUSD, WEEKS[0]!),
  },
  {
    file: 'rules/BTCUSD_1M.csv',
    symbol: 'BTCUSD',
    flags: UTC,
    content: btc(MONTHS),
    expect: bars('1M', 'trade', BTCUSD, 0, { at: MONTHS }),
  },
  {
    file: 'rules/BTCUSD_10s.csv',
    symbol: 'BTCUSD',
    flags: UTC,
    content: btc(TENS),
    expect: bars('1m', 'trade', folded, START),
  },
  {
    file: 'rules/BTCUSD_H1_of_five_minutes.csv',
    symbol: 'BTCUSD',
    flags: UTC,
    content: btc(times(START, 5 * MINUTE)),
    expect: refused('--timeframe'),
  },
  {
    file: 'rules/XBTUSD_720.csv',
    symbol: 'BTCUSD',
    content: csvOf(
      '',
      zip(times(MIDNIGHT, 12 * HOUR), (time, bar) => `${time / 1000},${bar.join(',')},17`, BTCUSD),
    ).trimStart(),
    expect: bars('12h', 'trade', BTCUSD, MIDNIGHT),
  },
  {
    file: 'rules/BITSTAMP_BTCUSD, 1W.csv',
    symbol: 'BTCUSD',
    content: chart(WEEKS),
    expect: bars('1w', 'trade', BTCUSD, WEEKS[0]!),
  },
  {
    file: 'rules/BITSTAMP_BTCUSD, 1M.csv',
    symbol: 'BTCUSD',
    content: chart(MONTHS),
    expect: bars('1M', 'trade', BTCUSD, 0, { at: MONTHS }),
  },
];

const ONE_BAD = csvOf('time,bid,ask,bid_size,ask_size', [
  ...QUOTES.map(([ms, ...values]) => [START + ms, ...values].join(',')),
  `${START + 90_000},n/a,1.08512,1,1`,
]);
const skipped: readonly CorpusEntry[] = [
  { file: 'rules/bad-row.csv', symbol: 'EURUSD', content: ONE_BAD, expect: refused('--allow-skipped') },
  {
    file: 'rules/bad-row-allowed.csv',
    symbol: 'EURUSD',
    flags: ['--allow-skipped'],
    content: ONE_BAD,
    expect: quotes(),
  },
];

/** Needs the rules for time zones, symbols, columns, dates, digits, lengths of bars and skipped rows. */
/** Forty days without weekends, then a hundred hours: exports of MetaTrader go back further with longer bars. */
const DAYS_THEN_HOURS = [
  ...times(Date.parse('2024-01-01T00:00:00Z'), DAY, 56).filter((_, index) => index % 7 < 5),
  ...times(Date.parse('2024-03-04T00:00:00Z'), HOUR, 100),
];
const severalLengths: readonly CorpusEntry[] = [
  {
    file: 'rules/days-then-hours.csv',
    symbol: 'EURUSD',
    flags: UTC_BID,
    content: text(
      'time,open,high,low,close,volume',
      ...DAYS_THEN_HOURS.map((time) => `${dated(time, 'YYYY-MM-DD hh:mm:ss')},${EURUSD[0]!.join(',')}`),
    ),
    expect: refused('lines 2 to 42 are 1 day apart, others 1h'),
  },
];

export const RULES: readonly CorpusEntry[] = [
  ...severalLengths,
  ...brokerTime,
  ...COLUMNS,
  ...digits,
  ...lengths,
  ...skipped,
];
