// NDJSON, CSV and Parquet files, partitioned by day or month. Their names tell the length and the alignment of bars, which
// `tickwire import` reads:
//   EURUSD/EURUSD-1m-2026-11.csv · EURUSD/EURUSD-1d@ny-2026-11.parquet · BTCUSDT/BTCUSDT-trades-2026-11-15.ndjson
import type { Bar } from '@tickwire/engine';
import { alignMark } from '../../import/bar-interval.ts';
import { barColumns } from '../bar-columns.ts';
import { type Partition, periodsOf } from '../partition.ts';
import type { Column, FileFormat } from '../table.ts';
import { tickColumns } from '../tick-columns.ts';
import { writeTable } from '../write-table.ts';
import type { Batches, Dataset, Layout, Row } from './layout.ts';

/** What an import needs to store the same bar again, besides what every bar has. */
const BASIS: Column<Bar> = { name: 'basis', type: 'text', nullable: false, cell: ({ basis }) => basis };

export function fileLayout(dataset: Dataset, format: FileFormat, partition: Partition): Layout {
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
        const metadata = () => ({
          symbol,
          ...(dataset.kind === 'bars'
            ? { interval: dataset.interval, align: dataset.chart.align }
            : { kind: dataset.kind }),
          from: new Date(period.from).toISOString(),
          to: new Date(period.to).toISOString(),
        });
        const encode = (batches: Batches): AsyncIterable<Uint8Array> =>
          writeTable<Row>(format, { columns, batches, metadata });
        yield { path, from: period.from, to: period.to, encode };
      }
    },
  };
}

/** EURUSD-1d@ny, or BTCUSDT-trades. */
export function datasetName(dataset: Dataset): string {
  const { symbol } = dataset.instrument;
  if (dataset.kind !== 'bars') return `${symbol}-${dataset.kind}`;
  return `${symbol}-${dataset.interval}${alignMark(alignName(dataset.chart))}`;
}

/** `utc`, `ny`, or the canonical name of a time zone. */
const alignName = ({ align, day }: Extract<Dataset, { kind: 'bars' }>['chart']): string =>
  align === 'ny' ? align : day.zone === 'UTC' ? 'utc' : day.zone;
