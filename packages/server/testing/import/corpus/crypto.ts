// Binance, Kraken and CryptoDataDownload. Layouts: https://github.com/binance/binance-public-data, Kraken's support articles
// on OHLCVT and on time and sales, the files of the site.
import { gzipSync } from 'node:zlib';
import { zipOf } from '../zip.fixture.ts';
import { bars, type CorpusEntry, quotes, refused, text, trades } from './entry.ts';
import { type BarValues, BTCUSD, DAY, dated, HOUR, MIDNIGHT, MINUTE, QUOTES, START, TRADES } from './values.ts';

const USDT = ['--feeds', 'binance'];
const p2 = (value: number): string => value.toFixed(2);
const rows = (start: number, step: number, line: (time: number, bar: BarValues) => string): string[] =>
  BTCUSD.map((bar, index) => line(start + index * step, bar));
const newestFirst = (lines: readonly string[]): string[] => lines.toReversed();

/** Half of the volume was bought by takers; `unit` is the number of time units per millisecond. */
const kline = (time: number, step: number, bar: BarValues, unit = 1): string => {
  const [open, high, low, close, volume] = bar;
  const closes = (time + step) * unit - 1;
  return [
    time * unit,
    open,
    high,
    low,
    close,
    volume,
    closes,
    p2(volume * close),
    25,
    volume / 2,
    p2((volume * close) / 2),
    0,
  ].join(',');
};
const klines = text(...rows(START, MINUTE, (time, bar) => kline(time, MINUTE, bar)));
const KLINE_HEADER =
  'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore';
const maker = (side: 'buy' | 'sell'): string => (side === 'sell' ? 'true' : 'false');

const binance: readonly CorpusEntry[] = [
  {
    file: 'binance/BTCUSDT-1m-2024-03-05.csv',
    symbol: 'BTCUSDT',
    flags: USDT,
    content: klines,
    expect: bars('1m', 'trade', BTCUSD, START),
  },
  {
    file: 'binance/BTCUSDT-1m-2024-03-05.zip',
    symbol: 'BTCUSDT',
    flags: USDT,
    content: zipOf([{ name: 'BTCUSDT-1m-2024-03-05.csv', content: klines }]),
    expect: bars('1m', 'trade', BTCUSD, START),
  },
  {
    file: 'binance/futures-BTCUSDT-1h-2024-03.csv',
    symbol: 'BTCUSDT',
    flags: USDT,
    content: text(KLINE_HEADER, ...rows(START, HOUR, (time, bar) => kline(time, HOUR, bar))),
    expect: bars('1h', 'trade', BTCUSD, START),
  },
  {
    file: 'binance/BTCUSDT-1d-microseconds.csv',
    symbol: 'BTCUSDT',
    flags: USDT,
    content: text(...rows(MIDNIGHT, DAY, (time, bar) => kline(time, DAY, bar, 1000))),
    expect: bars('1d', 'trade', BTCUSD, MIDNIGHT),
  },
  {
    file: 'binance/BTCUSDT-trades-2024-03-05.csv',
    symbol: 'BTCUSDT',
    flags: USDT,
    content: text(
      ...TRADES.map(([ms, price, size, side, id]) =>
        [id, p2(price), size, (price * size).toFixed(4), START + ms, maker(side), 'true'].join(','),
      ),
    ),
    expect: trades(),
  },
  {
    file: 'binance/futures-BTCUSDT-aggTrades-2024-03-05.csv',
    symbol: 'BTCUSDT',
    flags: USDT,
    content: text(
      'agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker',
      ...TRADES.map(([ms, price, size, side, id]) => [id, p2(price), size, id, id, START + ms, maker(side)].join(',')),
    ),
    expect: trades(),
  },
];

const ohlcvt = (start: number, step: number): string =>
  text(...rows(start, step, (time, bar) => `${time / 1000},${bar.join(',')},17`));

