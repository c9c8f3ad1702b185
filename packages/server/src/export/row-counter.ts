// Passes the rows of a file on to its writer, and counts what the summary tells about them.
import {
  type Bar,
  fromTicks,
  intervalAt,
  MINUTE_MS,
  type QuoteEvent,
  type TradeEvent,
  toTicks,
} from '@tickwire/engine';
import type { GapFinder } from '../import/gap-finder.ts';
import type { Batches, Dataset, OutputFile, Row } from './layouts/layout.ts';

const MAX_DIGITS = 15;

export class RowCounter {
  rows = 0;
  /** Rows that the file does not accept. */
  others = 0;
  /** Bars that are made of bid prices, not of trades. */
  bidBars = 0;
  /** Decimals of the prices, at least those of the instrument. */
  digits: number;
  first = Number.POSITIVE_INFINITY;
  last = Number.NEGATIVE_INFINITY;
  /** End of the last row. */
  until = Number.NEGATIVE_INFINITY;
  readonly #dataset: Dataset;
  readonly #accepts: OutputFile['accepts'];
  /** `null` if the rows were counted before. */
  readonly #gaps: GapFinder | null;
  readonly #lengthOf: (row: Row) => number;

  constructor(dataset: Dataset, { accepts }: Pick<OutputFile, 'accepts'>, gaps: GapFinder | null) {
    this.#dataset = dataset;
    this.#accepts = accepts;
    this.#gaps = gaps;
    this.#lengthOf = lengthOf(dataset);
    this.digits = dataset.instrument.digits;
  }

  /** The rows that the file accepts, of which the first ones have been read; `null` if it has none. */
  async start(batches: Batches): Promise<Batches | null> {
    const rows = this.#accepted(batches)[Symbol.asyncIterator]();
    const first = await rows.next();
    if (first.done) return null;
    return (async function* () {
      try {
        yield first.value;
        for (let next = await rows.next(); !next.done; next = await rows.next()) yield next.value;
      } finally {
        await rows.return(undefined);
      }
    })();
  }

  async *#accepted(batches: Batches): AsyncGenerator<readonly Row[]> {
    for await (const batch of batches) {
      if (this.#gaps) for (const row of batch) this.#gaps.add(row.time, this.#lengthOf(row));
      const rows = this.#accepts ? batch.filter(this.#accepts) : batch;
      this.others += batch.length - rows.length;
      if (rows.length === 0) continue;
      this.rows += rows.length;
      const latest = rows.at(-1)!;
      this.until = latest.time + this.#lengthOf(latest);
      for (const row of rows) this.#count(row);
      yield rows;
    }
  }

  #count(row: Row): void {
    // Ticks of a minute may be out of order.
    if (row.time < this.first) this.first = row.time;
    if (row.time > this.last) this.last = row.time;
    const { kind } = this.#dataset;
    if (kind === 'bars') {
      const { open, high, low, close, basis } = row as Bar;
      if (basis === 'bid') this.bidBars++;
      this.#price(open);
      this.#price(high);
      this.#price(low);
      this.#price(close);
    } else if (kind === 'quotes') {
      this.#price((row as QuoteEvent).bid);
      this.#price((row as QuoteEvent).ask);
    } else this.#price((row as TradeEvent).price);
  }

  /** Data may have been imported with more decimals than the instrument has. */
  #price(price: number): void {
    while (fromTicks(toTicks(price, this.digits), this.digits) !== price && this.digits < MAX_DIGITS) this.digits++;
  }
}

/** How long a row lasts, for gaps: 0 for a tick. */
function lengthOf(dataset: Dataset): (row: Row) => number {
  if (dataset.kind !== 'bars') return () => 0;
  const { interval, day } = dataset.chart;
  if (interval.unit === 'minute') {
    const length = interval.minutes * MINUTE_MS;
    return () => length;
  }
  // Days, weeks and months have different lengths, and there are few of them.
  return ({ time }) => intervalAt(time, interval, day).end - time;
}
