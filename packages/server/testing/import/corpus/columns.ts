// Symbols, columns and dates of CSV files.
import { bars, type CorpusEntry, type Expectation, quotes, refused, text } from './entry.ts';
import {
  type BarValues,
  BTCUSD,
  DAY,
  dated,
  EURUSD,
  GBPUSD,
  HOUR,
  MIDNIGHT,
  MINUTE,
  QUOTES,
  START,
  times,
} from './values.ts';

const UTC = ['--timezone', 'UTC'];
const UTC_BID = [...UTC, '--basis', 'bid'];
const p5 = (value: number): string => value.toFixed(5);
const zip = (at: readonly number[], line: (time: number, bar: BarValues) => string, values = EURUSD): string[] =>
  values.map((bar, index) => line(at[index]!, bar));
const HOURS = times(START, HOUR);
const MINUTES = times(START, MINUTE);
const DAYS = times(MIDNIGHT, DAY);

const hourLine = (time: number, bar: BarValues): string => `${dated(time, 'YYYY-MM-DD hh:mm:ss')},${bar.join(',')}`;
const mixed = text(
  'symbol,time,open,high,low,close,volume',
  ...EURUSD.flatMap((bar, index) => [
    `EURUSD,${HOURS[index]},${bar.join(',')}`,
    `GBPUSD,${HOURS[index]},${GBPUSD[index]!.join(',')}`,
  ]),
);
const ofSymbol = (symbol: string, values: readonly BarValues[]) => ({
  ...bars('1h', 'bid', values, START).bars![0]!,
  symbol,
});
const both: Expectation = { bars: [ofSymbol('EURUSD', EURUSD), ofSymbol('GBPUSD', GBPUSD)] };

const symbols: readonly CorpusEntry[] = [
  {
    file: 'rules/symbol-column.csv',
    symbol: 'EURUSD',
    flags: ['--basis', 'bid'],
    content: mixed,
    expect: bars('1h', 'bid', EURUSD, START),
  },
  {
    file: 'rules/symbol-column-all.csv',
    symbol: 'from-file',
    flags: ['--basis', 'bid'],
    content: mixed,
    expect: both,
  },
  { file: 'rules/symbol-column-other.csv', symbol: 'USDJPY', content: mixed, expect: refused('GBPUSD') },
];

