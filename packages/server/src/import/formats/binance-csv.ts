// Binance's public data (https://github.com/binance/binance-public-data), plain or zipped, with a header (futures) or
// without one (spot). Distinguished by their columns:
//   trades     id, price, qty, quoteQty, time, isBuyerMaker[, isBestMatch]
//   aggTrades  id, price, qty, firstId, lastId, time, isBuyerMaker[, isBestMatch]
//   klines     openTime, O, H, L, C, volume, closeTime, quoteVolume, count, takerBuyVolume, takerBuyQuoteVolume, ignore
// Spot times are microseconds since 2025-01-01, milliseconds before that and in futures: the number of digits shows it.
// isBuyerMaker true: the buyer was the maker, so the taker SOLD.

import { mostLinesMatch } from '../files/file-sample.ts';
import { SHORTEST_MONTH_MS, timeframeOfLength } from '../rows/bar-interval.ts';
import { parseUnixTime } from '../rows/date-time.ts';
import { parseInteger } from '../rows/decimal.ts';
import { FieldSplitter } from '../rows/field-splitter.ts';
import { LineReader, type RowReader } from '../rows/line-reader.ts';
import type { Format, FormatContext } from './format.ts';

const COMMA = 44;
const TIME = '\\d{13}(?:\\d{3})?';
const TRADE = new RegExp(`^\\d+,[\\d.]+,[\\d.]+,[\\d.]+,${TIME},(true|false)(,(true|false))?$`, 'i');
const AGGREGATE = new RegExp(`^\\d+,[\\d.]+,[\\d.]+,-?\\d+,-?\\d+,${TIME},(true|false)(,(true|false))?$`, 'i');
const KLINE = new RegExp(`^${TIME}(,[\\d.]+){5},${TIME},[\\d.]+,\\d+,[\\d.]+,[\\d.]+,[\\d.]+$`);
const isHeader = (line: string | undefined): boolean => /^"?[a-z]/i.test(line ?? '');
const isTrue = (byte: number): boolean => (byte | 32) === 116;

function trades({ sink }: FormatContext, header: number, timeColumn: number): RowReader {
  const fields = new FieldSplitter();
  return new LineReader(sink, header, (bytes, start, end) => {
    if (fields.split(bytes, start, end, COMMA) < timeColumn + 2) return sink.skip('wrong_columns');
    const { start: from, end: to } = fields;
    const id = parseInteger(bytes, from[0]!, to[0]!);
    const time = parseUnixTime(bytes, from[timeColumn]!, to[timeColumn]!);
    const side = isTrue(bytes[from[timeColumn + 1]!]!) ? 'sell' : 'buy';
    sink.trade(time, fields.decimal(1), fields.decimal(2), side, Number.isNaN(id) ? null : id);
  });
}

function klines({ sample, sink }: FormatContext, header: number): RowReader {
  const fields = new FieldSplitter();
  const encoder = new TextEncoder();
  const [open, , , , , , close] = sample.lines
    .find((line) => KLINE.test(line))!
    .split(',')
    .map((text) => encoder.encode(text));
  const length = parseUnixTime(close!, 0, close!.length) + 1 - parseUnixTime(open!, 0, open!.length);
  const timeframe = length >= SHORTEST_MONTH_MS ? '1M' : timeframeOfLength(length);
  return new LineReader(sink, header, (bytes, start, end) => {
    if (fields.split(bytes, start, end, COMMA) < 11) return sink.skip('wrong_columns');
    const at = (field: number): number => fields.decimal(field);
    // Binance fills a minute without trades with the last price.
    if (at(8) === 0) return sink.skip('flat_bar');
    const volume = at(5);
    const askVolume = at(9);
    const prices = { open: at(1), high: at(2), low: at(3), close: at(4) };
    const time = parseUnixTime(bytes, fields.start[0]!, fields.end[0]!);
    const bidVolume = Math.max(0, volume - askVolume);
    sink.bar(time, timeframe, 'trade', { ...prices, volume, bidVolume, askVolume });
  });
}

export const binanceCsv: Format = {
  name: 'binance-csv',
  title: 'Binance public data',
  detect: ({ lines }) => {
    const header = isHeader(lines[0]) ? 1 : 0;
    return [TRADE, AGGREGATE, KLINE].some((pattern) => mostLinesMatch(lines, pattern, header)) ? 1 : 0;
  },
  rows: (context) => {
    const { lines } = context.sample;
    const header = isHeader(lines[0]) ? 1 : 0;
    if (mostLinesMatch(lines, KLINE, header)) return klines(context, header);
    return trades(context, header, mostLinesMatch(lines, AGGREGATE, header) ? 5 : 4);
  },
};
