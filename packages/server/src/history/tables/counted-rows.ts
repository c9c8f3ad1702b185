// Counts the rows of a file while it is written, and stops it at a limit.
import type { RowMark } from './export-files.ts';

/** Rows between two marks, about. */
const MARK_ROWS = 500;
/** A response must start before a connection counts as idle, after 60 s. */
const MAX_WRITE_MS = 45_000;

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
  readonly #deadline = performance.now() + MAX_WRITE_MS;

  /** `narrower`: the request with the rows before a time, in words. */
  constructor(limit: number, narrower: (end: number) => string | null) {
    this.#limit = limit;
    this.#narrower = narrower;
  }

  /** Throws `TooManyRows` instead of passing on a batch that exceeds the limit, or if writing takes too long. */
  async *count<Row>(
    batches: AsyncIterable<readonly Row[]>,
    timeOf: (row: Row) => number,
  ): AsyncGenerator<readonly Row[], void, void> {
    for await (const batch of batches) {
      if (batch.length === 0) continue;
      const fitting = this.#limit - this.rows;
      if (performance.now() > this.#deadline) throw new TooManyRows(this.rows, this.#narrower(timeOf(batch[0]!)));
      if (batch.length > fitting) throw new TooManyRows(this.#limit, this.#narrower(timeOf(batch[fitting]!)));
      for (let at = MARK_ROWS - 1; at < batch.length; at += MARK_ROWS)
        this.marks.push({ rows: this.rows + at + 1, time: timeOf(batch[at]!) });
      this.rows += batch.length;
      yield batch;
    }
  }
}

/** The time before which a finished file has at most `rows` rows; `null` if that is before its first row. */
export function endOfRows(marks: readonly RowMark[], rows: number): number | null {
  return marks.findLast((mark) => mark.rows <= rows)?.time ?? null;
}
