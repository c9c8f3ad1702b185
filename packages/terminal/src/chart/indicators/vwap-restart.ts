// A volume-weighted average price starts again with each day, week or month, as its anchor says.
import { barStart, intervalMsOf } from '../bars/intervals.ts';
import type { IndicatorChoice } from './indicator-choice.ts';

const PERIODS: ReadonlyMap<unknown, string> = new Map([
  ['day', '1d'],
  ['week', '1w'],
  ['month', '1M'],
]);

/** Whether it starts again between two bars, so that no line joins them. If it did with every bar, there would be no line at all. */
export function restartsBetween(
  { name, inputs }: Pick<IndicatorChoice, 'name' | 'inputs'>,
  before: number,
  time: number,
  intervalMs: number,
): boolean {
  const period = name === 'vwap' ? PERIODS.get(inputs.anchor) : undefined;
  if (period === undefined || intervalMs >= intervalMsOf(period)) return false;
  return barStart(period, before) !== barStart(period, time);
}
