// Any CSV with named columns: time (or date and time), and either bid and ask, or price (with size and side), or open, high,
// low and close (with volume). Separated by comma, tab, semicolon or vertical bar. A title may precede the names. Without
// names, they are an option.

import type { FileSample } from '../files/file-sample.ts';
import { ImportError } from '../import-error.ts';
import { columnReader } from '../rows/column-reader.ts';
import {
  type Columns,
  columnsOf,
  requireRowKind,
  rowKindOf,
  saysUtc,
  separatorOf,
  unusedVolumes,
  withoutIgnored,
} from '../rows/columns.ts';
import { parseUnixTime } from '../rows/date-time.ts';
import { FieldSplitter } from '../rows/field-splitter.ts';
import type { RowReader } from '../rows/line-reader.ts';
import { numberStyleOf } from '../rows/number-style.ts';
import { parseTimeZone, type TimeZone, UTC } from '../rows/timezone.ts';
import { refuseAskBars } from './dukascopy-csv.ts';
import { type Format, type FormatContext, type FormatOptions, timeframeOf } from './format.ts';

/** Lines in which the names are searched: a title, a source, a line such as sep=; may precede them. */
const MAX_TITLE_LINES = 5;
const fieldsOf = (line: string, separator: string): string[] => {
  const fields = new FieldSplitter();
  const bytes = Buffer.from(line, 'latin1');
  fields.split(bytes, 0, bytes.length, separator.charCodeAt(0));
  return Array.from({ length: fields.count }, (_, field) => fields.text(field));
};
const namesIn = (line: string): string[] => fieldsOf(line, separatorOf(line));
const hasNames = (line: string): boolean => namesIn(line).filter((name) => /[a-z]{2}/i.test(name)).length >= 2;
/** A time and at least two numbers, but no column names. */
const HEADERLESS = /^"?[\dTZ:. /+-]{8,}"?([,;\t|]\s*"?-?[\d.,]+"?){2,}/;

/** The index of the line with the names; -1 if there is none. */
function headerIndex(lines: readonly string[]): number {
  const candidates = lines.slice(0, MAX_TITLE_LINES);
  const complete = candidates.findIndex((line) => hasNames(line) && rowKindOf(columnsOf(namesIn(line))) !== null);
  return complete >= 0 ? complete : hasNames(candidates[0] ?? '') ? 0 : -1;
}

interface Table {
  readonly names: readonly string[];
  readonly separator: string;
  /** Lines before the first row. */
  readonly header: number;
  /** Fields of the first rows. */
  readonly rows: readonly (readonly string[])[];
}

function tableOf({ lines, lineNumbers }: FileSample, options: FormatOptions): Table {
  const header = headerIndex(lines);
  if (header < 0 && !options.columns) {
    throw new ImportError(
      'wrong_columns',
      'the first line has no column names: specify --columns, for example time,bid,ask',
    );
  }
  const separator = separatorOf(lines[Math.max(0, header)] ?? '');
  const found = options.columns ? options.columns.split(',') : fieldsOf(lines[header]!, separator);
  const names = withoutIgnored(found, options.ignoredColumns ?? []);
  return {
    names,
    separator,
    header: header < 0 ? 0 : lineNumbers[header]!,
    rows: lines.slice(header + 1).map((line) => fieldsOf(line, separator)),
  };
}

const isUnixTime = (text: string | undefined): boolean => {
  const bytes = new TextEncoder().encode(text ?? '');
  return !Number.isNaN(parseUnixTime(bytes, 0, bytes.length));
};

/** A Unix time beside a date tells the same more exactly; a date with a time of day needs no other column. */
function withOneTime(columns: Columns, { rows }: Table): Columns {
  const [first] = rows;
  if (columns.time < 0 || columns.date < 0 || !first) return columns;
  if (isUnixTime(first[columns.time])) return { ...columns, date: -1 };
  if (isUnixTime(first[columns.date])) return { ...columns, time: -1 };
  const isClock = /^\d{1,2}:|^\d{4,6}$/.test(first[columns.time] ?? '');
  return isClock ? columns : { ...columns, date: -1 };
}

/** The zone in the name of the time column, or else the option. */
function zoneOf({ time, date }: Columns, names: readonly string[], timezone: string | undefined): TimeZone | null {
  const name = [time, date].map((column) => names[column] ?? '').find(saysUtc);
  if (name === undefined) return timezone ? parseTimeZone(timezone) : null;
  if (timezone && parseTimeZone(timezone) !== UTC) {
    throw new ImportError(
      'wrong_timezone',
      `its column ${name} has times in UTC, but --timezone is ${timezone}: leave --timezone out, or name the columns with --columns`,
    );
  }
  return UTC;
}

function rows(context: FormatContext): RowReader {
  const { sample, options, sink } = context;
  const table = tableOf(sample, options);
  const { names, separator, header } = table;
  const columns = withOneTime(columnsOf(names, options.symbol), table);
  const kind = requireRowKind(columns, names);
  const { open, high, low, close, bid, ask, price } = columns;
  const prices = { bar: [open, high, low, close], quote: [bid, ask], trade: [price] }[kind];
  const numbers = numberStyleOf(
    table.rows.flatMap((row) => prices.map((column) => row[column] ?? '')),
    options.decimal,
  );
  const zone = zoneOf(columns, names, options.timezone);
  const isBid = names.some((name) => /^(bid.?o(pen)?|open.?bid)$/i.test(name.trim()));
  const basis = options.basis ?? (isBid ? 'bid' : 'trade');
  const unused = unusedVolumes(names, columns, kind);
  const layout = { columns, kind, separator, header, zone, basis, numbers, symbol: options.symbol, unused };
  if (kind === 'bar') refuseAskBars(sample.name);
  return columnReader({ ...layout, timeframe: timeframeOf(context) }, sink);
}

export const csv: Format = {
  name: 'csv',
  title: 'CSV with named columns',
  detect: ({ lines }) => {
    const header = headerIndex(lines);
    if (header < 0) return HEADERLESS.test(lines[0] ?? '') ? 0.5 : 0;
    return rowKindOf(columnsOf(namesIn(lines[header]!))) ? 0.7 : 0;
  },
  rows,
};
