// The geometry of a usage chart: heights of the bars, and the limit as a line if it is near enough to show beside them.

export interface UsageBars {
  /** Heights from 0 to 1. */
  readonly heights: readonly number[];
  /** Height of the limit; `null` if the bars would be too small beside it. */
  readonly limitAt: number | null;
}

/** A limit of more than this many times the peak is not drawn. */
const FAR = 6;
const HEADROOM = 1.12;
/** Bars far below the limit stay well below the top, so that they do not seem to reach it. */
const FAR_HEADROOM = 1.8;

/** `limit` applies to each bar; `null` for none. `least` is the smallest value that the full height can stand for. */
export function usageBars(values: readonly number[], limit: number | null, least = 0): UsageBars {
  const peak = Math.max(0, ...values);
  const near = limit !== null && limit > 0 && peak > 0 && limit <= peak * FAR;
  const top = Math.max(near ? Math.max(peak, limit) * HEADROOM : peak * FAR_HEADROOM, least);
  return {
    heights: values.map((value) => (top === 0 ? 0 : value / top)),
    limitAt: near ? limit / top : null,
  };
}

/** Share of the limit in percent: `4%`, `<1%`. */
export function share(value: number, limit: number): string {
  if (limit <= 0) return value > 0 ? 'over' : '0%';
  const percent = (value / limit) * 100;
  if (percent > 0 && percent < 1) return '<1%';
  return `${Math.round(percent)}%`;
}
