// Entry, stop and target of active signals as lines across the chart.
import { type IPriceLine, type ISeriesApi, LineStyle } from 'lightweight-charts';
import { currentPalette } from '../theme.ts';
import type { ChartSignal } from './bar-marks.ts';

/** More lines than this hide the market; the newest signals are shown. */
const MOST_SIGNALS = 6;
const ROOM_FOR_NAMES = 560;
const LONGEST_NAME = 16;

const short = (name: string): string => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name);

export class SignalLevels {
  readonly #series: ISeriesApi<'Candlestick'>;
  #lines: IPriceLine[] = [];

  constructor(series: ISeriesApi<'Candlestick'>) {
    this.#series = series;
  }

  /** Newest first. */
  show(signals: readonly ChartSignal[], width: number): void {
    for (const line of this.#lines) this.#series.removePriceLine(line);
    const { up, down, accent } = currentPalette();
    const shown = signals.slice(0, MOST_SIGNALS);
    this.#lines = shown.flatMap(({ user, direction, entry, stop_loss, take_profit }) => {
      const name = width >= ROOM_FOR_NAMES ? ` ${short(user)}` : '';
      // Of a single one it is clear whose they are.
      const who = shown.length > 1 ? name : '';
      const arrow = direction === 'buy' ? '▲' : '▼';
      return [
        this.#line(entry, direction === 'buy' ? up : down, LineStyle.Solid, `${arrow} ${direction}${name}`),
        this.#line(stop_loss, down, LineStyle.Dashed, `stop${who}`),
        this.#line(take_profit, accent, LineStyle.Dashed, `target${who}`),
      ];
    });
  }

  #line(price: number, color: string, lineStyle: LineStyle, title: string): IPriceLine {
    return this.#series.createPriceLine({ price, color, lineStyle, lineWidth: 1, axisLabelVisible: true, title });
  }
}
