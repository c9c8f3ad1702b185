// Results by month (UTC) of completion: in R, and in percent of an account that risks the same percentage on every decision.
import { type EpochMs, utcDate } from '../market/time.ts';
import { UNITS_PER_R } from './ranking-signal.ts';

export interface CompletedDecision {
  readonly completedAt: EpochMs;
  /** 1e-4 R. */
  readonly units: number;
}

export interface Month {
  /** 2026-03. */
  readonly month: string;
  readonly decisions: number;
  readonly r: number;
  /** Compounded, two decimals; −100 if the account is lost. */
  readonly percent: number;
}

/** Ascending, without months in which nothing was completed. `decisions` in the order of their completion. */
export function monthsOf(decisions: Iterable<CompletedDecision>, riskPercent: number): Month[] {
  const byMonth = new Map<string, { decisions: number; units: number; growth: number }>();
  for (const { completedAt, units } of decisions) {
    const month = monthOf(completedAt);
    const sum = byMonth.get(month) ?? { decisions: 0, units: 0, growth: 1 };
    byMonth.set(month, {
      decisions: sum.decisions + 1,
      units: sum.units + units,
      growth: sum.growth * Math.max(0, 1 + ((riskPercent / 100) * units) / UNITS_PER_R),
    });
  }
  return [...byMonth]
    .map(([month, sum]) => ({
      month,
      decisions: sum.decisions,
      r: sum.units / UNITS_PER_R,
      percent: Math.round((sum.growth - 1) * 10_000) / 100 + 0,
    }))
    .sort((a, b) => (a.month < b.month ? -1 : 1));
}

/** The UTC month of a time, as in 2026-03. */
export function monthOf(time: EpochMs): string {
  const { year, month } = utcDate(time);
  return `${year}-${String(month).padStart(2, '0')}`;
}
