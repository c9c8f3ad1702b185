// Files as data vendors write them, each of which was once misread, or refused without the right advice.
import { bars, type CorpusEntry, type Expectation, quotes, refused, text } from './entry.ts';
import { type BarValues, BTCUSD, DAY, dated, EURUSD, HOUR, MIDNIGHT, MINUTE, QUOTES, START, times } from './values.ts';

/** Days of London in summer, from Monday 2024-06-03 on, without weekends. */
const LONDON_DAYS = times(Date.parse('2024-06-02T23:00:00Z'), DAY, 16).filter((_, index) => index % 7 < 5);
/** Yahoo's EURUSD=X: the days of London, without the hours of Sunday. */
const yahoo = text(
  'Date,Open,High,Low,Close,Adj Close,Volume',
  ...EURUSD.map(([open, high, low, close]: BarValues, index) =>
    [dated(LONDON_DAYS[index]!, 'YYYY-MM-DD', 1), open, high, low, close, close, 0].join(','),
  ),
);

const days: readonly CorpusEntry[] = [
  {
    file: 'vendors/EURUSD=X.csv',
    symbol: 'EURUSD',
    flags: ['--timezone', 'Europe/London', '--basis', 'bid'],
    content: yahoo,
    expect: bars('1d@Europe/London', 'bid', EURUSD, 0, { at: LONDON_DAYS, volume: false }),
  },
  {
    file: 'vendors/EURUSD=X_utc.csv',
    symbol: 'EURUSD',
    flags: ['--timezone', 'UTC'],
    content: yahoo,
    expect: refused('Europe/London for a file of Yahoo'),
  },
];

const UTC_BID = ['--timezone', 'UTC', '--basis', 'bid'];
const eurusd = (start: number, step: number, line: (time: number, bar: BarValues) => string): string[] =>
  EURUSD.map((bar, index) => line(start + index * step, bar));
const entry = (file: string, content: string, expect: Expectation, flags?: readonly string[]): CorpusEntry => ({
  file: `vendors/${file}`,
  symbol: 'EURUSD',
  content,
  expect,
  ...(flags && { flags }),
});

/** The last day is there twice, the second time with another close. */
const TWICE = text(
  'time,open,high,low,close,volume',
  ...eurusd(START, HOUR, (time, bar) => [time, ...bar].join(',')),
  [START + 11 * HOUR, ...EURUSD[11]!.with(3, 1.0875)].join(','),
);
/** Hours of New York while its clocks are set back: 01:00 is there twice. */
const NOVEMBER = Date.parse('2024-11-03T00:00:00Z');
const november = BTCUSD.map((bar, index) => {
  const time = NOVEMBER + index * HOUR;
  return `${dated(time, 'YYYY-MM-DD hh:mm', time < Date.parse('2024-11-03T06:00:00Z') ? -4 : -5)},${bar.join(',')}`;
});

const repeated: readonly CorpusEntry[] = [
  entry('twice.csv', TWICE, refused('2024-03-05T21:00:00.000Z in lines 13 and 14'), ['--basis', 'bid']),
  entry('twice-last.csv', TWICE, bars('1h', 'bid', EURUSD.with(11, EURUSD[11]!.with(3, 1.0875) as never), START), [
    '--basis',
    'bid',
    '--last-wins',
  ]),
  {
    file: 'vendors/november.csv',
    symbol: 'BTCUSD',
    flags: ['--timezone', 'America/New_York'],
    content: text('time,open,high,low,close,volume', ...november),
    expect: bars('1h', 'trade', BTCUSD, NOVEMBER),
  },
];

const nano = (price: number): string => `${Math.round(price * 1e5)}0000`;
const DATABENTO = text(
  'ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume',
  ...eurusd(START, MINUTE, (time, [open, high, low, close, volume]) =>
    [`${time}000000`, 33, 1, 42, ...[open, high, low, close].map(nano), volume].join(','),
  ),
);
const polish = (names: string): string =>
  text(names, ...eurusd(START, HOUR, (time, bar) => `${dated(time, 'YYYY-MM-DD hh:mm')},${bar.join(',')}`));
const HOURS = bars('1h', 'bid', EURUSD, START);

const layouts: readonly CorpusEntry[] = [
  {
    file: 'vendors/XBTUSD_1440.csv',
    symbol: 'BTCUSD',
    content: text(
      ...BTCUSD.map(([open, high, low, close], index) =>
        [(MIDNIGHT + index * DAY) / 1000, open, high, low, close, '1E+3', 7].join(','),
      ),
    ),
    expect: bars(
      '1d',
      'trade',
      BTCUSD.map((bar) => bar.with(4, 1000) as never),
      MIDNIGHT,
    ),
  },
  entry('databento.csv', DATABENTO, refused('use --points 9'), ['--basis', 'bid']),
  entry('databento-points.csv', DATABENTO, bars('1m', 'bid', EURUSD, START), ['--basis', 'bid', '--points', '9']),
  entry('stooq.csv', polish('Data,Otwarcie,Najwyzszy,Najnizszy,Zamkniecie,Wolumen'), HOURS, UTC_BID),
  entry('stooq-marks.csv', polish('Data,Otwarcie,Najwyższy,Najniższy,Zamknięcie,Wolumen'), HOURS, UTC_BID),
  entry(
    'compact-minutes.csv',
    text(
      'time,open,high,low,close,volume',
      ...eurusd(START, HOUR, (time, bar) => [dated(time, 'YYYYMMDDhhmm'), ...bar].join(',')),
    ),
    HOURS,
    UTC_BID,
  ),
  entry(
    'other-symbol.csv',
    text('time,bid,ask', `${START},66120.1,66121.1`, `${START + 1},66120.1,66121.2`),
    refused('check --symbol'),
  ),
  entry(
    'ff_calendar_thisweek.csv',
    text('Title,Country,Date,Time,Impact,Forecast,Previous,URL', 'Core CPI m/m,USD,03-12-2024,12:30pm,High,0.3%,0.4%,'),
    refused('it is an economic calendar: use tickwire calendar import'),
  ),
];

