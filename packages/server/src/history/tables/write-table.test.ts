import { describe, expect, test } from 'bun:test';
import { BAR_FIELDS } from '@tickwire/contract';
import { asEpochMs, type Bar, MINUTE_MS } from '@tickwire/engine';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { barColumns, buyVolume, deltaOf, sellVolume } from './bar-columns.ts';
import { type Column, type FileFormat, type TableSource, withSymbol } from './table.ts';
import { writeTable } from './write-table.ts';

interface Row {
  readonly time: number;
  readonly price: number;
  readonly size: number | null;
  readonly count: number | null;
  readonly side: string | null;
}

const COLUMNS: readonly Column<Row>[] = [
  { name: 'time', type: 'time', nullable: false, cell: ({ time }) => time },
  { name: 'price', type: 'number', nullable: false, cell: ({ price }) => price },
  { name: 'size', type: 'number', nullable: true, cell: ({ size }) => size },
  { name: 'count', type: 'integer', nullable: true, cell: ({ count }) => count },
  { name: 'side', type: 'text', nullable: true, cell: ({ side }) => side },
];

async function* batchesOf<T>(rows: readonly T[], size: number): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

async function bytesOf<T>(format: FileFormat, source: TableSource<T>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of writeTable(format, source)) pieces.push(piece);
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

async function textOf<T>(format: FileFormat, source: TableSource<T>): Promise<string> {
  return new TextDecoder().decode(await bytesOf(format, source));
}

const sourceOf = (rows: readonly Row[], size = 1_000): TableSource<Row> => ({
  columns: COLUMNS,
  batches: batchesOf(rows, size),
  metadata: () => ({}),
});

/** The cells of a CSV file, with quotes removed. */
const parseCsv = (text: string): string[][] =>
  [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\n)/g)].reduce<string[][]>(
    (lines, [, quoted, plain, end]) => {
      lines.at(-1)!.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
      if (end === '\n') lines.push([]);
      return lines;
    },
    [[]],
  );

const decimal = fc.tuple(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), fc.integer({ min: 0, max: 9 }));
const anyNumber = fc.oneof(
  decimal.map(([units, digits]) => units / 10 ** digits + 0),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.constantFrom(0, 1e-7, 1e21, 123_456_789_012_345, 0.1 + 0.2, 5e-324, Number.MAX_VALUE, 2_147_483_648.5),
);
const row: fc.Arbitrary<Row> = fc.record({
  time: fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2100, 0) }),
  price: anyNumber,
  size: fc.option(anyNumber),
  count: fc.option(fc.maxSafeInteger()),
  side: fc.option(fc.constantFrom('buy', 'sell', 'a, "b"', 'line\nbreak', 'Ünïcode')),
});

test('every format has the same values', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), async (rows, size) => {
      const lines = (await textOf('ndjson', sourceOf(rows, size))).split('\n').slice(0, -1);
      const expected = rows.map(({ time, ...rest }) => ({ time: new Date(time).toISOString(), ...rest }));
      expect(lines).toEqual(expected.map((each) => JSON.stringify(each)));

      const [head, ...cells] = parseCsv(await textOf('csv', sourceOf(rows, size)));
      expect(head).toEqual(['time', 'price', 'size', 'count', 'side']);
      expect(cells.slice(0, -1)).toEqual(
        expected.map((each) => Object.values(each).map((value) => (value === null ? '' : String(value)))),
      );

      const { buffer } = await bytesOf('parquet', sourceOf(rows, size));
      const read = rows.length === 0 ? [] : await parquetReadObjects({ file: buffer });
      expect(read).toEqual(
        rows.map(({ time, count, ...rest }) => ({
          ...rest,
          time: new Date(time),
          count: count === null ? null : BigInt(count),
        })),
      );
    }),
    { numRuns: 150 },
  );
});

