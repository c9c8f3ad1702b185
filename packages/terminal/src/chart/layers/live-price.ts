// The current price as a dotted line with a label on the axis. The library would show the close of the newest visible bar; this
// is the live price wherever the user has scrolled. If it is above or below the visible prices, the label stays at the edge.
import type { ISeriesApi, ISeriesPrimitiveAxisView } from 'lightweight-charts';
import { price as priceText } from '../../ui/format.ts';
import { currentPalette } from '../../ui/theme.ts';
import { crisp, PaneLayer, type PaneTarget, strokeLine } from './pane-layer.ts';

/** Half of the height of a label. Pixels. */
const HALF_LABEL = 9;
/** Labels at a fixed place stay out of the library's arrangement. */
const OUTSIDE = -10_000;

export class LivePrice extends PaneLayer {
  readonly #series: ISeriesApi<'Candlestick'>;
  #price: number | null = null;
  #isUp = true;
  #digits = 2;
  readonly #axisViews: readonly ISeriesPrimitiveAxisView[] = [
    {
      // At the edge it has a fixed place; otherwise the library moves labels apart that would overlap.
      coordinate: () => (this.#place()?.beyond === null ? this.#place()!.y : OUTSIDE),
      fixedCoordinate: () => (this.#place()?.beyond === null ? undefined : this.#place()?.y),
      text: () => this.#text(),
      textColor: () => currentPalette().panel,
      backColor: () => this.#color,
      visible: () => this.#place() !== null,
      tickVisible: () => false,
    },
  ];

  constructor(series: ISeriesApi<'Candlestick'>) {
    super({ normal: (target) => this.#draw(target) });
    this.#series = series;
    series.attachPrimitive(this);
  }

  /** `null` removes it. `isUp`: the forming bar has risen. */
  show(price: number | null, isUp = true): void {
    if (price === this.#price && isUp === this.#isUp) return;
    this.#price = price;
    this.#isUp = isUp;
    this.repaint();
  }

  setDigits(digits: number): void {
    this.#digits = digits;
  }

  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    return this.#axisViews;
  }

  get #color(): string {
    const { up, down } = currentPalette();
    return this.#isUp ? up : down;
  }

  /** Where the label is, and on which side of it the price is if it is not visible. `null` without a price. */
  #place(): { readonly y: number; readonly beyond: 'above' | 'below' | null } | null {
    const y = this.#price === null ? null : this.#series.priceToCoordinate(this.#price);
    if (y === null) return null;
    const lowest = (this.host?.chart.paneSize(0).height ?? 0) - HALF_LABEL;
    if (y < 0) return { y: HALF_LABEL, beyond: 'above' };
    if (y > lowest + HALF_LABEL) return { y: lowest, beyond: 'below' };
    return { y: Math.max(HALF_LABEL, Math.min(lowest, y)), beyond: null };
  }

  #text(): string {
    const text = priceText(this.#price, this.#digits);
    const beyond = this.#place()?.beyond;
    return beyond === 'above' ? `↑ ${text}` : beyond === 'below' ? `↓ ${text}` : text;
  }

  #draw(target: PaneTarget): void {
    const place = this.#place();
    if (!place || place.beyond !== null) return;
    target.useMediaCoordinateSpace(({ context, mediaSize: { width } }) => {
      context.strokeStyle = this.#color;
      context.setLineDash([1, 2]);
      strokeLine(context, [0, crisp(place.y)], [width, crisp(place.y)]);
      context.setLineDash([]);
    });
  }
}
