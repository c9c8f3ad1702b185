// Marks above, below and at the points of a series, and the title of their pane. The library's own marks lay out and draw the whole
// chart a second time with every change of their series, which for a forming bar is every frame; these are drawn together with it.
import type { AutoscaleInfo, CustomData, ISeriesApi, SeriesType, Time } from 'lightweight-charts';
import type { Palette } from '../../ui/theme.ts';
import { PaneLayer, type PaneTarget } from './pane-layer.ts';

type MarkShape = 'circle' | 'triangle' | 'square' | 'diamond';

export interface Mark {
  readonly time: Time;
  /**
   * Current price of the point, which moves with a forming bar; `null` to draw nothing. With `around`, the farthest price on the
   * side of the mark among that many bars to the left and right: a text that would cover one of them is left out.
   */
  readonly price: (around?: number) => number | null;
  readonly side: 'above' | 'below' | 'at';
  /** A triangle points at the series. */
  readonly shape: MarkShape;
  readonly color: string;
  /** Colour of its edge, for a mark that lies over its bar. */
  readonly edge?: string;
  /** Left out if there is no room for it between the other marks. */
  readonly text?: string;
}

/** Written in the upper left corner of the pane. */
export interface PaneTitle {
  readonly text: string;
  readonly color: string;
}

/** Distance between point and mark, and size of a mark. Pixels. */
const GAP = 4;
const RADIUS = 4;
const EDGE = 1.5;
const ROOM = GAP + 2 * RADIUS;
/** Width of the edge of a text, which keeps it readable over a bar. */
const HALO = 3;

export class MarkLayer extends PaneLayer {
  readonly #palette: () => Pick<Palette, 'font' | 'panel'>;
  readonly #title: PaneTitle | undefined;
  #marks: readonly Mark[] = [];

  constructor(
    series: ISeriesApi<SeriesType, Time, CustomData>,
    palette: () => Pick<Palette, 'font' | 'panel'>,
    title?: PaneTitle,
  ) {
    super({ normal: (target) => this.#draw(target) });
    this.#palette = palette;
    this.#title = title;
    series.attachPrimitive(this);
  }

  show(marks: readonly Mark[]): void {
    if (marks.length === 0 && this.#marks.length === 0) return;
    const before = JSON.stringify(this.autoscaleInfo());
    this.#marks = marks;
    this.repaint(JSON.stringify(this.autoscaleInfo()) !== before);
  }

  /** Reserves room above the highest point and below the lowest. */
  autoscaleInfo(): AutoscaleInfo | null {
    if (this.#marks.length === 0) return null;
    const room = (wanted: Mark['side']): number => (this.#marks.some(({ side }) => side === wanted) ? ROOM : 0);
    return { priceRange: null, margins: { above: room('above'), below: room('below') } };
  }

  #draw(target: PaneTarget): void {
    const { host } = this;
    if (!host) return;
    const scale = host.chart.timeScale();
    const heightOf = (price: number | null) => (price === null ? null : host.series.priceToCoordinate(price));
    const { font, panel } = this.#palette();
    target.useMediaCoordinateSpace(({ context, mediaSize: { width } }) => {
      const write = (text: string, color: string, x: number, y: number): void => {
        context.lineWidth = HALO;
        context.strokeStyle = panel;
        context.strokeText(text, x, y);
        context.fillStyle = color;
        context.fillText(text, x, y);
      };
      context.font = font;
      context.lineJoin = 'round';
      if (this.#title) {
        context.textAlign = 'left';
        context.textBaseline = 'top';
        write(this.#title.text, this.#title.color, GAP, GAP);
      }
      context.textAlign = 'center';
      const drawn = this.#marks.flatMap((mark) => {
        const { price, side, shape, color, edge } = mark;
        const x = scale.timeToCoordinate(mark.time);
        if (x === null || x < -RADIUS || x > width + RADIUS) return [];
        const point = heightOf(price());
        if (point === null) return [];
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
        return [{ ...mark, x, y, up, point }];
      });
      const { barSpacing } = scale.options();
      let free = Number.NEGATIVE_INFINITY;
      drawn.forEach(({ text, color, price, x, y, up, point }, at) => {
        if (!text) return;
        const half = context.measureText(text).width / 2 + HALO;
        const [before, next] = [drawn[at - 1], drawn[at + 1]];
        const isFree =
          x - half > free && !(before && before.x > x - half - RADIUS) && !(next && next.x < x + half + RADIUS);
        const reach = isFree ? heightOf(price(Math.ceil(half / barSpacing))) : null;
        if (reach === null || up * (reach - point) > ROOM) return;
        free = x + half;
        context.textBaseline = up < 0 ? 'bottom' : 'top';
        write(text, color, x, y + up * (RADIUS + GAP / 2));
      });
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
