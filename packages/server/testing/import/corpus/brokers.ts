// Dukascopy (web, JForex, dukascopy-node), HistData and MetaTrader. Layouts: the sites' own exports, dukascopy-node's
// documentation, https://www.histdata.com/f-a-q/data-files-detailed-specification/, MetaTrader's help on exporting bars and
// ticks, and public descriptions of the .hst header.
import { bars, type CorpusEntry, quotes, refused, text } from './entry.ts';
import { type BarValues, DAY, dated, EURUSD, HOUR, MIDNIGHT, MINUTE, QUOTES, START, times } from './values.ts';

const p5 = (value: number): string => value.toFixed(5);
const prices = ([open, high, low, close]: BarValues): string => [open, high, low, close].map(p5).join(',');
const rows = (start: number, step: number, line: (time: number, bar: BarValues) => string): string[] =>
  EURUSD.map((bar, index) => line(start + index * step, bar));
const HEADER = 'Open,High,Low,Close,Volume';

const dukascopy: readonly CorpusEntry[] = [
  {
    file: 'dukascopy/EURUSD_Ticks_05.03.2024-05.03.2024.csv',
    symbol: 'EURUSD',
    content: text(
      'Gmt time,Ask,Bid,AskVolume,BidVolume',
      ...QUOTES.map(
        ([ms, bid, ask, bidSize, askSize]) =>
          `${dated(START + ms, 'DD.MM.YYYY hh:mm:ss.SSS')},${p5(ask)},${p5(bid)},${askSize},${bidSize}`,
      ),
    ),
    expect: quotes(),
  },
  {
    file: 'dukascopy/EURUSD_Candlestick_1_M_BID_05.03.2024-05.03.2024.csv',
    symbol: 'EURUSD',
    content: text(
      `Gmt time,${HEADER}`,
      ...rows(START, MINUTE, (time, bar) => `${dated(time, 'DD.MM.YYYY hh:mm:ss.SSS')},${prices(bar)},${bar[4]}`),
    ),
    expect: bars('1m', 'bid', EURUSD, START),
  },
  {
    file: 'dukascopy/EURUSD_Candlestick_1_M_ASK_05.03.2024-05.03.2024.csv',
    symbol: 'EURUSD',
    content: text(
      `Gmt time,${HEADER}`,
      ...rows(START, MINUTE, (time, bar) => `${dated(time, 'DD.MM.YYYY hh:mm:ss.SSS')},${prices(bar)},${bar[4]}`),
    ),
    expect: refused('ask bars'),
  },
  {
    file: 'dukascopy/local-time-hours.csv',
    symbol: 'EURUSD',
    content: text(
      `Local time,${HEADER}`,
      ...rows(
        START,
        HOUR,
        (time, bar) => `${dated(time, 'DD.MM.YYYY hh:mm:ss.SSS', 1)} GMT+0100,${prices(bar)},${bar[4]}`,
      ),
    ),
    expect: bars('1h', 'bid', EURUSD, START),
  },
  {
    file: 'dukascopy/jforex-eet-hours.csv',
    symbol: 'EURUSD',
    content: text(
      `Time (EET),${HEADER}`,
      ...rows(START, HOUR, (time, bar) => `${dated(time, 'YYYY.MM.DD hh:mm:ss', 2)},${prices(bar)},${bar[4]}`),
    ),
    expect: bars('1h', 'bid', EURUSD, START),
  },
  {
    file: 'dukascopy/eurusd-tick-2024-03-05.csv',
    symbol: 'EURUSD',
    content: text(
      'timestamp,askPrice,bidPrice,askVolume,bidVolume',
      ...QUOTES.map(([ms, bid, ask, bidSize, askSize]) => `${START + ms},${ask},${bid},${askSize},${bidSize}`),
    ),
    expect: quotes(),
  },
  {
    file: 'dukascopy/eurusd-m1-bid-2024-03-05-2024-03-06.csv',
    symbol: 'EURUSD',
    content: text(
      'timestamp,open,high,low,close,volume',
      ...rows(START, MINUTE, (time, bar) => `${time},${bar.join(',')}`),
    ),
    expect: bars('1m', 'bid', EURUSD, START),
  },
  {
    file: 'dukascopy/eurusd-tick-2024-03-05.json',
    symbol: 'EURUSD',
    content: JSON.stringify(QUOTES.map(([ms, bid, ask, bidSize, askSize]) => [START + ms, ask, bid, askSize, bidSize])),
    expect: quotes(),
  },
  {
    file: 'dukascopy/eurusd-h1-bid-2024-03-05-2024-03-06.json',
    symbol: 'EURUSD',
    content: JSON.stringify(
      EURUSD.map(([open, high, low, close, volume], index) => ({
        timestamp: START + index * HOUR,
        open,
        high,
        low,
        close,
        volume,
      })),
      null,
      1,
    ),
    expect: bars('1h', 'bid', EURUSD, START),
  },
  {
    // Minutes without ticks are filled with flat bars of volume 0.
    file: 'dukascopy/EURUSD_Candlestick_1_M_BID_filled.csv',
    symbol: 'EURUSD',
    content: text(
      `Gmt time,${HEADER}`,
      ...EURUSD.flatMap((bar, index) => {
        const [time, close] = [START + 2 * index * MINUTE, p5(bar[3])];
        return [
          `${dated(time, 'DD.MM.YYYY hh:mm:ss.SSS')},${prices(bar)},${bar[4]}`,
          `${dated(time + MINUTE, 'DD.MM.YYYY hh:mm:ss.SSS')},${close},${close},${close},${close},0`,
        ];
      }),
    ),
    expect: bars('1m', 'bid', EURUSD, START, { at: times(START, 2 * MINUTE) }),
  },
];

