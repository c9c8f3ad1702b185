// A figure with a small SVG chart, and the bar chart of usage: one bar per point in time, the limit as a dashed line.
import type { ComponentChildren } from 'preact';
import { figure } from './format.ts';
import { share, usageBars } from './usage-bars.ts';

/** Of the view box, which is stretched to the width of the page. */
export const HEIGHT = 64;
const SLOT = 10;
const GAP = 2;

export interface FigureChartProps {
  readonly title: string;
  /** The large figure. */
  readonly figure: string;
  /** Read out instead of the picture, after the title. */
  readonly label: string;
  /** Below the picture. */
  readonly text: string;
  /** Start and end of the time axis. */
  readonly axis: readonly [string, string];
  /** Of the view box. */
  readonly width: number;
  readonly class?: string;
  /** The shapes. */
  readonly children: ComponentChildren;
}

export function FigureChart({ title, label, text, axis, width, children, ...rest }: FigureChartProps) {
  return (
    <figure class="usage">
      <div class="usage-head">
        <h2>{title}</h2>
        <b>{rest.figure}</b>
      </div>
      <svg
        class={rest.class}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${label}`}
      >
        {children}
      </svg>
      <div class="usage-axis muted tiny" aria-hidden="true">
        <span>{axis[0]}</span>
        <span>{axis[1]}</span>
      </div>
      <figcaption class="hint">{text}</figcaption>
    </figure>
  );
}

export interface UsageSeries {
  readonly title: string;
  readonly figure: string;
  readonly values: readonly number[];
  readonly times: readonly string[];
  /** `null` for usage without a limit. */
  readonly limit: number | null;
  /** The limit applies to the sum of all points, not to each of them. */
  readonly together?: boolean;
  /** The unit of the limit: `per minute`. */
  readonly per: string;
  /** The value of the full height is at least this. */
  readonly least?: number;
  /** Formats a time for the axis and the tooltip of a bar. */
  readonly timeOf: (ms: number) => string;
}

export function UsageChart(series: UsageSeries) {
  const { title, values, times, limit, per, together = false, least, timeOf } = series;
  const used = together ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values);
  const text = [
    `${together ? '' : 'peak '}${figure(used)}${limit === null ? '' : ` of ${figure(limit)}`} ${per}`,
    ...(limit === null ? [] : [share(used, limit)]),
  ].join(' · ');
  const { heights, limitAt } = usageBars(values, together ? null : limit, least);
  const width = Math.max(1, values.length) * SLOT;
  const clock = (time: string | undefined): string => (time === undefined ? '' : timeOf(Date.parse(time)));
  const y = HEIGHT - (limitAt ?? 0) * HEIGHT;
  return (
    <FigureChart
      title={title}
      figure={series.figure}
      label={text}
      text={text}
      axis={[clock(times[0]), clock(times.at(-1))]}
      width={width}
    >
      {values.map((value, at) => {
        const tall = value ? Math.max(2, heights[at]! * HEIGHT) : 1;
        return (
          <rect
            key={times[at]}
            class={value ? 'used' : 'unused'}
            x={at * SLOT + GAP / 2}
            y={HEIGHT - tall}
            width={SLOT - GAP}
            height={tall}
          >
            <title>{`${figure(value)} · ${clock(times[at])}`}</title>
          </rect>
        );
      })}
      {limitAt !== null && <line class="limit" x1={0} x2={width} y1={y} y2={y} />}
    </FigureChart>
  );
}
