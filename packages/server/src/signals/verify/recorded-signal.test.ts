// Records of one signal, checked from the evidence in them alone.
import { describe, expect, test } from 'bun:test';
import type { ClosedRecord, Evidence, PublishedRecord } from '@tickwire/contract';
import type { FindingCode } from './findings.ts';
import { shapeFault } from './record-shape.ts';
import { RecordedSignal } from './recorded-signal.ts';

const NOON = Date.UTC(2026, 2, 4, 12);
const at = (second: number): string => new Date(NOON + second * 1_000).toISOString();
const quote = (seq: number, second: number, bid: number, ask = bid + 0.01): PublishedRecord['quote'] => ({
  kind: 'quote',
  seq,
  time: at(second),
  bid,
  ask: Math.round(ask * 100) / 100,
  source: 'venue',
});
const trade = (price: number, side: 'buy' | 'sell'): Evidence => ({
  kind: 'trade',
  seq: 5,
  time: at(20),
  price,
  side,
  spread: 0.01,
  source: 'venue',
});
const ids = { signal: 'sig', publisher: 'pub', symbol: 'EURUSD' };
const instrument = { digits: 2, pip_size: 0.01 };
const common = (n: number, second: number, rules: 1 | 2) => ({
  n,
  prev: '0'.repeat(64),
  rules,
  at: at(second),
  ...ids,
});

/** A buy at 1.51 with a stop at 1.40 and a target at 1.70 that expires at 12:00:30. */
const published = (rules: 1 | 2): PublishedRecord => ({
  ...common(1, 1, rules),
  type: 'published',
  direction: 'buy',
  entry: 1.51,
  stop_loss: 1.4,
  take_profit: 1.7,
  order: 'market',
  entry_deadline: at(30),
  deadline: at(30),
  ...(rules === 1 && { entry_price: 1.51 }),
  instrument,
  quote: quote(1, 0, 1.5),
});
/** It expired at a bid of 1.45: −6 ticks, with a risk of 11. */
const expired = (rules: 1 | 2): ClosedRecord => ({
  ...common(9, 36, rules),
  type: 'closed',
  instrument,
  reason: 'expired',
  entry_price: 1.51,
  exit_price: 1.45,
  ...(rules === 2 && { last_exit: { fraction: 1, price: 1.45 } }),
  closed_at: at(30),
  pnl: -6,
  pnl_percent: -3.9735,
  pnl_r: -0.5455,
  filled: null,
  decided: trade(1.45, 'sell'),
  decided_seq: 9,
});

type Step = (signal: RecordedSignal, fault: (code: FindingCode) => void) => void;

function faultsOf(publication: PublishedRecord, ...steps: readonly Step[]): FindingCode[] {
  const codes: FindingCode[] = [];
  const signal = new RecordedSignal(publication);
  for (const step of steps) {
    step(signal, (code) => codes.push(code));
    signal.unsound ||= codes.length > 0;
  }
  return codes;
}
const close =
  (record: ClosedRecord): Step =>
  (signal, fault) =>
    void signal.addClosing(record, fault);

describe('a missed trade as the standing price, under rules version 1', () => {
  const faults = (closing: Partial<ClosedRecord>, publication: Partial<PublishedRecord> = {}): FindingCode[] =>
    faultsOf({ ...published(1), ...publication }, close({ ...expired(1), ...closing }));
  const limit = (entry: number, stop_loss: number): Partial<PublishedRecord> => {
    const { entry_price, ...rest } = published(1);
    return { ...rest, order: 'limit', entry, stop_loss, entry_price: undefined };
  };

  test('is where a signal expires: at its price, or one spread below if it lifted the ask', () => {
    expect(faults({})).toEqual([]);
    expect(faults({ decided: trade(1.46, 'buy') })).toEqual([]);
    expect(faults({ decided: trade(1.45, 'buy') })).toContain('decision');
    expect(faults({ decided: trade(1.46, 'sell') })).toContain('decision');
  });

  test('cannot have reached a level on its own side', () => {
    const low = { exit_price: 1.4, pnl: -11, pnl_percent: -7.2848, pnl_r: -1 };
    expect(faults({ ...low, decided: trade(1.4, 'sell') })).toEqual(['decision']);
    expect(faults({ ...low, decided: trade(1.41, 'buy') })).toEqual([]);
  });

  test('cannot have filled a signal that closed unfilled', () => {
    const unfilled = {
      reason: 'unfilled',
      entry_price: null,
      exit_price: null,
      pnl: 0,
      pnl_percent: 0,
      pnl_r: 0,
    } as const;
    expect(faults({ ...unfilled, decided: trade(1.45, 'buy') }, limit(1.45, 1.3))).toEqual(['decision']);
    expect(faults({ ...unfilled, decided: trade(1.45, 'sell') }, limit(1.45, 1.3))).toEqual([]);
  });

  test('cannot close a signal manually, nor can a bar', () => {
    const byHand = { reason: 'manual', closed_at: at(25) } as const;
    expect(faults({ ...byHand, decided: quote(5, 20, 1.45) })).toEqual([]);
    expect(faults({ ...byHand, decided: trade(1.45, 'sell') })).toEqual(['decision']);
    const prices = { open: 1.45, high: 1.45, low: 1.45, close: 1.45, spread: 0.01 };
    const bar: Evidence = { kind: 'bar', seq: 5, time: at(-60), ...prices, source: 'venue' };
    expect(faults({ ...byHand, decided: bar })).toEqual(['decision']);
  });

  test('is older than the fill only if a bar of an earlier minute filled', () => {
    const prices = { open: 1.5, high: 1.5, low: 1.5, close: 1.5, spread: 0.01 };
    const bar: Evidence = { kind: 'bar', seq: 6, time: at(-60), ...prices, source: 'venue' };
    expect(faults({ filled: bar }, limit(1.51, 1.4))).toEqual([]);
    expect(faults({ filled: quote(6, 10, 1.5) }, limit(1.51, 1.4))).toContain('evidence_order');
  });
});

