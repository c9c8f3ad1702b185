// Times and prices to pixels and back, also outside the visible range, with a magnet for the prices of bars.
import { PriceScaleMode } from 'lightweight-charts';
import { moveUnit } from '../../ui/format.ts';
import { positionAt, positionOf, timeAt } from '../bars/time-axis.ts';
import type { ChartHost } from '../frame/chart-part.ts';
import type { Anchor, Drawing } from './drawing.ts';
import type { DrawnOn } from './drawing-alert.ts';
import type { Pixel } from './geometry.ts';
import type { ShapeView } from './shape.ts';

type Host = Pick<ChartHost, 'chart' | 'prices' | 'bars' | 'market' | 'xOf' | 'yOf'>;

/** Distance at which the magnet attracts. Pixels. */
const MAGNET = 14;
const MAX_POSITION_WIDTH = 200;

export class DrawingView implements ShapeView {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Without the price axis. */
  get width(): number {
    return this.#host.chart.timeScale().width();
  }

  get height(): number {
    return this.#host.chart.panes()[0]?.getHeight() ?? 0;
  }

  get digits(): number {
    return this.#host.market()?.digits ?? 2;
  }

  get pip(): number | null {
    const instrument = this.#host.market()?.instrument;
    return instrument && moveUnit(instrument) === 'pips' ? instrument.pip_size : null;
  }

  /** What alerts on drawings need. */
  get drawnOn(): DrawnOn {
    const { mode } = this.#host.chart.priceScale('right').options();
    return {
      bars: this.#host.bars(),
      interval: this.#host.market()?.interval ?? '',
      digits: this.digits,
      isLogarithmic: mode === PriceScaleMode.Logarithmic,
    };
  }

  readonly xOf = (time: number): number | null => this.#host.xOf(time);
  readonly yOf = (price: number): number | null => this.#host.yOf(price);

  readonly barsBetween = (from: number, to: number): number => {
    const bars = this.#host.bars();
    const [first, last] = [bars && positionOf(bars, from), bars && positionOf(bars, to)];
    return first === null || last === null ? 0 : Math.round(last - first);
  };

  /** `null` if the chart has no bars. With the magnet, the nearest open, high, low or close within reach. */
  anchorAt({ x, y }: Pixel, magnet = false): Anchor | null {
    const bars = this.#host.bars();
    const position = positionAt(this.#host.chart.timeScale(), x);
    const price = this.#host.prices.coordinateToPrice(y);
    if (!bars || position === null || price === null) return null;
    const time = timeAt(bars, position);
    if (time === null) return null;
    const candle = magnet ? bars.candles[Math.round(position)] : undefined;
    const near = candle && nearest([candle.open, candle.high, candle.low, candle.close], y, this.yOf);
    if (candle && near !== undefined) return { time: candle.time, price: near };
    return { time: Math.round(time), price: Number(price.toFixed(this.digits)) };
  }

  pixelOf({ time, price }: Anchor): Pixel | null {
    const [x, y] = [this.xOf(time), this.yOf(price)];
    return x === null || y === null ? null : { x, y };
  }

  /** Anchors of a position with a stop an eighth of the pane away and a target at twice the distance. Long: 1, short: -1. */
  positionFrom(entry: Anchor, sign: 1 | -1): readonly Anchor[] | null {
    const from = this.pixelOf(entry);
    if (!from) return null;
    const x = from.x + Math.min(MAX_POSITION_WIDTH, this.width / 4);
    const stop = this.anchorAt({ x, y: from.y + (sign * this.height) / 8 });
    if (!stop || stop.price === entry.price) return null;
    const price = Number((entry.price + 2 * (entry.price - stop.price)).toFixed(this.digits));
    return [entry, stop, { time: stop.time, price }];
  }

  /** The drawing moved by pixels, but at least by the smallest step of the price. */
  shifted(drawing: Drawing, by: Pixel): Drawing {
    const step = 10 ** -this.digits;
    const points = drawing.points.map((point) => {
      const from = this.pixelOf(point);
      const to = from && this.anchorAt({ x: from.x + by.x, y: from.y + by.y });
      if (!to) return point;
      const still = by.y !== 0 && to.price === point.price;
      const price = still ? Number((point.price - Math.sign(by.y) * step).toFixed(this.digits)) : to.price;
      // A move in one direction changes nothing in the other, not even by rounding.
      return { time: by.x === 0 ? point.time : to.time, price: by.y === 0 ? point.price : price };
    });
    return { ...drawing, points };
  }
}

function nearest(prices: readonly number[], y: number, yOf: (price: number) => number | null): number | undefined {
  const distance = (price: number): number => Math.abs((yOf(price) ?? Number.POSITIVE_INFINITY) - y);
  return prices
    .filter((price) => distance(price) <= MAGNET)
    .toSorted((one, other) => distance(one) - distance(other))[0];
}
