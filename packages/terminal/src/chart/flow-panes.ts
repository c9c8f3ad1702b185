// Order flow under the candles, on the same time scale: delta of each bar, and the cumulative delta with absorption marked.
import {
  createTextWatermark,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type UTCTimestamp,
} from 'lightweight-charts';
import { currentPalette, faint } from '../theme.ts';
import type { Absorption } from './bar-marks.ts';
import { barAt } from './bar-marks.ts';
import type { BarSeries, ChartCandle } from './bar-series.ts';
import { type CumulativeDelta, deltaOf } from './cumulative-delta.ts';
import { type Mark, MarkLayer } from './mark-layer.ts';
import { quietLine, VOLUME_FORMAT } from './plot-options.ts';

const stamp = (candle: ChartCandle): UTCTimestamp => (candle.time / 1_000) as UTCTimestamp;

/** Heights against that of the candles, which is 10. */
const DELTA_HEIGHT = 2.2;
const SUM_HEIGHT = 2.6;

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
    this.#marks = new MarkLayer(this.#sum, fontFamily);
    const titles = ['Delta', 'Cumulative delta'];
    const heights = [DELTA_HEIGHT, SUM_HEIGHT];
    chart.panes()[0]?.setStretchFactor(10);
    for (const [index, pane] of chart.panes().slice(1).entries()) {
      pane.setStretchFactor(heights[index] ?? 2);
      const line = { text: titles[index] ?? '', color: muted, fontSize: 11, fontFamily };
      createTextWatermark(pane, { horzAlign: 'left', vertAlign: 'top', lines: [line] });
    }
  }

  set(candles: readonly ChartCandle[], sums: readonly (number | null)[]): void {
    this.#delta.setData(candles.map((candle) => this.#deltaBar(candle)));
    this.setSums(candles, sums);
  }

  setSums(candles: readonly ChartCandle[], sums: readonly (number | null)[]): void {
    this.#sum.setData(
      candles.flatMap((candle, at) => {
        const value = sums[at] ?? null;
        return value === null ? [] : [{ time: stamp(candle), value }];
      }),
    );
  }

  /** One candle has changed; `historical` where it is not the last that is drawn. */
  updateDelta(candle: ChartCandle, historical: boolean): void {
    this.#delta.update(this.#deltaBar(candle), historical);
  }

  updateSum(candle: ChartCandle, sum: number | null, historical: boolean): void {
    if (sum !== null) this.#sum.update({ time: stamp(candle), value: sum }, historical);
  }

  mark(absorptions: readonly Absorption[], { candles, intervalMs }: BarSeries, sums: CumulativeDelta): void {
    const { up, down } = currentPalette();
    const byBar = new Map<string, Mark>();
    for (const { time, side } of absorptions) {
      const at = barAt(candles, time, intervalMs);
      const candle = candles[at];
      if (!candle) continue;
      // Several within a bar are one mark.
      byBar.set(`${candle.time} ${side}`, {
        time: stamp(candle),
        price: () => sums.values[at] ?? null,
        side: side === 'buy' ? 'below' : 'above',
        shape: 'triangle',
        color: side === 'buy' ? up : down,
      });
    }
    this.#marks.show([...byBar.values()]);
  }

  /** With their last series the panes go, too. */
  remove(): void {
    this.#chart.removeSeries(this.#sum);
    this.#chart.removeSeries(this.#delta);
  }

  #deltaBar(candle: ChartCandle) {
    const { up, down } = currentPalette();
    const value = deltaOf(candle);
    return { time: stamp(candle), value, color: faint(value >= 0 ? up : down, 'cc') };
  }
}
