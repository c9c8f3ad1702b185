// Passes the rows of a file on to its writer, and counts what the summary tells about them.
import { type Bar, fromTicks, intervalAt, type LongestGaps, MINUTE_MS, toTicks } from '@tickwire/engine';
import type { QuoteTick, TradeTick } from '../history/tick-stream.ts';
import type { Batches, Dataset, OutputFile, Row } from './layouts/layout.ts';

const MAX_DIGITS = 15;

export class ExportedRows {
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
  readonly #accepts: OutputFile['accepts'];
  readonly #countRows: (rows: readonly Row[]) => void;
  readonly #findGaps: (rows: readonly Row[]) => void;

  /** `gaps`: `null` if the rows were looked through before. */
  constructor(dataset: Dataset, { accepts }: Pick<OutputFile, 'accepts'>, gaps: LongestGaps | null) {
    this.#accepts = accepts;
    this.digits = dataset.instrument.digits;
    if (dataset.kind === 'bars') {
      const lengthOf = barLength(dataset.chart);
      this.#countRows = (rows) => this.#countBars(rows as readonly Bar[], lengthOf);
      this.#findGaps = (rows) => {
        for (const bar of rows as readonly Bar[]) gaps?.add(bar.time, lengthOf(bar));
      };
    } else {
      this.#countRows =
        dataset.kind === 'quotes'
          ? (rows) => this.#countQuotes(rows as readonly QuoteTick[])
          : (rows) => this.#countTrades(rows as readonly TradeTick[]);
      this.#findGaps = (rows) => {
        for (const { event } of rows as readonly (QuoteTick | TradeTick)[]) gaps?.add(event.time, 0);
      };
    }
  }

  /** The rows that the file accepts, of which the first ones have been read; `null` if it has none. */
  async start(batches: Batches): Promise<Batches | null> {
    const rows = this.#accepted(batches);
    const first = await rows.next();
    if (first.done) return null;
    return (async function* () {
      try {
        yield first.value;
        yield* rows;
      } finally {
        await rows.return(undefined);
      }
    })();
  }

  async *#accepted(batches: Batches): AsyncGenerator<readonly Row[], void, void> {
    for await (const batch of batches) {
      this.#findGaps(batch);
      const rows = this.#accepts ? batch.filter(this.#accepts) : batch;
      this.others += batch.length - rows.length;
      if (rows.length === 0) continue;
      this.rows += rows.length;
      this.#countRows(rows);
      yield rows;
    }
  }

  #countBars(bars: readonly Bar[], lengthOf: (bar: Bar) => number): void {
    const latest = bars.at(-1)!;
    this.first = Math.min(this.first, bars[0]!.time);
    this.last = latest.time;
    this.until = latest.time + lengthOf(latest);
    for (const { open, high, low, close, basis } of bars) {
      if (basis === 'bid') this.bidBars++;
      if (this.#fits(open) && this.#fits(high) && this.#fits(low) && this.#fits(close)) continue;
      for (const price of [open, high, low, close]) this.#fit(price);
    }
  }

  #countQuotes(quotes: readonly QuoteTick[]): void {
    this.#countTicks(quotes);
    for (const { event } of quotes) {
      if (this.#fits(event.bid) && this.#fits(event.ask)) continue;
      this.#fit(event.bid);
      this.#fit(event.ask);
    }
  }

  #countTrades(trades: readonly TradeTick[]): void {
    this.#countTicks(trades);
    for (const { event } of trades) if (!this.#fits(event.price)) this.#fit(event.price);
  }

  #countTicks(ticks: readonly (QuoteTick | TradeTick)[]): void {
    this.first = Math.min(this.first, ticks[0]!.event.time);
    this.last = this.until = ticks.at(-1)!.event.time;
  }

  #fits(price: number): boolean {
    return fromTicks(toTicks(price, this.digits), this.digits) === price;
  }

  /** Data may have been imported with more decimals than the instrument has. */
  #fit(price: number): void {
    while (!this.#fits(price) && this.digits < MAX_DIGITS) this.digits++;
  }
}

type Chart = Extract<Dataset, { kind: 'bars' }>['chart'];

/** Days, weeks and months have different lengths, and there are few of them. */
export function barLength({ interval, day }: Chart): (bar: Pick<Bar, 'time'>) => number {
  if (interval.unit !== 'minute') return ({ time }) => intervalAt(time, interval, day).end - time;
  const length = interval.minutes * MINUTE_MS;
  return () => length;
}
