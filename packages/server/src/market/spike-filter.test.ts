import { describe, expect, test } from 'bun:test';
import type { InstrumentType } from '@tickwire/contract';
import {
  asEpochMs,
  asSymbol,
  CATALOGUE,
  DAY_MS,
  HOUR_MS,
  type InstrumentSpec,
  MINUTE_MS,
  type PriceEvent,
  type QuoteEvent,
  type TradeEvent,
} from '@tickwire/engine';
import fc from 'fast-check';
import { MAX_HELD, SPIKE_LIMITS, SpikeFilter } from './spike-filter.ts';

const EURUSD = CATALOGUE.find(({ symbol }) => symbol === asSymbol('EURUSD'))!;
const T0 = 1_700_000_000_000;
const quote = (bid: number, time = T0, ask = bid): QuoteEvent => ({
  kind: 'quote',
  symbol: EURUSD.symbol,
  time: asEpochMs(time),
  bid,
  ask,
  bidSize: 0,
  askSize: 0,
});
const trade = (price: number, time = T0): TradeEvent => ({
  kind: 'trade',
  symbol: EURUSD.symbol,
  time: asEpochMs(time),
  price,
  size: 1,
  side: 'buy',
  sideMethod: null,
});
const priceOf = (event: PriceEvent): number => (event.kind === 'quote' ? event.bid : event.price);

/** A filter that records what came out, in order. */
class Filtered {
  readonly filter: SpikeFilter;
  readonly spec: InstrumentSpec;
  readonly passed: number[] = [];
  readonly dropped: number[] = [];
  #time = T0;

  constructor(percent: number | null = null, spec = EURUSD) {
    this.filter = new SpikeFilter(percent);
    this.spec = spec;
  }

  get isQuarantined(): boolean {
    return this.filter.isQuarantined(this.spec.symbol);
  }

  add(...events: PriceEvent[]): this {
    for (const event of events) {
      const { held, released, dropped } = this.filter.decide(this.spec, event, 'feed');
      this.dropped.push(...dropped.map((each) => priceOf(each.event)));
      this.passed.push(...released.map((each) => priceOf(each.event)));
      if (!held) this.passed.push(priceOf(event));
    }
    return this;
  }

