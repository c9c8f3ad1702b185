// Any CSV whose columns have names: time (or date and time), and bid and ask, or price (with size and side), or open, high,
// low and close (with volume). Separated by comma, tab, semicolon or bar. Without a header the names are given by hand.
import { timeframeOf } from '../bar-timeframe.ts';
import { columnReader } from '../column-rows.ts';
import { columnsOf, kindOf, requireKind, separatorOf } from '../columns.ts';
import { ImportError } from '../import-error.ts';
import { zoneOf } from '../zone.ts';
import type { Format, FormatContext, RowReader } from './format.ts';

const namesIn = (line: string): string[] => line.split(separatorOf(line)).map((name) => name.replaceAll('"', ''));
const hasNames = (line: string): boolean => namesIn(line).filter((name) => /[a-z]{2}/i.test(name)).length >= 2;
/** A time, then two numbers or more: a table, but of what? */
const NAMELESS = /^"?[\dTZ:. /+-]{8,}"?([,;\t|]\s*"?-?[\d.]+"?){2,}/;

function rows(context: FormatContext): RowReader {
  const { sample, options, sink } = context;
  const first = sample.lines[0] ?? '';
  if (!options.columns && !hasNames(first)) {
    throw new ImportError(
      'wrong_columns',
      'its first line names no columns: give --columns time,bid,ask (or what they are)',
    );
  }
  const names = options.columns ? options.columns.split(',') : namesIn(first);
  const columns = columnsOf(names);
  const kind = requireKind(columns, names);
  const separator = separatorOf(first);
  const zone = options.timezone ? zoneOf(options.timezone) : null;
  const basis = options.basis ?? 'trade';
  const layout = { columns, kind, separator, header: hasNames(first) ? 1 : 0, zone, basis };
  if (kind !== 'bar') return columnReader(layout, sink);
  const timeframe = timeframeOf(context, (scratch, assumed) =>
    columnReader({ ...layout, timeframe: assumed }, scratch),
  );
  return columnReader({ ...layout, timeframe }, sink);
}

export const csv: Format = {
  name: 'csv',
  title: 'CSV with named columns',
  detect: ({ lines }) => {
    const first = lines[0] ?? '';
    if (!hasNames(first)) return NAMELESS.test(first) ? 0.5 : 0;
    return kindOf(columnsOf(namesIn(first))) ? 0.7 : 0;
  },
  rows,
};
