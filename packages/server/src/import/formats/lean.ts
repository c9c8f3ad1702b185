// QuantConnect Lean's data folder: zips named by date, each with one CSV without a header. Times are milliseconds since
// midnight of that date, with fractions (https://www.quantconnect.com/docs/v2/lean-engine/contributions/datasets).
//   20140501_eurusd_tick_quote.csv    ms, bid, ask            (crypto: ms, bid, bid size, ask, ask size)
//   20140501_eurusd_minute_quote.csv  ms, bid O H L C, bid size, ask O H L C, ask size
//   20140501_btcusd_tick_trade.csv    ms, price, size         20140501_btcusd_minute_trade.csv  ms, O H L C, volume
// Midnight is in the market's time zone: UTC for OANDA and the crypto venues, New York without daylight saving time for FXCM.
// Only the path contains the market; without it, the zone must be specified. Equities (prices × 10,000) are not supported.

import { DAY_MS } from '@tickwire/engine';
import { daysSinceEpoch } from '../date-time.ts';
import { parseDecimal } from '../decimal.ts';
import { FieldSplitter } from '../field-splitter.ts';
import type { FileSample } from '../file-sample.ts';
import { ImportError } from '../import-error.ts';
import type { RowSink } from '../row-sink.ts';
import { EASTERN_STANDARD, parseTimeZone, type TimeZone, UTC } from '../timezone.ts';
import { type Format, type FormatContext, LineReader } from './format.ts';

const COMMA = 44;
const NAME = /(\d{4})(\d{2})(\d{2})_(?:[a-z0-9.]+_)?(tick|minute)_(quote|trade)\.csv$/i;
const MARKETS: readonly (readonly [RegExp, TimeZone])[] = [
  [/(^|[/_.-])fxcm([/_.-]|$)/i, EASTERN_STANDARD],
  [/(^|[/_.-])(oanda|coinbase|gdax|bitfinex|binance|binanceus|kraken|bybit)([/_.-]|$)/i, UTC],
];

function zoneFor({ path }: FileSample, timezone: string | undefined): TimeZone {
  if (timezone) return parseTimeZone(timezone);
  const market = MARKETS.find(([pattern]) => pattern.test(path));
  if (market) return market[1];
  throw new ImportError(
    'timezone_required',
    'its path contains no known market (oanda, fxcm, coinbase…), so its time zone is unknown: specify --timezone',
  );
}

function rows({ sample, options, sink }: FormatContext): LineReader {
  const match = NAME.exec(sample.name);
  if (!match)
    throw new ImportError(
      'start_required',
      'its name has no date: Lean files are named like 20140501_eurusd_tick_quote.csv',
    );
  if (/(^|\/)equity\//i.test(sample.path)) {
    throw new ImportError('wrong_columns', 'Lean equities, whose prices have another scale, are not supported');
  }
  const zone = zoneFor(sample, options.timezone);
  const midnight = daysSinceEpoch(Number(match[1]), Number(match[2]), Number(match[3])) * DAY_MS;
  const parseRow = ROWS[`${match[4]!.toLowerCase()}_${match[5]!.toLowerCase()}`]!;
  const fields = new FieldSplitter();
  return new LineReader(sink, 0, (bytes, start, end) => {
    fields.split(bytes, start, end, COMMA);
    const ms = parseDecimal(bytes, fields.start[0]!, fields.end[0]!);
    const time = ms >= 0 ? zone.toUtc(midnight + Math.floor(ms)) : Number.NaN;
    parseRow(sink, time, fields.count, (field) => parseDecimal(bytes, fields.start[field]!, fields.end[field]!));
  });
}

type RowParser = (sink: RowSink, time: number, count: number, at: (field: number) => number) => void;

const ROWS: Readonly<Record<string, RowParser>> = {
  tick_quote: (sink, time, count, at) => {
    if (count === 3) sink.quote(time, at(1), at(2), 0, 0);
    else if (count >= 5) sink.quote(time, at(1), at(3), at(2), at(4));
    else sink.skip('wrong_columns');
  },
  tick_trade: (sink, time, count, at) => {
    if (count < 3) sink.skip('wrong_columns');
    else sink.trade(time, at(1), at(2), null, null);
  },
  minute_quote: (sink, time, count, at) => {
    if (count < 11) return sink.skip('wrong_columns');
    const ask = { open: at(6), high: at(7), low: at(8), close: at(9) };
    const own = { open: at(1), high: at(2), low: at(3), close: at(4), volume: at(5) };
    sink.bar(time, '1m', 'bid', { ...own, bidVolume: 0, askVolume: 0, ask });
  },
  minute_trade: (sink, time, count, at) => {
    if (count < 6) return sink.skip('wrong_columns');
    const own = { open: at(1), high: at(2), low: at(3), close: at(4), volume: at(5) };
    sink.bar(time, '1m', 'trade', { ...own, bidVolume: 0, askVolume: 0, ask: null });
  },
};

export const lean: Format = {
  name: 'lean',
  title: 'QuantConnect Lean',
  detect: ({ name, lines }) => (NAME.test(name) && /^\d+(\.\d+)?,\d/.test(lines[0] ?? '') ? 1 : 0),
  rows,
};
