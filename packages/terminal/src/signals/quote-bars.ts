// Bars of a few seconds, made of the recorded quotes of one instrument. They show the bid, with the size at the bid as volume.
import type { CoreClient, HistoryQuote, OhlcvBar } from '@tickwire/client';

export interface BidQuote {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly bid: number;
  /** 1 if the feed has no sizes. */
  readonly size: number;
}

/** Quotes of one request, and requests of one load. With more, the chart shows minutes. */
const PAGE = 10_000;
const MOST_PAGES = 3;

/** A bid stands until the next quote, so a bar without quotes is flat. Bars start at the first quote and end at `until`. */
export function barsOf(quotes: readonly BidQuote[], barMs: number, until: number): OhlcvBar[] {
  const bars: OhlcvBar[] = [];
  let next = 0;
  const first = quotes[0];
  if (!first) return bars;
  let standing = first.bid;
  for (let time = Math.floor(first.time / barMs) * barMs; time <= until; time += barMs) {
    const bar = { open: standing, high: standing, low: standing, close: standing, volume: 0 };
    for (; next < quotes.length && quotes[next]!.time < time + barMs; next++) {
      const { bid, size } = quotes[next]!;
      if (bars.length === 0 && next === 0) bar.open = bar.high = bar.low = bid;
      bar.high = Math.max(bar.high, bid);
      bar.low = Math.min(bar.low, bid);
      bar.close = bid;
      bar.volume += size;
    }
    standing = bar.close;
    bars.push({ time: new Date(time).toISOString(), ...bar });
  }
  return bars;
}

/** The quotes of a range. What was loaded stays: later loads add the newer ones. */
export class QuoteHistory {
  readonly #client: Pick<CoreClient, 'ticks'>;
  readonly #symbol: string;
  #from = Number.POSITIVE_INFINITY;
  #quotes: BidQuote[] = [];

  constructor(client: Pick<CoreClient, 'ticks'>, symbol: string) {
    this.#client = client;
    this.#symbol = symbol;
  }

  /** `null` if there are too many, or none. */
  async load(from: number, to: number, signal: AbortSignal): Promise<readonly BidQuote[] | null> {
    if (from < this.#from) {
      this.#quotes = [];
      this.#from = from;
    }
    const last = this.#quotes.at(-1)?.time;
    const options = { from: last === undefined ? from : last + 1, to, limit: PAGE };
    if (options.from >= to) return this.#quotes.length === 0 ? null : this.#quotes;
    let cursor: string | null = null;
    for (let page = 0; page < MOST_PAGES; page++) {
      const { items, next } = await this.#client.ticks(
        this.#symbol,
        { ...options, ...(cursor !== null && { cursor }) },
        { signal },
      );
      for (const { time, bid, bid_size } of items as readonly HistoryQuote[])
        this.#quotes.push({ time: Date.parse(time), bid, size: bid_size || 1 });
      cursor = next;
      if (cursor === null) return this.#quotes.length === 0 ? null : this.#quotes;
    }
    this.#quotes = [];
    return null;
  }
}
