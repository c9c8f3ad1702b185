// Draws Heikin Ashi candles. Each also has the close of its bar, which is no price of the candle: a scale in percent takes the last
// price of a series in the first visible bar as its base. With another base than the other series have, the candles would be shifted.
import {
  type CustomData,
  type CustomSeriesOptions,
  customSeriesDefaultOptions,
  type ICustomSeriesPaneRenderer,
  type ICustomSeriesPaneView,
  type PaneRendererCustomData,
  type Time,
} from 'lightweight-charts';
import type { Palette } from '../../ui/theme.ts';
import type { HeikinAshi } from '../bars/heikin-ashi.ts';

export interface HeikinAshiPoint extends CustomData<Time>, HeikinAshi {
  /** Close of the bar, not of the candle. */
  readonly price: number;
}

type Target = Parameters<ICustomSeriesPaneRenderer['draw']>[0];
type ToPixel = Parameters<ICustomSeriesPaneRenderer['draw']>[1];

/** Width of a body as a share of the distance between bars. */
const BODY_SHARE = 0.8;

export class HeikinAshiView implements ICustomSeriesPaneView<Time, HeikinAshiPoint, CustomSeriesOptions> {
  readonly #colors: () => Pick<Palette, 'up' | 'down'>;
  #data: PaneRendererCustomData<Time, HeikinAshiPoint> | null = null;
  readonly #renderer = { draw: (target: Target, toPixel: ToPixel) => this.#draw(target, toPixel) };

  constructor(colors: () => Pick<Palette, 'up' | 'down'>) {
    this.#colors = colors;
  }

  renderer(): ICustomSeriesPaneRenderer {
    return this.#renderer;
  }

  update(data: PaneRendererCustomData<Time, HeikinAshiPoint>): void {
    this.#data = data;
  }

  /** The last one is the base of a scale in percent; all of them have to fit into the view. */
  priceValueBuilder({ low, high, price }: HeikinAshiPoint): number[] {
    return [low, high, price];
  }

  isWhitespace(data: object): data is never {
    return !('price' in data);
  }

  defaultOptions(): CustomSeriesOptions {
    return customSeriesDefaultOptions as CustomSeriesOptions;
  }

  #draw(target: Target, toPixel: ToPixel): void {
    const { bars = [], visibleRange = null, barSpacing = 0 } = this.#data ?? {};
    if (!visibleRange) return;
    target.useBitmapCoordinateSpace(({ context, horizontalPixelRatio: across, verticalPixelRatio: down }) => {
      const wick = Math.max(1, Math.floor(across));
      // As odd or even as the wick, which then is in the middle.
      const half = Math.max(0, Math.floor((barSpacing * across * BODY_SHARE - wick) / 2));
      const width = wick + 2 * half;
      const { up, down: falling } = this.#colors();
      const rowOf = (price: number): number => Math.round((toPixel(price) ?? 0) * down);
      for (const { x, originalData } of bars.slice(visibleRange.from, visibleRange.to)) {
        const { open, high, low, close } = originalData;
        const left = Math.round(x * across) - (wick >> 1);
        const [top, bottom] = [rowOf(Math.max(open, close)), rowOf(Math.min(open, close))];
        context.fillStyle = close >= open ? up : falling;
        context.fillRect(left, rowOf(high), wick, rowOf(low) - rowOf(high) + 1);
        context.fillRect(left - half, top, width, bottom - top + 1);
      }
    });
  }
}
