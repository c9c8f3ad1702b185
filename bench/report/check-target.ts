// Checks figures against their targets, and formats figures.
import { median, range } from '../measure/statistics.ts';
import type { TargetCheck, TargetResult } from '../results.ts';
import type { Target } from '../targets.ts';

export function checkTarget({ values, bar, unjudged }: TargetCheck): TargetResult {
  if (!bar) return values.length === 0 && unjudged !== null ? 'not judged' : 'no bar';
  if (unjudged !== null || values.length === 0) return 'not judged';
  const middle = median(values);
  if (Number.isNaN(middle)) return 'not judged';
  return meets(middle, bar) ? 'met' : 'not met';
}

const meets = (value: number, { least, above, below, most }: Target): boolean =>
  (above === undefined || value > above) &&
  (least === undefined || value >= least) &&
  (below === undefined || value < below) &&
  (most === undefined || value <= most);

/** Whether some round is on the other side of the target than the median, so that one run is not conclusive. */
export function isClose({ values, bar }: Pick<TargetCheck, 'values' | 'bar'>): boolean {
  if (!bar || values.length === 0) return false;
  return new Set(values.map((value) => meets(value, bar))).size > 1;
}

/** Three significant digits with thousands separators; counts are not rounded. */
export function formatFigure(value: number, unit = ''): string {
  if (!Number.isFinite(value)) return '–';
  const isCount = unit === '' && Number.isInteger(value);
  const digits = isCount || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const text = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return unit ? `${text} ${unit}` : text;
}

/** "1.23 × (1.10–1.31)"; a single value has no range. */
export function formatRange(values: readonly number[], unit: string): string {
  if (values.length === 0) return '–';
  if (values.length === 1) return formatFigure(values[0]!, unit);
  const [low, high] = range(values);
  return `${formatFigure(median(values), unit)} (${formatFigure(low)}–${formatFigure(high)})`;
}
