// What is found out about a file by reading all of it, before any of its rows is stored.
import type { BarAlign, BarInterval } from '@tickwire/engine';
import type { DateOrder } from '../rows/date-time.ts';
import type { LastLines } from './repeated-times.ts';

export interface FileFindings {
  /** Length of its bars; `null` while unknown, or if it has none. */
  readonly interval: BarInterval | null;
  /** Where the days of its bars begin; `null` while unknown. */
  readonly align: BarAlign | null;
  /** `null` while unknown, or if its dates need none. */
  readonly dateOrder: DateOrder | null;
  /** Times that several of its bars have: only the last bar of each is imported. `null` if there are none. */
  readonly repeated: LastLines | null;
  /** Its rows run backwards. */
  readonly newestFirst: boolean;
}

export const NO_FINDINGS: FileFindings = {
  interval: null,
  align: null,
  dateOrder: null,
  repeated: null,
  newestFirst: false,
};
