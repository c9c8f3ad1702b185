// Any CSV with named columns: time (or date and time), and either bid and ask, or price (with size and side), or open, high,
// low and close (with volume). Separated by comma, tab, semicolon or vertical bar. Without a header, names are an option.
import { timeframeOf } from '../bar-timeframe.ts';
import { columnReader } from '../column-reader.ts';
import { columnsOf, requireRowKind, rowKindOf, separatorOf } from '../columns.ts';
import { ImportError } from '../import-error.ts';
import { parseTimeZone } from '../timezone.ts';
import type { Format, FormatContext, RowReader } from './format.ts';

const namesIn = (line: string): string[] => line.split(separatorOf(line)).map((name) => name.replaceAll('"', ''));
const hasNames = (line: string): boolean => namesIn(line).filter((name) => /[a-z]{2}/i.test(name)).length >= 2;
/** A time and at least two numbers, but no column names. */
const HEADERLESS = /^"?[\dTZ:. /+-]{8,}"?([,;\t|]\s*"?-?[\d.]+"?){2,}/;

function rows(context: FormatContext): RowReader {
  const { sample, options, sink } = context;
  const first = sample.lines[0] ?? '';
  if (!options.columns && !hasNames(first)) {
    throw new ImportError(
      'wrong_columns',
      'the first line has no column names: specify --columns, for example time,bid,ask',
    );
  }
  const names = options.columns ? options.columns.split(',') : namesIn(first);
  const columns = columnsOf(names);
  const kind = requireRowKind(columns, names);
  const separator = separatorOf(first);
  const zone = options.timezone ? parseTimeZone(options.timezone) : null;
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
    if (!hasNames(first)) return HEADERLESS.test(first) ? 0.5 : 0;
    return rowKindOf(columnsOf(namesIn(first))) ? 0.7 : 0;
  },
  rows,
};
