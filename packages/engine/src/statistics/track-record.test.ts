import { describe, expect, test } from 'bun:test';
import { CLOSE_REASONS } from '@tickwire/contract';
import fc from 'fast-check';
import { active, anyOutcome, closed, recomputed, recordOf, TRUSTED, unfilled } from '../../testing/track-records.ts';
import { asEpochMs } from '../market/time.ts';
import { sharedLog, TrackRecord } from './track-record.ts';

const outcomes = fc.array(anyOutcome, { maxLength: 60 });

describe('track record', () => {
  test('matches a manual calculation for 2, −1, 0.5, 0 and −1 R', () => {
    const counted = [2, -1, 0.5, 0, -1].map((r) => closed(r));
    const record = recordOf([...counted, unfilled(), closed(3, { voided: true }), active(closed(0))]);
    expect(record.summary()).toEqual({
      signals: 8,
      active: 1,
      closed: 7,
      rankedSignals: 5,
      wins: 2,
      losses: 2,
      breakeven: 1,
      unfilled: 1,
      unranked: 1,
      winRate: 0.4,
      winRateLow: 0.1176,
      winRateHigh: 0.7693,
      averageR: 0.1,
      totalR: 0.5,
      expectancyR: 0.1,
      profitFactor: 1.25,
      // From 2 down to 0.5.
      maxDrawdownR: 1.5,
      averageHoldingSeconds: 3600,
      // The squared deviations add up to 6.2: 0.1 / √(6.2 / 4).
      sharpe: 0.0803,
      // Skewness 0.852 / 1.24^1.5, kurtosis 3.1972 / 1.24²: the variance is 0.9522, z 0.1646.
      probabilisticSharpe: 0.5654,
      // 1 + 0.9522 · (1.644854 / 0.080322)² = 400.3
      signalsNeeded: 401,
      firstAt: closed(0).publishedAt,
      lastAt: closed(0).publishedAt,
    });
    expect(record.equity().map(({ r, totalR }) => [r, totalR])).toEqual([
      [2, 2],
      [-1, 1],
      [0.5, 1.5],
      [0, 1.5],
      [-1, 0.5],
    ]);
  });

  test('has null figures without ranked signals', () => {
    const record = recordOf([unfilled(), active(closed(1))]);
    expect(record.summary()).toMatchObject({
      signals: 2,
      active: 1,
      closed: 1,
      unfilled: 1,
      totalR: 0,
      maxDrawdownR: 0,
    });
    const { winRate, winRateLow, winRateHigh, averageR, expectancyR, profitFactor, ...rest } = record.summary();
    const { averageHoldingSeconds, sharpe, probabilisticSharpe, signalsNeeded } = rest;
    expect([winRate, winRateLow, winRateHigh, averageR, expectancyR, profitFactor]).toEqual(Array(6).fill(null));
    expect([averageHoldingSeconds, sharpe, probabilisticSharpe, signalsNeeded]).toEqual(Array(4).fill(null));
    expect(record.equity()).toEqual([]);
  });

  test('counts every filled signal, whatever its close reason', () => {
    for (const reason of CLOSE_REASONS.filter((one) => one !== 'unfilled'))
      expect(recordOf([closed(-0.4, { reason })]).summary()).toMatchObject({
        rankedSignals: 1,
        losses: 1,
        totalR: -0.4,
      });
  });

  test('rejects a filled signal without a result and stays unchanged', () => {
    const signal = closed(-1);
    const record = recordOf([active(signal)]);
    const before = record.summary();
    const faults = [{ pnlR: null }, { pnlR: Number.NaN }, { rankR: null }, { filledAt: null }, { reason: null }];
    for (const fault of faults) expect(() => record.close({ ...signal, ...fault })).toThrow(RangeError);
    expect(record.summary()).toEqual(before);
  });

  test('sums 10,000 × 0.1 R to exactly 1,000 R', () => {
    const { totalR, averageR } = recordOf(Array.from({ length: 10_000 }, () => closed(0.1))).summary();
    expect({ totalR, averageR }).toEqual({ totalR: 1000, averageR: 0.1 });
  });

  test('has no Sharpe ratio for equal wins only', () => {
    const summary = recordOf(Array.from({ length: 100 }, () => closed(0.3))).summary();
    expect(summary).toMatchObject({ sharpe: null, probabilisticSharpe: null, signalsNeeded: null });
    expect(summary.profitFactor).toBeNull();
  });

  test('has a Sharpe ratio but no probability after two signals', () => {
    const summary = recordOf([closed(1), closed(2)]).summary();
    expect(summary).toMatchObject({ sharpe: 2.1213, probabilisticSharpe: null, signalsNeeded: null });
  });

  test('counts a close before its fill, which a deadline can cause, as a holding time of 0', () => {
    const filledAt = asEpochMs(closed(0).closedAt! + 90_000);
    expect(recordOf([closed(1, { filledAt }), closed(1)]).summary().averageHoldingSeconds).toBe(1800);
  });

  test('needs fewer signals the better they are', () => {
    const series = (n: number) => Array.from({ length: n }, (_, i) => closed(i % 3 === 0 ? -1 : 2));
    // Mean 1, variance 2 · 30/29, skewness −0.7071, kurtosis 1.5: 1 + 1.552 · (1.644854 / 0.6952)² = 9.7
    expect(recordOf(series(30)).summary().signalsNeeded).toBe(10);
  });

  test('has no number of needed signals for a losing publisher', () => {
    const summary = recordOf(Array.from({ length: 1000 }, (_, i) => closed(i % 3 === 0 ? 1 : -1))).summary();
    expect(summary).toMatchObject({ probabilisticSharpe: 0, signalsNeeded: null });
  });
});

