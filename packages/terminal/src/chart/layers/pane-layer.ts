// A layer that draws in the pane of a series, together with it.
import type {
  IPrimitivePaneView,
  ISeriesPrimitive,
  PrimitivePaneViewZOrder,
  SeriesAttachedParameter,
  SeriesType,
  Time,
} from 'lightweight-charts';

/** The canvas of a pane. */
export type PaneTarget = Parameters<NonNullable<ReturnType<IPrimitivePaneView['renderer']>>['draw']>[0];

/** Draws a line that is one pixel thick, in the colour and dashes of the context. */
export function strokeLine(context: CanvasRenderingContext2D, from: Point, to: Point): void {
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}

type Point = readonly [x: number, y: number];

/** The middle of the pixel at a position: a straight line there is sharp. */
export const crisp = (position: number): number => Math.round(position) + 0.5;

export abstract class PaneLayer implements ISeriesPrimitive<Time> {
  /** `null` while the layer belongs to no series. */
  protected host: SeriesAttachedParameter<Time, SeriesType> | null = null;
  readonly #views: readonly IPrimitivePaneView[];

  /** What it draws, by its place: behind the series (`bottom`), with it (`normal`) or above all (`top`). */
  constructor(draw: { readonly [Place in PrimitivePaneViewZOrder]?: (target: PaneTarget) => void }) {
    this.#views = Object.entries(draw).map(([place, drawPlace]) => ({
      zOrder: () => place as PrimitivePaneViewZOrder,
      renderer: () => ({ draw: drawPlace }),
    }));
  }

  attached(host: SeriesAttachedParameter<Time, SeriesType>): void {
    this.host = host;
  }

  detached(): void {
    this.host = null;
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views;
  }

  /**
   * Draws the chart again. `rescaled`: the layer needs another range of prices or other margins. Only then is the library asked for
   * a whole update: it measures every pane again, calculates all scales once per pane, and draws the chart a second time in the next
   * frame.
   */
  protected repaint(rescaled = false): void {
    if (rescaled) this.host?.requestUpdate();
    else this.host?.series.applyOptions({});
  }
}
