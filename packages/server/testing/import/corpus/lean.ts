// QuantConnect Lean. Layouts: the readme files in https://github.com/QuantConnect/Lean/tree/master/Data.
import { zipOf } from '../zip.fixture.ts';
import { bars, type CorpusEntry, quotes, refused, text, trades } from './entry.ts';
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
  TRADES,
} from './values.ts';

/** The ask is two points above the bid throughout. */
const bothSides = ([open, high, low, close, size]: BarValues, points: number): string => {
  const side = (shift: number): string =>
    [open, high, low, close].map((price) => Number((price + shift).toFixed(5))).join(',');
  return `${side(0)},${size},${side(points)},${size}`;
};
const sinceMidnight = (time: number): number => time - MIDNIGHT;
const zipped = (name: string, ...lines: readonly string[]): Uint8Array => zipOf([{ name, content: text(...lines) }]);

/** Four bars of 15 seconds in each of three minutes. */
const SECONDS = BTCUSD.map((_, index) => START + Math.floor(index / 4) * MINUTE + (index % 4) * 15 * SECOND);
const FOLDED = [0, 4, 8].map((first): BarValues => {
  const part = BTCUSD.slice(first, first + 4);
  return [
    part[0]![0],
    Math.max(...part.map(([, high]) => high)),
    Math.min(...part.map(([, , low]) => low)),
    part[3]![3],
    part.reduce((sum, [, , , , volume]) => sum + volume, 0),
  ];
});

export const LEAN: readonly CorpusEntry[] = [
  {
    file: 'lean/forex/oanda/tick/eurusd/20240305_quote.zip',
    symbol: 'EURUSD',
    content: zipped(
      '20240305_eurusd_tick_quote.csv',
      ...QUOTES.map(([ms, bid, ask]) => `${sinceMidnight(START + ms)},${bid},${ask}`),
    ),
    expect: quotes({ sizes: false }),
  },
  {
    file: 'lean/crypto/coinbase/tick/btcusd/20240305_trade.zip',
    symbol: 'BTCUSD',
    content: zipped(
      '20240305_btcusd_tick_trade.csv',
      ...TRADES.map(([ms, price, size]) => `${sinceMidnight(START + ms)},${price},${size}`),
    ),
    expect: trades({ sides: false, ids: false }),
  },
  {
    file: 'lean/forex/oanda/minute/eurusd/20240305_quote.zip',
    symbol: 'EURUSD',
    content: zipped(
      '20240305_eurusd_minute_quote.csv',
      ...EURUSD.map((bar, index) => `${sinceMidnight(START + index * MINUTE)},${bothSides(bar, 0.00002)}`),
    ),
    expect: bars('1m', 'bid', EURUSD, START),
  },
  {
    // FXCM's midnight is that of New York without daylight saving time.
    file: 'lean/forex/fxcm/hour/eurusd.zip',
    symbol: 'EURUSD',
    content: zipped(
      'eurusd.csv',
      ...EURUSD.map((bar, index) => `${dated(START + index * HOUR, 'YYYYMMDD hh:mm', -5)},${bothSides(bar, 0.00002)}`),
    ),
    expect: bars('1h', 'bid', EURUSD, START),
  },
  {
    file: 'lean/crypto/coinbase/daily/btcusd_trade.zip',
    symbol: 'BTCUSD',
    content: zipped(
      'btcusd.csv',
      ...BTCUSD.map((bar, index) => `${dated(MIDNIGHT + index * DAY, 'YYYYMMDD hh:mm')},${bar.join(',')}`),
    ),
    expect: bars('1d', 'trade', BTCUSD, MIDNIGHT),
  },
  {
    file: 'lean/crypto/coinbase/second/btcusd/20240305_trade.zip',
    symbol: 'BTCUSD',
    content: zipped(
      '20240305_btcusd_second_trade.csv',
      ...BTCUSD.map((bar, index) => `${sinceMidnight(SECONDS[index]!)},${bar.join(',')}`),
    ),
    expect: bars('1m', 'trade', FOLDED, START),
  },
  {
    file: 'lean/cryptofuture/binance/minute/btcusd/20240305_trade.zip',
    symbol: 'BTCUSD',
    content: zipped(
      '20240305_btcusd_minute_trade_perp.csv',
      ...BTCUSD.map((bar, index) => `${sinceMidnight(START + index * MINUTE)},${bar.join(',')}`),
    ),
    expect: bars('1m', 'trade', BTCUSD, START),
  },
  {
    file: 'lean/cryptofuture/bybit/hour/btcusd_quote.zip',
    symbol: 'BTCUSD',
    content: zipped(
      'btcusd_quote_perp.csv',
      ...BTCUSD.map((bar, index) => `${dated(START + index * HOUR, 'YYYYMMDD hh:mm')},${bothSides(bar, 0.02)}`),
    ),
    expect: bars('1h', 'bid', BTCUSD, START),
  },
  {
    file: 'lean/equity/usa/minute/spy/20240305_trade.zip',
    symbol: 'EURUSD',
    content: zipped('20240305_spy_minute_trade.csv', '34200000,5100000,5101000,5099000,5100500,1200'),
    expect: refused('Lean equities and options, whose prices have another scale, are not supported'),
  },
  {
    file: 'lean/unpacked/20240305_eurusd_tick_quote.csv',
    symbol: 'EURUSD',
    content: text(...QUOTES.map(([ms, bid, ask]) => `${sinceMidnight(START + ms)},${bid},${ask}`)),
    expect: refused('its time zone is unknown: specify --timezone'),
  },
];
