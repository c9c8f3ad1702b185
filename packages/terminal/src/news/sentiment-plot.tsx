// The plot of sentiment over time: a bar from the zero line for the average score of each interval, and below it the number of
// headlines. Pointer and arrow keys choose an interval, which is described in words.
import type { Signal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { score } from './labels.ts';
import { type SentimentInterval, scaleOf } from './sentiment-series.ts';

/** Units of the drawing. Of the height, scores take the upper part and counts the lower one. */
const SLOT = 10;
const GAP = 2;
const HEIGHT = 100;
const SCORES_HEIGHT = 72;
const COUNTS_TOP = 78;
const ZERO = SCORES_HEIGHT / 2;

export interface SentimentPlotProps {
  readonly intervals: readonly SentimentInterval[];
  readonly describe: (interval: SentimentInterval) => string;
  /** Index of the chosen interval. */
  readonly pointed: Signal<number | null>;
}

export function SentimentPlot({ intervals, describe, pointed }: SentimentPlotProps) {
  const picture = useRef<SVGSVGElement>(null);
  const last = intervals.length - 1;
  const at = pointed.value === null ? null : Math.min(pointed.value, last);
  const described = intervals[at ?? last];
  const scale = scaleOf(intervals);
  // The same nodes while only the cursor moves.
  const bars = useMemo(() => barsOf(intervals, scale), [intervals]);
  const leave = (): void => {
    pointed.value = null;
  };
  const point = ({ clientX }: PointerEvent): void => {
    const { left, width } = picture.current!.getBoundingClientRect();
    const under = Math.floor(((clientX - left) / width) * intervals.length);
    pointed.value = under < 0 || under > last ? null : under;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const from = at ?? last + 1;
    const to = {
      ArrowLeft: from - 1,
      ArrowRight: from + 1,
      ArrowDown: from - 1,
      ArrowUp: from + 1,
      Home: 0,
      End: last,
    }[event.key];
    if (event.key === 'Escape') leave();
    if (to === undefined || last < 0) return;
    event.preventDefault();
    pointed.value = Math.max(0, Math.min(last, to));
  };
  return (
    <div
      class="plot"
      tabIndex={0}
      role="slider"
      aria-label="Sentiment over time, by interval"
      aria-valuemin={1}
      aria-valuemax={Math.max(1, intervals.length)}
      aria-valuenow={Math.max(1, (at ?? last) + 1)}
      aria-valuetext={described ? describe(described) : 'No data yet'}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={leave}
      onBlur={leave}
      onKeyDown={onKeyDown}
    >
      <div class="plot-scales">
        <span class="plot-scale muted tiny high">{score(scale)}</span>
        <span class="plot-scale muted tiny low">{score(-scale)}</span>
      </div>
      <svg
        ref={picture}
        viewBox={`0 0 ${Math.max(1, intervals.length) * SLOT} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect
          class={at === null ? 'plot-cursor' : 'plot-cursor shown'}
          x={(at ?? 0) * SLOT}
          y={0}
          width={SLOT}
          height={HEIGHT}
        />
        <line class="plot-zero" x1={0} x2={intervals.length * SLOT} y1={ZERO} y2={ZERO} />
        {bars}
      </svg>
    </div>
  );
}

function barsOf(intervals: readonly SentimentInterval[], scale: number) {
  const most = Math.max(1, ...intervals.map(({ count }) => count));
  return intervals.map(({ time, mean, count }, at) => {
    if (mean === null) return null;
    const place = { x: at * SLOT + GAP / 2, width: SLOT - GAP };
    const size = Math.max(0.8, (Math.abs(mean) / scale) * ZERO);
    const height = Math.max(1, (count / most) * (HEIGHT - COUNTS_TOP));
    return (
      <g key={time}>
        <rect
          class={`plot-score ${mean >= 0 ? 'up' : 'down'}`}
          {...place}
          y={mean >= 0 ? ZERO - size : ZERO}
          height={size}
        />
        <rect class="plot-count" {...place} y={HEIGHT - height} height={height} />
      </g>
    );
  });
}
