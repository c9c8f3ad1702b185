// The equity curve of a publisher over time: the sum of R after each closing, and where it would stand if the open signals
// closed now.
import type { PublisherDetail } from '@tickwire/client';

export interface EquityStep {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Sum of R up to here. */
  readonly total: number;
  /** Of the signal that closed; `null` for the valuation of now. */
  readonly r: number | null;
  /** Other signals that were open. */
  readonly open: number;
}

export interface EquityCurve {
  /** First publication, where the sum is 0. */
  readonly start: number;
  readonly steps: readonly EquityStep[];
  /** With the open signals at current prices. */
  readonly now: EquityStep;
}

export function equityOf({
  equity,
  equity_now,
  first_at,
}: Pick<PublisherDetail, 'equity' | 'equity_now' | 'first_at'>): EquityCurve {
  const steps = equity.map(({ at, r, total_r, open }) => ({ at: Date.parse(at), r, total: total_r, open }));
  const { at, total_r, open } = equity_now;
  const now = { at: Date.parse(at), r: null, total: total_r, open };
  return { start: Math.min(Date.parse(first_at ?? at), ...steps.map((step) => step.at)), steps, now };
}

/** The maximum drawdown, from and to an index (−1 is the start); `null` if there is none. */
export function drawdownOf(steps: readonly EquityStep[]): { readonly from: number; readonly to: number } | null {
  let peak = { at: -1, total: 0 };
  let found: { readonly from: number; readonly to: number } | null = null;
  let depth = 0;
  for (const [at, { total }] of steps.entries()) {
    if (total > peak.total) peak = { at, total };
    if (peak.total - total <= depth) continue;
    depth = peak.total - total;
    found = { from: peak.at, to: at };
  }
  return found;
}
