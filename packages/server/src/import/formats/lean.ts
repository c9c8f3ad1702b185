// QuantConnect Lean's data folder: zips with one CSV without a header (https://github.com/QuantConnect/Lean/tree/master/Data).
//   20140501_eurusd_tick_quote.csv    ms, bid, ask            (crypto: ms, bid, bid size, ask, ask size)
//   20140501_btcusd_tick_trade.csv    ms, price, size
//   20140501_eurusd_minute_quote.csv  ms, bid O H L C, bid size, ask O H L C, ask size     (second_quote: the same)
//   20140501_btcusd_minute_trade.csv  ms, O H L C, volume                                  (second_trade: the same)
//   hour/eurusd.zip, daily/btcusd_trade.zip   20140501 13:00 instead of ms; eleven columns are quotes, six are trades
// Perpetual futures have _perp before .csv. Times are milliseconds since midnight of the date in the name, with fractions.
// They are in the market's time zone: UTC for OANDA and the crypto venues, New York without daylight saving time for FXCM.
// Only the path contains the market; without it, the zone must be specified. Bars of a second are folded into minutes.
// Equities (prices × 10,000) are not supported.

import { type BarBasis, type BarInterval, DAY_MS, daysSinceEpoch } from '@tickwire/engine';
import { type FileSample, mostLinesMatch } from '../files/file-sample.ts';
import { ImportError } from '../import-error.ts';
import { FieldSplitter } from '../rows/field-splitter.ts';
import { LineReader, type RowReader } from '../rows/line-reader.ts';
import { MinuteFolder } from '../rows/minute-folder.ts';
import type { BarDraft, RowSink } from '../rows/row-sink.ts';
import { TimestampReader } from '../rows/timestamp.ts';
import { EASTERN_STANDARD, parseTimeZone, type TimeZone, UTC } from '../rows/timezone.ts';
import { type Format, type FormatContext, timeframeOf } from './format.ts';

