// CSV (RFC 4180, with a header line) and NDJSON. An unknown value is an empty cell in CSV and `null` in NDJSON.
import type { Column, TableSource } from './table.ts';
import { MAX_CELL, NumberCells, TimeCells, writeBytes } from './text-cells.ts';

/** A piece of a file has about this size. */
const PIECE_BYTES = 131_072;
/** Longest text of a cell, in bytes. Symbols, sides and sources are much shorter. */
const MAX_TEXT = 2_048;
const MAX_CACHED_TEXTS = 1_000;

const encoder = new TextEncoder();

interface TextFormat {
  /** Before the first row. */
  readonly head: string;
  /** Before each cell. */
  readonly before: readonly string[];
  /** After each row. */
  readonly end: string;
  /** Around a time. */
  readonly quote: string;
  readonly unknown: string;
  readonly escaped: (text: string) => string;
}

export function writeCsv<Row>(source: TableSource<Row>): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const names = source.columns.map(({ name }) => escapeCsv(name));
  return writeText(source, {
    head: `${names.join(',')}\n`,
    before: names.map((_, index) => (index === 0 ? '' : ',')),
    end: '\n',
    quote: '',
    unknown: '',
    escaped: escapeCsv,
  });
}

export function writeNdjson<Row>(source: TableSource<Row>): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  return writeText(source, {
    head: '',
    before: source.columns.map(({ name }, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    end: '}\n',
    quote: '"',
    unknown: 'null',
    escaped: (text) => JSON.stringify(text),
  });
}

const escapeCsv = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Writes a cell with the separator or name before it. Returns the position after the cell. */
type CellWriter<Row> = (row: Row, bytes: Uint8Array, at: number) => number;

async function* writeText<Row>(
  { columns, batches }: TableSource<Row>,
  format: TextFormat,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const cells = columns.map((column, index) => cellWriter(column, format, encoder.encode(format.before[index])));
  const end = encoder.encode(format.end);
  const longest = columns.map(({ name, type }) => 6 * name.length + 8 + (type === 'text' ? MAX_TEXT : MAX_CELL));
  const maxRow = longest.reduce((sum, length) => sum + length, end.length);
  const bytes = new Uint8Array(PIECE_BYTES + maxRow);
  let at = writeBytes(encoder.encode(format.head), bytes, 0);
  for await (const rows of batches) {
    for (let first = 0; first < rows.length; ) {
      const written = writeRows(rows, first, cells, end, bytes, at);
      first = written.next;
      at = written.at;
      if (at < PIECE_BYTES) continue;
      yield bytes.slice(0, at);
      at = 0;
    }
  }
  if (at > 0) yield bytes.slice(0, at);
}

/** Writes rows until the piece is full. */
function writeRows<Row>(
  rows: readonly Row[],
  first: number,
  cells: readonly CellWriter<Row>[],
  end: Uint8Array,
  bytes: Uint8Array,
  start: number,
): { readonly next: number; readonly at: number } {
  let at = start;
  let next = first;
  for (; next < rows.length && at < PIECE_BYTES; next++) {
    const row = rows[next]!;
    for (let index = 0; index < cells.length; index++) at = cells[index]!(row, bytes, at);
    at = writeBytes(end, bytes, at);
  }
  return { next, at };
}

function cellWriter<Row>(
  column: Column<Row>,
  { quote, unknown, escaped }: TextFormat,
  before: Uint8Array,
): CellWriter<Row> {
  const nothing = encoder.encode(unknown);
  const quotes = encoder.encode(quote);
  switch (column.type) {
    case 'time': {
      const times = new TimeCells();
      return (row, bytes, at) => {
        const start = writeBytes(before, bytes, at);
        const time = column.cell(row);
        if (time === null) return writeBytes(nothing, bytes, start);
        if (quotes.length === 0) return times.write(time, bytes, start);
        return writeBytes(quotes, bytes, times.write(time, bytes, writeBytes(quotes, bytes, start)));
      };
    }
    case 'number':
    case 'integer': {
      const numbers = new NumberCells();
      return (row, bytes, at) => {
        const start = writeBytes(before, bytes, at);
        const value = column.cell(row);
        return value === null ? writeBytes(nothing, bytes, start) : numbers.write(value, bytes, start);
      };
    }
    case 'text': {
      // The texts of a column are few: symbols, sides, sources.
      const known = new Map<string, Uint8Array>();
      return (row, bytes, at) => {
        const start = writeBytes(before, bytes, at);
        const text = column.cell(row);
        if (text === null) return writeBytes(nothing, bytes, start);
        let encoded = known.get(text);
        if (!encoded) {
          encoded = encoder.encode(escaped(text));
          if (encoded.length > MAX_TEXT) throw new Error(`a text of ${column.name} has ${encoded.length} bytes`);
          if (known.size < MAX_CACHED_TEXTS) known.set(text, encoded);
        }
        return writeBytes(encoded, bytes, start);
      };
    }
  }
}
