// CSV of data vendors and of data frames, NDJSON, Parquet, and files that are refused.
import { gzipSync } from 'node:zlib';
import { zipOf } from '../zip.fixture.ts';
import { bars, type CorpusEntry, quotes, refused, text, trades } from './entry.ts';
import { type BarValues, BTCUSD, DAY, dated, EURUSD, HOUR, MIDNIGHT, MINUTE, QUOTES, START, TRADES } from './values.ts';

const UTC = ['--timezone', 'UTC'];
const eurRows = (step: number, line: (time: number, bar: BarValues) => string): string[] =>
  EURUSD.map((bar, index) => line(START + index * step, bar));
const btcDays = (line: (time: number, bar: BarValues) => string): string[] =>
  BTCUSD.map((bar, index) => line(MIDNIGHT + index * DAY, bar));
const quoteRows = (separator = ','): string[] =>
  QUOTES.map(([ms, bid, ask, bidSize, askSize]) => [START + ms, bid, ask, bidSize, askSize].join(separator));

const csv: readonly CorpusEntry[] = [
  {
    file: 'csv/quotes.csv',
    symbol: 'EURUSD',
    content: text('time,bid,ask,bid_size,ask_size', ...quoteRows()),
    expect: quotes(),
  },
  {
    file: 'csv/quotes.csv.gz',
    symbol: 'EURUSD',
    content: gzipSync(text('time,bid,ask,bid_size,ask_size', ...quoteRows())),
    expect: quotes(),
  },
  {
    file: 'csv/quotes-tabs.tsv',
    symbol: 'EURUSD',
    content: text('timestamp\tbid\task\tbid_size\task_size', ...quoteRows('\t')),
    expect: quotes(),
  },
  {
    file: 'csv/quotes-bars.psv',
    symbol: 'EURUSD',
    content: text('ts|bid|ask|bidSize|askSize', ...quoteRows('|')),
    expect: quotes(),
  },
  {
    file: 'csv/quotes-windows.csv',
    symbol: 'EURUSD',
    content: `\uFEFF${text('Time,Bid,Ask,Bid Size,Ask Size', ...quoteRows()).replaceAll('\n', '\r\n')}`,
    expect: quotes(),
  },
  {
    file: 'csv/quotes-quoted.csv',
    symbol: 'EURUSD',
    content: text(
      '"Time","Bid","Ask","Bid Size","Ask Size"',
      ...QUOTES.map(([ms, ...values]) =>
        [new Date(START + ms).toISOString(), ...values].map((value) => `"${value}"`).join(','),
      ),
    ),
    expect: quotes(),
  },
  {
    file: 'csv/no-names.csv',
    symbol: 'EURUSD',
    content: text(...quoteRows().map((line) => line.split(',').slice(0, 3).join(','))),
    expect: refused('specify --columns, for example time,bid,ask'),
  },
  {
    file: 'csv/no-names-given.csv',
    symbol: 'EURUSD',
    flags: ['--columns', 'time,bid,ask,bid_size,ask_size'],
    content: text(...quoteRows()),
    expect: quotes(),
  },
  {
    file: 'csv/trades.csv',
    symbol: 'BTCUSD',
    content: text(
      'timestamp,price,amount,side,trade_id',
      ...TRADES.map(([ms, ...values]) => [START + ms, ...values].join(',')),
    ),
    expect: trades(),
  },
  {
    file: 'csv/trades-seconds.csv',
    symbol: 'BTCUSD',
    content: text(
      'time,price,size,is_buyer_maker',
      ...TRADES.map(([ms, price, size, side]) =>
        [((START + ms) / 1000).toFixed(3), price, size, side === 'sell' ? 'True' : 'False'].join(','),
      ),
    ),
    expect: trades({ ids: false }),
  },
  {
    file: 'csv/hours-semicolons.csv',
    symbol: 'EURUSD',
    flags: ['--basis', 'bid'],
    content: text(
      'Date;Time;Open;High;Low;Close;Volume',
      ...eurRows(HOUR, (time, bar) => `${dated(time, 'YYYY-MM-DD;hh:mm')}+00:00;${bar.join(';')}`),
    ),
    expect: bars('1h', 'bid', EURUSD, START),
  },
  {
    file: 'csv/minutes-offset.csv',
    symbol: 'EURUSD',
    flags: ['--basis', 'bid'],
    content: text(
      'datetime,open,high,low,close,volume',
      ...eurRows(MINUTE, (time, bar) => `${dated(time, 'YYYY-MM-DD hh:mm:ss', -5)}-05:00,${bar.join(',')}`),
    ),
    expect: bars('1m', 'bid', EURUSD, START),
  },
  {
    file: 'csv/minutes-no-zone.csv',
    symbol: 'EURUSD',
    content: text(
      'datetime,open,high,low,close,volume',
      ...eurRows(MINUTE, (time, bar) => `${dated(time, 'YYYY-MM-DD hh:mm:ss')},${bar.join(',')}`),
    ),
    expect: refused('its times have no time zone: specify --timezone'),
  },
  {
    file: 'csv/minutes-new-york.csv',
    symbol: 'EURUSD',
    flags: ['--timezone', 'America/New_York', '--basis', 'bid'],
    content: text(
      'datetime,open,high,low,close,volume',
      ...eurRows(MINUTE, (time, bar) => `${dated(time, 'YYYY-MM-DD hh:mm:ss', -5)},${bar.join(',')}`),
    ),
    expect: bars('1m', 'bid', EURUSD, START),
  },
  {
    // Yahoo Finance: the adjusted close is beside the close.
    file: 'csv/BTC-USD.csv',
    symbol: 'BTCUSD',
    flags: UTC,
    content: text(
      'Date,Open,High,Low,Close,Adj Close,Volume',
      ...btcDays((time, [open, high, low, close, volume]) =>
        [dated(time, 'YYYY-MM-DD'), open, high, low, close, close, volume].join(','),
      ),
    ),
    expect: bars('1d', 'trade', BTCUSD, MIDNIGHT),
  },
  {
    // Alpha Vantage writes the newest day first.
    file: 'csv/daily_BTCUSD.csv',
    symbol: 'BTCUSD',
    flags: UTC,
    content: text(
      'timestamp,open,high,low,close,volume',
      ...btcDays((time, bar) => `${dated(time, 'YYYY-MM-DD')},${bar.join(',')}`).toReversed(),
    ),
    expect: bars('1d', 'trade', BTCUSD, MIDNIGHT),
  },
  {
    // Bitstamp's minutes on Kaggle: Unix seconds with a fraction.
    file: 'csv/btcusd_1-min_data.csv',
    symbol: 'BTCUSD',
    content: text(
      'Timestamp,Open,High,Low,Close,Volume',
      ...BTCUSD.map((bar, index) => `${(START + index * MINUTE) / 1000}.0,${bar.join(',')}`),
    ),
    expect: bars('1m', 'trade', BTCUSD, START),
  },
  {
    file: 'csv/bid-only.csv',
    symbol: 'EURUSD',
    flags: ['--format', 'csv'],
    content: text('time,bid', ...QUOTES.map(([ms, bid]) => `${START + ms},${bid}`)),
    expect: refused('missing: the ask column. Columns found: time, bid'),
  },
  {
    // Stooq
    file: 'csv/stooq-5-min.txt',
    symbol: 'EURUSD',
    flags: [...UTC, '--basis', 'bid'],
    content: text(
      '<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>',
      ...eurRows(5 * MINUTE, (time, bar) => `EURUSD,5,${dated(time, 'YYYYMMDD,hhmmss')},${bar.join(',')},0`),
    ),
    expect: bars('5m', 'bid', EURUSD, START),
  },
  {
    // pandas numbers the rows in a column without a name.
    file: 'csv/pandas-numbered.csv',
    symbol: 'EURUSD',
    flags: [...UTC, '--basis', 'bid'],
    content: text(
      ',datetime,open,high,low,close,volume',
      ...eurRows(
        HOUR,
        (time, bar) => `${(time - START) / HOUR},${dated(time, 'YYYY-MM-DD hh:mm:ss')},${bar.join(',')}`,
      ),
    ),
    expect: bars('1h', 'bid', EURUSD, START),
  },
  {
    file: 'csv/finer-quotes-rounded.csv',
    symbol: 'EURUSD',
    flags: ['--round'],
    content: text(
      'time,bid,ask,bid_size,ask_size',
      ...QUOTES.map(([ms, bid, ask, ...sizes]) =>
        [START + ms, `${bid.toFixed(5)}2`, `${ask.toFixed(5)}4`, ...sizes].join(','),
      ),
    ),
    expect: quotes(),
  },
];

