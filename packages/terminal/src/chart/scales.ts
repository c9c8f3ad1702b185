// Which prices and times get a line and a label.

/** Steps of 1, 2 or 5 times a power of ten, at most `most` of them in the range. */
export function priceSteps(low: number, high: number, most: number): number[] {
  const range = high - low;
  if (!(range > 0) || most < 1) return [];
  const rough = range / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? rough;
  const steps: number[] = [];
  // Counted in whole steps: adding up the step itself would gather rounding errors.
  for (let n = Math.ceil(low / step); n * step <= high; n++) steps.push(n * step);
  return steps;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
const INTERVALS = [1, 5, 15, 30, 60, 120, 240, 720, 1_440, 2_880, 10_080, 20_160, 43_200, 86_400].map(
  (m) => m * MINUTE,
);

/** Milliseconds between two labels so that they stand at least `apart` pixels from each other. */
export function labelInterval(barMs: number, pixelsPerBar: number, apart: number): number {
  const enough = INTERVALS.find((interval) => (interval / barMs) * pixelsPerBar >= apart && interval >= barMs);
  return enough ?? 120 * DAY;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Time of day, or the date at midnight. UTC, as the bars are. */
export function timeLabel(time: number): string {
  return time % DAY === 0 ? date.format(time) : clock.format(time);
}

export function fullTimeLabel(time: number, barMs: number): string {
  return barMs >= DAY ? date.format(time) : `${date.format(time)} ${clock.format(time)}`;
}
