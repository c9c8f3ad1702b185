// Splits a range of time into the periods of files: UTC days, UTC months, or the whole range.
import { iso } from '@tickwire/contract';
import { asEpochMs, DAY_MS, utcDate } from '@tickwire/engine';

export const PARTITIONS = ['day', 'month', 'none'] as const;
export type Partition = (typeof PARTITIONS)[number];

export interface FilePeriod {
  /** `2026-11-15`, `2026-11`, or `` for the whole range. */
  readonly name: string;
  /** The part of the range in it: from inclusive, to exclusive. */
  readonly from: number;
  readonly to: number;
}

/** `from` inclusive, `to` exclusive. */
export function* periodsOf(partition: Partition, from: number, to: number): Generator<FilePeriod> {
  if (partition === 'none') {
    if (from < to) yield { name: '', from, to };
    return;
  }
  for (let start = from; start < to; ) {
    const { year, month } = utcDate(asEpochMs(start));
    const end = partition === 'day' ? start - (start % DAY_MS) + DAY_MS : Date.UTC(year, month, 1);
    const name = iso(start).slice(0, partition === 'day' ? 10 : 7);
    yield { name, from: start, to: Math.min(end, to) };
    start = end;
  }
}
