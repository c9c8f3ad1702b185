// Writes rows as a file, piece by piece: memory depends on the size of a batch, not on the number of rows.
import type { FileFormat, TableSource } from './table.ts';
import { writeCsv, writeNdjson } from './text-table.ts';

export function writeTable<Row>(
  format: FileFormat,
  source: TableSource<Row>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  switch (format) {
    case 'csv':
      return writeCsv(source);
    case 'ndjson':
      return writeNdjson(source);
    case 'parquet':
      return writeParquet(source);
  }
}

/** Its libraries are loaded with the first file: most services write none. */
async function* writeParquet<Row>(source: TableSource<Row>): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const parquet = await import('./parquet-table.ts');
  yield* parquet.writeParquet(source);
}
