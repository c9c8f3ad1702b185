// Random signals of every kind over real ticks: near the market and away from it, at the edges of every rule, at prices
// that occur later, and in groups that share their levels.

import type { MarketSymbol } from '@tickwire/engine';
import { SECOND_MS } from '@tickwire/engine';
import { naivePrice } from './naive-arithmetic.fixture.ts';
import type { NaiveRequest } from './naive-judge.fixture.ts';
import type { NaiveEvent, NaiveQuote } from './naive-market.fixture.ts';
import type { Random } from './random.fixture.ts';
import type { Posting } from './verifier-run.fixture.ts';

export interface SignalMarket {
  readonly symbol: MarketSymbol;
  readonly digits: number;
  /** In ticks; quotes and clock events. */
  readonly events: readonly NaiveEvent[];
  /** Largest distance of a level, in ticks. */
  readonly farthest: number;
  /** Milliseconds. */
  readonly usualLife: number;
  readonly longestLife: number;
}

interface Levels {
  readonly direction: 'buy' | 'sell';
  readonly entry: number;
  readonly stop: number;
  readonly target: number;
}

export class RandomSignals {
  readonly #random: Random;
  readonly #market: SignalMarket;
  #last: Levels | null = null;
  #count = 0;

  constructor(random: Random, market: SignalMarket) {
    this.#random = random;
    this.#market = market;
  }

  next(): Posting {
    const random = this.#random;
    const { events, symbol } = this.#market;
    const index = this.#quoteNear(random.whole(0, events.length - 2));
    const quote = events[index] as NaiveQuote;
    const levels = this.#last && random.chance(0.1) ? this.#last : this.#levels(quote, index);
    this.#last = levels;
    // Some are published long after the quote, but never after the next event.
    const until = Math.min(eventTime(events[index + 1]!), quote.time + 60 * SECOND_MS);
    const publishedAt = random.chance(0.5) ? quote.time : random.whole(quote.time, until);
    const expires_at = random.chance(0.04) ? undefined : publishedAt + this.#life();
    return {
      id: `${symbol}-${this.#count++}`,
      symbol,
      request: { ...this.#inPrices(levels), expires_at },
      publishedAt,
      index,
      manual: random.chance(0.08) ? this.#manual(index, publishedAt) : undefined,
    };
  }

  #levels(quote: NaiveQuote, index: number): Levels {
    const random = this.#random;
    const direction = random.of(['buy', 'sell'] as const);
    const sign = direction === 'buy' ? 1 : -1;
    const nearest = Math.max(quote.ask - quote.bid, 1);
    const entry = random.chance(0.1) ? this.#priceAfter(index) : this.#entry(quote, direction);
    const away = (): number => random.magnitude(nearest, this.#market.farthest);
    let stop = entry - sign * away();
    let target = entry + sign * away();
    // Levels that are hit to the tick.
    if (random.chance(0.1)) stop = this.#priceAfter(index);
    if (random.chance(0.1)) target = this.#priceAfter(index);
    // The smallest and largest allowed distance, and one tick beyond.
    if (random.chance(0.05)) stop = entry - sign * (nearest - random.whole(0, 1));
    if (random.chance(0.05)) target = entry + sign * (nearest - random.whole(0, 1));
    if (random.chance(0.01)) stop = entry - sign * (Math.floor(entry / 2) + random.whole(0, 1));
    if (random.chance(0.01)) target = entry + sign * (Math.floor(entry / 2) + random.whole(0, 1));
    // Next to the exit side of the standing quote.
    const exitSide = direction === 'buy' ? quote.bid : quote.ask;
    if (random.chance(0.02)) stop = exitSide + random.whole(-1, 1);
    if (random.chance(0.02)) target = exitSide + random.whole(-1, 1);
    return { direction, entry, stop, target };
  }

  /** At the market, within the tolerance, at its edge, away from it on either side, or at the largest distance. */
  #entry(quote: NaiveQuote, direction: 'buy' | 'sell'): number {
    const random = this.#random;
    const side = direction === 'buy' ? quote.ask : quote.bid;
    const spread = quote.ask - quote.bid;
    const tolerance = Math.max(spread, Math.floor(side / 10_000));
    const either = random.of([-1, 1]);
    if (random.chance(0.003)) return side + either * (Math.floor(side / 5) + random.whole(-1, 1));
    if (random.chance(0.15)) return side;
    if (random.chance(0.2)) return side + random.whole(-tolerance, tolerance);
    if (random.chance(0.2)) return side + either * (tolerance + random.whole(-1, 1));
    return side + either * (tolerance + random.magnitude(1, this.#market.farthest / 10));
  }

  #inPrices({ direction, entry, stop, target }: Levels): Omit<NaiveRequest, 'expires_at'> {
    const price = (ticks: number): number => naivePrice(ticks, this.#market.digits);
    return { direction, entry: price(entry), stop_loss: price(stop), take_profit: price(target) };
  }

  /** Mostly short, because the naive judge looks at every tick of it. */
  #life(): number {
    const random = this.#random;
    const { usualLife, longestLife } = this.#market;
    return random.magnitude(SECOND_MS, random.chance(0.06) ? longestLife : usualLife);
  }

  /** Some after the deadline, before any clock event. */
  #manual(index: number, publishedAt: number): Posting['manual'] {
    const { events } = this.#market;
    const after = Math.min(events.length - 2, index + this.#random.magnitude(1, 20_000) - 1);
    const from = Math.max(publishedAt, eventTime(events[after]!));
    return { after, time: this.#random.whole(from, Math.max(from, eventTime(events[after + 1]!))) };
  }

  /** A bid or an ask within the next few thousand events. */
  #priceAfter(index: number): number {
    const { events } = this.#market;
    const at = Math.min(events.length - 1, index + this.#random.magnitude(1, 20_000));
    const quote = events[this.#quoteNear(at)] as NaiveQuote;
    return this.#random.chance(0.5) ? quote.bid : quote.ask;
  }

  #quoteNear(index: number): number {
    return this.#market.events[index]!.kind === 'quote' ? index : index - 1;
  }
}

const eventTime = (event: NaiveEvent): number => (event.kind === 'gap' ? event.to : event.time);
