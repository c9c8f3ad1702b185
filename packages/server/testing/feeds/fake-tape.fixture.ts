// Every trade of a fake exchange in order, whether or not it was sent to anyone.

export interface FakeTrade {
  /** The venue's own spelling: `BTC/USD`. */
  readonly symbol: string;
  /** Contiguous per symbol. */
  readonly id: number;
  readonly price: string;
  readonly size: string;
  /** Microseconds since the epoch. */
  readonly timeUs: number;
  readonly taker: 'buy' | 'sell';
}

export interface FakeQuote {
  readonly symbol: string;
  readonly bid: string;
  readonly bidSize: string;
  readonly ask: string;
  readonly askSize: string;
  readonly timeUs: number;
  readonly updateId: number;
}

const FIRST_ID = 1_000;
const STEP_US = 40;

export class FakeTape {
  /** If set, markets trade since this time, and candles before their first trade on the tape are made up. Epoch milliseconds. */
  listedAt: number | null = null;
  readonly #trades = new Map<string, FakeTrade[]>();
  readonly #now: () => number;
  #timeUs: number;
  #noise = 12_345;
  #updates = 1;

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#timeUs = now() * 1_000;
  }

  /** Creates trades with the next ids. */
  make(symbol: string, count: number): readonly FakeTrade[] {
    const all = this.of(symbol);
    const fresh = Array.from({ length: count }, (_, index) => ({
      symbol,
      id: FIRST_ID + all.length + index,
      price: (60_000 + this.#draw(100_000) / 100).toFixed(2),
      size: ((1 + this.#draw(99_999)) / 100_000).toFixed(8),
      timeUs: this.#tick(),
      taker: this.#draw(2) === 0 ? ('buy' as const) : ('sell' as const),
    }));
    for (const trade of fresh) all.push(trade);
    return fresh;
  }

  /** The venue's clock, in epoch milliseconds. */
  get now(): number {
    return this.#now();
  }

  quote(symbol: string): FakeQuote {
    const bid = 60_000 + this.#draw(100_000) / 100;
    return {
      symbol,
      bid: bid.toFixed(2),
      bidSize: '1.50000000',
      ask: (bid + 0.01).toFixed(2),
      askSize: '0.25000000',
      timeUs: this.#tick(),
      updateId: this.#updates++,
    };
  }

  of(symbol: string): FakeTrade[] {
    const all = this.#trades.get(symbol) ?? [];
    this.#trades.set(symbol, all);
    return all;
  }

  #tick(): number {
    this.#timeUs = Math.max(this.#timeUs + STEP_US, this.#now() * 1_000);
    return this.#timeUs;
  }

  /** The same trades in every run: a linear congruential generator (Numerical Recipes). */
  #draw(below: number): number {
    this.#noise = (Math.imul(this.#noise, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#noise / 2 ** 32) * below);
  }
}