const csvOf = (header: string, lines: readonly string[]): string => text(header, ...lines);
const NAMES = 'open,high,low,close,volume';
const columns: readonly CorpusEntry[] = [
  {
    file: 'rules/decimal-commas.csv',
    symbol: 'EURUSD',
    flags: UTC_BID,
    content: csvOf(
      'Date;Open;High;Low;Close;Volume',
      zip(
        HOURS,
        (time, bar) =>
          `${dated(time, 'DD.MM.YYYY hh:mm')};${bar.slice(0, 4).map(p5).join(';').replaceAll('.', ',')};${bar[4]}`,
      ),
    ),
    expect: bars('1h', 'bid', EURUSD, START),
  },
  {
    file: 'rules/title-line.csv',
    symbol: 'EURUSD',
    flags: UTC_BID,
    content: text('EURUSD hourly prices', `datetime,${NAMES}`, ...zip(HOURS, hourLine)),
    expect: bars('1h', 'bid', EURUSD, START),
  },
  {
    file: 'rules/pandas-index.csv',
    symbol: 'EURUSD',
    flags: UTC_BID,
    content: csvOf(`,${NAMES}`, zip(HOURS, hourLine)),
    expect: bars('1h', 'bid', EURUSD, START),
  },
  {
    file: 'rules/last-is-close.csv',
    symbol: 'BTCUSD',
    flags: UTC,
    content: csvOf(
      'Date,Open,High,Low,Last,Volume',
      zip(DAYS, (time, bar) => `${dated(time, 'YYYY-MM-DD')},${bar.join(',')}`, BTCUSD),
    ),
    expect: bars('1d', 'trade', BTCUSD, MIDNIGHT),
  },
  {
    file: 'rules/adjusted-close-only.csv',
    symbol: 'BTCUSD',
    flags: UTC,
    content: csvOf(
      'Date,Open,High,Low,Adj Close,Volume',
      zip(DAYS, (time, bar) => `${dated(time, 'YYYY-MM-DD')},${bar.join(',')}`, BTCUSD),
    ),
    expect: bars('1d', 'trade', BTCUSD, MIDNIGHT),
  },
  {
    // Investing.com: newest first, month before day, the close is called price.
    file: 'rules/BTC_USD Historical Data.csv',
    symbol: 'BTCUSD',
    flags: [...UTC, '--date-order', 'mdy'],
    content: csvOf(
      '"Date","Price","Open","High","Low","Vol.","Change %"',
      zip(
        DAYS,
        (time, [open, high, low, close]) =>
          `"${dated(time, 'MM/DD/YYYY')}","${close}","${open}","${high}","${low}","","0.10%"`,
        BTCUSD,
      ).toReversed(),
    ),
    expect: bars('1d', 'trade', BTCUSD, MIDNIGHT, { volume: false }),
  },
  {
    file: 'rules/trade-date.csv',
    symbol: 'BTCUSD',
    flags: UTC,
    content: csvOf(
      `ts_code,trade_date,open,high,low,close,vol`,
      zip(DAYS, (time, bar) => `BTCUSD,${dated(time, 'YYYYMMDD')},${bar.join(',')}`, BTCUSD),
    ),
    expect: bars('1d', 'trade', BTCUSD, MIDNIGHT),
  },
  {
    file: 'rules/timestamp-utc.csv',
    symbol: 'EURUSD',
    flags: ['--basis', 'bid'],
    content: csvOf(`timestamp_utc,${NAMES}`, zip(HOURS, hourLine)),
    expect: bars('1h', 'bid', EURUSD, START),
  },
  {
    file: 'rules/epoch-and-date.csv',
    symbol: 'EURUSD',
    flags: ['--basis', 'bid'],
    content: csvOf(
      `timestamp,date,${NAMES}`,
      zip(HOURS, (time, bar) => `${time / 1000},${hourLine(time, bar)}`),
    ),
    expect: bars('1h', 'bid', EURUSD, START),
  },
  {
    // Tardis.dev: microseconds, sizes called amounts.
    file: 'rules/tardis-quotes.csv',
    symbol: 'EURUSD',
    content: csvOf(
      'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount',
      QUOTES.map(([ms, bid, ask, bidSize, askSize]) =>
        ['venue', 'EURUSD', `${START + ms}000`, `${START + ms}900`, askSize, ask, bid, bidSize].join(','),
      ),
    ),
    expect: quotes(),
  },
  {
    file: 'rules/EURUSD_M1_ask.csv',
    symbol: 'EURUSD',
    flags: UTC,
    content: csvOf(`datetime,${NAMES}`, zip(MINUTES, hourLine)),
    expect: refused('ask'),
  },
  {
    file: 'rules/newest-first-quotes.csv',
    symbol: 'EURUSD',
    content: csvOf(
      'time,bid,ask,bid_size,ask_size',
      QUOTES.map(([ms, ...values]) => [START + ms, ...values].join(',')).toReversed(),
    ),
    expect: quotes(),
  },
];

/** The first twelve days of March, whose dates are also days of other months. */
const AMBIGUOUS = times(Date.parse('2024-03-01T00:00:00Z'), DAY);
const slashed = (pattern: string): string =>
  csvOf(
    'Date,Open,High,Low,Close,Volume',
    zip(AMBIGUOUS, (time, bar) => `${dated(time, pattern)},${bar.join(',')}`, BTCUSD),
  );
const dates: readonly CorpusEntry[] = [
  {
    file: 'rules/ambiguous-dates.csv',
    symbol: 'BTCUSD',
    flags: UTC,
    content: slashed('MM/DD/YYYY'),
    expect: refused('--date-order'),
  },
  {
    file: 'rules/dates-mdy.csv',
    symbol: 'BTCUSD',
    flags: [...UTC, '--date-order', 'mdy'],
    content: slashed('MM/DD/YYYY'),
    expect: bars('1d', 'trade', BTCUSD, AMBIGUOUS[0]!),
  },
  {
    file: 'rules/dates-dmy.csv',
    symbol: 'BTCUSD',
    flags: [...UTC, '--date-order', 'dmy'],
    content: slashed('DD/MM/YYYY'),
    expect: bars('1d', 'trade', BTCUSD, AMBIGUOUS[0]!),
  },
];

export const COLUMNS: readonly CorpusEntry[] = [...symbols, ...columns, ...dates];
