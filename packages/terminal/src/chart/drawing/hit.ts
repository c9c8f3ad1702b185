// What is under the pointer.
import { distanceTo, isInside, type Pixel } from './geometry.ts';
import type { Shape, ShapeText } from './shape.ts';

/** Distance at which the pointer takes hold. Pixels. */
export const REACH = 6;
export const REACH_OF_FINGER = 18;

/** Width of a character for its font size, on average. */
const CHARACTER = 0.56;
const LINE_HEIGHT = 1.3;

/** Left, top, right and bottom edge of a text, as far as they can be known without a canvas. */
export function boxOf({ at, lines, size, side, align }: ShapeText): readonly [number, number, number, number] {
  const width = Math.max(...lines.map((line) => line.length)) * size * CHARACTER;
  const height = lines.length * size * LINE_HEIGHT;
  const left = align === 'center' ? at.x - width / 2 : at.x;
  const top = side === 'above' ? at.y - height - 2 : side === 'below' ? at.y + 2 : at.y - size / 2;
  return [left, top, left + width, top + height];
}

/** Number of the handle; -1 for the drawing itself, `null` if the pointer misses it. Handles exist only if it is selected. */
export function hit(shape: Shape, at: Pixel, selected: boolean, reach: number): number | null {
  if (selected) {
    const distances = shape.handles.map(({ x, y }) => Math.hypot(x - at.x, y - at.y));
    const nearest = Math.min(...distances);
    if (nearest <= reach + 3) return distances.indexOf(nearest);
  }
  const hits =
    shape.lines.some((line) => distanceTo(line, at) <= reach + line.width / 2) ||
    shape.areas.some(({ corners, solid }) => (solid || selected) && isInside(corners, at)) ||
    shape.texts.some((text) => {
      const [left, top, right, bottom] = boxOf(text);
      return at.x >= left && at.x <= right && at.y >= top && at.y <= bottom;
    });
  return hits ? -1 : null;
}
