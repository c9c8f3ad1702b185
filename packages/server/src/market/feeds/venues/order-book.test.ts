import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type BookLevel, OrderBook } from './order-book.ts';

const level = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 3 }));
const change = fc.record({ side: fc.constantFrom('bid' as const, 'ask' as const), level });

test('has the best prices of a plain list of levels after any changes', () => {
  fc.assert(
    fc.property(fc.array(level), fc.array(level), fc.array(change), (bids, asks, changes) => {
      // Asks lie above all bids, as in a real book.
      const above = ([price, size]: BookLevel): [number, number] => [price + 100, size];
      const book = new OrderBook();
      book.load(bids, asks.map(above));
      const levels = { bid: new Map(bids), ask: new Map(asks.map(above)) };
      for (const { side, level: given } of changes) {
        const [price, size] = side === 'bid' ? given : above(given);
        book.set(side, price, size);
        levels[side].set(price, size);
      }
      const pricesOf = (side: 'bid' | 'ask') =>
        [...levels[side]].filter(([, size]) => size > 0).map(([price]) => price);
      const [bid, ask] = [Math.max(...pricesOf('bid')), Math.min(...pricesOf('ask'))];
      const expected =
        Number.isFinite(bid) && Number.isFinite(ask)
          ? { bid, bidSize: levels.bid.get(bid)!, ask, askSize: levels.ask.get(ask)! }
          : null;
      expect(book.change()).toEqual(expected);
      expect(book.change()).toBeNull();
    }),
  );
});

test('reports a change of size, and a crossed book', () => {
  const book = new OrderBook();
  book.load(
    [
      [10, 1],
      [9, 1],
    ],
    [[11, 1]],
  );
  expect(book.change()).toEqual({ bid: 10, bidSize: 1, ask: 11, askSize: 1 });
  book.set('bid', 9, 5);
  expect(book.change()).toBeNull();
  book.set('bid', 10, 2);
  expect(book.change()).toMatchObject({ bid: 10, bidSize: 2 });
  book.set('bid', 11, 1);
  expect(book.change()).toBe('crossed');
  book.set('bid', 11, 0);
  book.set('bid', 10, 0);
  expect(book.change()).toMatchObject({ bid: 9, bidSize: 5 });
});
