// The equity curve in SVG: cumulative R over a shaded range in which 95 of 100 records without an edge would lie.
import type { TargetedPointerEvent } from 'preact';
import { useState } from 'preact/hooks';
import { evenSteps } from '../signals/axis-ticks.ts';
import { inR } from '../signals/labels.ts';
import { setNumber, signedFigure } from '../ui/format.ts';
import { exactly } from '../ui/relative-time.ts';
import { drawdownOf, type EquityStep } from './equity.ts';

/** Of the view box, which is stretched to the width of the page; the width of lines is not. */
const WIDTH = 1_000;
const HEIGHT = 240;

export function EquityChart({ steps }: { readonly steps: readonly EquityStep[] }) {
  const [pointed, setPointed] = useState<EquityStep | null>(null);
  const last = steps.at(-1);
  if (!last) return <p class="empty-note">No ranked signal has closed yet.</p>;
  const values = steps.flatMap(({ total, luck }) => [total, -(luck ?? 0), luck ?? 0]);
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)];
  const margin = (highest - lowest) * 0.06 || 1;
  const [low, high] = [lowest - margin, highest + margin];
  const x = (count: number): number => (count / last.count) * WIDTH;
  const y = (value: number): number => ((high - value) / (high - low)) * HEIGHT;
  const line = (value: (step: EquityStep) => number): string[] =>
    steps.map((step) => `L${x(step.count).toFixed(1)} ${y(value(step)).toFixed(1)}`);
  const start = `M0 ${y(0).toFixed(1)}`;
  const edge = (sign: 1 | -1): string[] => line(({ luck }) => sign * (luck ?? 0));
  const grid = evenSteps(low, high, 5);
  const decimals = Math.max(0, Math.ceil(-Math.log10((grid[1] ?? 1) - (grid[0] ?? 0))));
  const point = ({ currentTarget, clientX }: TargetedPointerEvent<HTMLElement>): void => {
    const { left, width } = currentTarget.firstElementChild!.getBoundingClientRect();
    const at = ((clientX - left) / width) * last.count;
    setPointed(steps.reduce((best, step) => (Math.abs(step.count - at) < Math.abs(best.count - at) ? step : best)));
  };
  return (
    <figure class="equity">
      <div class="equity-plot" onPointerMove={point} onPointerLeave={() => setPointed(null)}>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Cumulative R of ${last.count} ranked signals: ${inR(last.total)} now`}
        >
          {last.luck !== null && <path class="luck" d={`${start}${edge(1).join('')}${edge(-1).reverse().join('')}Z`} />}
          {grid.map((step) => (
            <line key={step} class={step === 0 ? 'zero' : 'grid'} x1="0" x2={WIDTH} y1={y(step)} y2={y(step)} />
          ))}
          <path class="course" d={`${start}${line(({ total }) => total).join('')}`} />
          {pointed && <line class="mark" x1={x(pointed.count)} x2={x(pointed.count)} y1="0" y2={HEIGHT} />}
        </svg>
        <div class="equity-labels">
          {grid.map((step) => (
            <span key={step} style={{ top: `${(y(step) / HEIGHT) * 100}%` }}>
              {signedFigure(step, decimals)}
            </span>
          ))}
        </div>
      </div>
      <p class="hint equity-readout">{pointed ? stepText(pointed) : drawdownText(steps)}</p>
      <figcaption class="hint">{captionOf(last)}</figcaption>
    </figure>
  );
}

const stepText = ({ count, at, r, total }: EquityStep): string =>
  `Signal ${count}, ${exactly(Date.parse(at))}: ${inR(r)}, total ${inR(total)}.`;

function drawdownText(steps: readonly EquityStep[]): string {
  const drawdown = drawdownOf(steps);
  const count = (index: number): number => steps[index]?.count ?? 0;
  if (!drawdown) return 'No drawdown yet.';
  return `Max drawdown from signal ${count(drawdown.from)} to ${count(drawdown.to)}.`;
}

function captionOf({ luck, total, count }: EquityStep): string {
  if (luck === null) return 'Too few results to show the range of chance.';
  const conclusion =
    Math.abs(total) <= luck
      ? 'The curve ends inside: this record could be chance.'
      : total > 0
        ? 'The curve ends above: chance alone rarely gets there.'
        : 'The curve ends below: it loses more than chance explains.';
  return `Shaded: where 95 of 100 records of ${count} signals without an edge end (± ${setNumber(luck.toFixed(1))} R). ${conclusion}`;
}