const ndjson: readonly CorpusEntry[] = [
  {
    file: 'ndjson/quotes.ndjson',
    symbol: 'EURUSD',
    content: text(
      ...QUOTES.map(([ms, bid, ask, bid_size, ask_size]) =>
        JSON.stringify({ symbol: 'EURUSD', time: START + ms, bid, ask, bid_size, ask_size }),
      ),
    ),
    expect: quotes(),
  },
  {
    file: 'ndjson/trades.jsonl',
    symbol: 'BTCUSD',
    content: text(
      ...TRADES.map(([ms, price, size, side]) =>
        JSON.stringify({ time: new Date(START + ms).toISOString(), price, size, side }),
      ),
    ),
    expect: trades({ ids: false }),
  },
];

/** Written by make-parquet.py with pandas and pyarrow. */
const parquet: readonly CorpusEntry[] = [
  { file: 'parquet/pandas-index-snappy.parquet', symbol: 'BTCUSD', expect: bars('1h', 'trade', BTCUSD, START) },
  { file: 'parquet/epoch-nanoseconds-zstd.parquet', symbol: 'BTCUSD', expect: bars('1m', 'trade', BTCUSD, START) },
  {
    file: 'parquet/without-zone.parquet',
    symbol: 'BTCUSD',
    expect: refused('its times have no time zone: specify --timezone'),
  },
  {
    file: 'parquet/new-york.parquet',
    symbol: 'BTCUSD',
    flags: ['--timezone', 'America/New_York'],
    expect: bars('1h', 'trade', BTCUSD, START),
  },
  { file: 'parquet/quotes-row-groups-gzip.parquet', symbol: 'EURUSD', expect: quotes() },
  {
    file: 'parquet/float32-lz4.parquet',
    symbol: 'EURUSD',
    flags: ['--basis', 'bid'],
    expect: bars('5m', 'bid', EURUSD, START),
  },
  {
    file: 'parquet/decimal-brotli.parquet',
    symbol: 'EURUSD',
    flags: ['--basis', 'bid'],
    expect: bars('1m', 'bid', EURUSD, START),
  },
  { file: 'parquet/trades-dictionary.pq', symbol: 'BTCUSD', expect: trades() },
  { file: 'parquet/freqtrade-BTC_USD-1d.parquet', symbol: 'BTCUSD', expect: bars('1d', 'trade', BTCUSD, MIDNIGHT) },
  {
    file: 'parquet/no-time.parquet',
    symbol: 'BTCUSD',
    expect: refused('missing: a time column. Columns found: open, high, low, close, volume'),
  },
  { file: 'parquet/truncated.parquet', symbol: 'BTCUSD', expect: refused('the Parquet file is truncated') },
];

const others: readonly CorpusEntry[] = [
  { file: 'other/empty.csv', symbol: 'EURUSD', content: '', expect: refused('the file is empty') },
  {
    file: 'other/people.csv',
    symbol: 'EURUSD',
    content: text('name,age', 'Ada,36', 'Alan,41'),
    expect: refused('The file starts with "name,age"'),
  },
  {
    file: 'other/sheet.xlsx',
    symbol: 'EURUSD',
    content: zipOf([
      { name: '[Content_Types].xml', content: '<Types/>' },
      { name: 'xl/workbook.xml', content: '<workbook/>' },
    ]),
    expect: refused('Excel files are not supported: save the sheet as CSV'),
  },
  {
    file: 'other/history.h5',
    symbol: 'EURUSD',
    content: Buffer.from('\x89HDF\r\n\x1a\n', 'latin1'),
    expect: refused('HDF5 files are not supported: convert it to Parquet'),
  },
];

export const GENERIC: readonly CorpusEntry[] = [...csv, ...ndjson, ...parquet, ...others];