  /** Adds quotes a second apart. */
  quotes(...bids: number[]): this {
    for (const bid of bids) {
      this.#time += 1_000;
      this.add(quote(bid, this.#time));
    }
    return this;
  }
}

describe('SpikeFilter', () => {
  test('drops single spikes, lists them, and accepts the next price', () => {
    const filtered = new Filtered().quotes(1.1, 11, 1.1001, 0.11, 1.1002);
    expect(filtered.passed).toEqual([1.1, 1.1001, 1.1002]);
    expect(filtered.dropped).toEqual([11, 0.11]);
    expect(filtered.filter.quarantine.map(({ price, last }) => [price, last])).toEqual([
      [11, 1.1],
      [0.11, 1.1001],
    ]);
  });

  test('holds a jump, lists it, and releases it in order when a second quote confirms it', () => {
    const filtered = new Filtered().quotes(1.1, 1.15);
    expect([filtered.passed, filtered.isQuarantined]).toEqual([[1.1], true]);
    expect(filtered.filter.quarantine).toEqual([{ symbol: EURUSD.symbol, time: T0 + 2_000, price: 1.15, last: 1.1 }]);
    filtered.quotes(1.151);
    expect([filtered.passed, filtered.isQuarantined]).toEqual([[1.1, 1.15, 1.151], false]);
    expect(filtered.filter.quarantine).toEqual([]);
  });

  test('releases an event with its own time and source', () => {
    const { filter } = new Filtered().add(quote(1.1));
    const jump = quote(1.2, T0 + 1);
    filter.decide(EURUSD, jump, 'one');
    const { released } = filter.decide(EURUSD, quote(1.2, T0 + 2), 'two');
    expect(released).toMatchObject([{ event: jump, source: 'one' }]);
  });

  test.each(Object.entries(SPIKE_LIMITS))(
    'in a quiet market of class %s, the limit is the floor',
    (type, { floor }) => {
      const spec = { ...EURUSD, type: type as InstrumentType };
      for (const sign of [1, -1]) {
        const at = (percent: number): number => 1 + (sign * percent) / 100;
        expect(new Filtered(null, spec).quotes(1, at(floor)).passed).toHaveLength(2);
        expect(new Filtered(null, spec).quotes(1, at(floor + 0.001)).passed).toHaveLength(1);
      }
    },
  );

  test('has a floor and a ceiling for each class', () => {
    const limits = Object.entries(SPIKE_LIMITS).map(([type, { floor, ceiling }]) => `${type} ${floor} ${ceiling}`);
    expect(limits).toEqual(['forex 1.5 5', 'metal 2 7', 'index 2 10', 'energy 4 15', 'crypto 4 25', 'equity 6 30']);
  });

  test.each([
    // Twice the hourly volatility: 2 × √12 × the range of five minutes.
    [0.1, 1.5],
    [0.4, 2.77],
    [1.2, 5],
  ])('if each five minutes have a range of %p percent, the limit is %p percent', (range, limit) => {
    const after = (jump: number): number => {
      const filtered = new Filtered();
      const end = T0 + 2 * HOUR_MS;
      for (let time = T0; time < end; time += MINUTE_MS)
        filtered.add(quote(time % (2 * MINUTE_MS) === T0 % (2 * MINUTE_MS) ? 1 : 1 + range / 100, time));
      const { length } = filtered.passed;
      return filtered.add(quote(1 + range / 100 + jump / 100, end)).passed.length - length;
    };
    expect([after(limit * 0.99), after(limit * 1.02)]).toEqual([1, 0]);
  });

  test('a ramp of minutes does not raise the limit for the jump that follows', () => {
    const filtered = new Filtered().quotes(1, 1.014, 1.028, 1.042, 1.056, 1.07);
    expect(filtered.passed).toHaveLength(6);
    expect(filtered.quotes(1.1).isQuarantined).toBe(true);
  });

  test('checks bid and ask on their own', () => {
    const filtered = new Filtered().add(quote(1.1, T0, 1.1001));
    filtered.add(quote(1.1, T0 + 1, 1.13));
    expect(filtered.isQuarantined).toBe(true);
    filtered.add(quote(1.1, T0 + 2, 1.1001), quote(1.07, T0 + 3, 1.1001));
    expect([filtered.isQuarantined, filtered.passed]).toEqual([true, [1.1, 1.1]]);
  });

  test('does not accept spikes at different levels', () => {
    const filtered = new Filtered().quotes(1.1, 2, 3, 4, 1.1);
    expect([filtered.passed, filtered.dropped]).toEqual([
      [1.1, 1.1],
      [2, 3, 4],
    ]);
  });

  test('drops a spike on the way to a new level, and loses nothing of a crash', () => {
    const spike = new Filtered().quotes(1.1, 2, 1.3, 1.301);
    expect([spike.passed, spike.dropped]).toEqual([[1.1, 1.3, 1.301], [2]]);
    const crash = new Filtered().quotes(1.2, 1.17, 1.1, 1.05, 1.02, 1.019);
    expect([crash.passed, crash.dropped]).toEqual([[1.2, 1.17, 1.1, 1.05, 1.02, 1.019], []]);
  });

  test('the nearer level decides about a jump just beyond the limit', () => {
    expect(new Filtered().quotes(1, 1.016, 1.014).passed).toEqual([1, 1.016, 1.014]);
    expect(new Filtered().quotes(1, 1.016, 1.002).passed).toEqual([1, 1.002]);
  });

  test('alternating spikes never pass', () => {
    const filtered = new Filtered();
    for (let count = 0; count < 1_000; count++) filtered.quotes(1.1, 1.154);
    expect(new Set(filtered.passed)).toEqual(new Set([1.1]));
    expect(filtered.filter.quarantine).toHaveLength(100);
  });

  test('the same quote sent twice does not confirm itself', () => {
    const filtered = new Filtered().add(quote(1.1), quote(1.154, T0 + 1), quote(1.154, T0 + 1));
    expect(filtered.passed).toEqual([1.1]);
    filtered.add(quote(1.154, T0 + 2));
    expect(filtered.passed).toEqual([1.1, 1.154, 1.154, 1.154]);
  });

  test('a trade neither confirms nor refutes a quote, and is released with it', () => {
    const filtered = new Filtered().add(quote(1.1), quote(1.15, T0 + 1), trade(1.15, T0 + 2), trade(1.1, T0 + 3));
    expect([filtered.passed, filtered.isQuarantined]).toEqual([[1.1, 1.1], true]);
    filtered.add(trade(9, T0 + 4), quote(1.151, T0 + 5));
    expect(filtered.passed).toEqual([1.1, 1.1, 1.15, 1.15, 1.151]);
    expect(filtered.dropped).toEqual([9]);
  });

  test('a second trade confirms trades, but no quote', () => {
    const filtered = new Filtered().add(quote(1.1), trade(1.15, T0 + 1), trade(1.151, T0 + 2));
    expect([filtered.passed, filtered.isQuarantined]).toEqual([[1.1, 1.15, 1.151], false]);
    filtered.add(quote(1.15, T0 + 3), trade(1.152, T0 + 4));
    expect([filtered.passed, filtered.isQuarantined]).toEqual([[1.1, 1.15, 1.151, 1.152], true]);
    filtered.add(quote(1.15, T0 + 5));
    expect([filtered.passed.slice(-2), filtered.isQuarantined]).toEqual([[1.15, 1.15], false]);
  });

  test('filters an instrument with trades alone', () => {
    const filtered = new Filtered().add(trade(1.1), trade(1.2, T0 + 1), trade(1.1, T0 + 2), trade(1.2, T0 + 3));
    expect([filtered.passed, filtered.dropped]).toEqual([[1.1, 1.1], [1.2]]);
    filtered.add(trade(1.2, T0 + 4));
    expect(filtered.passed).toEqual([1.1, 1.1, 1.2, 1.2]);
  });

  test('holds a limited number of events and drops the oldest', () => {
    const filtered = new Filtered().add(quote(1.1), quote(1.15, T0 + 1));
    for (let count = 0; count < MAX_HELD; count++) filtered.add(trade(1.15, T0 + 2));
    expect(filtered.dropped).toEqual([1.15]);
    expect(filtered.add(quote(1.15, T0 + 3)).passed).toHaveLength(MAX_HELD + 2);
  });

  test('drops what is held when no more events follow', () => {
    const filtered = new Filtered().quotes(1.1, 1.2);
    expect(filtered.filter.dropHeld().map(({ event }) => priceOf(event))).toEqual([1.2]);
    expect([filtered.isQuarantined, filtered.filter.quarantine.length]).toEqual([false, 1]);
  });

  test('a custom limit applies to every class, whatever the volatility', () => {
    expect(new Filtered(0.1).quotes(1, 1.0011).passed).toEqual([1]);
    expect(new Filtered(20).quotes(1, 1.19).passed).toEqual([1, 1.19]);
  });

  test('after a long silence or a restart, a jump needs a second quote too', () => {
    const filtered = new Filtered();
    const at = (bid: number, minute: number): number[] => filtered.add(quote(bid, T0 + minute * MINUTE_MS)).passed;
    expect(at(1.1, 0)).toEqual([1.1]);
    expect([at(1.2, 20), at(1.3, 21), at(1.1001, 22)].at(-1)).toEqual([1.1, 1.1001]);
    expect([at(1.2, 40), at(1.2001, 41)].at(-1)).toEqual([1.1, 1.1001, 1.2, 1.2001]);
    // A time in the past is no way around the limit.
    expect([at(2.4, -60), at(1.2, 43)].at(-1)!.at(-1)).toBe(1.2);
    const restarted = new Filtered();
    restarted.filter.seed(EURUSD, quote(1.1));
    expect(restarted.add(quote(1.2, T0 + MINUTE_MS)).passed).toEqual([]);
  });

  test('accepts any price at the open of a session, but not while the market is closed', () => {
    const [friday, saturday, sunday] = ['2026-01-09T21:30Z', '2026-01-10T12:00Z', '2026-01-11T22:30Z'].map(Date.parse);
    const filtered = new Filtered().add(quote(1.1, friday), quote(1.5, saturday));
    expect(filtered.isQuarantined).toBe(true);
    expect(filtered.add(quote(1.3, sunday)).passed).toEqual([1.1, 1.3]);
    expect(filtered.isQuarantined).toBe(false);
    const always = new Filtered(null, { ...EURUSD, hours: 'always' }).add(quote(1.3, sunday));
    expect(always.add(quote(1.5, sunday! + DAY_MS)).passed).toEqual([1.3]);
  });

  test('after an outage over the open of a session, a jump on another day needs a second quote', () => {
    const [friday, tuesday] = ['2026-01-09T21:30Z', '2026-01-13T12:00Z'].map(Date.parse);
    const filtered = new Filtered().add(quote(1.1, friday), quote(1.3, tuesday));
    expect(filtered.passed).toEqual([1.1]);
    expect(filtered.add(quote(1.3, tuesday! + 1)).passed).toEqual([1.1, 1.3, 1.3]);
  });

  test('a late tick near the last price does not look like a silence', () => {
    const now = Date.parse('2026-01-12T22:30Z');
    const filtered = new Filtered().add(quote(1.1, now), quote(1.1, now - 7 * DAY_MS), quote(1.3, now + 1));
    expect(filtered.isQuarantined).toBe(true);
  });

  test('never holds a tick within the limit', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -0.0149, max: 0.0149, noNaN: true })), (steps) => {
        const filtered = new Filtered();
        let bid = 1.1;
        return steps.every((step) => {
          bid *= 1 + step;
          return !filtered.quotes(bid).isQuarantined;
        });
      }),
    );
  });

  test('every event passes or is dropped, exactly once', () => {
    const events = fc.array(
      fc.record({
        level: fc.integer({ min: 1, max: 4 }),
        isTrade: fc.boolean(),
        later: fc.integer({ min: 0, max: 2 }),
      }),
    );
    fc.assert(
      fc.property(events, (steps) => {
        const filtered = new Filtered();
        let time = T0;
        for (const { level, isTrade, later } of steps) {
          time += later;
          filtered.add(isTrade ? trade(level, time) : quote(level, time));
        }
        filtered.dropped.push(...filtered.filter.dropHeld().map(({ event }) => priceOf(event)));
        const sorted = (prices: number[]): number[] => prices.toSorted((a, b) => a - b);
        expect(sorted([...filtered.passed, ...filtered.dropped])).toEqual(sorted(steps.map(({ level }) => level)));
      }),
    );
  });
});
