// Draws the chart: candles with volume, moving averages, signal levels and news, and order flow below. Only changes are drawn.
import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
} from 'lightweight-charts';
import { currentPalette, faint } from '../ui/theme.ts';
import { type Absorption, type ChartNews, type ChartSignal, newsByBar, sentimentOf } from './bar-marks.ts';
import type { ChartBars, ChartCandle } from './chart-bars.ts';
import { CumulativeDelta } from './cumulative-delta.ts';
import { FlowPanes } from './flow-panes.ts';
import { MarkLayer } from './mark-layer.ts';
import { MovingAverage } from './moving-average.ts';
import { candleOptions, chartOptions, priceFormat, quietLine, timestampOf } from './plot-options.ts';
import { SignalLevels } from './signal-levels.ts';

export const AVERAGES = [20, 50] as const;

export interface PlotEvents {
  /** Index of the bar under the pointer; `null` if there is none. */
  readonly onPoint: (index: number | null) => void;
  /** The visible range has changed. `nearBeginning`: it is close to the oldest bar. */
  readonly onView: (nearBeginning: boolean) => void;
}

/** Older bars are loaded when fewer bars than this are left of the visible range. */
const NEAR_BEGINNING = 60;
const SHARE_OF_VOLUME = 0.16;

/** Current high of a bar. `null` if loading older bars has moved it; then the marks are about to be created again. */
function highAt(series: ChartBars, at: number): () => number | null {
  const { time } = series.candles[at]!;
  return () => {
    const candle = series.candles[at];
    return candle?.time === time ? candle.high : null;
  };
}

interface AverageLine {
  readonly average: MovingAverage;
  readonly line: ISeriesApi<'Line'>;
}

export class PricePlot {
  readonly cumulative = new CumulativeDelta();
  readonly averages: readonly MovingAverage[] = AVERAGES.map((length) => new MovingAverage(length));
  readonly #chart: IChartApi;
  readonly #candles: ISeriesApi<'Candlestick'>;
  readonly #volume: ISeriesApi<'Histogram'>;
  readonly #lines: readonly AverageLine[];
  readonly #levels: SignalLevels;
  readonly #news: MarkLayer;
  #newsByBar: ReadonlyMap<number, readonly ChartNews[]> = new Map();
  #flow: FlowPanes | null = null;
  #series: ChartBars | null = null;
  #fresh = false;
  /** Number of candles drawn. */
  #drawn = 0;

