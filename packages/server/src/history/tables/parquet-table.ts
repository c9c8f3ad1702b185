// Parquet files, a row group at a time. Prices repeat within a row group, so they are encoded by a dictionary; times as
// differences. Snappy is the only compression that every reader has.
//
// Columns are written one by one, so that other work can run in between. Two things are done here because measured they take a
// third of the time of the library: the statistics of a column, by which readers skip row groups, and times as integers.
import type { ColumnChunk, DecodedArray, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { writeColumn } from 'hyparquet-writer/src/column.js';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';
import { pauses } from '../../ops/pauses.ts';
import type { Column, ColumnType, TableSource } from './table.ts';

/** A column of a group is written at once, in about 4 ms. Readers over HTTP send one request or more for each group. */
const ROW_GROUP = 8_192;
const COMPRESSORS = { SNAPPY: snappyCompress };

type ParquetType = Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>;
const TYPES: Readonly<Record<ColumnType, ParquetType>> = {
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
};
/** A time is given to the library as an integer: it would convert each one from a date. */
const WRITTEN_TYPES: Readonly<Record<ColumnType, ParquetType>> = { ...TYPES, time: TYPES.integer };

export async function* writeParquet<Row>({
  columns,
  batches,
  metadata,
}: TableSource<Row>): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const writer = new ByteWriter();
  const schema = schemaOf(columns, WRITTEN_TYPES);
  const parquet = new ParquetWriter({ writer, schema });
  const cells = columns.map((column) => new CellColumn(column));
  let size = 0;
  const take = (): Uint8Array<ArrayBuffer> => {
    const taken = new Uint8Array(writer.getBuffer());
    writer.index = 0;
    return taken;
  };
  const pause = pauses();
  async function* writeGroup(): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
    const start = writer.offset;
    const chunks: ColumnChunk[] = [];
    for (const [index, column] of cells.entries()) {
      chunks.push(column.write(writer, [schema[0]!, schema[index + 1]!], size));
      yield take();
      await pause();
    }
    parquet.row_groups.push({
      columns: chunks,
      total_byte_size: BigInt(writer.offset - start),
      num_rows: BigInt(size),
    });
    parquet.num_rows += BigInt(size);
    size = 0;
  }
  for await (const rows of batches) {
    for (let from = 0; from < rows.length; ) {
      const count = Math.min(rows.length - from, ROW_GROUP - size);
      for (const column of cells) {
        column.add(size, rows, from, count);
        await pause();
      }
      size += count;
      from += count;
      if (size === ROW_GROUP) yield* writeGroup();
    }
  }
  if (size > 0) yield* writeGroup();
  parquet.schema = schemaOf(columns, TYPES);
  parquet.kvMetadata = Object.entries(await metadata()).map(([key, value]) => ({ key, value }));
  parquet.finish();
  yield take();
}

const schemaOf = <Row>(columns: readonly Column<Row>[], types: typeof TYPES): SchemaElement[] => [
  { name: 'root', num_children: columns.length },
  ...columns.map(
    ({ name, type, nullable }): SchemaElement => ({
      name,
      repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED',
      ...types[type],
    }),
  ),
];

type Value = number | string;

class CellColumn<Row> {
  readonly #column: Column<Row>;
  readonly #cell: (row: Row) => Value | null;
  readonly #isInteger: boolean;
  readonly #cells: Float64Array | BigInt64Array | (string | number | bigint | null)[];
  #min: Value | null = null;
  #max: Value | null = null;
  #nulls = 0;

  constructor(column: Column<Row>) {
    this.#column = column;
    this.#cell = column.cell;
    this.#isInteger = column.type === 'time' || column.type === 'integer';
    this.#cells =
      column.nullable || column.type === 'text'
        ? new Array<string | number | bigint | null>(ROW_GROUP)
        : this.#isInteger
          ? new BigInt64Array(ROW_GROUP)
          : new Float64Array(ROW_GROUP);
  }

  add(at: number, rows: readonly Row[], from: number, count: number): void {
    const cell = this.#cell;
    const cells = this.#cells;
    let [min, max] = [this.#min, this.#max];
    for (let index = 0; index < count; index++) {
      const value = cell(rows[from + index]!);
      if (value === null) {
        this.#nulls++;
        cells[at + index] = null;
        continue;
      }
      cells[at + index] = this.#isInteger ? BigInt(value) : value;
      if (min === null || value < min) min = value;
      if (max === null || value > max) max = value;
    }
    [this.#min, this.#max] = [min, max];
  }

  /** Writes the collected cells and forgets them. */
  write(writer: ByteWriter, schemaPath: SchemaElement[], size: number): ColumnChunk {
    const { name, type, nullable } = this.#column;
    const values = this.#cells.slice(0, size) as DecodedArray;
    const definitionLevels = nullable ? Array.from(values, (value) => (value === null ? 0 : 1)) : [];
    const { chunk } = writeColumn({
      writer,
      column: {
        columnName: name,
        element: schemaPath[1]!,
        schemaPath,
        codec: 'SNAPPY',
        compressors: COMPRESSORS,
        stats: false,
        // One page.
        pageSize: 0,
        columnIndex: false,
        offsetIndex: false,
        ...(type === 'time' && { encoding: 'DELTA_BINARY_PACKED' as const }),
      },
      pageData: { values, definitionLevels, repetitionLevels: [], maxDefinitionLevel: nullable ? 1 : 0 },
    });
    if (chunk.meta_data) chunk.meta_data.statistics = this.#statistics();
    this.#min = null;
    this.#max = null;
    this.#nulls = 0;
    return chunk;
  }

  /** Readers expect a minimum of −0 and a maximum of 0 where either zero may be meant. */
  #statistics(): NonNullable<NonNullable<ColumnChunk['meta_data']>['statistics']> {
    const [min, max] = [this.#min, this.#max];
    const null_count = BigInt(this.#nulls);
    if (min === null || max === null) return { null_count };
    if (this.#isInteger) return { min_value: BigInt(min), max_value: BigInt(max), null_count };
    return { min_value: min === 0 ? -0 : min, max_value: max === 0 ? 0 : max, null_count };
  }
}
