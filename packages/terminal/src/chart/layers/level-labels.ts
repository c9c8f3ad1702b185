// Names of horizontal levels, such as the entry of a signal or an alert, at the left edge of the chart. The newest bars are never
// covered: a name that would reach them is left out, and the axis still has its price.
import type { ISeriesApi, Logical } from 'lightweight-charts';
import { currentPalette } from '../../ui/theme.ts';
import { PaneLayer, type PaneTarget } from './pane-layer.ts';

export interface LevelLabel {
  readonly price: number;
  readonly text: string;
  readonly color: string;
}

/** No text lies over this many of the newest bars. */
export const CLEAR_BARS = 20;
const LEFT = 10;
const GAP = 6;
const PADDING = 4;
const HEIGHT = 16;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/** Left edge of a label that overlaps no other and ends before `limit`; `null` if there is no room. */
export function placeLabel(placed: readonly Box[], y: number, width: number, limit: number): number | null {
  let left = LEFT;
  const beside = placed.filter((box) => Math.abs(box.y - y) < HEIGHT).sort((one, other) => one.left - other.left);
  for (const box of beside) if (left + width + GAP > box.left && left < box.right + GAP) left = box.right + GAP;
  return left + width <= limit ? left : null;
}

export class LevelLabels extends PaneLayer {
  readonly #series: ISeriesApi<'Candlestick'>;
  readonly #byOwner = new Map<string, readonly LevelLabel[]>();
  /** Number of bars. */
  bars = 0;
  /** Height of the legend, in pixels, which stays free of names. */
  top = 0;

  constructor(series: ISeriesApi<'Candlestick'>) {
    super({ top: (target) => this.#draw(target) });
    this.#series = series;
    series.attachPrimitive(this);
  }

  /** Replaces the labels of a part. */
  set(owner: string, labels: readonly LevelLabel[]): void {
    this.#byOwner.set(owner, labels);
    this.repaint();
  }

  #draw(target: PaneTarget): void {
    const scale = this.host?.chart.timeScale();
    const labels = [...this.#byOwner.values()].flat();
    if (!scale || labels.length === 0) return;
    const { panel, font } = currentPalette();
    const newest = scale.logicalToCoordinate((this.bars - CLEAR_BARS) as Logical);
    target.useMediaCoordinateSpace(({ context, mediaSize: { width, height } }) => {
      const limit = Math.min(width, newest ?? width) - scale.options().barSpacing / 2;
      const placed: Box[] = [];
      context.font = font;
      context.textAlign = 'left';
      context.textBaseline = 'middle';
      for (const { price, text, color } of labels) {
        const y = this.#series.priceToCoordinate(price);
        if (y === null || y < this.top + HEIGHT / 2 || y > height - HEIGHT / 2) continue;
        const size = Math.ceil(context.measureText(text).width) + 2 * PADDING;
        const left = placeLabel(placed, y, size, limit);
        if (left === null) continue;
        placed.push({ left, right: left + size, y });
        context.fillStyle = panel;
        context.fillRect(left, y - HEIGHT / 2, size, HEIGHT);
        context.fillStyle = color;
        context.fillText(text, left + PADDING, y);
      }
    });
  }
}
