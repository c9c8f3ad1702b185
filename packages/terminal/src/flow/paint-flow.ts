// Draws cumulative delta as a line over the delta of each second, newest at the right.
import { signedVolume } from '../format.ts';
import type { Palette } from '../theme.ts';
import type { FlowPoint } from './flow-series.ts';

const RIGHT = 52;
/** The least time the width stands for, so that the first few points do not look like more than they are. */
const LEAST_SECONDS = 60;

export function paintFlow(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  points: readonly FlowPoint[],
  palette: Palette,
): void {
  const newest = points.at(-1);
  if (!newest) return;
  const plot = width - RIGHT;
  const seconds = Math.max(LEAST_SECONDS, newest.time - points[0]!.time);
  const perSecond = (plot - 12) / seconds;
  const x = (time: number): number => plot - 6 - (newest.time - time) * perSecond;
  paintDeltas(context, plot, height, points, x, Math.max(1, Math.min(9, perSecond * 0.7)), palette);

  const values = points.map((point) => point.cumulative);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = high - low || 1;
  const y = (value: number): number => 8 + ((high - value) / room) * (height - 16);
  context.strokeStyle = palette.accent;
  context.lineWidth = 1.5;
  context.lineJoin = 'round';
  context.beginPath();
  // A step: between two messages the sum stands still.
  points.forEach((point, i) => {
    const before = points[i - 1];
    if (before) context.lineTo(x(point.time), y(before.cumulative));
    context.lineTo(x(point.time), y(point.cumulative));
  });
  context.stroke();
  context.font = palette.font;
  context.fillStyle = palette.accent;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  context.fillText(signedVolume(newest.cumulative), width - 8, y(newest.cumulative));
}

function paintDeltas(
  context: CanvasRenderingContext2D,
  plot: number,
  height: number,
  points: readonly FlowPoint[],
  x: (time: number) => number,
  thickness: number,
  palette: Palette,
): void {
  const middle = Math.round(height / 2) + 0.5;
  context.strokeStyle = palette.line;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(0, middle);
  context.lineTo(plot, middle);
  context.stroke();
  const most = Math.max(...points.map((point) => Math.abs(point.delta)));
  if (most === 0) return;
  context.globalAlpha = 0.45;
  for (const { time, delta } of points) {
    const size = (Math.abs(delta) / most) * (height / 2 - 6);
    context.fillStyle = delta > 0 ? palette.up : palette.down;
    context.fillRect(x(time) - thickness / 2, delta > 0 ? middle - size : middle, thickness, size);
  }
  context.globalAlpha = 1;
}