const ninjaTrader = text(
  ...rows(START, HOUR, (time, bar) =>
    [dated(time, 'YYYYMMDD hhmmss'), prices(bar).replaceAll(',', ';'), bar[4]].join(';'),
  ),
);

const histdata: readonly CorpusEntry[] = [
  {
    file: 'histdata/DAT_ASCII_EURUSD_T_202403.csv',
    symbol: 'EURUSD',
    content: text(
      ...QUOTES.map(([ms, bid, ask]) => `${dated(START + ms, 'YYYYMMDD hhmmssSSS', -5)},${p5(bid)},${p5(ask)},0`),
    ),
    expect: quotes({ sizes: false }),
  },
  {
    file: 'histdata/DAT_ASCII_EURUSD_M1_2024.csv',
    symbol: 'EURUSD',
    content: text(
      ...rows(
        START,
        MINUTE,
        (time, bar) => `${dated(time, 'YYYYMMDD hhmmss', -5)};${prices(bar).replaceAll(',', ';')};0`,
      ),
    ),
    expect: bars('1m', 'bid', EURUSD, START, { volume: false }),
  },
  {
    file: 'histdata/DAT_MT_EURUSD_M1_2024.csv',
    symbol: 'EURUSD',
    content: text(...rows(START, MINUTE, (time, bar) => `${dated(time, 'YYYY.MM.DD,hh:mm', -5)},${prices(bar)},0`)),
    expect: bars('1m', 'bid', EURUSD, START, { volume: false }),
  },
  // NinjaTrader has the same layout, with volumes and bars of any length.
  {
    file: 'ninjatrader/hours.txt',
    symbol: 'EURUSD',
    flags: ['--bar-time', 'end'],
    content: ninjaTrader,
    expect: refused('--timezone'),
  },
  {
    file: 'ninjatrader/hours-no-bar-time.txt',
    symbol: 'EURUSD',
    flags: ['--timezone', 'UTC'],
    content: ninjaTrader,
    expect: refused('specify --bar-time end or start'),
  },
  {
    file: 'ninjatrader/hours-end.txt',
    symbol: 'EURUSD',
    flags: ['--timezone', 'UTC', '--bar-time', 'end'],
    content: ninjaTrader,
    expect: bars('1h', 'trade', EURUSD, START - HOUR),
  },
  {
    file: 'ninjatrader/hours-utc.txt',
    symbol: 'EURUSD',
    flags: ['--timezone', 'UTC', '--bar-time', 'start'],
    content: ninjaTrader,
    expect: bars('1h', 'trade', EURUSD, START),
  },
];

const MT5_BARS = '<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>';
const mt5Bar = (time: number, bar: BarValues, zone: number): string =>
  [dated(time, 'YYYY.MM.DD\thh:mm:ss', zone), prices(bar).replaceAll(',', '\t'), bar[4], 0, 2].join('\t');
const mt4 = (zone: number): string =>
  text(...rows(START, HOUR, (time, bar) => `${dated(time, 'YYYY.MM.DD,hh:mm', zone)},${prices(bar)},${bar[4]}`));

/** A side that has not changed since the tick before is left empty. */
function mt5Ticks(): string {
  let [before, after] = ['', ''];
  return text(
    '<DATE>\t<TIME>\t<BID>\t<ASK>\t<LAST>\t<VOLUME>\t<FLAGS>',
    ...QUOTES.map(([ms, bid, ask]) => {
      const fields = [p5(bid) === before ? '' : p5(bid), p5(ask) === after ? '' : p5(ask)];
      [before, after] = [p5(bid), p5(ask)];
      return [dated(START + ms, 'YYYY.MM.DD\thh:mm:ss.SSS', 2), ...fields, '', '', 6].join('\t');
    }),
  );
}

