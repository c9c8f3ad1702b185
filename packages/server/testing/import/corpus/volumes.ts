// Bars whose volume has another name, or several: the one of the base currency is imported, and the rest is reported.
import { bars, type CorpusEntry, type Expectation, text } from './entry.ts';
import { BTCUSD, DAY, EURUSD, HOUR, MIDNIGHT, START } from './values.ts';

const DAYS = bars('1d', 'trade', BTCUSD, MIDNIGHT);
const unix = (index: number): number => (MIDNIGHT + index * DAY) / 1_000;
/** Daily Bitcoin with these columns after the close. */
const bitcoin = (names: string, values: (volume: number, close: number) => readonly number[]): string =>
  text(
    `timestamp,open,high,low,close,${names}`,
    ...BTCUSD.map(([open, high, low, close, volume], index) =>
      [unix(index), open, high, low, close, ...values(volume, close)].join(','),
    ),
  );
const both = (volume: number, close: number): readonly number[] => [volume, volume * close];
const entry = (file: string, content: string, expect: Expectation, flags?: readonly string[]): CorpusEntry => ({
  file: `volumes/${file}`,
  symbol: 'BTCUSD',
  content,
  expect,
  ...(flags && { flags }),
});

export const VOLUMES: readonly CorpusEntry[] = [
  entry('currencies.csv', bitcoin('Volume BTC,Volume USD', both), { ...DAYS, leftOut: 'Volume USD' }),
  entry('currencies-ignored.csv', bitcoin('Volume BTC,Volume USD', both), DAYS, ['--ignore-columns', 'Volume USD']),
  entry('brackets.csv', bitcoin('Volume_(BTC),Volume_(Currency)', both), { ...DAYS, leftOut: 'Volume_(Currency)' }),
  entry(
    'adjusted-close.csv',
    bitcoin('adjclose,volume', (volume, close) => [close / 2, volume]),
    DAYS,
  ),
  entry(
    'quote-first.csv',
    bitcoin('quote_volume,base_volume', (volume, close) => [volume * close, volume]),
    { ...DAYS, leftOut: 'quote_volume' },
  ),
  // Only a volume in the quote currency: none is better than a wrong one.
  entry(
    'quote-only.csv',
    bitcoin('Volume USD', (volume, close) => [volume * close]),
    { ...bars('1d', 'trade', BTCUSD, MIDNIGHT, { volume: false }), leftOut: 'Volume USD' },
  ),
  // A column of zeros has nothing to lose, as the traded volume of MetaTrader.
  entry(
    'zeros.csv',
    bitcoin('tick_volume,real_volume', (volume) => [volume, 0]),
    DAYS,
  ),
  {
    file: 'volumes/euro.csv',
    symbol: 'EURUSD',
    flags: ['--basis', 'bid'],
    content: text(
      'timestamp,open,high,low,close,Volume EUR',
      ...EURUSD.map((bar, index) => [(START + index * HOUR) / 1_000, ...bar].join(',')),
    ),
    expect: bars('1h', 'bid', EURUSD, START),
  },
];
