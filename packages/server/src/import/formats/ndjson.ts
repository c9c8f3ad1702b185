// One JSON object to a line, as the push interface takes them:
//   {"symbol","time","bid","ask","bid_size"?,"ask_size"?}   {"symbol","time","price","size","side"?}
// `time` in milliseconds or ISO 8601 with its zone. `symbol` may be missing: then the file is all of one.
import { textOf } from '../decimal.ts';
import { mostMatch } from '../sample.ts';
import { StampReader } from '../stamp.ts';
import { zoneOf } from '../zone.ts';
import { type Format, type FormatContext, LineReader, type RowReader } from './format.ts';

interface Line {
  readonly [key: string]: unknown;
}

const OBJECT = /^\s*\{.*"time"\s*:.*\}\s*$/;
const sizeOf = (value: unknown): number => (value === undefined || value === null ? 0 : numberOf(value));
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);
const sideOf = (value: unknown) => (value === 'buy' || value === 'sell' ? value : null);

function rows({ options, sink }: FormatContext): RowReader {
  const stamps = new StampReader(options.timezone ? zoneOf(options.timezone) : null);
  const encoder = new TextEncoder();
  const timeOf = (value: unknown): number => {
    if (typeof value === 'number') return Math.floor(value);
    const bytes = encoder.encode(String(value));
    return stamps.read(bytes, 0, bytes.length);
  };
  return new LineReader(sink, 0, (bytes, start, end) => {
    let line: Line | null;
    try {
      line = JSON.parse(textOf(bytes, start, end)) as Line | null;
    } catch {
      return sink.skip('not_json');
    }
    if (typeof line !== 'object' || line === null) return sink.skip('not_json');
    if (typeof line.symbol === 'string' && line.symbol.toUpperCase() !== options.symbol.toUpperCase()) {
      return sink.skip('unknown_symbol');
    }
    const time = timeOf(line.time);
    if ('bid' in line || 'ask' in line) {
      sink.quote(time, numberOf(line.bid), numberOf(line.ask), sizeOf(line.bid_size), sizeOf(line.ask_size));
    } else if ('price' in line) {
      sink.trade(time, numberOf(line.price), sizeOf(line.size), sideOf(line.side), null);
    } else sink.skip('wrong_columns');
  });
}

export const ndjson: Format = {
  name: 'ndjson',
  title: 'NDJSON as the push interface takes it',
  detect: ({ lines }) => (mostMatch(lines, OBJECT) && /"(bid|ask|price)"\s*:/.test(lines[0]!) ? 1 : 0),
  rows,
};
