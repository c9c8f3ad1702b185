import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, CATALOGUE, type QuoteEvent } from '@tickwire/engine';
import fc from 'fast-check';
import { SpikeFilter } from './spike-filter.ts';

const EURUSD = CATALOGUE.find(({ symbol }) => symbol === asSymbol('EURUSD'))!;
const T0 = 1_700_000_000_000;
const quote = (bid: number, time = T0): QuoteEvent => ({
  kind: 'quote',
  symbol: EURUSD.symbol,
  time: asEpochMs(time),
  bid,
  ask: bid,
  bidSize: 0,
  askSize: 0,
});

describe('SpikeFilter', () => {
  test('quarantines a single spike and accepts the next price', () => {
    const filter = new SpikeFilter(null);
    expect([1.1, 11, 1.1001, 0.11, 1.1002].map((bid) => filter.pass(EURUSD, quote(bid)))).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
    expect(filter.quarantine.map(({ price, last }) => [price, last])).toEqual([
      [11, 1.1],
      [0.11, 1.1001],
    ]);
  });

  test('accepts a new level at the third tick', () => {
    const filter = new SpikeFilter(null);
    expect([1.1, 1.3, 1.301, 1.302, 1.303].map((bid) => filter.pass(EURUSD, quote(bid)))).toEqual([
      true,
      false,
      false,
      true,
      true,
    ]);
  });

  test('does not accept three spikes at different levels', () => {
    const filter = new SpikeFilter(null);
    expect([1.1, 2, 3, 4, 1.1].map((bid) => filter.pass(EURUSD, quote(bid)))).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
  });

  test('accepts any price after a long silence, and applies a custom limit', () => {
    const filter = new SpikeFilter(0.1);
    filter.pass(EURUSD, quote(1));
    expect(filter.pass(EURUSD, quote(1.002))).toBe(false);
    expect(filter.pass(EURUSD, quote(2, T0 + 700_000))).toBe(true);
  });

  test('never quarantines a tick within the limit', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -0.049, max: 0.049, noNaN: true })), (steps) => {
        const filter = new SpikeFilter(null);
        let bid = 1.1;
        return steps.every((step) => {
          bid *= 1 + step;
          return filter.pass(EURUSD, quote(bid));
        });
      }),
    );
  });
});