/** A weekend of a server in broker time, in winter, two hours ahead of UTC. */
const WEEKEND = [
  ...times(Date.parse('2024-03-01T16:00:00Z'), HOUR, 6),
  ...times(Date.parse('2024-03-03T22:00:00Z'), HOUR, 6),
];
/** Rates of the Python package MetaTrader5: the clock of the server as Unix time. */
const rates = (names: string, row: (index: number) => string): string =>
  text(names, ...EURUSD.map((bar, index) => `${row(index)}${[WEEKEND[index]! / 1000 + 7200, ...bar].join(',')},2,0`));
const RATES = 'time,open,high,low,close,tick_volume,spread,real_volume';
const quoteTicks = QUOTES.map(([ms, bid, ask]) => {
  const server = START + ms + 2 * HOUR;
  return [Math.floor(server / 1000), bid, ask, 0, 0, server, 6, 0].join(',');
});
const found: readonly CorpusEntry[] = [
  entry(
    'mt5-python-rates.csv',
    rates(RATES, () => ''),
    bars('1h', 'bid', EURUSD, 0, { at: WEEKEND }),
    ['--timezone', 'broker'],
  ),
  entry(
    'mt5-python-index.csv',
    rates(`,${RATES}`, (index) => `${index},`),
    bars('1h', 'bid', EURUSD, 0, { at: WEEKEND }),
    ['--timezone', 'broker'],
  ),
  entry(
    'server-clock.csv',
    rates('time,open,high,low,close,volume,spread,x', () => ''),
    refused('probably those of the clock of a broker'),
  ),
  entry(
    'mt5-python-ticks.csv',
    text('time,bid,ask,last,volume,time_msc,flags,volume_real', ...quoteTicks),
    quotes({ sizes: false }),
    ['--timezone', 'broker'],
  ),
  entry(
    'fxcm.csv',
    text(
      'DateTime,BidOpen,BidHigh,BidLow,BidClose,Total Ticks',
      ...eurusd(START, HOUR, (time, bar) => `${dated(time, 'YYYY-MM-DD hh:mm:ss')},${bar.join(',')}`),
    ),
    HOURS,
    ['--timezone', 'UTC'],
  ),
  entry(
    'bid-columns.csv',
    text(
      'time,volume,bid.o,bid.h,bid.l,bid.c,ask.o,ask.h,ask.l,ask.c',
      ...eurusd(START, HOUR, (time, [open, high, low, close, volume]) =>
        [time, volume, open, high, low, close, open + 1, high + 1, low + 1, close + 1].join(','),
      ),
    ),
    HOURS,
  ),
  entry(
    'unread-quantity.csv',
    text('time,open,high,low,close,Quantity', ...eurusd(START, HOUR, (time, bar) => [time, ...bar].join(','))),
    { ...bars('1h', 'bid', EURUSD, START, { volume: false }), leftOut: 'Quantity' },
    ['--basis', 'bid'],
  ),
  entry(
    'tickstory.csv',
    text(
      'Timestamp,Bid price,Ask price',
      ...QUOTES.map(([ms, bid, ask]) => `${dated(START + ms, 'YYYYMMDD hh:mm:ss:SSS')},${bid},${ask}`),
    ),
    quotes({ sizes: false }),
    ['--timezone', 'UTC'],
  ),
  entry(
    'forexite.txt',
    text(
      '<TICKER>,<DTYYYYMMDD>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>',
      ...eurusd(START, HOUR, (time, bar) => `EURUSD,${dated(time, 'YYYYMMDD,hhmmss')},${bar.join(',')}`),
    ),
    HOURS,
    UTC_BID,
  ),
  {
    file: 'vendors/coinmarketcap.csv',
    symbol: 'BTCUSD',
    content: text(
      'timeOpen;timeClose;name;open;high;low;close;volume;timestamp',
      ...BTCUSD.map((bar, index) => {
        const end = new Date(MIDNIGHT + (index + 1) * DAY - 1).toISOString();
        return `"${new Date(MIDNIGHT + index * DAY).toISOString()}";"${end}";"2781";${bar.join(';')};"${end}"`;
      }),
    ),
    expect: bars('1d', 'trade', BTCUSD, MIDNIGHT),
  },
  entry(
    'seconds.ndjson',
    text(...QUOTES.map(([ms, bid, ask]) => JSON.stringify({ time: Math.floor((START + ms) / 1000), bid, ask }))),
    {
      quotes: QUOTES.map(([ms, bid, ask]) => [START + ms - (ms % 1000), bid, ask, 0, 0]),
    },
  ),
];

export const VENDORS: readonly CorpusEntry[] = [...days, ...repeated, ...layouts, ...found];
