// Draws all drawings on the canvas of the chart, in the colours of the theme.
import type { ISeriesPrimitiveAxisView } from 'lightweight-charts';
import { currentPalette, faint } from '../../ui/theme.ts';
import { LINE_COLORS } from '../layers/line-colors.ts';
import { PaneLayer, type PaneTarget } from '../layers/pane-layer.ts';
import type { ColorName, DrawingStyle } from './drawing.ts';
import { drawLabel } from './drawing-label.ts';
import { clipped, type Size } from './geometry.ts';
import type { Shape } from './shape.ts';

export interface DrawnShape {
  readonly shape: Shape;
  readonly selected: boolean;
  /** Number of the handle that the keyboard moves; -1 for none. */
  readonly handle: number;
}

export interface AxisLabel {
  readonly y: number;
  readonly text: string;
  readonly color: ColorName;
}

/** Asked whenever the chart is drawn, because every scroll and every new bar moves everything. */
export interface Scene {
  shapes(): readonly DrawnShape[];
  labels(): readonly AxisLabel[];
}

type Context = CanvasRenderingContext2D;

const HANDLE = 5;

export class DrawingLayer extends PaneLayer {
  readonly #scene: Scene;
  #labels: readonly ISeriesPrimitiveAxisView[] = [];

  constructor(scene: Scene) {
    super({ top: (target) => this.#draw(target) });
    this.#scene = scene;
  }

  requestUpdate(): void {
    this.repaint(true);
  }

  updateAllViews(): void {
    const palette = colors();
    this.#labels = this.#scene.labels().map(({ y, text, color }) => ({
      coordinate: () => y,
      text: () => text,
      textColor: () => palette.panel,
      backColor: () => palette[color],
    }));
  }

  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    return this.#labels;
  }

  #draw(target: PaneTarget): void {
    target.useBitmapCoordinateSpace(({ context, mediaSize, horizontalPixelRatio, verticalPixelRatio }) => {
      const shapes = this.#scene.shapes();
      if (shapes.length === 0) return;
      context.save();
      context.scale(horizontalPixelRatio, verticalPixelRatio);
      // Selected ones on top.
      for (const each of shapes.toSorted((one, other) => Number(one.selected) - Number(other.selected)))
        drawShape(context, each, mediaSize, verticalPixelRatio);
      context.restore();
    });
  }
}

/** Longer for wider lines, or they would look solid. */
export const dashesOf = (style: DrawingStyle, width: number): number[] =>
  ({ solid: [], dashed: [3 + width, 3 + width], dotted: [width, width + 2] })[style];

/** Of the theme, and the others. */
const colors = () => ({ ...currentPalette(), ...LINE_COLORS });

function drawShape(context: Context, { shape, selected, handle }: DrawnShape, size: Size, ratio: number): void {
  const palette = colors();
  for (const { corners, color } of shape.areas) {
    context.fillStyle = faint(palette[color], '26');
    context.beginPath();
    for (const { x, y } of corners) context.lineTo(x, y);
    context.fill();
  }
  for (const { color, width, style = 'solid', ...segment } of shape.lines) {
    const seen = clipped(segment, size);
    if (!seen) continue;
    const { from, to } = seen;
    context.strokeStyle = palette[color];
    context.lineWidth = width;
    context.setLineDash(dashesOf(style, width));
    context.beginPath();
    // Straight lines fill whole pixels of the screen.
    const crisp = (value: number): number => {
      const half = Math.round(width * ratio) % 2 === 1 ? 0.5 : 0;
      return (Math.round(value * ratio - half) + half) / ratio;
    };
    const [flat, upright] = [from.y === to.y, from.x === to.x];
    context.moveTo(upright ? crisp(from.x) : from.x, flat ? crisp(from.y) : from.y);
    context.lineTo(upright ? crisp(to.x) : to.x, flat ? crisp(to.y) : to.y);
    context.stroke();
  }
  context.setLineDash([]);
  for (const text of shape.texts) drawLabel(context, text, palette);
  if (!selected) return;
  for (const [at, { x, y }] of shape.handles.entries()) {
    context.beginPath();
    context.arc(x, y, at === handle ? HANDLE + 2 : HANDLE, 0, 2 * Math.PI);
    context.fillStyle = at === handle ? palette.accent : palette.panel;
    context.strokeStyle = palette.accent;
    context.lineWidth = 2;
    context.fill();
    context.stroke();
  }
}
