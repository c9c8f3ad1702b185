// The equity curve of a publisher: cumulative R over its ranked signals, and the range that chance alone would reach. The x axis
// is the number of signals, not time, because the range depends on it.
import type { PublisherDetail } from '@tickwire/client';
import { Z95 } from './figures.ts';

export interface EquityStep {
  /** Ranked signals so far; approximate if the curve is thinned. */
  readonly count: number;
  /** Cumulative R. */
  readonly total: number;
  readonly r: number;
  /** When the signal closed. */
  readonly at: string;
  /** 95 % of records without an edge, of the same deviation, lie within ± this; `null` if that is not known. */
  readonly luck: number | null;
}

/** Standard deviation of R. The Sharpe ratio is the mean divided by it. */
export function deviationOf({ average_r, sharpe, equity, ranked_signals }: PublisherDetail): number | null {
  if (average_r !== null && sharpe !== null && sharpe !== 0) return average_r / sharpe;
  // A mean of 0 has a ratio of 0; then the whole curve is needed.
  if (equity.length < 2 || equity.length !== ranked_signals) return null;
  const mean = equity.reduce((sum, { r }) => sum + r, 0) / equity.length;
  return Math.sqrt(equity.reduce((sum, { r }) => sum + (r - mean) ** 2, 0) / (equity.length - 1));
}

export function equityOf(record: PublisherDetail): readonly EquityStep[] {
  const { equity, ranked_signals } = record;
  const deviation = deviationOf(record);
  return equity.map(({ at, r, total_r }, index) => {
    const count = Math.round(((index + 1) / equity.length) * ranked_signals);
    return { count, total: total_r, r, at, luck: deviation === null ? null : Z95 * deviation * Math.sqrt(count) };
  });
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
