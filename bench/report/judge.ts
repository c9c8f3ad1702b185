// Whether a verdict meets its bar, and how figures are written.
import { median, range } from '../measure/statistics.ts';
import type { Judgement, Verdict } from '../results.ts';

export function judge({ values, bar, unjudged }: Verdict): Judgement {
  if (!bar) return values.length === 0 && unjudged !== null ? 'not judged' : 'no bar';
  if (unjudged !== null || values.length === 0) return 'not judged';
  const middle = median(values);
  if (Number.isNaN(middle)) return 'not judged';
  const met = (bar.least === undefined || middle >= bar.least) && (bar.below === undefined || middle < bar.below);
  return met ? 'met' : 'not met';
}

/** Whether some round falls on the other side of the bar than the median: then one run is not proof. */
export function isClose({ values, bar }: Verdict): boolean {
  if (!bar || values.length === 0) return false;
  const [low, high] = range(values);
  const edge = bar.least ?? bar.below ?? 0;
  return low < edge && high >= edge;
}

/** Three significant digits, thousands with commas. */
export function written(value: number, unit = ''): string {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const text = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return unit ? `${text} ${unit}` : text;
}

/** "1.23 × (1.10–1.31)". */
export function withSpread(values: readonly number[], unit: string): string {
  if (values.length === 0) return '–';
  const [low, high] = range(values);
  return `${written(median(values), unit)} (${written(low)}–${written(high)})`;
}
