// A small line chart of recent prices, coloured by the change from its first to its last point.
import type { TrailPoint } from '../services/price-trail.ts';
import { currentPalette } from '../ui/theme.ts';

export const SPARK_WIDTH = 36;
export const SPARK_HEIGHT = 18;
const MARGIN = 2;

/** Pixel positions of the points. A constant price is a line in the middle. */
export function sparkPath(
  points: readonly TrailPoint[],
  width: number,
  height: number,
): readonly (readonly [number, number])[] {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return [];
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { price } of points) {
    if (price < low) low = price;
    if (price > high) high = price;
  }
  const span = last.time - first.time || 1;
  const range = high - low;
  const [wide, tall] = [width - 2 * MARGIN, height - 2 * MARGIN];
  return points.map(({ time, price }) => [
    MARGIN + ((time - first.time) / span) * wide,
    MARGIN + (range === 0 ? 0.5 : (high - price) / range) * tall,
  ]);
}

export function paintSpark(canvas: HTMLCanvasElement, points: readonly TrailPoint[]): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const ratio = window.devicePixelRatio || 1;
  const [wide, high] = [Math.round(SPARK_WIDTH * ratio), Math.round(SPARK_HEIGHT * ratio)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, SPARK_WIDTH, SPARK_HEIGHT);
  const path = sparkPath(points, SPARK_WIDTH, SPARK_HEIGHT);
  if (path.length < 2) return;
  const { up, down, muted } = currentPalette();
  const change = (points.at(-1)?.price ?? 0) - (points[0]?.price ?? 0);
  context.strokeStyle = change > 0 ? up : change < 0 ? down : muted;
  context.lineWidth = 1.25;
  context.lineJoin = 'round';
  context.beginPath();
  for (const [x, y] of path) context.lineTo(x, y);
  context.stroke();
}
