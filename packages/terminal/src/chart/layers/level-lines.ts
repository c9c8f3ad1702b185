// Horizontal lines at prices, with a label at the price axis: levels of signals and alerts. The pointer can take hold of them.
import type { IPriceLine, ISeriesApi, LineStyle, LineWidth } from 'lightweight-charts';

/** The series whose scale the levels have. */
export type LevelSeries = ISeriesApi<'Candlestick'> | ISeriesApi<'Line'> | ISeriesApi<'Histogram'>;

export interface Level<Id> {
  /** What the line belongs to. */
  readonly id: Id;
  readonly price: number;
  readonly color: string;
  readonly style: LineStyle;
  /** Before the price at the axis. */
  readonly title?: string;
}

/** Distance at which the pointer takes hold of a line. Pixels. */
const REACH = 6;
const REACH_OF_FINGER = 18;

export class LevelLines<Id> {
  readonly #series: LevelSeries;
  readonly #width: LineWidth;
  #lines: readonly IPriceLine[] = [];
  #levels: readonly Level<Id>[] = [];

  /** `width`: in pixels. */
  constructor(series: LevelSeries, width: LineWidth = 1) {
    this.#series = series;
    this.#width = width;
  }

  show(levels: readonly Level<Id>[]): void {
    this.#levels = levels;
    for (const line of this.#lines.slice(levels.length)) this.#series.removePriceLine(line);
    this.#lines = levels.map(({ price, title = '', color, style: lineStyle }, at) => {
      const options = { price, title, color, lineStyle, lineWidth: this.#width, axisLabelVisible: true };
      const known = this.#lines[at];
      known?.applyOptions(options);
      return known ?? this.#series.createPriceLine(options);
    });
  }

  /** What the nearest line at this height belongs to, the last of several; `null` if none is in reach. */
  at(y: number, byFinger = false): Id | null {
    let nearest: Id | null = null;
    let least = byFinger ? REACH_OF_FINGER : REACH;
    for (const { id, price } of this.#levels) {
      const line = this.#series.priceToCoordinate(price);
      const distance = line === null ? Number.POSITIVE_INFINITY : Math.abs(line - y);
      if (distance > least) continue;
      least = distance;
      nearest = id;
    }
    return nearest;
  }
}
