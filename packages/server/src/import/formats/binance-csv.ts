// Binance's public data (https://github.com/binance/binance-public-data), plain or zipped, with a header (futures) or
// without one (spot). Told apart by the columns:
//   trades     id, price, qty, quoteQty, time, isBuyerMaker[, isBestMatch]
//   aggTrades  id, price, qty, firstId, lastId, time, isBuyerMaker[, isBestMatch]
//   klines     openTime, O, H, L, C, volume, closeTime, quoteVolume, count, takerBuyVolume, takerBuyQuoteVolume, ignore
// Spot times are microseconds from 2025-01-01 on, milliseconds before and in futures: the number of digits tells.
// isBuyerMaker true: the buyer waited in the book, so the taker SOLD.
import { timeframeOfLength } from '../bar-timeframe.ts';
import { epoch } from '../date-time.ts';
import { decimal, whole } from '../decimal.ts';
import { Fields } from '../lines.ts';
import { mostMatch } from '../sample.ts';
import { type Format, type FormatContext, LineReader, type RowReader } from './format.ts';

const COMMA = 44;
const TIME = '\\d{13}(?:\\d{3})?';
const TRADE = new RegExp(`^\\d+,[\\d.]+,[\\d.]+,[\\d.]+,${TIME},(true|false)(,(true|false))?$`, 'i');
const AGGREGATE = new RegExp(`^\\d+,[\\d.]+,[\\d.]+,-?\\d+,-?\\d+,${TIME},(true|false)(,(true|false))?$`, 'i');
const KLINE = new RegExp(`^${TIME}(,[\\d.]+){5},${TIME},[\\d.]+,\\d+,[\\d.]+,[\\d.]+,[\\d.]+$`);
const isHeader = (line: string | undefined): boolean => /^"?[a-z]/i.test(line ?? '');
const lowerT = (byte: number): boolean => (byte | 32) === 116;

function trades({ sink }: FormatContext, header: number, timeColumn: number): RowReader {
  const fields = new Fields();
  return new LineReader(sink, header, (bytes, start, end) => {
    if (fields.split(bytes, start, end, COMMA) < timeColumn + 2) return sink.skip('wrong_columns');
    const { start: from, end: to } = fields;
    const id = whole(bytes, from[0]!, to[0]!);
    const time = epoch(bytes, from[timeColumn]!, to[timeColumn]!);
    const price = decimal(bytes, from[1]!, to[1]!);
    const size = decimal(bytes, from[2]!, to[2]!);
    const side = lowerT(bytes[from[timeColumn + 1]!]!) ? 'sell' : 'buy';
    sink.trade(time, price, size, side, Number.isNaN(id) ? null : id);
  });
}

function klines({ sample, sink }: FormatContext, header: number): RowReader {
  const fields = new Fields();
  const encoder = new TextEncoder();
  const [open, , , , , , close] = sample.lines
    .find((line) => KLINE.test(line))!
    .split(',')
    .map((text) => encoder.encode(text));
  const timeframe = timeframeOfLength(epoch(close!, 0, close!.length) + 1 - epoch(open!, 0, open!.length));
  return new LineReader(sink, header, (bytes, start, end) => {
    if (fields.split(bytes, start, end, COMMA) < 11) return sink.skip('wrong_columns');
    const at = (field: number): number => decimal(bytes, fields.start[field]!, fields.end[field]!);
    // A minute without trades is filled in with the last price; the market itself had no such bar.
    if (at(8) === 0) return sink.skip('flat_bar');
    const volume = at(5);
    const askVolume = at(9);
    const prices = { open: at(1), high: at(2), low: at(3), close: at(4) };
    const time = epoch(bytes, fields.start[0]!, fields.end[0]!);
    const bidVolume = Math.max(0, volume - askVolume);
    sink.bar(time, timeframe, 'trade', { ...prices, volume, bidVolume, askVolume, ask: null });
  });
}

export const binanceCsv: Format = {
  name: 'binance-csv',
  title: 'Binance public data',
  detect: ({ lines }) => {
    const header = isHeader(lines[0]) ? 1 : 0;
    return [TRADE, AGGREGATE, KLINE].some((pattern) => mostMatch(lines, pattern, header)) ? 1 : 0;
  },
  rows: (context) => {
    const { lines } = context.sample;
    const header = isHeader(lines[0]) ? 1 : 0;
    if (mostMatch(lines, KLINE, header)) return klines(context, header);
    return trades(context, header, mostMatch(lines, AGGREGATE, header) ? 5 : 4);
  },
};
