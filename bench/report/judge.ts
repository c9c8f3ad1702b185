// Whether a verdict meets its bar, and how figures are written.
import type { Bar } from '../bars.ts';
import { median, range } from '../measure/statistics.ts';
import type { Judgement, Verdict } from '../results.ts';

export function judge({ values, bar, unjudged }: Verdict): Judgement {
  if (!bar) return values.length === 0 && unjudged !== null ? 'not judged' : 'no bar';
  if (unjudged !== null || values.length === 0) return 'not judged';
  const middle = median(values);
  if (Number.isNaN(middle)) return 'not judged';
  return meets(middle, bar) ? 'met' : 'not met';
}

const meets = (value: number, { least, below, most }: Bar): boolean =>
  (least === undefined || value >= least) &&
  (below === undefined || value < below) &&
  (most === undefined || value <= most);

/** Whether some round falls on the other side of the bar than the median: then one run is not proof. */
export function isClose({ values, bar }: Verdict): boolean {
  if (!bar || values.length === 0) return false;
  return new Set(values.map((value) => meets(value, bar))).size > 1;
}

/** Three significant digits, thousands with commas; a count as it is. */
export function written(value: number, unit = ''): string {
  if (!Number.isFinite(value)) return '–';
  const isCount = unit === '' && Number.isInteger(value);
  const digits = isCount || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const text = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return unit ? `${text} ${unit}` : text;
}

/** "1.23 × (1.10–1.31)"; one value has no range. */
export function withSpread(values: readonly number[], unit: string): string {
  if (values.length === 0) return '–';
  if (values.length === 1) return written(values[0]!, unit);
  const [low, high] = range(values);
  return `${written(median(values), unit)} (${written(low)}–${written(high)})`;
}