const metatrader: readonly CorpusEntry[] = [
  {
    file: 'mt/EURUSD60.csv',
    symbol: 'EURUSD',
    flags: ['--timezone', 'UTC+2'],
    content: mt4(2),
    expect: bars('1h', 'bid', EURUSD, START),
  },
  { file: 'mt/no-zone/EURUSD60.csv', symbol: 'EURUSD', content: mt4(2), expect: refused('specify --timezone') },
  {
    file: 'mt/EURUSD_M1_202403051200_202403051211.csv',
    symbol: 'EURUSD',
    flags: ['--timezone', 'Europe/Athens'],
    content: text(MT5_BARS, ...rows(START, MINUTE, (time, bar) => mt5Bar(time, bar, 2))),
    expect: bars('1m', 'bid', EURUSD, START),
  },
  {
    file: 'mt/EURUSD_M1_utf16.csv',
    symbol: 'EURUSD',
    flags: ['--timezone', 'Europe/Athens'],
    content: Buffer.from(
      `\uFEFF${text(MT5_BARS, ...rows(START, MINUTE, (time, bar) => mt5Bar(time, bar, 2))).replaceAll('\n', '\r\n')}`,
      'utf16le',
    ),
    expect: bars('1m', 'bid', EURUSD, START),
  },
  {
    file: 'mt/EURUSD_ticks_202403051200.csv',
    symbol: 'EURUSD',
    flags: ['--timezone', 'UTC+02:00'],
    content: mt5Ticks(),
    expect: quotes({ sizes: false }),
  },
  {
    file: 'mt/EURUSD_Daily_utc.csv',
    symbol: 'EURUSD',
    flags: ['--timezone', 'UTC'],
    content: text(
      '<DATE>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>',
      ...rows(MIDNIGHT, DAY, (time, bar) =>
        [dated(time, 'YYYY.MM.DD'), prices(bar).replaceAll(',', '\t'), bar[4], 0, 2].join('\t'),
      ),
    ),
    expect: bars('1d', 'bid', EURUSD, MIDNIGHT),
  },
  {
    // rates of the Python package MetaTrader5, written by pandas.
    file: 'mt/python-rates.csv',
    symbol: 'EURUSD',
    flags: ['--timezone', 'UTC'],
    content: text(
      'time,open,high,low,close,tick_volume,spread,real_volume',
      ...rows(START, 5 * MINUTE, (time, bar) => `${dated(time, 'YYYY-MM-DD hh:mm:ss')},${bar.join(',')},2,0`),
    ),
    expect: bars('5m', 'bid', EURUSD, START),
  },
];

function hst(version: 400 | 401, minutes: number, start: number): Uint8Array {
  const length = version === 400 ? 44 : 60;
  const bytes = Buffer.alloc(148 + EURUSD.length * length);
  bytes.writeInt32LE(version, 0);
  bytes.write('Values of our own', 4);
  bytes.write('EURUSD', 68);
  bytes.writeInt32LE(minutes, 80);
  bytes.writeInt32LE(5, 84);
  for (const [index, [open, high, low, close, volume]] of EURUSD.entries()) {
    const [at, seconds] = [148 + index * length, start / 1000 + index * minutes * 60];
    const doubles = version === 400 ? [open, low, high, close, volume] : [open, high, low, close];
    const from = version === 400 ? bytes.writeInt32LE(seconds, at) : bytes.writeBigInt64LE(BigInt(seconds), at);
    for (const [field, value] of doubles.entries()) bytes.writeDoubleLE(value, from + 8 * field);
    if (version === 400) continue;
    bytes.writeBigInt64LE(BigInt(volume), at + 40);
    bytes.writeInt32LE(2, at + 48);
  }
  return bytes;
}

const history: readonly CorpusEntry[] = [
  {
    file: 'hst/EURUSD60.hst',
    symbol: 'EURUSD',
    flags: ['--timezone', 'UTC+2'],
    content: hst(400, 60, START + 2 * HOUR),
    expect: bars('1h', 'bid', EURUSD, START),
  },
  {
    file: 'hst/EURUSD1.hst',
    symbol: 'EURUSD',
    flags: ['--timezone', 'Europe/Athens'],
    content: hst(401, 1, START + 2 * HOUR),
    expect: bars('1m', 'bid', EURUSD, START),
  },
  {
    file: 'hst/no-zone/EURUSD5.hst',
    symbol: 'EURUSD',
    content: hst(401, 5, START),
    expect: refused('specify --timezone'),
  },
  {
    file: 'hst/cut/EURUSD240.hst',
    symbol: 'EURUSD',
    flags: ['--timezone', 'UTC'],
    content: hst(401, 240, MIDNIGHT).subarray(0, 100),
    expect: refused('its header is missing'),
  },
];

export const BROKERS: readonly CorpusEntry[] = [...dukascopy, ...histdata, ...metatrader, ...history];
