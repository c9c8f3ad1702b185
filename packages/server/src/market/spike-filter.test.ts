import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, CATALOGUE, DAY_MS, MINUTE_MS, type QuoteEvent } from '@tickwire/engine';
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

  test('applies a custom limit', () => {
    const filter = new SpikeFilter(0.1);
    filter.pass(EURUSD, quote(1));
    expect(filter.pass(EURUSD, quote(1.002))).toBe(false);
  });

  test('after a long silence, accepts a jump at the second quote near it, and not at two different prices', () => {
    const filter = new SpikeFilter(null);
    const pass = (bid: number, minute: number): boolean => filter.pass(EURUSD, quote(bid, T0 + minute * MINUTE_MS));
    expect(pass(1.1, 0)).toBe(true);
    expect([pass(1.2, 20), pass(1.3, 21), pass(1.1001, 22)]).toEqual([false, false, true]);
    expect([pass(1.2, 40), pass(1.2001, 41), pass(1.2002, 42)]).toEqual([false, true, true]);
    expect(filter.quarantine.map(({ price }) => price)).toEqual([1.2, 1.3, 1.2]);
    // A time in the past is no way around the limit.
    expect([pass(2.4, -60), pass(1.2, 43)]).toEqual([false, true]);
  });

  test('a late tick near the last price does not look like a silence', () => {
    const filter = new SpikeFilter(null);
    const now = Date.parse('2026-01-14T12:00Z');
    // Before the weekend: a session opened since.
    expect([filter.pass(EURUSD, quote(1.1, now)), filter.pass(EURUSD, quote(1.1, now - 7 * DAY_MS))]).toEqual([
      true,
      true,
    ]);
    expect([1, 2, 3].map((second) => filter.pass(EURUSD, quote(11, now + second)))).toEqual([false, false, true]);
  });

  test('after an outage over the open of a session, a jump on another day needs a second quote', () => {
    const filter = new SpikeFilter(null);
    const [friday, tuesday] = ['2026-01-09T21:30Z', '2026-01-13T12:00Z'].map(Date.parse) as [number, number];
    filter.pass(EURUSD, quote(1.1, friday));
    expect([filter.pass(EURUSD, quote(1.3, tuesday)), filter.pass(EURUSD, quote(1.3, tuesday + 1))]).toEqual([
      false,
      true,
    ]);
  });

  test('accepts any price at the open of a session, but not while the market is closed', () => {
    const [friday, saturday, sunday] = ['2026-01-09T21:30Z', '2026-01-10T12:00Z', '2026-01-11T22:30Z'].map(Date.parse);
    const filter = new SpikeFilter(null);
    expect(filter.pass(EURUSD, quote(1.1, friday!))).toBe(true);
    expect(filter.pass(EURUSD, quote(1.3, saturday!))).toBe(false);
    expect(filter.pass(EURUSD, quote(1.3, sunday!))).toBe(true);
    const always = { ...EURUSD, hours: 'always' as const };
    expect(filter.pass(always, quote(1.5, sunday! + DAY_MS))).toBe(false);
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
