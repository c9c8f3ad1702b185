// What a drawing is. It is anchored to times and prices, never to pixels or bars, so it stays in place at every interval and zoom.

import type { PublishLevels } from '../frame/publish-levels.ts';
import { type Tool, toolName } from './tool-buttons.ts';

/** Milliseconds since the epoch, and a price. */
export interface Anchor {
  readonly time: number;
  readonly price: number;
}

/** Kinds that are stored, with the number of their anchors. */
export const ANCHORS = {
  line: 2,
  ray: 2,
  horizontal: 1,
  vertical: 1,
  rectangle: 2,
  /** The third anchor is on the parallel line. */
  channel: 3,
  /** From the start of the move, level 1, to its end, level 0. */
  fibonacci: 2,
  /** Entry at the left edge, then stop and target at the right edge. */
  position: 3,
  text: 1,
} as const;

export type DrawingKind = keyof typeof ANCHORS;
export const KINDS = Object.keys(ANCHORS) as readonly DrawingKind[];

/** Colours of the theme, and others that can be seen on dark and on light. */
export const COLOR_TEXT = {
  accent: 'Blue',
  notice: 'Yellow',
  up: 'Green',
  down: 'Red',
  violet: 'Violet',
  teal: 'Teal',
  pink: 'Pink',
  orange: 'Orange',
  text: 'Contrast',
  muted: 'Grey',
} as const;
export type ColorName = keyof typeof COLOR_TEXT;
export const COLORS = Object.keys(COLOR_TEXT) as readonly ColorName[];

export const LINE_STYLES = ['solid', 'dashed', 'dotted'] as const;
export type DrawingStyle = (typeof LINE_STYLES)[number];

/** Of lines, in pixels. */
export const WIDTHS = [1, 2, 3, 4] as const;
export type LineWidth = (typeof WIDTHS)[number];

export interface Drawing {
  readonly id: string;
  readonly kind: DrawingKind;
  readonly points: readonly Anchor[];
  readonly color: ColorName;
  readonly width: LineWidth;
  readonly style: DrawingStyle;
  /** Plain text of the kind `text`; otherwise ''. */
  readonly text: string;
  /** Time of the last change, in milliseconds since the epoch. Of two versions, the later one is valid. */
  readonly changed: number;
}

export const MAX_TEXT = 200;
/** For each instrument. */
export const MAX_DRAWINGS = 200;

/** Clicks that place it. */
export const clicksOf = (tool: Tool): number => {
  if (tool === 'measure') return 2;
  return tool === 'long' || tool === 'short' ? 1 : ANCHORS[tool];
};

/** A position with its stop below the entry is long. */
export const isLong = ({ points: [entry, stop] }: Pick<Drawing, 'points'>): boolean => stop!.price < entry!.price;

const MAX_NAME = 30;
export function nameOf(drawing: Drawing): string {
  const { kind, text } = drawing;
  if (kind === 'position') return toolName(isLong(drawing) ? 'long' : 'short');
  if (kind === 'text') return `Text: ${text.length > MAX_NAME ? `${text.slice(0, MAX_NAME - 1)}…` : text}`;
  return toolName(kind);
}

/** Unique on all devices. Without `crypto.randomUUID`, which needs HTTPS. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('-');

/** Reward of a position for each unit of risk; 0 without risk. */
export function ratioOf([entry, stop, target]: Drawing['points']): number {
  const risk = Math.abs(entry!.price - stop!.price);
  return risk === 0 ? 0 : Math.abs(target!.price - entry!.price) / risk;
}

/**
 * A drawing with another anchor. Stop and target of a position share their time and lie on both sides of the entry: if one is
 * moved across, the other one is mirrored, which turns a long position into a short one.
 */
export function withPoint(drawing: Drawing, at: number, point: Anchor): Drawing {
  const points = drawing.points.map((each, index) => (index === at ? point : each));
  return { ...drawing, points: drawing.kind === 'position' ? positionPoints(points, at) : points };
}

export function positionPoints(points: readonly Anchor[], moved = 1): readonly Anchor[] {
  const [entry, stop, target] = points as readonly [Anchor, Anchor, Anchor];
  const end = moved === 2 ? target.time : stop.time;
  const sameSide = (stop.price - entry.price) * (target.price - entry.price) > 0;
  const mirrored = ({ price }: Anchor): number => 2 * entry.price - price;
  return [
    entry,
    { time: end, price: sameSide && moved === 2 ? mirrored(stop) : stop.price },
    { time: end, price: sameSide && moved !== 2 ? mirrored(target) : target.price },
  ];
}

/** A position as a signal to publish. */
export function levelsOf(position: Drawing): PublishLevels {
  const [entry, stop, target] = position.points.map(({ price }) => price) as [number, number, number];
  return { direction: isLong(position) ? 'buy' : 'sell', entry, stop, targets: [target] };
}
