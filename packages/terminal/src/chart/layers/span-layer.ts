// Times on a chart: vertical lines, and behind the bars areas between two times and two prices.
import type { ISeriesApi, Logical } from 'lightweight-charts';
import { crisp, PaneLayer, type PaneTarget, strokeLine } from './pane-layer.ts';

/** Positions are numbers of bars. */
export interface TimeLine {
  readonly at: number;
  readonly color: string;
}

export interface Span {
  readonly from: number;
  /** `null`: to the right edge. */
  readonly to: number | null;
  /** Its two prices, in any order. */
  readonly prices: readonly [number, number];
  readonly color: string;
}

const SPAN_ALPHA = 0.12;
const DASHES = [2, 3];
/** A span of one bar can still be seen. Pixels. */
const NARROWEST = 2;

export class SpanLayer extends PaneLayer {
  readonly #series: ISeriesApi<'Candlestick'>;
  #lines: readonly TimeLine[] = [];
  #spans: readonly Span[] = [];

  constructor(series: ISeriesApi<'Candlestick'>) {
    // The grid would cover a line at one of its positions.
    super({ bottom: (target) => this.#drawSpans(target), normal: (target) => this.#drawLines(target) });
    this.#series = series;
    series.attachPrimitive(this);
  }

  show(lines: readonly TimeLine[], spans: readonly Span[] = []): void {
    this.#lines = lines;
    this.#spans = spans;
    this.repaint();
  }

  #drawSpans(target: PaneTarget): void {
    target.useMediaCoordinateSpace(({ context, mediaSize: { width } }) => {
      context.globalAlpha = SPAN_ALPHA;
      for (const { from, to, prices, color } of this.#spans) {
        const [left, right] = [this.#xOf(from), to === null ? width : this.#xOf(to)];
        const [one, other] = prices.map((price) => this.#series.priceToCoordinate(price));
        if (left === null || right === null || one == null || other == null) continue;
        context.fillStyle = color;
        context.fillRect(left, Math.min(one, other), Math.max(NARROWEST, right - left), Math.abs(one - other));
      }
      context.globalAlpha = 1;
    });
  }

  #drawLines(target: PaneTarget): void {
    target.useMediaCoordinateSpace(({ context, mediaSize: { height } }) => {
      context.setLineDash(DASHES);
      for (const { at, color } of this.#lines) {
        const x = this.#xOf(at);
        if (x === null) continue;
        context.strokeStyle = color;
        strokeLine(context, [crisp(x), 0], [crisp(x), height]);
      }
      context.setLineDash([]);
    });
  }

  #xOf(position: number): number | null {
    return this.host?.chart.timeScale().logicalToCoordinate(position as Logical) ?? null;
  }
}
