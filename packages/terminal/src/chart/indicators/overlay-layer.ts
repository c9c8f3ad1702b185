// Draws lines over the prices, at the prices' own scale. They are not series of the library: on a percent scale it counts each series
// from the first visible value of that series, which would move the line away from the candles; and points after the last bar, as
// of the Ichimoku cloud, would add bars to the time axis.
import { type AutoscaleInfo, type ISeriesApi, type Logical, PriceScaleMode } from 'lightweight-charts';
import type { ChartHost, ScaleFit } from '../frame/chart-part.ts';
import { PaneLayer, type PaneTarget } from '../layers/pane-layer.ts';

export interface OverlayLine {
  readonly name: string;
  readonly kind: 'line' | 'dots' | 'steps';
  /** Bars by which it is drawn later; negative for earlier. */
  readonly offset: number;
  /** By bar; `null` leaves a gap. */
  readonly values: readonly (number | null)[];
  /** By bar. A line has the colour of the bar it leads to; with '' none leads there. */
  readonly colors: readonly string[];
}

/** Where a line is at one bar. Pixels. */
interface Point {
  readonly x: number;
  readonly y: number;
  readonly color: string;
}

const DOT_RADIUS = 1.5;
const CLOUD_ALPHA = 0.12;

export class OverlayLayer extends PaneLayer {
  readonly #prices: ISeriesApi<'Candlestick'>;
  readonly #fit: ScaleFit;
  #lines: readonly OverlayLine[] = [];

  constructor({ prices, fit }: Pick<ChartHost, 'prices' | 'fit'>) {
    super({
      bottom: (target) => this.#paint(target, this.#fillCloud),
      normal: (target) => this.#paint(target, this.#drawLines),
    });
    this.#prices = prices;
    this.#fit = fit;
    prices.attachPrimitive(this);
  }

  remove(): void {
    this.#prices.detachPrimitive(this);
  }

  /** Lines may change afterwards; then they are shown again. `rescaled`: by more than the value of the newest bar. */
  show(lines: readonly OverlayLine[], rescaled = true): void {
    this.#lines = lines;
    this.repaint(rescaled && this.#fit.overlays);
  }

  /** The value of a line drawn at a position of the axis. */
  valueAt({ values, offset }: OverlayLine, position: number): number | null {
    return values[position - offset] ?? null;
  }

  /** Lines far from the price would flatten the candles, so they count only if the user wishes; levels of a period never do. */
  autoscaleInfo(from: Logical, to: Logical): AutoscaleInfo | null {
    if (!this.#fit.overlays) return null;
    let [minValue, maxValue] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { values, offset, kind } of this.#lines) {
      if (kind === 'steps') continue;
      for (let at = Math.max(0, Math.floor(from - offset)); at <= Math.min(values.length - 1, to - offset); at++) {
        const value = values[at] ?? null;
        if (value === null) continue;
        minValue = Math.min(minValue, value);
        maxValue = Math.max(maxValue, value);
      }
    }
    return minValue > maxValue ? null : { priceRange: { minValue, maxValue } };
  }

  #paint(target: PaneTarget, draw: (context: CanvasRenderingContext2D) => void): void {
    if (this.host && this.#lines.length > 0) target.useMediaCoordinateSpace(({ context }) => draw(context));
  }

  readonly #drawLines = (context: CanvasRenderingContext2D): void => {
    context.lineWidth = 1;
    context.lineJoin = 'round';
    context.setLineDash([]);
    for (const line of this.#lines) {
      const points = this.#points(line);
      if (line.kind === 'dots') drawDots(context, points);
      else drawPath(context, points, line.kind === 'steps');
    }
  };

  /** Each piece has the colour of the line on top. */
  readonly #fillCloud = (context: CanvasRenderingContext2D): void => {
    const [one, other] = ['leading_a', 'leading_b'].map((name) => this.#lines.find((line) => line.name === name));
    if (!one || !other) return;
    const [upper, lower] = [this.#points(one), this.#points(other)];
    context.globalAlpha = CLOUD_ALPHA;
    for (let at = 1; at < upper.length; at++) {
      const corners = [upper[at - 1], upper[at], lower[at], lower[at - 1]];
      if (corners.some((corner) => !corner)) continue;
      const [, top, bottom] = corners;
      context.fillStyle = (top!.y <= bottom!.y ? top! : bottom!).color;
      context.beginPath();
      for (const corner of corners) context.lineTo(corner!.x, corner!.y);
      context.fill();
    }
    context.globalAlpha = 1;
  };

  /** The visible points, and one on each side; `null` where there is no value. */
  #points({ values, offset, colors }: OverlayLine): readonly (Point | null)[] {
    const scale = this.host!.chart.timeScale();
    const seen = scale.getVisibleLogicalRange();
    const yOf = this.#heights();
    if (!seen || !yOf) return [];
    const first = Math.floor(seen.from) - 1 - offset;
    const count = Math.ceil(seen.to) - Math.floor(seen.from) + 3;
    return Array.from({ length: count }, (_, index) => {
      const value = values[first + index] ?? null;
      const x = value === null ? null : scale.logicalToCoordinate((first + index + offset) as Logical);
      return value === null || x === null ? null : { x, y: yOf(value), color: colors[first + index]! };
    });
  }

  /** Pixels from the top by price; `null` without bars. The library looks for its base with every price, so it is asked twice only. */
  #heights(): ((price: number) => number) | null {
    const prices = this.#prices;
    const base = prices.priceToCoordinate(0);
    if (prices.priceScale().options().mode === PriceScaleMode.Logarithmic)
      return (price) => prices.priceToCoordinate(price) ?? Number.NaN;
    const next = prices.priceToCoordinate(1);
    if (base === null || next === null) return null;
    return (price) => base + price * (next - base);
  }
}

function drawDots(context: CanvasRenderingContext2D, points: readonly (Point | null)[]): void {
  for (const point of points) {
    if (!point) continue;
    context.fillStyle = point.color;
    context.beginPath();
    context.arc(point.x, point.y, DOT_RADIUS, 0, 2 * Math.PI);
    context.fill();
  }
}

function drawPath(context: CanvasRenderingContext2D, points: readonly (Point | null)[], inSteps: boolean): void {
  let before: Point | null = null;
  let color = '';
  for (const point of points) {
    if (before && point?.color) {
      if (point.color !== color) {
        if (color !== '') context.stroke();
        color = point.color;
        context.strokeStyle = color;
        context.beginPath();
        context.moveTo(before.x, before.y);
      }
      if (inSteps) context.lineTo(point.x, before.y);
      context.lineTo(point.x, point.y);
    } else if (point && color !== '') context.moveTo(point.x, point.y);
    before = point;
  }
  if (color !== '') context.stroke();
}
