// The course of a publisher: R added up over its ranked signals, and how far luck alone would carry such a record. `at` of a
// point is the time of a closing; x goes by the number of the signal, because luck does.
import type { PublisherDetail } from '@tickwire/client';

export type EquityPoint = PublisherDetail['equity'][number];

export interface EquityStep {
  /** How many ranked signals there were by then; about, where the course is thinned. */
  readonly count: number;
  readonly total: number;
  readonly r: number;
  readonly at: string;
  /** 95 % of records without any edge, of the same spread, lie within ± this. */
  readonly luck: number | null;
}

/** Of a normal distribution, 95 %. */
const Z = 1.959964;

/** Standard deviation of R, from what the service says of it: its Sharpe ratio is the mean over it. */
export function spreadOf({ average_r, sharpe, equity, ranked_signals }: PublisherDetail): number | null {
  if (average_r !== null && sharpe !== null && sharpe !== 0) return average_r / sharpe;
  // Where the mean is nothing, its ratio says nothing; the whole course does.
  if (equity.length < 2 || equity.length !== ranked_signals) return null;
  const mean = equity.reduce((sum, { r }) => sum + r, 0) / equity.length;
  return Math.sqrt(equity.reduce((sum, { r }) => sum + (r - mean) ** 2, 0) / (equity.length - 1));
}

export function courseOf(record: PublisherDetail): readonly EquityStep[] {
  const { equity, ranked_signals } = record;
  const spread = spreadOf(record);
  return equity.map(({ at, r, total_r }, index) => {
    const count = Math.round(((index + 1) / equity.length) * ranked_signals);
    return { count, total: total_r, r, at, luck: spread === null ? null : Z * spread * Math.sqrt(count) };
  });
}

/** Deepest fall from an earlier peak, with its ends as indices; null where it never fell. */
export function drawdownOf(course: readonly EquityStep[]): { readonly from: number; readonly to: number } | null {
  let peak = { at: -1, total: 0 };
  let deepest: { from: number; to: number; depth: number } | null = null;
  course.forEach(({ total }, at) => {
    if (total > peak.total) peak = { at, total };
    const depth = peak.total - total;
    if (depth > (deepest?.depth ?? 0)) deepest = { from: peak.at, to: at, depth };
  });
  const found = deepest as { from: number; to: number } | null;
  return found && { from: found.from, to: found.to };
}
