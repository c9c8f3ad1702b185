// Distances and cuts in pixels.

export interface Pixel {
  readonly x: number;
  readonly y: number;
}

export interface Segment {
  readonly from: Pixel;
  readonly to: Pixel;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Distance of a point from a segment, ends included. */
export function distanceTo({ from, to }: Segment, { x, y }: Pixel): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - from.x) * dx + (y - from.y) * dy) / length));
  return Math.hypot(x - from.x - along * dx, y - from.y - along * dy);
}

/** Whether a point is inside a polygon. */
export function isInside(corners: readonly Pixel[], { x, y }: Pixel): boolean {
  let inside = false;
  for (const [at, corner] of corners.entries()) {
    const before = corners.at(at - 1)!;
    if (corner.y > y === before.y > y) continue;
    if (x < ((before.x - corner.x) * (y - corner.y)) / (before.y - corner.y) + corner.x) inside = !inside;
  }
  return inside;
}

/** The part of a segment inside the pane (Liang–Barsky); `null` if there is none. A canvas draws very long lines badly. */
export function clipped({ from, to }: Segment, { width, height }: Size): Segment | null {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  let [first, last] = [0, 1];
  for (const [step, room] of [
    [-dx, from.x + MARGIN],
    [dx, width + MARGIN - from.x],
    [-dy, from.y + MARGIN],
    [dy, height + MARGIN - from.y],
  ] as const) {
    if (step === 0 && room < 0) return null;
    if (step < 0) first = Math.max(first, room / step);
    if (step > 0) last = Math.min(last, room / step);
  }
  if (first > last) return null;
  const at = (part: number): Pixel => ({ x: from.x + part * dx, y: from.y + part * dy });
  return { from: at(first), to: at(last) };
}

/** Ends of wide lines are cut outside the pane. */
const MARGIN = 20;

/** The segment prolonged beyond `to`, out of the pane. */
export function prolonged({ from, to }: Segment, { width, height }: Size): Segment {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length === 0) return { from, to };
  const far = (Math.abs(from.x) + Math.abs(from.y) + width + height + 2 * MARGIN) / length;
  return { from, to: { x: from.x + far * (to.x - from.x), y: from.y + far * (to.y - from.y) } };
}

/** How far the parallel of a line through a point lies from it: straight down, or sideways if the line is vertical. */
export function parallelOffset({ from, to }: Segment, through: Pixel): Pixel {
  const dx = to.x - from.x;
  if (Math.abs(dx) < 1e-6) return { x: through.x - from.x, y: 0 };
  const onLine = from.y + ((through.x - from.x) / dx) * (to.y - from.y);
  return { x: 0, y: through.y - onLine };
}

export const moved = ({ x, y }: Pixel, by: Pixel, times = 1): Pixel => ({ x: x + times * by.x, y: y + times * by.y });

export const rectangle = (one: Pixel, other: Pixel): readonly Pixel[] => [
  one,
  { x: other.x, y: one.y },
  other,
  { x: one.x, y: other.y },
];
