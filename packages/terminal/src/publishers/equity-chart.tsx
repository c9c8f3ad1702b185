// The equity curve in SVG: the sum of R over time, and a dashed line to its value with the open signals.
import { DAY_MS } from '@tickwire/contract/durations.ts';
import type { TargetedPointerEvent } from 'preact';
import { useState } from 'preact/hooks';
import { inR } from '../signals/labels.ts';
import { signedFigure } from '../ui/format.ts';
import { dateText, exactly, zoned } from '../ui/relative-time.ts';
import { evenSteps, timeStep } from './axis-ticks.ts';
import { drawdownOf, type EquityCurve, type EquityStep } from './equity.ts';

/** Of the view box, which is stretched to the width of the page; the width of lines is not. */
const WIDTH = 1_000;
const HEIGHT = 240;
/** Dates on the axis; a phone has room for as many. */
const MOST_DATES = 4;
const clock = zoned({ hour: '2-digit', minute: '2-digit' });
const day = zoned({ day: 'numeric', month: 'short' });

export function EquityChart({ start, steps, now }: EquityCurve) {
  const [pointed, setPointed] = useState<EquityStep | null>(null);
  const last = steps.at(-1);
  if (!last && now.open === 0) return <p class="empty-note">No signal has a result yet.</p>;
  const all = [...steps, now];
  const values = all.map(({ total }) => total);
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)];
  const margin = (highest - lowest) * 0.06 || 1;
  const [low, high] = [lowest - margin, highest + margin];
  const span = Math.max(1, now.at - start);
  const x = (at: number): number => ((at - start) / span) * WIDTH;
  const y = (value: number): number => ((high - value) / (high - low)) * HEIGHT;
  const fixed = (value: number): string => value.toFixed(1);
  // The sum stays until the next signal closes.
  const course = steps.map(({ at, total }) => `H${fixed(x(at))}V${fixed(y(total))}`).join('');
  const grid = evenSteps(low, high, 5);
  const decimals = Math.max(0, Math.ceil(-Math.log10((grid[1] ?? 1) - (grid[0] ?? 0))));
  const point = ({ currentTarget, clientX }: TargetedPointerEvent<HTMLElement>): void => {
    const { left, width } = currentTarget.firstElementChild!.getBoundingClientRect();
    const at = start + ((clientX - left) / width) * span;
    setPointed(all.reduce((best, step) => (Math.abs(step.at - at) < Math.abs(best.at - at) ? step : best)));
  };
  return (
    <figure class="equity">
      <div class="equity-plot" onPointerMove={point} onPointerLeave={() => setPointed(null)}>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Sum of R from ${dateText(start)} to ${dateText(now.at)}: ${inR(last?.total ?? 0)}, with open signals ${inR(now.total)}`}
        >
          {grid.map((step) => (
            <line key={step} class={step === 0 ? 'zero' : 'grid'} x1="0" x2={WIDTH} y1={y(step)} y2={y(step)} />
          ))}
          <path class="course" d={`M0 ${fixed(y(0))}${course}H${WIDTH}`} />
          {now.open > 0 && (
            <path
              class="course unrealised"
              d={`M${fixed(x(last?.at ?? start))} ${fixed(y(last?.total ?? 0))}L${WIDTH} ${fixed(y(now.total))}`}
            />
          )}
          {pointed && <line class="mark" x1={x(pointed.at)} x2={x(pointed.at)} y1="0" y2={HEIGHT} />}
        </svg>
        <div class="equity-labels">
          {grid.map((step) => (
            <span key={step} style={{ top: `${(y(step) / HEIGHT) * 100}%` }}>
              {signedFigure(step, decimals)}
            </span>
          ))}
        </div>
      </div>
      <div class="equity-dates muted tiny" aria-hidden="true">
        {datesOf(start, now.at).map((at) => (
          <span key={at} style={{ left: `${((at - start) / span) * 100}%` }}>
            {(span > 2 * DAY_MS ? day : clock)(at)}
          </span>
        ))}
      </div>
      <p class="hint equity-readout">{pointed ? stepText(pointed) : drawdownText(steps)}</p>
      {now.open > 0 && (
        <figcaption class="hint">{`Dashed: with the ${signalsText(now.open)} that ${now.open === 1 ? 'is' : 'are'} open, at current prices: ${inR(now.total)}.`}</figcaption>
      )}
    </figure>
  );
}

function datesOf(from: number, to: number): number[] {
  const every = timeStep(to - from, MOST_DATES);
  const dates: number[] = [];
  // Clear of both ends, where a label would be cut off.
  const clear = (to - from) * 0.04;
  for (let at = Math.ceil(from / every) * every; at < to; at += every)
    if (at - from > clear && to - at > clear) dates.push(at);
  return dates;
}

const signalsText = (count: number): string => (count === 1 ? '1 signal' : `${count} signals`);

const stepText = ({ at, r, total, open }: EquityStep): string =>
  r === null
    ? `Now: ${inR(total)} with ${signalsText(open)} open.`
    : `${exactly(at)}: ${inR(r)}, total ${inR(total)}, ${open === 0 ? 'none' : signalsText(open)} open.`;

function drawdownText(steps: readonly EquityStep[]): string {
  const drawdown = drawdownOf(steps);
  if (!drawdown) return 'No drawdown yet.';
  const from = steps[drawdown.from];
  return `Max drawdown ${from ? `from ${exactly(from.at)}` : 'from the start'} to ${exactly(steps[drawdown.to]!.at)}.`;
}
