// HistData.com, "Generic ASCII": ticks 20140501 000000123,bid,ask,volume and minutes 20140501 000000;O;H;L;C;volume. The
// MetaTrader form 2014.05.01,00:00,O,H,L,C,volume is recognised only by the file's name (DAT_MT_…). Times are New York time
// without daylight saving time (https://www.histdata.com/f-a-q/data-files-detailed-specification/). Minutes are bid bars with a
// volume of 0. NinjaTrader exports bars of any length in the same layout, with volumes: their zone must be given.

import { mostLinesMatch } from '../files/file-sample.ts';
import { ImportError } from '../import-error.ts';
import { FieldSplitter } from '../rows/field-splitter.ts';
import { LineReader, type RowReader } from '../rows/line-reader.ts';
import { TimestampReader } from '../rows/timestamp.ts';
import { EASTERN_STANDARD, parseTimeZone } from '../rows/timezone.ts';
import { type Format, type FormatContext, timeframeOf } from './format.ts';

const COMMA = 44;
const SEMICOLON = 59;
const TICK = /^\d{8} \d{9},[\d.]+,[\d.]+(,[\d.]*)?$/;
const MINUTE = /^\d{8} \d{6};[\d.]+;[\d.]+;[\d.]+;[\d.]+(;[\d.]*)?$/;
const METATRADER = /^\d{4}\.\d\d\.\d\d,\d\d:\d\d,[\d.]+,/;
const METATRADER_NAME = /DAT_MT_[A-Z]+_M1/i;
/** A volume other than 0, after the time and four prices. */
const hasVolume = (line: string): boolean => Number(line.split(';')[5]) > 0;

function rows(context: FormatContext): RowReader {
  const { sample, options, sink } = context;
  const isHistData = !sample.lines.some(hasVolume);
  const zone = options.timezone ? parseTimeZone(options.timezone) : isHistData ? EASTERN_STANDARD : null;
  const isTicks = mostLinesMatch(sample.lines, TICK);
  const timestamps = new TimestampReader(zone, sink.times, !isTicks);
  const fields = new FieldSplitter();
  if (isTicks) {
    return new LineReader(sink, 0, (bytes, start, end) => {
      if (fields.split(bytes, start, end, COMMA) < 3) return sink.skip('wrong_columns');
      const time = timestamps.read(bytes, fields.start[0]!, fields.end[0]!);
      sink.quote(time, fields.decimal(1), fields.decimal(2), 0, 0);
    });
  }
  if (!isHistData && options.barTime === undefined)
    throw new ImportError(
      'bar_time_required',
      'it has the layout of NinjaTrader, whose exports have the end of each bar as its time, while other programs write the start: specify --bar-time end or start',
    );
  const split = METATRADER_NAME.test(sample.name);
  const first = split ? 2 : 1;
  const timeframe = timeframeOf(context);
  const basis = options.basis ?? (isHistData ? 'bid' : 'trade');
  return new LineReader(sink, 0, (bytes, start, end) => {
    if (fields.split(bytes, start, end, split ? COMMA : SEMICOLON) < first + 4) return sink.skip('wrong_columns');
    const at = (field: number): number => fields.decimal(field);
    const { start: from, end: to } = fields;
    const time = split
      ? timestamps.readSplit(bytes, from[0]!, to[0]!, from[1]!, to[1]!)
      : timestamps.read(bytes, from[0]!, to[0]!);
    const prices = { open: at(first), high: at(first + 1), low: at(first + 2), close: at(first + 3) };
    sink.bar(time, timeframe, basis, { ...prices, volume: fields.count > first + 4 ? at(first + 4) || 0 : 0 });
  });
}

export const histdata: Format = {
  name: 'histdata',
  title: 'HistData.com ASCII or NinjaTrader',
  isHeaderless: true,
  detect: ({ lines, name }) => {
    if (mostLinesMatch(lines, TICK) || mostLinesMatch(lines, MINUTE)) return 1;
    return METATRADER_NAME.test(name) && mostLinesMatch(lines, METATRADER) ? 1 : 0;
  },
  rows,
};
