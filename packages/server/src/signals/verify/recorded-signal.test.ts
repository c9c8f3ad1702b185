// Records of one signal, checked from the evidence in them alone.
import { describe, expect, test } from 'bun:test';
import type { ClosedRecord, Evidence, PublishedRecord } from '@tickwire/contract';
import { shapeFault } from './check-log.ts';
import { EvidenceCheck } from './evidence-check.ts';
import type { FindingCode } from './findings.ts';
import { type FollowingRecord, RecordedSignal } from './recorded-signal.ts';

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
const common = (n: number, second: number) => ({
  n,
  prev: '0'.repeat(64),
  rules: 2,
  at: at(second),
  ...ids,
});

/** A buy at 1.51 with a stop at 1.40 and a target at 1.70 that expires at 12:00:30. */
const published = (): PublishedRecord => ({
  ...common(1, 1),
  type: 'published',
  direction: 'buy',
  entry: 1.51,
  stop_loss: 1.4,
  take_profit: 1.7,
  order: 'market',
  entry_deadline: at(30),
  deadline: at(30),
  instrument,
  quote: quote(1, 0, 1.5),
});
/** It expired at a bid of 1.45: −6 ticks, with a risk of 11. */
const expired = (): ClosedRecord => ({
  ...common(9, 36),
  type: 'closed',
  instrument,
  reason: 'expired',
  entry_price: 1.51,
  exit_price: 1.45,
  last_exit: { fraction: 1, price: 1.45 },
  closed_at: at(30),
  pnl: -6,
  pnl_percent: -3.9735,
  pnl_r: -0.5455,
  filled: null,
  decided: trade(1.45, 'sell'),
  decided_seq: 9,
});

/** Codes of the faults of a publication and the records after it. Without any, the engine judges the events in them again. */
function faultsOf(publication: PublishedRecord, ...records: readonly FollowingRecord[]): FindingCode[] {
  const codes: FindingCode[] = [];
  const signal = new RecordedSignal(publication, (code) => codes.push(code));
  for (const record of records) signal.add(record, (code) => codes.push(code));
  if (codes.length === 0) new EvidenceCheck().check(signal, (_, code) => codes.push(code));
  return codes;
}

describe('the records of a signal', () => {
  const filledBy = (evidence: Evidence, entry_price: number): FollowingRecord => ({
    ...common(2, 3),
    ...{ type: 'filled', entry_price, filled_at: evidence.time, filled: evidence },
  });
  const fillQuote = quote(2, 2, 1.51);
  const fill = filledBy(fillQuote, 1.52);
  const result = { entry_price: 1.52, pnl: -7, pnl_percent: -4.6053, pnl_r: -0.6364, filled: fillQuote } as const;
  const closed = (change: Partial<ClosedRecord>): ClosedRecord => ({
    ...{ ...expired(), ...result, decided: quote(5, 20, 1.45), ...change },
  });
  const requested = (second: number, standing: PublishedRecord['quote']): FollowingRecord => ({
    ...common(3, second),
    ...{ type: 'close_requested', quote: standing },
  });
  const amended = (stop_loss: number, second = 10, standing = quote(3, 9, 1.5)): FollowingRecord => ({
    ...common(3, second),
    ...{ type: 'amended', stop_loss, quote: standing },
  });

  test('a market entry fills at the worse of the accepted quote and the next (J5)', () => {
    expect(faultsOf(published(), fill, closed({}))).toEqual([]);
    expect(faultsOf(published(), filledBy(quote(2, 2, 1.49), 1.51))).toEqual([]);
    expect(faultsOf(published(), filledBy(quote(2, 2, 1.49), 1.5))).toEqual(['fill']);
  });

  test('a quote that is not later than the publication does not judge (J1)', () => {
    expect(faultsOf(published(), filledBy(quote(2, 1, 1.51), 1.52))).toEqual(['evidence_order']);
    expect(faultsOf(published(), filledBy(quote(1, 2, 1.51), 1.52))).toContain('evidence_order');
  });

  test('the risk of pnl_r is the published one, whatever the fill', () => {
    expect(faultsOf(published(), fill, closed({ pnl_r: -0.5833 }))).toEqual(['pnl']);
  });

  test('a deadline closes at the last price before it, and a quote after it does not fill (J3)', () => {
    expect(faultsOf(published(), fill, closed({ decided: quote(5, 30, 1.45) }))).toContain('deadline');
    expect(faultsOf(published(), filledBy(quote(2, 30, 1.51), 1.52))).toEqual(['deadline']);
  });

  test('a request closes at the worse of the quote in it and the next (J4)', () => {
    const manual = { reason: 'manual', closed_at: at(20), decided_seq: 5 } as const;
    const request = requested(10, quote(3, 9, 1.47));
    expect(faultsOf(published(), fill, request, closed(manual))).toEqual([]);
    const better = { ...manual, decided: quote(5, 20, 1.47) };
    expect(faultsOf(published(), fill, requested(10, quote(3, 9, 1.45)), closed(better))).toEqual([]);
    expect(faultsOf(published(), fill, request, closed(better))).toContain('decision');
    // Without a request, or before it was in force.
    expect(faultsOf(published(), fill, closed(manual))).toEqual(['decision']);
    expect(faultsOf(published(), fill, requested(20, quote(3, 9, 1.47)), closed(manual))).toEqual(['decision']);
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
    expect(faultsOf(published(), fill, closed({ ...stopped, ...low }))).toEqual([]);
    expect(faultsOf(published(), fill, requested(10, quote(3, 9, 1.47)), closed({ ...stopped, ...low }))).toEqual([
      'decision',
    ]);
  });

  test('a stop is only tightened, not beyond the market, and judges from the next quote on (A2, A3)', () => {
    expect(faultsOf(published(), fill, amended(1.4))).toEqual(['amendment']);
    expect(faultsOf(published(), fill, amended(1.5))).toEqual(['amendment']);
    expect(faultsOf(published(), fill, amended(1.47), amended(1.46))).toEqual(['amendment']);
    expect(faultsOf(published(), fill, amended(1.47, 30))).toContain('deadline');
    // The last price before the deadline would have hit the tighter stop.
    expect(faultsOf(published(), fill, amended(1.44), closed({}))).toEqual([]);
    expect(faultsOf(published(), fill, amended(1.45), closed({}))).toEqual(['decision']);
    expect(faultsOf(published(), fill, amended(1.45, 20), closed({}))).toEqual([]);
  });

  test('a stop of a pending entry stays on its side of the entry', () => {
    const pending: PublishedRecord = { ...published(), order: 'limit', entry: 1.45, stop_loss: 1.4 };
    expect(faultsOf(pending, amended(1.44))).toEqual([]);
    expect(faultsOf(pending, amended(1.45))).toEqual(['amendment']);
    expect(faultsOf(pending, amended(1.48))).toEqual(['amendment']);
  });

  test('is amended at most 100 times', () => {
    const wide: PublishedRecord = { ...published(), stop_loss: 1.01, instrument: { digits: 4, pip_size: 0.0001 } };
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
    const split = { ...published(), targets };
    const high = quote(4, 12, 1.66);
    const exit = (target: number, fraction: number, price: number): FollowingRecord => ({
      ...common(4, 12),
      ...{ type: 'exited', target, fraction, price, exited_at: at(12), decided: high },
    });
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
  const record = expired();
  expect(shapeFault({ ...record, decided: { ...rest, spread } })).toBeNull();
  expect(shapeFault({ ...record, decided: rest })).toContain('decided.spread');
});
