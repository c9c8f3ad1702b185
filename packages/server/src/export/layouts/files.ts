// NDJSON, CSV and Parquet files, partitioned by day or month. Their names tell the length and the alignment of bars, which
// `tickwire import` reads:
//   EURUSD/EURUSD-1m-2026-11.csv · EURUSD/EURUSD-1d@ny-2026-11.parquet · BTCUSDT/BTCUSDT-trades-2026-11-15.ndjson
import { alignMark, type Bar } from '@tickwire/engine';
import { GapFinder, type GapOptions, gapMetadata } from '../../history/gaps.ts';
import { barColumns } from '../../history/tables/bar-columns.ts';
import type { Column, FileFormat, FileMetadata, TableSource } from '../../history/tables/table.ts';
import { tickColumns } from '../../history/tables/tick-columns.ts';
import { writeTable } from '../../history/tables/write-table.ts';
import type { Tick } from '../../history/tick-stream.ts';
import { type Partition, periodsOf } from '../partition.ts';
import type { Batches, Dataset, Layout, Row } from './layout.ts';

/** What an import needs to store the same bar again, besides what every bar has. */
const BASIS: Column<Bar> = { name: 'basis', type: 'text', nullable: false, cell: ({ basis }) => basis };

/** What the metadata of Parquet files tell about the data. */
export interface MetadataOptions extends GapOptions {
  /** Days for which ticks are kept. */
  readonly tapeDays: number;
}

export function fileLayout(
  dataset: Dataset,
  format: FileFormat,
  partition: Partition,
  coverage: MetadataOptions,
): Layout {
  const { symbol } = dataset.instrument;
  const name = datasetName(dataset);
  const columns = (
    dataset.kind === 'bars' ? [...barColumns(['buy_volume', 'sell_volume'], null), BASIS] : tickColumns(dataset.kind)
  ) as readonly Column<Row>[];
  return {
    omits: [],
    *files(from, to) {
      for (const period of periodsOf(partition, from, to)) {
        const path = `${symbol}/${[name, period.name].filter(Boolean).join('-')}.${format}`;
        const encode = (rows: Batches): AsyncIterable<Uint8Array> =>
          writeTable<Row>(format, {
            columns,
            ...(format === 'parquet' ? described(rows, dataset, coverage) : { batches: rows, metadata: () => ({}) }),
          });
        yield { path, from: period.from, to: period.to, encode };
      }
    },
  };
}

/** The metadata are those of files over REST. */
function described(
  rows: Batches,
  dataset: Dataset,
  coverage: MetadataOptions,
): Pick<TableSource<Row>, 'batches' | 'metadata'> {
  const { symbol } = dataset.instrument;
  const isBars = dataset.kind === 'bars';
  const finder = isBars
    ? new GapFinder(coverage, dataset.chart, dataset.instrument)
    : GapFinder.ofTicks(coverage, dataset.instrument);
  const sources = new Set<string>();
  let count = 0;
  async function* batches(): AsyncGenerator<readonly Row[], void, void> {
    for await (const batch of rows) {
      count += batch.length;
      if (isBars) finder.add(batch as readonly Bar[]);
      else {
        finder.addTicks(batch as readonly Tick[]);
        for (const { source } of batch as readonly Tick[]) sources.add(source);
      }
      yield batch;
    }
  }
  const metadata = async (): Promise<FileMetadata> => {
    const found = await finder.result();
    const gaps = gapMetadata(found.gaps, found.count);
    if (dataset.kind !== 'bars') {
      const names = [...sources].filter((source) => source !== '').join(',');
      const retention = `${coverage.tapeDays} days`;
      return { symbol, kind: dataset.kind, source: names || 'recorded', retention, rows: `${count}`, ...gaps };
    }
    return {
      symbol,
      interval: dataset.interval,
      align: dataset.chart.align,
      source: coverage.simulated ? 'simulated' : 'recorded',
      retention: 'unlimited',
      rows: `${count}`,
      ...gaps,
    };
  };
  return { batches: batches(), metadata };
}

/** EURUSD-1d@ny, or BTCUSDT-trades. */
export function datasetName(dataset: Dataset): string {
  const { symbol } = dataset.instrument;
  if (dataset.kind !== 'bars') return `${symbol}-${dataset.kind}`;
  return `${symbol}-${dataset.interval}${alignMark(dataset.chart.align)}`;
}
