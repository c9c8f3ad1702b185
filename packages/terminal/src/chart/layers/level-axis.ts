// Horizontal levels with their names and prices on the price axis. Labels never overlap: those of near levels move apart, and a line
// leads from each level to its label. The numbers of the axis are left out, because labels would cover parts of them.
import type { AutoscaleInfo, ISeriesApi, ISeriesPrimitiveAxisView } from 'lightweight-charts';
import { currentPalette } from '../../ui/theme.ts';
import { crisp, PaneLayer, type PaneTarget, strokeLine } from './pane-layer.ts';
import { placeLabels } from './place-labels.ts';

export interface AxisLevel {
  readonly price: number;
  /** Name and price. */
  readonly text: string;
  readonly color: string;
  /** The current price: a solid line, and a label filled with the colour. */
  readonly isNow?: boolean;
}

/** Height of a label with the space around it. Pixels. */
const LABEL_PX = 18;
/** Length of the lines that lead to labels. Pixels. */
const LEAD_PX = 12;
/** Labels at a fixed place stay out of the library's arrangement. */
const OUTSIDE = -10_000;
const DASHED = [5, 4];

export class LevelAxis extends PaneLayer {
  readonly #series: ISeriesApi<'Candlestick'>;
  #levels: readonly AxisLevel[] = [];
  #axisViews: readonly ISeriesPrimitiveAxisView[] = [];
  /** Heights of the levels and of their labels. Pixels from the top. */
  #heights: readonly number[] = [];
  #places: readonly number[] = [];

  constructor(series: ISeriesApi<'Candlestick'>) {
    super({ normal: (target) => this.#draw(target) });
    this.#series = series;
    series.attachPrimitive(this);
    series.priceScale().applyOptions({ textColor: 'transparent' });
  }

  show(levels: readonly AxisLevel[]): void {
    this.#levels = levels;
    this.#axisViews = levels.map((level, index) => ({
      coordinate: () => OUTSIDE,
      fixedCoordinate: () => this.#places[index],
      text: () => level.text,
      textColor: () => (level.isNow ? currentPalette().panel : level.color),
      backColor: () => (level.isNow ? level.color : currentPalette().panel),
      visible: () => this.#places.length > index,
      tickVisible: () => false,
    }));
    this.repaint(true);
  }

  /** Called by the library before every drawing. */
  updateAllViews(): void {
    const heights = this.#levels.map(({ price }) => this.#series.priceToCoordinate(price));
    this.#heights = heights.filter((height) => height !== null);
    const known = this.#heights.length === this.#levels.length;
    this.#places = known ? placeLabels(this.#heights, LABEL_PX, this.host?.chart.paneSize(0).height ?? 0) : [];
  }

  /** All levels are visible. */
  autoscaleInfo(): AutoscaleInfo | null {
    const prices = this.#levels.map(({ price }) => price);
    if (prices.length === 0) return null;
    return { priceRange: { minValue: Math.min(...prices), maxValue: Math.max(...prices) } };
  }

  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    return this.#axisViews;
  }

  #draw(target: PaneTarget): void {
    if (this.#places.length === 0) return;
    target.useMediaCoordinateSpace(({ context, mediaSize: { width } }) => {
      for (const [index, { color, isNow }] of this.#levels.entries()) {
        const [y, label] = [crisp(this.#heights[index]!), this.#places[index]!];
        context.strokeStyle = color;
        context.setLineDash(isNow ? [] : DASHED);
        strokeLine(context, [0, y], [width - LEAD_PX, y]);
        context.setLineDash([]);
        strokeLine(context, [width - LEAD_PX, y], [width, label]);
      }
    });
  }
}
