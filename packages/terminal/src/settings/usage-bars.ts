// What a usage chart shows: heights of the bars, and the limit as a line where it is near enough to be seen beside them.

export interface UsageBars {
  /** Heights from 0 to 1. */
  readonly heights: readonly number[];
  /** Height of the limit; null where the bars would vanish below it. */
  readonly limitAt: number | null;
}

/** A limit so many times the peak is told in words only. */
const FAR = 6;
const HEADROOM = 1.12;
/** Bars far below the limit stay well below the top, so as not to look as if they had reached it. */
const FAR_HEADROOM = 1.8;

/** `limit`: of each bar; null where there is none for it. `least`: a bar is as high as the chart only from this on. */
export function usageBars(values: readonly number[], limit: number | null, least = 0): UsageBars {
  const peak = Math.max(0, ...values);
  const near = limit !== null && limit > 0 && peak > 0 && limit <= peak * FAR;
  const top = Math.max(near ? Math.max(peak, limit) * HEADROOM : peak * FAR_HEADROOM, least);
  return {
    heights: values.map((value) => (top === 0 ? 0 : value / top)),
    limitAt: near ? limit / top : null,
  };
}

/** A share of the limit as a person reads it: `4%`, `<1%`. */
export function share(value: number, limit: number): string {
  if (limit <= 0) return value > 0 ? 'over' : '0%';
  const percent = (value / limit) * 100;
  if (percent > 0 && percent < 1) return '<1%';
  return `${Math.round(percent)}%`;
}
