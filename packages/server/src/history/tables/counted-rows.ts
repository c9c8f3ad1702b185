// Counts the rows of a file while it is written, and stops it at a limit of rows or of time.
import { SECOND_MS } from '@tickwire/engine';
import { ServiceError } from '../../errors/service-error.ts';
import { measureWork, type WorkTimes } from '../../ops/pauses.ts';
import type { RowMark } from './export-files.ts';

/** Rows between two marks, about. */
const MARK_ROWS = 500;
/** Time to compute a file: what other work and other programs take meanwhile does not count. */
const MAX_COMPUTED_MS = 30_000;
/** The same with everything: a response must start before a connection counts as idle, after 60 s. */
const MAX_WRITE_MS = 45_000;
const BUSY_SECONDS = 10;

/** A file has more rows than allowed. `fits`: a narrower request that would not, in words; `null` if there is none. */
export class TooManyRows extends Error {
  override name = 'TooManyRows';
  readonly limit: number;
  readonly fits: string | null;

  constructor(limit: number, fits: string | null) {
    super(`the file has more than ${limit} rows`);
    this.limit = limit;
    this.fits = fits;
  }
}

export class RowCounting {
  rows = 0;
  readonly marks: RowMark[] = [];
  readonly #limit: number;
  readonly #narrower: (end: number) => string | null;
  readonly #times = measureWork();

  /** `narrower`: the request with the rows before a time, in words. */
  constructor(limit: number, narrower: (end: number) => string | null) {
    this.#limit = limit;
    this.#narrower = narrower;
  }

  /** Throws `TooManyRows` instead of passing on a batch that exceeds the limit, or if the file is too much work. */
  async *count<Row>(
    batches: AsyncIterable<readonly Row[]>,
    timeOf: (row: Row) => number,
  ): AsyncGenerator<readonly Row[], void, void> {
    for await (const batch of batches) {
      if (batch.length === 0) continue;
      const fitting = this.#limit - this.rows;
      const times = this.#times();
      const fits = (): string | null => this.#narrower(timeOf(batch[0]!));
      if (times.computed > MAX_COMPUTED_MS) throw new TooManyRows(this.rows, fits());
      if (times.passed > MAX_WRITE_MS) throw notInTime(times, fits());
      if (batch.length > fitting) throw new TooManyRows(this.#limit, this.#narrower(timeOf(batch[fitting]!)));
      for (let at = MARK_ROWS - 1; at < batch.length; at += MARK_ROWS)
        this.marks.push({ rows: this.rows + at + 1, time: timeOf(batch[at]!) });
      this.rows += batch.length;
      yield batch;
    }
  }
}

function notInTime({ passed, waited, computed }: WorkTimes, fits: string | null): ServiceError {
  const [all, turns, own] = [passed, waited, computed].map((ms) => Math.round(ms / SECOND_MS));
  const took = `The file was not complete after ${all} s: it computed for ${own} s and waited ${turns} s for long reads of others.`;
  const narrower = fits === null ? '' : `, or request a narrower range: ${fits}`;
  return new ServiceError('too_many_downloads', `${took} Try again later${narrower}.`, {
    retryAfterSeconds: BUSY_SECONDS,
  });
}

/** The time before which a finished file has at most `rows` rows; `null` if that is before its first row. */
export function endOfRows(marks: readonly RowMark[], rows: number): number | null {
  return marks.findLast((mark) => mark.rows <= rows)?.time ?? null;
}
