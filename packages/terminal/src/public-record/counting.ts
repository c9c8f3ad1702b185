// How a result counts for the track record (CR1 to CR8 of docs/signals.md), and the figures over all results.
import type { PublisherDetail } from '@tickwire/client';
import type { CheckedSignal } from './check-signal.ts';
import type { SignalHistory } from './history.ts';

/** Units of 1e-4 R, so that sums are exact. */
const UNITS = 10_000;
const RANKED_RULES = 2;

export const unitsOf = (r: number): number => Math.round(r * UNITS);

/** A signal with its history and its recomputed result. */
export interface Recomputed extends CheckedSignal {
  readonly history: SignalHistory;
}

/** Number of the closing record, or of the void of an active signal; `null` while it is active. */
export const closingN = ({ closed, voided }: SignalHistory): number | null => closed?.n ?? voided?.n ?? null;

/** `figure` in R; `null` if the signal has no result. */
export function countedUnits(
  { history, result }: Recomputed,
  figure: 'pnl_r' | 'rank_r',
  untrusted: ReadonlySet<string>,
): number | null {
  const { published, filled, exits, closed, voided } = history;
  if (published.rules < RANKED_RULES || !closed || !result || voided) return null;
  const own = `push:${published.publisher}`;
  const accepted = published.quote.source;
  const later = [filled?.filled, ...exits.map(({ decided }) => decided), closed.decided].flatMap(
    (each) => each?.source ?? [],
  );
  const units = unitsOf(result[figure]);
  if (untrusted.has(accepted)) return accepted === own || later.includes(own) ? Math.min(units, 0) : null;
  if (accepted === own) return Math.min(units, 0);
  if (later.some((source) => source === own || untrusted.has(source))) return Math.min(units, -UNITS);
  return closed.gap_from === undefined ? units : Math.min(units, 0);
}

type FigureName =
  | 'signals'
  | 'active'
  | 'closed'
  | 'ranked_signals'
  | 'wins'
  | 'losses'
  | 'breakeven'
  | 'unfilled'
  | 'unranked'
  | 'total_r'
  | 'max_drawdown_r';
export type Figures = Pick<PublisherDetail, FigureName>;

/** `signals` in any order. */
export function figuresOf(signals: readonly Recomputed[], untrusted: ReadonlySet<string>): Figures {
  const ended = signals.filter(({ history }) => closingN(history) !== null);
  const inOrder = ended.toSorted((a, b) => closingN(a.history)! - closingN(b.history)!);
  const counted = inOrder.map((signal) => ({ signal, units: countedUnits(signal, 'pnl_r', untrusted) }));
  const results = counted.flatMap(({ units }) => units ?? []);
  const unfilled = counted.filter(({ signal: { history: h } }) => !h.voided && h.closed?.reason === 'unfilled').length;
  let [total, peak, depth] = [0, 0, 0];
  for (const units of results) {
    total += units;
    peak = Math.max(peak, total);
    depth = Math.max(depth, peak - total);
  }
  return {
    signals: signals.length,
    active: signals.length - ended.length,
    closed: ended.length,
    ranked_signals: results.length,
    wins: results.filter((units) => units > 0).length,
    losses: results.filter((units) => units < 0).length,
    breakeven: results.filter((units) => units === 0).length,
    unfilled,
    unranked: ended.length - results.length - unfilled,
    total_r: total / UNITS,
    max_drawdown_r: depth / UNITS,
  };
}
