// Parquet, as pandas, Polars, DuckDB and freqtrade write it. By the time a file arrives here it is CSV text (parquet-text.ts),
// so that the rules for columns, times and bars are those of a CSV.
import { csv } from './csv.ts';
import type { Format } from './format.ts';

export const parquet: Format = {
  ...csv,
  name: 'parquet',
  title: 'Parquet',
  detect: ({ name }) => (/\.(parquet|pq)$/i.test(name) ? 1 : 0),
};
