// Entry, stop and target of active signals as horizontal lines.
import { type IPriceLine, type ISeriesApi, LineStyle } from 'lightweight-charts';
import { currentPalette } from '../ui/theme.ts';
import type { ChartSignal } from './bar-marks.ts';

/** Lines of more signals would hide the market. */
const MAX_SIGNALS = 6;
const MIN_WIDTH_FOR_NAMES = 560;
const MAX_NAME_LENGTH = 16;

const short = (name: string): string =>
  name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;

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
    const shown = signals.slice(0, MAX_SIGNALS);
    this.#lines = shown.flatMap(({ user, direction, entry, stop_loss, take_profit }) => {
      const name = width >= MIN_WIDTH_FOR_NAMES ? ` ${short(user)}` : '';
      // A single signal needs no name at each of its lines.
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
