// Order flow below the candles, on the same time scale: delta of each bar, and cumulative delta with absorption marks.
import {
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type LineData,
  LineSeries,
  type UTCTimestamp,
} from 'lightweight-charts';
import { currentPalette, faint } from '../../ui/theme.ts';
import { barAt } from '../bars/bar-marks.ts';
import type { ChartBars, ChartCandle } from '../bars/chart-bars.ts';
import { setHistogram, updateHistogram } from '../layers/histogram-data.ts';
import { type Mark, MarkLayer } from '../layers/mark-layer.ts';
import { quietLine, timestampOf, VOLUME_FORMAT } from '../layers/plot-options.ts';
import type { Absorption } from './absorptions.ts';
import { type CumulativeDelta, deltaOf } from './cumulative-delta.ts';

/** Heights relative to that of the candles. */
const DELTA_HEIGHT = 0.22;
const SUM_HEIGHT = 0.26;

export class FlowPanes {
  readonly #chart: IChartApi;
  readonly #delta: ISeriesApi<'Histogram'>;
  readonly #sum: ISeriesApi<'Line'>;
  readonly #marks: MarkLayer;
  readonly #noColor: string;

  /** `title`: of the cumulative delta, with its start. */
  constructor(chart: IChartApi, title: string) {
    const { accent, muted } = currentPalette();
    this.#chart = chart;
    this.#noColor = faint(accent, '00');
    const plain = { lastValueVisible: false, priceLineVisible: false, priceFormat: VOLUME_FORMAT };
    const [deltaPane, sumPane] = [chart.addPane(), chart.addPane()];
    this.#delta = deltaPane.addSeries(HistogramSeries, plain);
    this.#sum = sumPane.addSeries(LineSeries, {
      ...quietLine(accent),
      priceFormat: VOLUME_FORMAT,
      lastValueVisible: true,
    });
    new MarkLayer(this.#delta, currentPalette, { text: 'Delta', color: muted });
    this.#marks = new MarkLayer(this.#sum, currentPalette, { text: title, color: muted });
    const candles = chart.panes()[0]!.getStretchFactor();
    deltaPane.setStretchFactor(candles * DELTA_HEIGHT);
    sumPane.setStretchFactor(candles * SUM_HEIGHT);
  }

  set(candles: readonly ChartCandle[], sums: CumulativeDelta): void {
    setHistogram(
      this.#delta,
      candles.map((candle) => this.#deltaBar(candle)),
    );
    this.setSums(candles, sums);
  }

  setSums(candles: readonly ChartCandle[], sums: CumulativeDelta): void {
    this.#sum.setData(candles.flatMap((_, at) => this.#sumPoint(candles, sums, at) ?? []));
  }

  update(candles: readonly ChartCandle[], sums: CumulativeDelta, at: number): void {
    const historical = at < candles.length - 1;
    updateHistogram(this.#delta, this.#deltaBar(candles[at]!), historical);
    // The line to a bar has the colour of the point before it.
    if (sums.restartsAt(candles, at)) this.#updateSum(candles, sums, at - 1, true);
    this.#updateSum(candles, sums, at, historical);
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

  #updateSum(candles: readonly ChartCandle[], sums: CumulativeDelta, at: number, historical: boolean): void {
    const point = this.#sumPoint(candles, sums, at);
    if (point) this.#sum.update(point, historical);
  }

  /** No line leads to the first bar of a new sum. */
  #sumPoint(candles: readonly ChartCandle[], sums: CumulativeDelta, at: number): LineData<UTCTimestamp> | null {
    const value = sums.values[at] ?? null;
    if (value === null) return null;
    const time = timestampOf(candles[at]!);
    return sums.restartsAt(candles, at + 1) ? { time, value, color: this.#noColor } : { time, value };
  }

  #deltaBar(candle: ChartCandle) {
    const { up, down } = currentPalette();
    const value = deltaOf(candle);
    return { time: timestampOf(candle), value, color: faint(value >= 0 ? up : down, 'cc') };
  }
}
