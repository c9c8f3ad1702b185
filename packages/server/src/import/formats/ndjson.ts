// One JSON object per line, as in the push interface:
//   {"symbol","time","bid","ask","bid_size"?,"ask_size"?}   {"symbol","time","price","size","side"?,"side_method"?,"id"?}
//   {"symbol","time","open","high","low","close","volume"?,"buy_volume"?,"sell_volume"?,"basis"?}
// `time` is in milliseconds or ISO 8601 with a zone. Without `symbol`, a line belongs to the imported symbol.

import { latin1Text } from '../files/bytes.ts';
import { mostLinesMatch } from '../files/file-sample.ts';
import { LineReader, type RowReader } from '../rows/line-reader.ts';
import { symbolOf } from '../rows/symbol-filter.ts';
import { TimestampReader } from '../rows/timestamp.ts';
import { parseTimeZone } from '../rows/timezone.ts';
import { type Format, type FormatContext, timeframeOf } from './format.ts';

const OBJECT = /^\s*\{.*"time"\s*:.*\}\s*$/;
const sizeOf = (value: unknown): number => (value === undefined || value === null ? 0 : numberOf(value));
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);
const sideOf = (value: unknown) => (value === 'buy' || value === 'sell' ? value : null);
const methodOf = (value: unknown) => (value === 'quote_rule' || value === 'tick_rule' ? value : null);
type Prices = [open: number, high: number, low: number, close: number];

function rows(context: FormatContext): RowReader {
  const { options, sink } = context;
  const timeframe = timeframeOf(context);
  const timestamps = new TimestampReader(options.timezone ? parseTimeZone(options.timezone) : null, sink.times, false);
  const encoder = new TextEncoder();
  const wanted = symbolOf(options.symbol);
  const timeOf = (value: unknown): number => {
    const bytes = encoder.encode(String(value));
    return timestamps.read(bytes, 0, bytes.length);
  };
  return new LineReader(sink, 0, (bytes, start, end) => {
    let line: Record<string, unknown> | null;
    try {
      line = JSON.parse(latin1Text(bytes, start, end)) as typeof line;
    } catch {
      return sink.skip('not_json');
    }
    if (typeof line !== 'object' || line === null) return sink.skip('not_json');
    if (typeof line.symbol === 'string' && line.symbol !== options.symbol && symbolOf(line.symbol) !== wanted) {
      return sink.skip('unknown_symbol');
    }
    const time = timeOf(line.time);
    if ('bid' in line || 'ask' in line) {
      sink.quote(time, numberOf(line.bid), numberOf(line.ask), sizeOf(line.bid_size), sizeOf(line.ask_size));
    } else if ('price' in line) {
      const id = Number.isSafeInteger(line.id) ? (line.id as number) : null;
      const side = sideOf(line.side);
      const method = side === null ? null : methodOf(line.side_method);
      sink.trade(time, numberOf(line.price), sizeOf(line.size), side, id, method);
    } else if ('open' in line) {
      const [open, high, low, close] = [line.open, line.high, line.low, line.close].map(numberOf) as Prices;
      const volume = sizeOf(line.volume);
      const [bidVolume, askVolume] = [sizeOf(line.sell_volume), sizeOf(line.buy_volume)];
      const basis = line.basis === 'bid' || line.basis === 'trade' ? line.basis : (options.basis ?? 'trade');
      sink.bar(time, timeframe, basis, { open, high, low, close, volume, bidVolume, askVolume });
    } else sink.skip('wrong_columns');
  });
}

export const ndjson: Format = {
  name: 'ndjson',
  title: 'NDJSON (push format)',
  detect: ({ lines }) => (mostLinesMatch(lines, OBJECT) && /"(bid|ask|price|open)"\s*:/.test(lines[0]!) ? 1 : 0),
  rows,
};