const kraken: readonly CorpusEntry[] = [
  {
    file: 'kraken/XBTUSD_1.csv',
    symbol: 'BTCUSD',
    content: ohlcvt(START, MINUTE),
    expect: bars('1m', 'trade', BTCUSD, START),
  },
  {
    // Only every second hour has trades: the name tells the length.
    file: 'kraken/XBTUSD_60.csv',
    symbol: 'BTCUSD',
    content: ohlcvt(MIDNIGHT, 2 * HOUR),
    expect: bars('1h', 'trade', BTCUSD, MIDNIGHT, { at: BTCUSD.map((_, index) => MIDNIGHT + index * 2 * HOUR) }),
  },
  {
    file: 'kraken/ETHUSD_1.csv',
    symbol: 'BTCUSD',
    content: ohlcvt(START, MINUTE),
    expect: refused('ETHUSD, not BTCUSD'),
  },
  {
    file: 'kraken/XBTUSD.csv',
    symbol: 'BTCUSD',
    content: text(...TRADES.map(([ms, price, size]) => `${Math.floor((START + ms) / 1000)},${p2(price)},${size}`)),
    expect: trades({ sides: false, ids: false, whole: true }),
  },
];

const CDD = 'https://www.CryptoDataDownload.com';
const cryptoDataDownload: readonly CorpusEntry[] = [
  {
    file: 'cryptodatadownload/Binance_BTCUSD_1h.csv',
    symbol: 'BTCUSD',
    content: text(
      CDD,
      'Unix,Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USD,tradecount',
      ...newestFirst(
        rows(START, HOUR, (time, [open, high, low, close, volume]) =>
          [
            time,
            dated(time, 'YYYY-MM-DD hh:mm:ss'),
            'BTCUSD',
            open,
            high,
            low,
            close,
            volume,
            p2(volume * close),
            9,
          ].join(','),
        ),
      ),
    ),
    expect: bars('1h', 'trade', BTCUSD, START),
  },
  {
    file: 'cryptodatadownload/Gemini_BTCUSD_2024_1min.csv',
    symbol: 'BTCUSD',
    content: text(
      CDD,
      'unix,date,symbol,open,high,low,close,Volume USD,Volume BTC',
      ...newestFirst(
        rows(START, MINUTE, (time, [open, high, low, close, volume]) =>
          [
            time / 1000,
            dated(time, 'YYYY-MM-DD hh:mm:ss'),
            'BTC/USD',
            open,
            high,
            low,
            close,
            p2(volume * close),
            volume,
          ].join(','),
        ),
      ),
    ),
    expect: bars('1m', 'trade', BTCUSD, START),
  },
  {
    file: 'cryptodatadownload/Coinbase_BTCUSD_1h_old.csv',
    symbol: 'BTCUSD',
    content: text(
      CDD,
      'Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USD',
      ...rows(START, HOUR, (time, bar) => `${dated(time, 'YYYY-MM-DD hh')}-AM,BTCUSD,${bar.join(',')},1`),
    ),
    expect: refused('download the file again'),
  },
  {
    file: 'cryptodatadownload/Bitstamp_BTCUSD_d.csv',
    symbol: 'ETHUSD',
    content: text(
      CDD,
      'unix,date,symbol,open,high,low,close,Volume BTC,Volume USD',
      ...rows(MIDNIGHT, DAY, (time, bar) => `${time / 1000},${dated(time, 'YYYY-MM-DD')},BTC/USD,${bar.join(',')},1`),
    ),
    expect: refused('specify --symbol BTCUSD'),
  },
];

/** A raw recording with a local clock in front of each message; quotes of futures have a time of their own. */
const recording: readonly CorpusEntry[] = [
  {
    file: 'recording/eurusd-stream.gz',
    symbol: 'EURUSD',
    content: gzipSync(
      text(
        ...QUOTES.map(([ms, bid, ask, bidSize, askSize]) => {
          const data = {
            e: 'bookTicker',
            s: 'EURUSD',
            b: String(bid),
            B: String(bidSize),
            a: String(ask),
            A: String(askSize),
            T: START + ms,
            E: START + ms,
          };
          return `${START + ms + 7}000000 ${JSON.stringify({ stream: 'eurusd@bookTicker', data })}`;
        }),
      ),
    ),
    expect: quotes(),
  },
];

export const CRYPTO: readonly CorpusEntry[] = [...binance, ...kraken, ...cryptoDataDownload, ...recording];
