// ccxt, freqtrade and TradingView. Layouts: the manuals of ccxt and freqtrade, exports of TradingView's charts.
import { gzipSync } from 'node:zlib';
import { bars, type CorpusEntry, refused, text, trades } from './entry.ts';
import { type BarValues, BTCUSD, DAY, dated, EURUSD, HOUR, MIDNIGHT, MINUTE, START, TRADES } from './values.ts';

const rows = (start: number, step: number, line: (time: number, bar: BarValues) => string): string[] =>
  BTCUSD.map((bar, index) => line(start + index * step, bar));

const ohlcv = (start: number, step: number): number[][] => BTCUSD.map((bar, index) => [start + index * step, ...bar]);
const unified = TRADES.map(([ms, price, amount, side, id]) => ({
  info: { id: String(id), fills: [{ price: String(price) }] },
  id: String(id),
  timestamp: START + ms,
  datetime: new Date(START + ms).toISOString(),
  symbol: 'BTC/USD',
  order: null,
  type: null,
  side,
  takerOrMaker: null,
  price,
  amount,
  cost: price * amount,
  fee: { cost: null, currency: null },
  fees: [],
}));

const ccxt: readonly CorpusEntry[] = [
  {
    file: 'ccxt/btcusd-ohlcv.json',
    symbol: 'BTCUSD',
    content: JSON.stringify(ohlcv(START, HOUR)),
    expect: bars('1h', 'trade', BTCUSD, START),
  },
  { file: 'ccxt/btcusd-trades.json', symbol: 'BTCUSD', content: JSON.stringify(unified, null, 1), expect: trades() },
  {
    file: 'unknown-source.json',
    symbol: 'BTCUSD',
    content: JSON.stringify(ohlcv(START, HOUR)),
    expect: refused('dukascopy-json (Dukascopy JSON) or ccxt (ccxt or freqtrade JSON): specify --format'),
  },
  {
    file: 'unknown-source-named.json',
    symbol: 'BTCUSD',
    flags: ['--format', 'ccxt'],
    content: JSON.stringify(ohlcv(START, HOUR)),
    expect: bars('1h', 'trade', BTCUSD, START),
  },
  {
    file: 'freqtrade/BTC_USD-5m.json',
    symbol: 'BTCUSD',
    content: JSON.stringify(ohlcv(START, 5 * MINUTE)),
    expect: bars('5m', 'trade', BTCUSD, START),
  },
  {
    file: 'freqtrade/BTC_USD-trades.json.gz',
    symbol: 'BTCUSD',
    content: gzipSync(
      JSON.stringify(
        TRADES.map(([ms, price, size, side, id]) => [START + ms, String(id), null, side, price, size, price * size]),
      ),
    ),
    expect: trades(),
  },
  {
    file: 'freqtrade/BTC_USD_USD-1h-funding_rate.json',
    symbol: 'BTCUSD',
    content: JSON.stringify([[START, 0.0001, 0, 0, 0, 0]]),
    expect: refused('funding rate values, which are no traded prices'),
  },
  {
    file: 'freqtrade/BTC_USD-1h.feather',
    symbol: 'BTCUSD',
    content: 'ARROW1\0\0',
    expect: refused('Feather files are not supported: convert it to Parquet'),
  },
];

const tradingview: readonly CorpusEntry[] = [
  {
    file: 'tradingview/COINBASE_BTCUSD, 60.csv',
    symbol: 'BTCUSD',
    content: text(
      'time,open,high,low,close,Volume,Volume MA,Plot',
      ...rows(START, HOUR, (time, bar) => `${time / 1000},${bar.join(',')},1.5,`),
    ),
    expect: bars('1h', 'trade', BTCUSD, START),
  },
  {
    file: 'tradingview/BITSTAMP_BTCUSD, 1D_4f0c1.csv',
    symbol: 'BTCUSD',
    flags: ['--timezone', 'UTC'],
    content: text(
      'time,open,high,low,close,Volume',
      ...rows(MIDNIGHT, DAY, (time, bar) => `${dated(time, 'YYYY-MM-DD')},${bar.join(',')}`),
    ),
    expect: bars('1d', 'trade', BTCUSD, MIDNIGHT),
  },
  {
    file: 'tradingview/OANDA_EURUSD, 5.csv',
    symbol: 'EURUSD',
    content: text(
      'time,open,high,low,close',
      ...EURUSD.map(
        (bar, index) =>
          `${dated(START + index * 5 * MINUTE, 'YYYY-MM-DDThh:mm:ss', -5)}-05:00,${bar.slice(0, 4).join(',')}`,
      ),
    ),
    expect: bars('5m', 'bid', EURUSD, START, { volume: false }),
  },
];

export const TOOLS: readonly CorpusEntry[] = [...ccxt, ...tradingview];
