// The figures of a track record, each with its uncertainty.
import type { TrackRecord } from '@tickwire/client';
import { inR } from '../signals/labels.ts';
import { NO_VALUE, setNumber } from '../ui/format.ts';

/** Two standard deviations: 95 % of a normal distribution. */
export const Z95 = 1.959964;

export const asPercent = (fraction: number | null, decimals = 0): string =>
  fraction === null ? NO_VALUE : `${setNumber((fraction * 100).toFixed(decimals))} %`;

/** With two decimals and without a sign, such as a drawdown or a profit factor. */
export const twoDecimals = (value: number): string => setNumber(value.toFixed(2));

export function winRate({ win_rate, win_rate_low, win_rate_high }: TrackRecord): string {
  if (win_rate === null) return NO_VALUE;
  return `${asPercent(win_rate)} (${asPercent(win_rate_low)} to ${asPercent(win_rate_high)})`;
}

/** Half the width of the 95 % interval of the mean, derived from the Sharpe ratio; `null` if that is 0 or not known. */
export function meanMargin({ average_r, sharpe, ranked_signals }: TrackRecord): number | null {
  if (average_r === null || sharpe === null || sharpe === 0 || ranked_signals < 2) return null;
  return (Z95 * Math.abs(average_r / sharpe)) / Math.sqrt(ranked_signals);
}

export function meanR(record: TrackRecord): string {
  const margin = meanMargin(record);
  return margin === null ? inR(record.average_r) : `${inR(record.average_r)} ± ${twoDecimals(margin)}`;
}

/** Whether the record is ranked, and why. */
export const standing = ({ rank, reason }: TrackRecord): string =>
  rank === null ? reason : `Ranked ${rank}. ${reason}`;

export function holdingTime(seconds: number | null): string {
  if (seconds === null) return NO_VALUE;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${setNumber((seconds / 3_600).toFixed(1))} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
