// HistData.com, "Generic ASCII": ticks 20140501 000000123,bid,ask,volume and minutes 20140501 000000;O;H;L;C;volume. The
// MetaTrader form 2014.05.01,00:00,O,H,L,C,volume is recognised only by the file's name (DAT_MT_…). Times are New York time
// without daylight saving time (https://www.histdata.com/f-a-q/data-files-detailed-specification/). The volume is always 0.
// Minutes are bid bars.

import { parseDecimal } from '../decimal.ts';
import { FieldSplitter } from '../field-splitter.ts';
import { mostLinesMatch } from '../file-sample.ts';
import { TimestampReader } from '../timestamp.ts';
import { EASTERN_STANDARD, parseTimeZone } from '../timezone.ts';
import { type Format, type FormatContext, LineReader, type RowReader } from './format.ts';

const COMMA = 44;
const SEMICOLON = 59;
const TICK = /^\d{8} \d{9},[\d.]+,[\d.]+(,[\d.]*)?$/;
const MINUTE = /^\d{8} \d{6};[\d.]+;[\d.]+;[\d.]+;[\d.]+(;[\d.]*)?$/;
const METATRADER = /^\d{4}\.\d\d\.\d\d,\d\d:\d\d,[\d.]+,/;
const METATRADER_NAME = /DAT_MT_[A-Z]+_M1/i;

function rows({ sample, options, sink }: FormatContext): RowReader {
  const timestamps = new TimestampReader(
    options.timezone ? parseTimeZone(options.timezone) : EASTERN_STANDARD,
    sink.times,
  );
  const fields = new FieldSplitter();
  if (mostLinesMatch(sample.lines, TICK)) {
    return new LineReader(sink, 0, (bytes, start, end) => {
      if (fields.split(bytes, start, end, COMMA) < 3) return sink.skip('wrong_columns');
      const time = timestamps.read(bytes, fields.start[0]!, fields.end[0]!);
      const bid = parseDecimal(bytes, fields.start[1]!, fields.end[1]!);
      sink.quote(time, bid, parseDecimal(bytes, fields.start[2]!, fields.end[2]!), 0, 0);
    });
  }
  const split = METATRADER_NAME.test(sample.name);
  const first = split ? 2 : 1;
  return new LineReader(sink, 0, (bytes, start, end) => {
    if (fields.split(bytes, start, end, split ? COMMA : SEMICOLON) < first + 4) return sink.skip('wrong_columns');
    const at = (field: number): number => parseDecimal(bytes, fields.start[field]!, fields.end[field]!);
    const { start: from, end: to } = fields;
    const time = split
      ? timestamps.readSplit(bytes, from[0]!, to[0]!, from[1]!, to[1]!)
      : timestamps.read(bytes, from[0]!, to[0]!);
    const prices = { open: at(first), high: at(first + 1), low: at(first + 2), close: at(first + 3) };
    sink.bar(time, '1m', 'bid', { ...prices, volume: 0, bidVolume: 0, askVolume: 0, ask: null });
  });
}

export const histdata: Format = {
  name: 'histdata',
  title: 'HistData.com ASCII',
  detect: ({ lines, name }) => {
    if (mostLinesMatch(lines, TICK) || mostLinesMatch(lines, MINUTE)) return 1;
    return METATRADER_NAME.test(name) && mostLinesMatch(lines, METATRADER) ? 1 : 0;
  },
  rows,
};
