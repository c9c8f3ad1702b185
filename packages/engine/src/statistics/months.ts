// Results by month (UTC) of completion: in R, and in percent of an account that risks the same percentage on every decision.
import { DAY_MS, type EpochMs } from '../market/time.ts';
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

/** Days of 400 years, after which the calendar repeats. */
const ERA_DAYS = 146_097;
/** From 0000-03-01 to 1970-01-01. Years that begin in March end with the leap day. */
const DAYS_TO_1970 = 719_468;

/** The UTC month of a time from 1970 on, as in 2026-03. */
export function monthOf(time: EpochMs): string {
  const days = Math.floor(time / DAY_MS) + DAYS_TO_1970;
  const era = Math.floor(days / ERA_DAYS);
  const day = days - era * ERA_DAYS;
  const year = Math.floor((day - Math.floor(day / 1_460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365);
  const dayOfYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const sinceMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = sinceMarch < 10 ? sinceMarch + 3 : sinceMarch - 9;
  const calendarYear = year + era * 400 + (month <= 2 ? 1 : 0);
  return `${calendarYear}-${String(month).padStart(2, '0')}`;
}
