// CSV (RFC 4180, with a header line) and NDJSON. An unknown value is an empty cell in CSV and `null` in NDJSON.
import { pauses } from '../../ops/pauses.ts';
import type { Column, TableSource } from './table.ts';
import { isPlain, MAX_CELL, NumberCells, TimeCells, writeBytes, writePlain } from './text-cells.ts';

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

interface TextColumn<Row> {
  /** The separator or name before each cell. */
  readonly before: Uint8Array;
  readonly cell: (row: Row) => number | string | null;
  /** `null` if the cells are not numbers. */
  readonly numbers: NumberCells | null;
  /** Returns the position after the cell. */
  readonly write: (row: Row, text: DataView, at: number) => number;
}

async function* writeText<Row>(
  { columns, batches }: TableSource<Row>,
  format: TextFormat,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const textColumns = columns.map((column, index) => textColumn(column, format, encoder.encode(format.before[index])));
  const end = encoder.encode(format.end);
  const unknown = encoder.encode(format.unknown);
  const longest = columns.map(({ name, type }) => 6 * name.length + 8 + (type === 'text' ? MAX_TEXT : MAX_CELL));
  const maxRow = longest.reduce((sum, length) => sum + length, end.length);
  const bytes = new Uint8Array(PIECE_BYTES + maxRow);
  const text = new DataView(bytes.buffer);
  const pause = pauses();
  let at = writeBytes(encoder.encode(format.head), text, 0);
  for await (const rows of batches) {
    for (let first = 0; first < rows.length; ) {
      const written = writeRows(rows, first, textColumns, unknown, end, text, at);
      first = written.next;
      at = written.at;
      if (at < PIECE_BYTES) continue;
      yield bytes.slice(0, at);
      at = 0;
      await pause();
    }
  }
  if (at > 0) yield bytes.slice(0, at);
}

/** Writes rows until the piece is full. Most numbers are written here, which saves a call for each. */
function writeRows<Row>(
  rows: readonly Row[],
  first: number,
  columns: readonly TextColumn<Row>[],
  unknown: Uint8Array,
  end: Uint8Array,
  text: DataView,
  start: number,
): { readonly next: number; readonly at: number } {
  let at = start;
  let next = first;
  for (; next < rows.length && at < PIECE_BYTES; next++) {
    const row = rows[next]!;
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index]!;
      at = writeBytes(column.before, text, at);
      if (column.numbers === null) {
        at = column.write(row, text, at);
        continue;
      }
      const value = column.cell(row) as number | null;
      if (value === null) {
        at = writeBytes(unknown, text, at);
        continue;
      }
      const { power } = column.numbers;
      const units = Math.round(value * power);
      at =
        units / power === value && isPlain(value, units)
          ? writePlain(value, units, power, text, at)
          : column.numbers.write(value, text, at);
    }
    at = writeBytes(end, text, at);
  }
  return { next, at };
}

function textColumn<Row>(column: Column<Row>, format: TextFormat, before: Uint8Array): TextColumn<Row> {
  const quotes = encoder.encode(format.quote);
  const unknown = encoder.encode(format.unknown);
  const { cell } = column;
  switch (column.type) {
    case 'time': {
      const times = new TimeCells();
      const write = (row: Row, text: DataView, at: number): number => {
        const time = column.cell(row);
        if (time === null) return writeBytes(unknown, text, at);
        return writeBytes(quotes, text, times.write(time, text, writeBytes(quotes, text, at)));
      };
      return { before, cell, numbers: null, write };
    }
    case 'number':
    case 'integer': {
      return { before, cell, numbers: new NumberCells(), write: (_row, _text, at) => at };
    }
    case 'text': {
      // The texts of a column are few: symbols, sides, sources.
      const known = new Map<string, Uint8Array>();
      const encode = (value: string): Uint8Array => {
        const encoded = encoder.encode(format.escaped(value));
        if (encoded.length > MAX_TEXT) throw new Error(`a text of ${column.name} has ${encoded.length} bytes`);
        if (known.size < MAX_CACHED_TEXTS) known.set(value, encoded);
        return encoded;
      };
      const write = (row: Row, text: DataView, at: number): number => {
        const value = column.cell(row);
        return writeBytes(value === null ? unknown : (known.get(value) ?? encode(value)), text, at);
      };
      return { before, cell, numbers: null, write };
    }
  }
}