test('a file without rows has its columns', async () => {
  expect(await textOf('csv', sourceOf([]))).toBe('time,price,size,count,side\n');
  expect(await textOf('ndjson', sourceOf([]))).toBe('');
  const metadata = parquetMetadata((await bytesOf('parquet', sourceOf([]))).buffer);
  expect(metadata.num_rows).toBe(0n);
  expect(metadata.schema.map(({ name }) => name)).toEqual(['root', 'time', 'price', 'size', 'count', 'side']);
});

describe('bars', () => {
  const bars = Array.from(
    { length: 150_000 },
    (_, index): Bar => ({
      time: asEpochMs(Date.UTC(2026, 0, 5) + index * MINUTE_MS),
      open: (110_000 + (index % 100)) / 1e5,
      high: 1.2,
      low: 1.05,
      close: 1.1,
      volume: index / 100,
      bidVolume: index % 2 === 0 ? 0 : index / 100,
      askVolume: index % 2 === 0 ? index / 100 : 0,
      basis: 'trade',
    }),
  );
  const source = (): TableSource<Bar> => ({
    columns: barColumns(BAR_FIELDS, 'sim'),
    batches: batchesOf(bars, 5_000),
    metadata: async () => ({ symbol: 'EURUSD', interval: '1m' }),
  });

  test('a Parquet file has row groups with statistics, and its metadata', async () => {
    const { buffer } = await bytesOf('parquet', source());
    const { row_groups, key_value_metadata, num_rows } = parquetMetadata(buffer);
    expect(num_rows).toBe(150_000n);
    expect(row_groups).toHaveLength(19);
    expect(row_groups[1]!.columns[0]!.meta_data!.statistics).toMatchObject({
      min_value: new Date(bars[8_192]!.time),
      max_value: new Date(bars[16_383]!.time),
      null_count: 0n,
    });
    expect(key_value_metadata).toEqual([
      { key: 'symbol', value: 'EURUSD' },
      { key: 'interval', value: '1m' },
    ]);
    const [last] = await parquetReadObjects({ file: buffer, rowStart: 149_999, rowEnd: 150_000 });
    expect(last).toEqual({
      time: new Date(bars.at(-1)!.time),
      open: bars.at(-1)!.open,
      high: 1.2,
      low: 1.05,
      close: 1.1,
      volume: 1499.99,
      trades: null,
      vwap: null,
      buy_volume: 0,
      sell_volume: 1499.99,
      delta: -1499.99,
      source: 'sim',
      unrecorded_minutes: null,
    });
  });

  test('sides of a part of the volume are unknown', async () => {
    const bar: Bar = { ...bars[0]!, volume: 10, bidVolume: 3, askVolume: 4 };
    expect([buyVolume(bar), sellVolume(bar), deltaOf(bar)]).toEqual([null, null, null]);
    const known: Bar = { ...bar, volume: 0.1 + 0.2, bidVolume: 0.1, askVolume: 0.2 };
    expect([buyVolume(known), sellVolume(known), deltaOf(known)]).toEqual([0.2, 0.1, 0.1]);
  });

  test('the sides of a bar of bids are unknown', async () => {
    const bar: Bar = { ...bars[0]!, bidVolume: 0, askVolume: 0, basis: 'bid' };
    const columns = barColumns(['buy_volume', 'delta', 'source'], null);
    const text = await textOf('csv', { columns, batches: batchesOf([bar], 1), metadata: () => ({}) });
    expect(text.split('\n')[1]).toBe('2026-01-05T00:00:00.000Z,1.1,1.2,1.05,1.1,0,,,');
  });

  test('a file of several instruments starts with the symbol', async () => {
    const rows = ['EURUSD', 'XAUUSD'].map((symbol) => ({ symbol, row: bars[1]! }));
    const columns = withSymbol(barColumns([], null));
    const text = await textOf('csv', { columns, batches: batchesOf(rows, 1), metadata: () => ({}) });
    expect(text.split('\n').slice(0, 3)).toEqual([
      'symbol,time,open,high,low,close,volume',
      'EURUSD,2026-01-05T00:01:00.000Z,1.10001,1.2,1.05,1.1,0.01',
      'XAUUSD,2026-01-05T00:01:00.000Z,1.10001,1.2,1.05,1.1,0.01',
    ]);
  });
});
