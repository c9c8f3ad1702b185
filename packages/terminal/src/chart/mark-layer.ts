// Marks above, below and at the points of a series, and the title of their pane. The library's own marks lay out and draw the whole
// chart a second time with every change of their series, which for a forming bar is every frame; these are drawn together with it.
import type {
  AutoscaleInfo,
  CustomData,
  IPrimitivePaneView,
  ISeriesApi,
  ISeriesPrimitive,
  SeriesAttachedParameter,
  SeriesType,
  Time,
} from 'lightweight-charts';

type MarkShape = 'circle' | 'triangle' | 'square' | 'diamond';

export interface Mark {
  readonly time: Time;
  /** Current price of the point, which moves with a forming bar; `null` to draw nothing. */
  readonly price: () => number | null;
  readonly side: 'above' | 'below' | 'at';
  /** A triangle points at the series. */
  readonly shape: MarkShape;
  readonly color: string;
  /** Colour of its edge, for a mark that lies over its bar. */
  readonly edge?: string;
  readonly text?: string;
}

/** Written in the upper left corner of the pane. */
export interface PaneTitle {
  readonly text: string;
  readonly color: string;
}

/** The canvas of a pane. */
export type PaneTarget = Parameters<NonNullable<ReturnType<IPrimitivePaneView['renderer']>>['draw']>[0];

/** Distance between point and mark, and size of a mark. Pixels. */
const GAP = 4;
const RADIUS = 4;
const EDGE = 1.5;
const FONT_SIZE = 11;
const ROOM = GAP + 2 * RADIUS;

export class MarkLayer implements ISeriesPrimitive<Time> {
  readonly #fontFamily: string;
  readonly #title: PaneTitle | undefined;
  #marks: readonly Mark[] = [];
  #host: SeriesAttachedParameter<Time, SeriesType> | null = null;

  constructor(series: ISeriesApi<SeriesType, Time, CustomData>, fontFamily: string, title?: PaneTitle) {
    this.#fontFamily = fontFamily;
    this.#title = title;
    series.attachPrimitive(this);
  }

  attached(host: SeriesAttachedParameter<Time, SeriesType>): void {
    this.#host = host;
  }

  detached(): void {
    this.#host = null;
  }

  show(marks: readonly Mark[]): void {
    if (marks.length === 0 && this.#marks.length === 0) return;
    this.#marks = marks;
    this.#host?.requestUpdate();
  }

  /** Reserves room above the highest point and below the lowest. */
  autoscaleInfo(): AutoscaleInfo | null {
    if (this.#marks.length === 0) return null;
    const room = (wanted: Mark['side']): number => (this.#marks.some(({ side }) => side === wanted) ? ROOM : 0);
    return { priceRange: null, margins: { above: room('above'), below: room('below') } };
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return [{ renderer: () => ({ draw: (target) => this.#draw(target) }) }];
  }

  #draw(target: PaneTarget): void {
    const host = this.#host;
    if (!host) return;
    const scale = host.chart.timeScale();
    target.useMediaCoordinateSpace(({ context, mediaSize: { width } }) => {
      context.font = `${FONT_SIZE}px ${this.#fontFamily}`;
      if (this.#title) {
        context.fillStyle = this.#title.color;
        context.textAlign = 'left';
        context.textBaseline = 'top';
        context.fillText(this.#title.text, GAP, GAP);
      }
      context.textAlign = 'center';
      for (const { time, price, side, shape, color, edge, text } of this.#marks) {
        const [x, value] = [scale.timeToCoordinate(time), price()];
        if (x === null || x < -RADIUS || x > width + RADIUS || value === null) continue;
        const point = host.series.priceToCoordinate(value);
        if (point === null) continue;
        const up = side === 'above' ? -1 : 1;
        const y = side === 'at' ? point : point + up * (GAP + RADIUS);
        context.fillStyle = color;
        context.beginPath();
        trace(context, shape, x, y, up);
        context.fill();
        if (edge !== undefined) {
          context.strokeStyle = edge;
          context.lineWidth = EDGE;
          context.stroke();
        }
        context.textBaseline = side === 'above' ? 'bottom' : 'top';
        if (text) context.fillText(text, x, y + up * (RADIUS + GAP / 2));
      }
    });
  }
}

/** `up`: -1 for a triangle that points down, 1 for one that points up. */
function trace(context: CanvasRenderingContext2D, shape: MarkShape, x: number, y: number, up: number): void {
  if (shape === 'circle') context.arc(x, y, RADIUS, 0, 2 * Math.PI);
  else if (shape === 'square') context.rect(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS);
  else {
    const tip = shape === 'diamond' ? RADIUS + 1 : RADIUS;
    context.moveTo(x, y - up * tip);
    context.lineTo(x - tip, shape === 'diamond' ? y : y + up * tip);
    if (shape === 'diamond') context.lineTo(x, y + up * tip);
    context.lineTo(x + tip, shape === 'diamond' ? y : y + up * tip);
    context.closePath();
  }
}