const COMMA = 44;
const DAY_NAME = /(\d{4})(\d{2})(\d{2})_(?:[a-z0-9.]+_)?(tick|second|minute)_(quote|trade)(?:_perp)?\.csv$/i;
const LONG_ROW = /^\d{8} \d\d:\d\d(,[\d.]*){5}((,[\d.]*){5})?$/;
const LONG_FOLDER = /(?:^|\/)(hour|daily)(?:\/|$)/i;
const UNSCALED = /(^|\/)(equity|option)\//i;
const MARKETS: readonly (readonly [RegExp, TimeZone])[] = [
  [/(^|[/_.-])fxcm([/_.-]|$)/i, EASTERN_STANDARD],
  [/(^|[/_.-])(oanda|coinbase|gdax|bitfinex|binance|binanceus|kraken|bybit|dydx|okx)([/_.-]|$)/i, UTC],
  [/(^|\/)crypto(future)?\//i, UTC],
];

/** The number in a column of the current row; NaN if it is empty or not a number. */
type FieldReader = (field: number) => number;
type RowParser = (sink: RowSink, time: number, count: number, at: FieldReader) => void;
type BarHandler = (time: number, basis: BarBasis, bar: BarDraft) => void;

function zoneFor({ path }: FileSample, timezone: string | undefined): TimeZone {
  if (timezone) return parseTimeZone(timezone);
  const market = MARKETS.find(([pattern]) => pattern.test(path));
  if (market) return market[1];
  throw new ImportError(
    'timezone_required',
    'its path contains no known market (oanda, fxcm, coinbase…), so its time zone is unknown: specify --timezone',
  );
}

function rows(context: FormatContext): RowReader {
  const { sample, options, sink } = context;
  if (UNSCALED.test(sample.path)) {
    throw new ImportError(
      'wrong_columns',
      'Lean equities and options, whose prices have another scale, are not supported',
    );
  }
  const day = DAY_NAME.exec(sample.name);
  if (!day && !mostLinesMatch(sample.lines, LONG_ROW)) {
    throw new ImportError(
      'start_required',
      'its name has no date: Lean files are named like 20140501_eurusd_tick_quote.csv',
    );
  }
  const zone = zoneFor(sample, options.timezone);
  if (day) return ofOneDay(day, zone, sink);
  const folder = LONG_FOLDER.exec(sample.path)?.[1]?.toLowerCase();
  const timeframe =
    options.timeframe ?? (folder === 'hour' ? '1h' : folder === 'daily' ? '1d' : null) ?? timeframeOf(context);
  return ofHoursOrDays(zone, sink, timeframe);
}

/** The handler of a row gets a function that reads one of its columns. */
function fieldLines(sink: RowSink, handle: (fields: FieldSplitter, at: FieldReader) => void): LineReader {
  const fields = new FieldSplitter();
  const at: FieldReader = (field) => fields.decimal(field);
  return new LineReader(sink, 0, (bytes, start, end) => {
    fields.split(bytes, start, end, COMMA);
    handle(fields, at);
  });
}

function ofOneDay(match: RegExpExecArray, zone: TimeZone, sink: RowSink): RowReader {
  const midnight = daysSinceEpoch(Number(match[1]), Number(match[2]), Number(match[3])) * DAY_MS;
  const resolution = match[4]!.toLowerCase();
  const isTrade = match[5]!.toLowerCase() === 'trade';
  const folder = new MinuteFolder(sink, isTrade ? 'trade' : 'bid');
  const parseRow: RowParser =
    resolution === 'tick'
      ? isTrade
        ? parseTrade
        : parseQuote
      : barParser(
          isTrade,
          resolution === 'second'
            ? (time, _basis, bar) => folder.add(time, bar)
            : (time, basis, bar) => sink.bar(time, '1m', basis, bar),
        );
  const lines = fieldLines(sink, ({ count }, at) => {
    const ms = at(0);
    parseRow(sink, ms >= 0 ? zone.toUtc(midnight + Math.floor(ms)) : Number.NaN, count, at);
  });
  return {
    chunk: (bytes) => lines.chunk(bytes),
    end: () => {
      lines.end();
      folder.flush();
    },
  };
}

function ofHoursOrDays(zone: TimeZone, sink: RowSink, timeframe: BarInterval): RowReader {
  const timestamps = new TimestampReader(zone, sink.times, true);
  const store: BarHandler = (time, basis, bar) => sink.bar(time, timeframe, basis, bar);
  const [quotes, trades] = [barParser(false, store), barParser(true, store)];
  return fieldLines(sink, ({ bytes, start, end, count }, at) => {
    const time = timestamps.read(bytes, start[0]!, end[0]!);
    (count > 6 ? quotes : trades)(sink, time, count, at);
  });
}

const parseQuote: RowParser = (sink, time, count, at) => {
  if (count === 3) sink.quote(time, at(1), at(2), 0, 0);
  else if (count >= 5) sink.quote(time, at(1), at(3), at(2), at(4));
  else sink.skip('wrong_columns');
};

const parseTrade: RowParser = (sink, time, count, at) => {
  if (count < 3) sink.skip('wrong_columns');
  else sink.trade(time, at(1), at(2), null, null);
};

const barParser =
  (isTrade: boolean, handle: BarHandler): RowParser =>
  (sink, time, count, at) => {
    if (count < (isTrade ? 6 : 11)) return sink.skip('wrong_columns');
    const bar = { open: at(1), high: at(2), low: at(3), close: at(4), volume: at(5) };
    if (isTrade) return handle(time, 'trade', bar);
    // Lean leaves the columns of a side without quotes empty.
    if (Number.isNaN(bar.open) && at(6) > 0) return sink.skip('one_sided');
    // Ask prices are not stored, but a row with impossible ones is damaged.
    const ask = { open: at(6), high: at(7), low: at(8), close: at(9), volume: 0 };
    if (Number.isNaN(ask.open) || sink.isPossible(time, ask)) handle(time, 'bid', bar);
  };

export const lean: Format = {
  name: 'lean',
  title: 'QuantConnect Lean',
  isHeaderless: true,
  detect: ({ name, lines }) => {
    if (DAY_NAME.test(name)) return /^\d+(\.\d+)?,\d/.test(lines[0] ?? '') ? 1 : 0;
    return mostLinesMatch(lines, LONG_ROW) ? 1 : 0;
  },
  rows,
};