describe('track record of arbitrary outcomes', () => {
  test('equals a recalculation from the complete list', () => {
    fc.assert(
      fc.property(outcomes, (all) => {
        const summary = recordOf(all).summary();
        const { counts, figures, holdingSeconds } = recomputed(all);
        expect(summary).toMatchObject(counts);
        for (const [name, figure] of Object.entries(figures)) {
          const kept = summary[name as keyof typeof figures];
          if (figure === null || kept === null) expect([name, kept]).toEqual([name, figure]);
          else expect(Math.abs(kept - figure)).toBeLessThan(0.500001e-4);
        }
        if (holdingSeconds === null) expect(summary.averageHoldingSeconds).toBeNull();
        else expect(Math.abs(summary.averageHoldingSeconds! - holdingSeconds)).toBeLessThanOrEqual(0.500001);
      }),
    );
  });

  test('does not depend on how publications and closings overlap', () => {
    fc.assert(
      fc.property(outcomes, fc.array(fc.nat(9), { minLength: 60, maxLength: 60 }), fc.nat(10), (all, early, open) => {
        const live = new TrackRecord(sharedLog(TRUSTED, false));
        const toClose = all.slice(0, Math.max(0, all.length - open));
        const toStay = all.slice(toClose.length);
        // Publish each signal some closings before its own.
        let published = 0;
        toClose.forEach((outcome, index) => {
          for (; published < all.length && published <= index + early[index]!; published++)
            live.publish(active(all[published]!));
          live.close(outcome);
        });
        for (; published < all.length; published++) live.publish(active(all[published]!));
        const batch = recordOf([...toClose, ...toStay.map(active)]);
        expect(live.summary()).toEqual(batch.summary());
        expect(live.equity()).toEqual(batch.equity());
        expect(live.instruments()).toEqual(batch.instruments());
        expect(live.summary().active).toBe(toStay.length);
      }),
    );
  });

  test('depends on the order of closing only in the curve and its drawdown', () => {
    const shuffled = outcomes.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([all, mixed]) => {
        const one = recordOf(all).summary();
        expect({ ...recordOf(mixed).summary(), maxDrawdownR: 0 }).toEqual({ ...one, maxDrawdownR: 0 });
      }),
    );
  });

  test('has counts that add up and a drawdown of at least 0 and of at least the total loss', () => {
    fc.assert(
      fc.property(outcomes, (all) => {
        const summary = recordOf(all).summary();
        expect(summary.active + summary.closed).toBe(summary.signals);
        expect(summary.rankedSignals + summary.unfilled + summary.unranked).toBe(summary.closed);
        expect(summary.wins + summary.losses + summary.breakeven).toBe(summary.rankedSignals);
        expect(summary.maxDrawdownR).toBeGreaterThanOrEqual(0);
        expect(summary.maxDrawdownR).toBeGreaterThanOrEqual(-summary.totalR);
        expect(recordOf(all).equity().at(-1)?.totalR ?? 0).toBe(summary.totalR);
      }),
    );
  });

  test('is mirrored if every R is negated', () => {
    fc.assert(
      fc.property(outcomes, (all) => {
        const one = recordOf(all).summary();
        const negated = all.map((outcome) => ({ ...outcome, pnlR: 0 - outcome.pnlR! }));
        const mirror = recordOf(negated).summary();
        const minus = (value: number | null) => (value === null ? null : 0 - value);
        expect(mirror).toMatchObject({ wins: one.losses, losses: one.wins, breakeven: one.breakeven });
        expect(mirror).toMatchObject({
          totalR: 0 - one.totalR,
          averageR: minus(one.averageR),
          sharpe: minus(one.sharpe),
        });
        if (one.probabilisticSharpe === null) expect(mirror.probabilisticSharpe).toBeNull();
        else expect(mirror.probabilisticSharpe! + one.probabilisticSharpe).toBeCloseTo(1, 3);
        // Mirrored, a fall from a peak is a rise from a trough. The larger of the two is the range of the curve.
        const totals = [
          0,
          ...recordOf(all)
            .equity()
            .map((point) => point.totalR),
        ];
        const range = Math.max(...totals) - Math.min(...totals);
        expect(Math.max(one.maxDrawdownR, mirror.maxDrawdownR)).toBeCloseTo(range, 9);
      }),
    );
  });

  test('has figures per instrument that equal those of its signals alone', () => {
    fc.assert(
      fc.property(outcomes, (all) => {
        const instruments = recordOf(all).instruments();
        expect(instruments.map(({ symbol }) => symbol).sort()).toEqual([...new Set(all.map((o) => o.symbol))].sort());
        for (const { symbol, ...figures } of instruments)
          expect(figures).toEqual(recordOf(all.filter((outcome) => outcome.symbol === symbol)).summary());
        const lengths = instruments.map(({ rankedSignals }) => rankedSignals);
        expect(lengths).toEqual([...lengths].sort((a, b) => b - a));
      }),
    );
  });
});
