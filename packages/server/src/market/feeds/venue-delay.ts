// How long prices take from an exchange to this service, and how far its clock is from ours.
import type { PriceEvent } from '@tickwire/engine';

/** Of the newest prices. */
const SAMPLES = 1_024;
const SECOND_MS = 1_000;
/** After this many responses the offset is measured afresh, because clocks drift. */
const MAX_RESPONSES = 1_000;

/** Milliseconds. */
export interface Delay {
  readonly p50: number;
  readonly p99: number;
}

/** Of trades, whose times are the exchange's; of quotes if there are no trades. */
export class PriceDelay {
  readonly #samples = new Float64Array(SAMPLES);
  #count = 0;
  #ofTrades = false;

  observe(events: readonly PriceEvent[], receivedAt: number): void {
    const last = events.findLast(({ kind }) => kind === 'trade') ?? (this.#ofTrades ? undefined : events.at(-1));
    if (!last) return;
    if (last.kind === 'trade' && !this.#ofTrades) {
      this.#ofTrades = true;
      this.#count = 0;
    }
    this.#samples[this.#count++ % SAMPLES] = receivedAt - last.time;
  }

  /** `null` before the first price. */
  get value(): Delay | null {
    const known = Math.min(this.#count, SAMPLES);
    if (known === 0) return null;
    const sorted = this.#samples.slice(0, known).sort();
    const at = (share: number): number => sorted[Math.ceil(known * share) - 1]!;
    return { p50: at(0.5), p99: at(0.99) };
  }
}

/**
 * How far an exchange's clock is ahead of ours, from the `Date` headers of its responses. A header says the second in which the
 * response was made, and that was between request and response: each response bounds the offset, and all together narrow it down.
 */
export class ClockOffset {
  #atLeast = Number.NEGATIVE_INFINITY;
  #atMost = Number.POSITIVE_INFINITY;
  #responses = 0;

  /** `date`: the header, in milliseconds. */
  observe(date: number, sentAt: number, receivedAt: number): void {
    const [atLeast, atMost] = [date - receivedAt, date + SECOND_MS - sentAt];
    const isStale = ++this.#responses > MAX_RESPONSES || atLeast > this.#atMost || atMost < this.#atLeast;
    if (isStale) [this.#atLeast, this.#atMost, this.#responses] = [atLeast, atMost, 1];
    this.#atLeast = Math.max(this.#atLeast, atLeast);
    this.#atMost = Math.min(this.#atMost, atMost);
  }

  /** Milliseconds, exact to half a second or better; `null` before the first response. Negative: the exchange's clock is behind. */
  get value(): number | null {
    return this.#responses === 0 ? null : Math.round((this.#atLeast + this.#atMost) / 2);
  }
}
