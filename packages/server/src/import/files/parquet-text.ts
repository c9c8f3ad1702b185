// Reads Parquet files as CSV text with a header, so that their columns are recognised by the same rules as those of a CSV.
// Timestamps become ISO 8601: with Z if the file states that they are in UTC, otherwise without a zone. Nested columns are left
// out. The file is held in memory as it is, compressed; its rows are decoded one row group at a time.

import { iso } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import type { AsyncBuffer, FileMetaData, SchemaElement } from 'hyparquet';
import { ImportError } from '../import-error.ts';
import { columnsOf } from '../rows/columns.ts';
import { latin1Text, withHead } from './bytes.ts';
import { checkSize, SIZE_LIMITS } from './size-guard.ts';

/** Magic bytes at both ends, and the length of the metadata. */
const MIN_FILE_BYTES = 12;
const MAX_FILE_BYTES = 1 << 30;
/** A run-length encoding can make any number of rows from a few bytes. */
const MAX_GROUP_ROWS = 1 << 23;
const TEXT_ROWS = 4_096;
/** The last time that a Date can have. */
const MAX_DATE_MS = 8.64e15;
const MAGIC = 'PAR1';
const ENCRYPTED_MAGIC = 'PARE';

const damaged = (problem: string): ImportError =>
  new ImportError('damaged_archive', `the Parquet file is damaged: ${problem}`);

/** Passes other files on unchanged. */
export async function* parquetAsCsv(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { head, all } = await withHead(chunks, MAGIC.length);
  const magic = latin1Text(head, 0, MAGIC.length);
  if (magic === ENCRYPTED_MAGIC) throw new ImportError('encrypted_archive', 'the Parquet file is encrypted');
  if (magic !== MAGIC) {
    yield* all;
    return;
  }
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of all) {
    size += chunk.length;
    if (size > MAX_FILE_BYTES) {
      throw new ImportError('archive_too_large', 'Parquet files over 1 GiB are not supported: split the file');
    }
    parts.push(chunk.slice() as Uint8Array<ArrayBuffer>);
  }
  yield* csvOf(new Blob(parts));
}

async function* csvOf(blob: Blob): AsyncGenerator<Uint8Array> {
  const { parquetMetadataAsync, parquetRead, parquetSchema } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  const file: AsyncBuffer = {
    byteLength: blob.size,
    slice: (start, end) => blob.slice(start, end ?? blob.size).arrayBuffer(),
  };
  const truncated = new ImportError('truncated_archive', 'the Parquet file is truncated');
  if (blob.size < MIN_FILE_BYTES) throw truncated;
  const metadata = await parquetMetadataAsync(file).catch((error: Error) => {
    throw /footer|metadata length/i.test(error.message) ? truncated : damaged(error.message);
  });
  checkGroups(metadata, blob.size);
  const elements = parquetSchema(metadata)
    .children.filter(({ children }) => children.length === 0)
    .map(({ element }) => element);
  const encoder = new TextEncoder();
  yield encoder.encode(`${namesOf(elements).join(',')}\n`);
  const columns = elements.map(({ name }) => name);
  const writers = elements.map(writerOf);
  let start = 0;
  for (const group of metadata.row_groups) {
    const end = start + Number(group.num_rows);
    const cursors = new Map(columns.map((name) => [name, new ColumnCursor()]));
    await parquetRead({
      file,
      metadata,
      compressors,
      columns,
      rowStart: start,
      rowEnd: end,
      parsers: TIMES_AS_NUMBERS,
      onChunk: ({ columnName, columnData }) => cursors.get(columnName)!.pieces.push(columnData),
    }).catch((error: Error) => {
      throw damaged(error.message);
    });
    const ordered = [...cursors.values()];
    for (let at = start; at < end; at += TEXT_ROWS) {
      let text = '';
      for (let row = at; row < Math.min(end, at + TEXT_ROWS); row++) {
        text += `${writers.map((write, column) => textOf(ordered[column]!.next(), write)).join(',')}\n`;
      }
      yield encoder.encode(text);
    }
    start = end;
  }
}

/** Times in milliseconds since 1970; a Date object for each would take far more memory. */
const TIMES_AS_NUMBERS = {
  timestampFromMilliseconds: (value: bigint): number => Number(value),
  timestampFromMicroseconds: (value: bigint): number => Number(value / 1_000n),
  timestampFromNanoseconds: (value: bigint): number => Number(value / 1_000_000n),
  dateFromDays: (days: number): number => days * DAY_MS,
};

/** The values of one column in the order of the rows. */
class ColumnCursor {
  readonly pieces: ArrayLike<unknown>[] = [];
  #piece = 0;
  #at = 0;

  next(): unknown {
    while (this.#at >= (this.pieces[this.#piece]?.length ?? Number.POSITIVE_INFINITY)) {
      this.#piece++;
      this.#at = 0;
    }
    return this.pieces[this.#piece]?.[this.#at++];
  }
}

function checkGroups({ row_groups }: FileMetaData, size: number): void {
  const unpacked = row_groups.reduce((sum, group) => sum + Number(group.total_byte_size), 0);
  checkSize(unpacked, size, SIZE_LIMITS);
  if (row_groups.some((group) => Number(group.num_rows) > MAX_GROUP_ROWS)) {
    throw new ImportError(
      'archive_too_large',
      `row groups with more than ${MAX_GROUP_ROWS} rows are not supported: write the file with smaller ones`,
    );
  }
}

const isTimestamp = ({ type, logical_type, converted_type }: SchemaElement): boolean =>
  logical_type?.type === 'TIMESTAMP' || (converted_type?.startsWith('TIMESTAMP') ?? false) || type === 'INT96';

/** Without a column whose name means time, the first one whose type does is it: the unnamed index of pandas. */
function namesOf(elements: readonly SchemaElement[]): string[] {
  const names = elements.map(({ name }) => cleaned(name));
  const { time, date } = columnsOf(names);
  const typed = elements.findIndex(isTimestamp);
  if (time < 0 && date < 0 && typed >= 0) names[typed] = 'time';
  return names;
}

const cleaned = (text: string): string => text.replace(/[",;|\t\r\n]/g, ' ');
type ValueWriter = (value: number | bigint | string | boolean) => string;
/** An impossible time becomes text that is no time. */
const isoText = (ms: unknown): string => (Math.abs(Number(ms)) <= MAX_DATE_MS ? iso(Number(ms)) : '-');

function textOf(value: unknown, write: ValueWriter): string {
  if (value === null || value === undefined) return '';
  return write(value as Parameters<ValueWriter>[0]);
}

function writerOf(element: SchemaElement): ValueWriter {
  const { type, logical_type: logical, converted_type: converted, scale = 0 } = element;
  if (isTimestamp(element)) {
    // INT96 has no zone, and its writers disagree. The older types without a logical one are in UTC.
    const isUtc = logical?.type === 'TIMESTAMP' ? logical.isAdjustedToUTC : type !== 'INT96';
    return (value) => {
      const text = isoText(value);
      return isUtc ? text : text.slice(0, -1);
    };
  }
  if (converted === 'DATE' || logical?.type === 'DATE') return (value) => isoText(value).slice(0, 10);
  if (converted === 'DECIMAL') return (value) => Number(value).toFixed(scale);
  if (type === 'FLOAT') return (value) => shortestFloat32(value as number);
  return (value) => cleaned(String(value));
}

/** The shortest decimal that is this 32-bit float: 1.1 instead of 1.10000002384. */
function shortestFloat32(value: number): string {
  for (let digits = 6; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(value);
}
