// A market without a spread and two opposite signals in it, published at the same moment with the same two levels: the
// stop of the buy is the target of the sell and the other way round.
import fc from 'fast-check';
import { naivePrice } from './naive-arithmetic.fixture.ts';
import type { NaiveEvent } from './naive-market.fixture.ts';
import { type History, MIDDLE, madeUp } from './random-feed.fixture.ts';

const START = 1_700_000_000_000;

/** Prices move by at most this many ticks at a time. */
export const oppositeHistory = (largestMove: number): fc.Arbitrary<History> =>
  fc
    .record({
      moves: fc.array(fc.integer({ min: -largestMove, max: largestMove }), { maxLength: 80, size: 'max' }),
      below: fc.integer({ min: 1, max: 10 }),
      above: fc.integer({ min: 1, max: 10 }),
      seconds: fc.integer({ min: 1, max: 100 }),
    })
    .map(({ moves, below, above, seconds }) => {
      const spec = madeUp('FLAT');
      const price = (ticks: number): number => naivePrice(ticks, spec.digits);
      let ticks = MIDDLE;
      const events = [0, ...moves].map((move, at): NaiveEvent => {
        ticks += move;
        return { kind: 'quote', seq: at + 1, time: START + at * 1_000, bid: price(ticks), ask: price(ticks) };
      });
      const [low, high] = [price(MIDDLE - below), price(MIDDLE + above)];
      const common = { symbol: spec.symbol, publishedAt: START, index: 0 };
      const terms = { entry: price(MIDDLE), expires_at: START + seconds * 1_000 };
      return {
        spec,
        events,
        postings: [
          { ...common, id: 'buys', request: { ...terms, direction: 'buy', stop_loss: low, take_profit: high } },
          { ...common, id: 'sells', request: { ...terms, direction: 'sell', stop_loss: high, take_profit: low } },
        ],
      };
    });
