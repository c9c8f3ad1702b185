// The chosen indicators of the chart, stored in this browser for all instruments.
import { type RecordStorage, readRecord, storeRecord } from '../ui/stored-record.ts';

export interface ChartChoices {
  /** Lengths of the visible moving averages, in bars. */
  readonly averages: readonly number[];
  /** Delta and cumulative delta. */
  readonly flow: boolean;
}

const NAME = 'tickwire.chart';
const DEFAULT: ChartChoices = { averages: [20, 50], flow: true };

export function readChoices(storage: RecordStorage): ChartChoices {
  const { averages, flow } = readRecord(storage, NAME);
  return {
    averages: Array.isArray(averages) ? averages : DEFAULT.averages,
    flow: typeof flow === 'boolean' ? flow : DEFAULT.flow,
  };
}

export function storeChoices(storage: RecordStorage, choices: ChartChoices): void {
  storeRecord(storage, NAME, choices);
}