describe('rules version 2', () => {
  const filledBy =
    (evidence: Evidence, entry_price: number): Step =>
    (signal, fault) =>
      signal.addFill(
        { ...common(2, 3, 2), type: 'filled', entry_price, filled_at: evidence.time, filled: evidence },
        fault,
      );
  const fillQuote = quote(2, 2, 1.51);
  const fill = filledBy(fillQuote, 1.52);
  const result = { entry_price: 1.52, pnl: -7, pnl_percent: -4.6053, pnl_r: -0.6364, filled: fillQuote } as const;
  const closed = (change: Partial<ClosedRecord>): Step =>
    close({ ...expired(2), ...result, decided: quote(5, 20, 1.45), ...change });
  const requested =
    (second: number, standing: PublishedRecord['quote']): Step =>
    (signal, fault) =>
      signal.addRequest({ ...common(3, second, 2), type: 'close_requested', quote: standing }, fault);
  const amended =
    (stop_loss: number, second = 10, standing = quote(3, 9, 1.5)): Step =>
    (signal, fault) =>
      signal.addAmendment({ ...common(3, second, 2), type: 'amended', stop_loss, quote: standing }, fault);

  test('a market entry fills at the worse of the accepted quote and the next (J5)', () => {
    expect(faultsOf(published(2), fill, closed({}))).toEqual([]);
    expect(faultsOf(published(2), filledBy(quote(2, 2, 1.49), 1.51))).toEqual([]);
    expect(faultsOf(published(2), filledBy(quote(2, 2, 1.49), 1.5))).toEqual(['fill']);
  });

  test('a quote that is not later than the publication does not judge (J1)', () => {
    expect(faultsOf(published(2), filledBy(quote(2, 1, 1.51), 1.52))).toEqual(['evidence_order']);
    expect(faultsOf(published(2), filledBy(quote(1, 2, 1.51), 1.52))).toContain('evidence_order');
  });

  test('the risk of pnl_r is the published one, whatever the fill', () => {
    expect(faultsOf(published(2), fill, closed({ pnl_r: -0.5833 }))).toEqual(['pnl']);
  });

  test('a deadline closes at the last price before it, and a quote after it does not fill (J3)', () => {
    expect(faultsOf(published(2), fill, closed({ decided: quote(5, 30, 1.45) }))).toContain('deadline');
    expect(faultsOf(published(2), filledBy(quote(2, 30, 1.51), 1.52))).toEqual(['deadline']);
  });

  test('a request closes at the worse of the quote in it and the next (J4)', () => {
    const manual = { reason: 'manual', closed_at: at(20), decided_seq: 5 } as const;
    const request = requested(10, quote(3, 9, 1.47));
    expect(faultsOf(published(2), fill, request, closed(manual))).toEqual([]);
    const better = { ...manual, decided: quote(5, 20, 1.47) };
    expect(faultsOf(published(2), fill, requested(10, quote(3, 9, 1.45)), closed(better))).toEqual([]);
    expect(faultsOf(published(2), fill, request, closed(better))).toContain('decision');
    // Without a request, or before it was in force.
    expect(faultsOf(published(2), fill, closed(manual))).toEqual(['decision']);
    expect(faultsOf(published(2), fill, requested(20, quote(3, 9, 1.47)), closed(manual))).toEqual(['decision']);
  });

  test('a request must be executed by the next quote that a record names', () => {
    const stopped = { reason: 'stop_loss', closed_at: at(20), decided_seq: 5, decided: quote(5, 20, 1.4) } as const;
    const low = {
      exit_price: 1.4,
      last_exit: { fraction: 1, price: 1.4 },
      pnl: -12,
      pnl_percent: -7.8947,
      pnl_r: -1.0909,
    };
    expect(faultsOf(published(2), fill, closed({ ...stopped, ...low }))).toEqual([]);
    expect(faultsOf(published(2), fill, requested(10, quote(3, 9, 1.47)), closed({ ...stopped, ...low }))).toEqual([
      'decision',
    ]);
  });

  test('a stop is only tightened, not beyond the market, and judges from the next quote on (A2, A3)', () => {
    expect(faultsOf(published(2), fill, amended(1.4))).toEqual(['amendment']);
    expect(faultsOf(published(2), fill, amended(1.5))).toEqual(['amendment']);
    expect(faultsOf(published(2), fill, amended(1.47), amended(1.46))).toEqual(['amendment']);
    expect(faultsOf(published(2), fill, amended(1.47, 30))).toContain('deadline');
    // The last price before the deadline would have hit the tighter stop.
    expect(faultsOf(published(2), fill, amended(1.44), closed({}))).toEqual([]);
    expect(faultsOf(published(2), fill, amended(1.45), closed({}))).toEqual(['decision']);
    expect(faultsOf(published(2), fill, amended(1.45, 20), closed({}))).toEqual([]);
  });

  test('a stop of a pending entry stays on its side of the entry', () => {
    const pending: PublishedRecord = { ...published(2), order: 'limit', entry: 1.45, stop_loss: 1.4 };
    expect(faultsOf(pending, amended(1.44))).toEqual([]);
    expect(faultsOf(pending, amended(1.45))).toEqual(['amendment']);
    expect(faultsOf(pending, amended(1.48))).toEqual(['amendment']);
  });

  test('is amended at most 100 times', () => {
    const wide: PublishedRecord = { ...published(2), stop_loss: 1.01, instrument: { digits: 4, pip_size: 0.0001 } };
    const steps = Array.from({ length: 101 }, (_, index) => amended(Math.round(10_101 + index) / 10_000));
    expect(faultsOf(wide, fill, ...steps.slice(0, 100))).toEqual([]);
    expect(faultsOf(wide, fill, ...steps)).toEqual(['amendment']);
  });

  test('all targets that a quote reaches exit in order, each with a record (J7, L4)', () => {
    const targets = [
      { price: 1.6, fraction: 0.5 },
      { price: 1.65, fraction: 0.3 },
      { price: 1.7, fraction: 0.2 },
    ];
    const split = { ...published(2), targets };
    const high = quote(4, 12, 1.66);
    const exit =
      (target: number, fraction: number, price: number): Step =>
      (signal, fault) =>
        signal.addExit(
          { ...common(4, 12, 2), type: 'exited', target, fraction, price, exited_at: at(12), decided: high },
          fault,
        );
    const both = [exit(1, 0.5, 1.6), exit(2, 0.3, 1.65)];
    // 0.5 × 8 + 0.3 × 13 + 0.2 × −7 = 6.5 ticks
    const rest = {
      exit_price: 1.585,
      last_exit: { fraction: 0.2, price: 1.45 },
      pnl: 6.5,
      pnl_percent: 4.2763,
      pnl_r: 0.5909,
    };
    expect(faultsOf(split, fill, ...both, closed(rest))).toEqual([]);
    expect(faultsOf(split, fill, both[0]!, closed(rest))).toEqual(['record_order']);
    expect(faultsOf(split, fill, both[1]!)).toEqual(['record_order']);
    expect(faultsOf(split, fill, exit(1, 0.5, 1.66))).toEqual(['decision']);
    expect(faultsOf(split, both[0]!)).toEqual(['record_order']);
    // After the first target, the stop is at the entry.
    expect(faultsOf({ ...split, breakeven_after: 1 }, fill, ...both, closed(rest))).toEqual(['decision']);
  });
});

test('a trade without the spread of the last quote is not evidence', () => {
  const { spread, ...rest } = trade(1.45, 'sell') as Extract<Evidence, { kind: 'trade' }>;
  const record = expired(1);
  expect(shapeFault({ ...record, decided: { ...rest, spread } })).toBeNull();
  expect(shapeFault({ ...record, decided: rest })).toContain('decided.spread');
});