  constructor(host: HTMLElement, events: PlotEvents) {
    const palette = currentPalette();
    this.#chart = createChart(
      host,
      chartOptions(palette, () => this.#series?.intervalMs ?? 0),
    );
    this.#volume = this.#chart.addSeries(HistogramSeries, {
      priceScaleId: '',
      lastValueVisible: false,
      priceLineVisible: false,
    });
    this.#volume.priceScale().applyOptions({ scaleMargins: { top: 1 - SHARE_OF_VOLUME, bottom: 0 } });
    this.#candles = this.#chart.addSeries(CandlestickSeries, candleOptions(palette));
    this.#candles.priceScale().applyOptions({ scaleMargins: { top: 0.12, bottom: SHARE_OF_VOLUME } });
    this.#lines = this.averages.map((average) => ({ average, line: this.#chart.addSeries(LineSeries) }));
    this.#levels = new SignalLevels(this.#candles);
    this.#news = new MarkLayer(this.#candles, palette.fontFamily);
    this.#applyLineColors();
    this.#chart.subscribeCrosshairMove(({ logical, point, time }) => {
      events.onPoint(point === undefined || time === undefined || logical === undefined ? null : Number(logical));
    });
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (range && this.#series) events.onView(range.from < NEAR_BEGINNING);
    });
  }

  /** Clears everything for another instrument or timeframe, and follows the newest bar again. */
  clear(digits: number): void {
    this.#series = null;
    this.#fresh = true;
    this.#newsByBar = new Map();
    this.#news.show([]);
    this.#levels.show([], 0);
    for (const each of [this.#candles, this.#volume, ...this.#lines.map(({ line }) => line)]) each.setData([]);
    this.#flow?.remove();
    this.#flow = null;
    this.setDigits(digits);
    this.#chart.clearCrosshairPosition();
  }

  setDigits(digits: number): void {
    const format = { priceFormat: priceFormat(digits) };
    this.#candles.applyOptions(format);
    for (const { line } of this.#lines) line.applyOptions(format);
  }

  /** Draws the changes of the series. `opening`: the cumulative delta at the start of its first bar. */
  draw(series: ChartBars, opening: number | null): void {
    const { all, from } = series.takeChanges();
    const { candles } = series;
    const another = this.#series !== series;
    this.#series = series;
    for (const { average } of this.#lines) average.update(candles, from);
    const sumsFrom = this.cumulative.update(candles, from, opening);
    if (all || another) this.#drawAll(candles);
    else {
      if (sumsFrom < from) this.#flow?.setSums(candles, this.cumulative.values);
      for (let at = from; at < candles.length; at++) this.#drawOne(candles, at);
    }
    if (this.#fresh && candles.length > 0) this.#follow();
  }

  showFlow(shown: boolean): void {
    if (shown === (this.#flow !== null)) return;
    if (shown) {
      this.#flow = new FlowPanes(this.#chart);
      if (this.#series) this.#flow.set(this.#series.candles, this.cumulative.values);
    } else {
      this.#flow?.remove();
      this.#flow = null;
    }
  }

  showAverage(length: number, shown: boolean): void {
    this.#lines.find(({ average }) => average.length === length)?.line.applyOptions({ visible: shown });
  }

  showLevels(signals: readonly ChartSignal[]): void {
    this.#levels.show(signals, this.#chart.timeScale().width());
  }

  showNews(news: readonly ChartNews[]): void {
    const series = this.#series;
    if (!series) return;
    const { up, down, muted } = currentPalette();
    const colors = { bullish: up, bearish: down, neutral: muted } as const;
    this.#newsByBar = newsByBar(news, series.candles, series.intervalMs);
    this.#news.show(
      [...this.#newsByBar].map(([at, items]) => ({
        time: timestampOf(series.candles[at]!),
        price: highAt(series, at),
        side: 'above',
        shape: 'circle',
        color: colors[sentimentOf(items)],
        ...(items.length > 1 && { text: String(items.length) }),
      })),
    );
  }

  newsOf(index: number): readonly ChartNews[] {
    return this.#newsByBar.get(index) ?? [];
  }

  showAbsorptions(absorptions: readonly Absorption[]): void {
    if (this.#series) this.#flow?.mark(absorptions, this.#series, this.cumulative);
  }

  /** Called when the theme or the preferences have changed. */
  applyTheme(): void {
    this.#chart.applyOptions(chartOptions(currentPalette(), () => this.#series?.intervalMs ?? 0));
    this.#candles.applyOptions(candleOptions(currentPalette()));
    this.#applyLineColors();
    const hadFlow = this.#flow !== null;
    this.showFlow(false);
    if (this.#series) this.#drawAll(this.#series.candles);
    this.showFlow(hadFlow);
  }

  /** Shows the crosshair at a bar and scrolls to it; `null` hides the crosshair. */
  point(index: number | null): void {
    const candle = index === null ? undefined : this.#series?.candles[index];
    if (index === null || !candle) {
      this.#chart.clearCrosshairPosition();
      return;
    }
    const scale = this.#chart.timeScale();
    const seen = scale.getVisibleLogicalRange();
    if (seen && (index < seen.from + 1 || index > seen.to - 1)) {
      const by = index < seen.from + 1 ? index - 1 - seen.from : index + 1 - seen.to;
      scale.setVisibleLogicalRange({ from: seen.from + by, to: seen.to + by });
    }
    this.#chart.setCrosshairPosition(candle.close, timestampOf(candle), this.#candles);
  }

  /** Factors above 1 show fewer bars. The newest visible bar stays in place. */
  zoom(factor: number): void {
    const seen = this.#chart.timeScale().getVisibleLogicalRange();
    if (!seen) return;
    const width = Math.max(10, (seen.to - seen.from) / factor);
    this.#chart.timeScale().setVisibleLogicalRange({ from: seen.to - width, to: seen.to });
  }

  toNewest(): void {
    this.#chart.timeScale().scrollToRealTime();
  }

  remove(): void {
    this.#chart.remove();
  }

  #follow(): void {
    this.#fresh = false;
    this.#chart.timeScale().resetTimeScale();
    this.#candles.priceScale().applyOptions({ autoScale: true });
  }

  #applyLineColors(): void {
    const { notice, accent } = currentPalette();
    for (const [index, { line }] of this.#lines.entries())
      line.applyOptions(quietLine([notice, accent][index] ?? notice));
  }

  #drawAll(candles: readonly ChartCandle[]): void {
    this.#drawn = candles.length;
    this.#candles.setData(candles.map((candle) => ({ ...candle, time: timestampOf(candle) })));
    this.#volume.setData(candles.map((candle) => this.#volumeBar(candle)));
    for (const { average, line } of this.#lines)
      line.setData(
        candles.flatMap((candle, at) => {
          const value = average.values[at] ?? null;
          return value === null ? [] : [{ time: timestampOf(candle), value }];
        }),
      );
    this.#flow?.set(candles, this.cumulative.values);
  }

  #drawOne(candles: readonly ChartCandle[], at: number): void {
    const candle = candles[at]!;
    const historical = at < this.#drawn - 1;
    this.#drawn = Math.max(this.#drawn, at + 1);
    this.#candles.update({ ...candle, time: timestampOf(candle) }, historical);
    this.#volume.update(this.#volumeBar(candle), historical);
    for (const { average, line } of this.#lines) {
      const value = average.values[at] ?? null;
      if (value !== null) line.update({ time: timestampOf(candle), value }, historical);
    }
    this.#flow?.updateDelta(candle, historical);
    this.#flow?.updateSum(candle, this.cumulative.values[at] ?? null, historical);
  }

  #volumeBar(candle: ChartCandle) {
    const { up, down } = currentPalette();
    return {
      time: timestampOf(candle),
      value: candle.volume,
      color: faint(candle.close >= candle.open ? up : down, '44'),
    };
  }
}
