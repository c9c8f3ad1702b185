// Positions of grid lines and labels in the equity curve.
import { DAY_MS, MINUTE_MS } from '@tickwire/contract/durations.ts';

/** Multiples of 1, 2 or 5 times a power of ten, at most `most` of them in the range. */
export function evenSteps(low: number, high: number, most: number): number[] {
  const range = high - low;
  if (!(range > 0) || most < 1) return [];
  const power = 10 ** Math.floor(Math.log10(range / most));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => range / each <= most) ?? range;
  const steps: number[] = [];
  // Whole steps are counted, because adding up the step accumulates rounding errors. Plus 0 turns −0 into 0.
  for (let n = Math.ceil(low / step); n * step <= high && steps.length <= most; n++) steps.push(n * step + 0);
  return steps;
}

const TIMES = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1_440, 2_880, 7_200, 14_400].map(
  (minutes) => minutes * MINUTE_MS,
);

/** Milliseconds between two labels, so that at most `most` fit. */
export function timeStep(spanMs: number, most: number): number {
  return TIMES.find((step) => spanMs / step <= most) ?? Math.ceil(spanMs / most / DAY_MS) * DAY_MS;
}
