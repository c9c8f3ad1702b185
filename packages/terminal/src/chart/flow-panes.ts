// Order flow below the candles, on the same time scale: delta of each bar, and cumulative delta with absorption marks.
import { HistogramSeries, type IChartApi, type ISeriesApi, LineSeries } from 'lightweight-charts';
import { currentPalette, faint } from '../ui/theme.ts';
import type { Absorption } from './bar-marks.ts';
import { barAt } from './bar-marks.ts';
import type { ChartBars, ChartCandle } from './chart-bars.ts';
import { type CumulativeDelta, deltaOf } from './cumulative-delta.ts';
import { type Mark, MarkLayer } from './mark-layer.ts';
import { quietLine, timestampOf, VOLUME_FORMAT } from './plot-options.ts';

/** Relative heights: candles, delta, cumulative delta. */
const PANE_HEIGHTS = [10, 2.2, 2.6];

export class FlowPanes {
  readonly #chart: IChartApi;
  readonly #delta: ISeriesApi<'Histogram'>;
  readonly #sum: ISeriesApi<'Line'>;
  readonly #marks: MarkLayer;

  constructor(chart: IChartApi) {
    const { accent, muted, fontFamily } = currentPalette();
    this.#chart = chart;
    const plain = { lastValueVisible: false, priceLineVisible: false, priceFormat: VOLUME_FORMAT };
    this.#delta = chart.addSeries(HistogramSeries, plain, 1);
    this.#sum = chart.addSeries(
      LineSeries,
      { ...quietLine(accent), priceFormat: VOLUME_FORMAT, lastValueVisible: true },
      2,
    );
    new MarkLayer(this.#delta, fontFamily, { text: 'Delta', color: muted });
    this.#marks = new MarkLayer(this.#sum, fontFamily, { text: 'Cumulative delta', color: muted });
    for (const [index, pane] of chart.panes().entries()) pane.setStretchFactor(PANE_HEIGHTS[index] ?? 1);
  }

  set(candles: readonly ChartCandle[], sums: readonly (number | null)[]): void {
    this.#delta.setData(candles.map((candle) => this.#deltaBar(candle)));
    this.setSums(candles, sums);
  }

  setSums(candles: readonly ChartCandle[], sums: readonly (number | null)[]): void {
    this.#sum.setData(
      candles.flatMap((candle, at) => {
        const value = sums[at] ?? null;
        return value === null ? [] : [{ time: timestampOf(candle), value }];
      }),
    );
  }

  /** `historical`: the candle is not the last one that was drawn. */
  updateDelta(candle: ChartCandle, historical: boolean): void {
    this.#delta.update(this.#deltaBar(candle), historical);
  }

  updateSum(candle: ChartCandle, sum: number | null, historical: boolean): void {
    if (sum !== null) this.#sum.update({ time: timestampOf(candle), value: sum }, historical);
  }

  mark(absorptions: readonly Absorption[], { candles, intervalMs }: ChartBars, sums: CumulativeDelta): void {
    const { up, down } = currentPalette();
    const byBar = new Map<string, Mark>();
    for (const { time, side } of absorptions) {
      const at = barAt(candles, time, intervalMs);
      const candle = candles[at];
      if (!candle) continue;
      // One mark per bar and side.
      byBar.set(`${candle.time} ${side}`, {
        time: timestampOf(candle),
        price: () => sums.values[at] ?? null,
        side: side === 'buy' ? 'below' : 'above',
        shape: 'triangle',
        color: side === 'buy' ? up : down,
      });
    }
    this.#marks.show([...byBar.values()]);
  }

  /** The library removes a pane with its last series. */
  remove(): void {
    this.#chart.removeSeries(this.#sum);
    this.#chart.removeSeries(this.#delta);
  }

  #deltaBar(candle: ChartCandle) {
    const { up, down } = currentPalette();
    const value = deltaOf(candle);
    return { time: timestampOf(candle), value, color: faint(value >= 0 ? up : down, 'cc') };
  }
}
