// Draws the bars around a signal with its levels over them, and its risk and reward shaded from publication to close.
import type { OhlcvBar } from '@tickwire/client';
import { price } from '../ui/format.ts';
import { zoned } from '../ui/relative-time.ts';
import type { Palette } from '../ui/theme.ts';
import { evenSteps, timeStep } from './axis-ticks.ts';
import type { ChartWindow } from './chart-window.ts';
import type { Levels } from './levels.ts';

export interface ChartContent {
  readonly levels: Levels;
  /** Nearest first; the last one is that of the levels. */
  readonly targets: readonly number[];
  /** A stop that was moved; `null` if it is as published. */
  readonly stop: number | null;
  readonly digits: number;
  readonly bars: readonly OhlcvBar[];
  readonly window: ChartWindow;
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly filled: { readonly at: number; readonly price: number } | null;
  /** Parts of the position. */
  readonly exits: readonly { readonly at: number; readonly price: number }[];
  readonly closed: { readonly at: number; readonly price: number | null } | null;
  /** The current price; `null` for a closed signal. */
  readonly last: number | null;
}

const AXIS_PX = 20;
const LABEL_GAP = 14;
const DAY = 86_400_000;
const clock = zoned({ hour: '2-digit', minute: '2-digit' });
const date = zoned({ day: 'numeric', month: 'short' });

export function paintSignalChart(
  context: CanvasRenderingContext2D,
  fullWidth: number,
  fullHeight: number,
  { levels, targets, stop, digits, bars, window, start, filled, exits, closed, last }: ChartContent,
  { font, text, muted, line, up, down, accent }: Palette,
): void {
  context.font = font;
  context.textBaseline = 'middle';
  const lines: readonly (readonly [string, number, string])[] = [
    ...targets.map((target, index) => [targets.length > 1 ? `Target ${index + 1}` : 'Target', target, up] as const),
    ['Entry', levels.entry, text],
    ...(stop === null ? [] : [['Stop now', stop, down] as const]),
    ['Stop', levels.stop_loss, down],
  ];
  const labels = lines.map(([name, at, colour]) => ({ at, colour, text: `${name} ${price(at, digits)}` }));
  const width = fullWidth - 14 - Math.ceil(Math.max(...labels.map((label) => context.measureText(label.text).width)));
  const height = fullHeight - AXIS_PX;
  const values = [...labels.map(({ at }) => at), ...bars.flatMap(({ low, high }) => [low, high]), last ?? levels.entry];
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const margin = (highest - lowest) * 0.07 || 1;
  const [low, high] = [lowest - margin, highest + margin];
  const span = window.to - window.from;
  const x = (time: number): number => ((time - window.from) / span) * width;
  const y = (value: number): number => ((high - value) / (high - low)) * height;
  const stroke = (colour: string, dash: readonly number[], lines: readonly (readonly number[])[]): void => {
    context.strokeStyle = colour;
    context.setLineDash([...dash]);
    context.beginPath();
    for (const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] of lines) {
      context.moveTo(x1, y1);
      context.lineTo(x2, y2);
    }
    context.stroke();
  };
  const across = (value: number): readonly number[] => {
    const at = Math.round(y(value)) + 0.5;
    return [0, at, width, at];
  };
  context.lineWidth = 1;
  stroke(line, [], evenSteps(low, high, 5).map(across));
  context.fillStyle = muted;
  context.textAlign = 'center';
  const every = timeStep(span, Math.max(1, Math.floor(width / 90)));
  for (let time = Math.ceil(window.from / every) * every; time < window.to; time += every) {
    const at = x(time);
    if (at > 20 && at < width - 20) context.fillText((every >= DAY ? date : clock)(time), at, height + AXIS_PX / 2);
  }

  const box = (left: number, one: number, wide: number, other: number): void =>
    context.fillRect(left, Math.min(one, other), wide, Math.max(1, Math.abs(one - other)));
  context.globalAlpha = 0.12;
  const left = x(start);
  for (const [level, colour] of [
    [levels.take_profit, up],
    [levels.stop_loss, down],
  ] as const) {
    context.fillStyle = colour;
    box(left, y(levels.entry), Math.max(2, x(closed?.at ?? window.to) - left), y(level));
  }
  context.globalAlpha = 1;

  const slot = width / (span / window.barMs);
  const barWidth = Math.max(1, Math.floor(slot * 0.7));
  for (const bar of bars) {
    const middle = x(Date.parse(bar.time)) + slot / 2;
    const at = (value: number): number => Math.round(y(value));
    context.fillStyle = bar.close >= bar.open ? up : down;
    box(Math.round(middle), at(bar.high), 1, at(bar.low));
    box(Math.round(middle - barWidth / 2), at(bar.open), barWidth, at(bar.close));
  }

  context.textAlign = 'right';
  // Labels of near levels are moved apart, from the top down.
  let free = LABEL_GAP / 2;
  for (const label of labels.sort((one, other) => other.at - one.at)) {
    stroke(label.colour, [5, 4], [across(label.at)]);
    context.fillStyle = label.colour;
    const at = Math.min(height - LABEL_GAP / 2, Math.max(free, y(label.at)));
    context.fillText(label.text, fullWidth - 4, at);
    free = at + LABEL_GAP;
  }

  const moments = [start, ...(closed ? [closed.at] : [])].map((time) => Math.round(x(time)) + 0.5);
  stroke(
    muted,
    [2, 3],
    moments.map((at) => [at, 0, at, height]),
  );
  const marks: readonly (readonly [ChartContent['closed'], string])[] = [
    [filled, accent],
    ...exits.map((exit) => [exit, up] as const),
    [closed, text],
  ];
  for (const [mark, colour] of marks) {
    if (!mark || mark.price === null) continue;
    context.beginPath();
    context.arc(x(mark.at), y(mark.price), 4, 0, Math.PI * 2);
    context.fillStyle = colour;
    context.fill();
  }
  if (last !== null) stroke(accent, [], [across(last)]);
}
