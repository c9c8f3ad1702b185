// The page has its own arithmetic; here it is compared with that of the contract.
import { expect, test } from 'bun:test';
import { meanExitPrice, profitOf, rankingR } from '@tickwire/contract';
import fc from 'fast-check';
import { exitedResult } from './result.ts';

test('computes the same results as the service for exits in parts, to the last digit', () => {
  const ticks = fc.integer({ min: 1, max: 20_000_000 });
  fc.assert(
    fc.property(
      fc.record({
        rules: fc.constantFrom(1 as const, 2 as const),
        direction: fc.constantFrom('buy' as const, 'sell' as const),
        entry: ticks,
        entryPrice: ticks,
        stopLoss: ticks,
        exits: fc.tuple(ticks, ticks, ticks),
        fractions: fc.tuple(fc.integer({ min: 1, max: 4_999 }), fc.integer({ min: 1, max: 4_999 })),
        spread: fc.integer({ min: 0, max: 1_000 }),
        spec: fc.constantFrom(
          { digits: 5, pipSize: 0.0001 },
          { digits: 2, pipSize: 0.25 },
          { digits: 3, pipSize: 0.01 },
        ),
      }),
      ({ rules, direction, entry, entryPrice, stopLoss, exits, fractions: [a, b], spread, spec }) => {
        const base = direction === 'buy' ? Math.max(entry, entryPrice) : Math.min(entry, entryPrice);
        fc.pre(entry !== stopLoss && base !== stopLoss);
        const price = (value: number): number => Number((value / 10 ** spec.digits).toFixed(spec.digits));
        const parts = exits.map((each, index) => ({ price: each, fraction: [a, b, 10_000 - a - b][index]! }));
        const input = { rules, direction, entry, entryPrice, stopLoss, exits: parts, ...spec };
        expect(
          exitedResult({
            rules,
            direction,
            entry: price(entry),
            entryPrice: price(entryPrice),
            stopLoss: price(stopLoss),
            exits: parts.map((part) => ({ price: price(part.price), fraction: part.fraction / 10_000 })),
            spread: price(spread),
            ...spec,
          }),
        ).toEqual({
          ...profitOf(input),
          exit_price: meanExitPrice(parts, spec.digits),
          rank_r: rules === 2 ? rankingR(input, spread) : expect.any(Number),
        });
      },
    ),
    { numRuns: 1_000 },
  );
});

test('has no result if the parts are not the whole position', () => {
  const trade = { rules: 2, direction: 'buy', entry: 2, entryPrice: 2, stopLoss: 1, digits: 2, pipSize: 0.01 } as const;
  expect(exitedResult({ ...trade, spread: 0.01, exits: [{ fraction: 0.5, price: 3 }] })).toBeNull();
});
