// The figures of a track record as a person reads them: each with how sure it is.
import type { TrackRecord } from '@tickwire/client';
import { setNumber } from '../format.ts';
import { inR } from '../signals/words.ts';

export const asPercent = (fraction: number | null, decimals = 0): string =>
  fraction === null ? '–' : `${setNumber((fraction * 100).toFixed(decimals))} %`;

export function winRate({ win_rate, win_rate_low, win_rate_high }: TrackRecord): string {
  if (win_rate === null) return '–';
  return `${asPercent(win_rate)} (${asPercent(win_rate_low)} to ${asPercent(win_rate_high)})`;
}

/** Half the width of the 95 % interval of the mean, from the Sharpe ratio; null where that says nothing. */
export function meanMargin({ average_r, sharpe, ranked_signals }: TrackRecord): number | null {
  if (average_r === null || sharpe === null || sharpe === 0 || ranked_signals < 2) return null;
  return (1.959964 * Math.abs(average_r / sharpe)) / Math.sqrt(ranked_signals);
}

export function meanR(record: TrackRecord): string {
  const margin = meanMargin(record);
  return margin === null ? inR(record.average_r) : `${inR(record.average_r)} ± ${setNumber(margin.toFixed(2))}`;
}

/** What the number of signals allows to say of it. */
export function confidence({ probabilistic_sharpe, signals_needed, ranked_signals, rank }: TrackRecord): string {
  if (rank !== null) return `Ranked ${rank}: with 95 % confidence it is not luck.`;
  if (ranked_signals < 3 || probabilistic_sharpe === null) return 'Too few ranked signals to say anything.';
  if (signals_needed === null) return 'On average it loses: no number of signals like these makes it meaningful.';
  const needed = Math.max(30, signals_needed);
  if (ranked_signals >= needed) return 'Enough signals to be ranked.';
  return `About ${needed} ranked signals like these are needed to call it more than luck; there are ${ranked_signals}.`;
}

export function holding(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${setNumber((seconds / 3_600).toFixed(1))} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
