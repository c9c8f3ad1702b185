// The drawn chart: candles with volume and averages, order flow below, levels and news in it. It is told what has changed and
// draws only that; what was drawn of another series is gone before anything of the next is shown.
import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type UTCTimestamp,
} from 'lightweight-charts';
import { currentPalette, faint } from '../theme.ts';
import { type Absorption, type ChartNews, type ChartSignal, moodOf, newsByBar } from './bar-marks.ts';
import type { BarSeries, ChartCandle } from './bar-series.ts';
import { CumulativeDelta } from './cumulative-delta.ts';
import { FlowPanes } from './flow-panes.ts';
import { MarkLayer } from './mark-layer.ts';
import { MovingAverage } from './moving-average.ts';
import { candleOptions, chartOptions, priceFormat, quietLine } from './plot-options.ts';
import { SignalLevels } from './signal-levels.ts';

export const AVERAGES = [20, 50] as const;

export interface PlotEvents {
  /** Index of the bar under the pointer; null when it is elsewhere. */
  readonly onPoint: (index: number | null) => void;
  /** The view has moved; whether it has come near the oldest bar. */
  readonly onView: (nearBeginning: boolean) => void;
}

/** Bars left of what is seen: by then the next ones are asked for. */
const NEAR_BEGINNING = 60;
const SHARE_OF_VOLUME = 0.16;

const stamp = (candle: ChartCandle): UTCTimestamp => (candle.time / 1_000) as UTCTimestamp;

/** Of the bar that is there by now. Where older ones were put in front since, it is not drawn until the marks are made anew. */
function highAt(series: BarSeries, at: number): () => number | null {
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
  #series: BarSeries | null = null;
  #fresh = false;
  /** Candles that are drawn. */
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
    this.#colour();
    this.#chart.subscribeCrosshairMove(({ logical, point, time }) => {
      events.onPoint(point === undefined || time === undefined || logical === undefined ? null : Number(logical));
    });
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (range && this.#series) events.onView(range.from < NEAR_BEGINNING);
    });
  }

  /** Another instrument or timeframe: nothing of the one before stays, and the view follows the newest bar again. */
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

  /** Draws what has changed of the series. `opening`: the cumulative delta at the beginning of its first bar. */
  draw(series: BarSeries, opening: number | null): void {
    const { all, from } = series.changes();
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
        time: stamp(series.candles[at]!),
        price: highAt(series, at),
        side: 'above',
        shape: 'circle',
        color: colors[moodOf(items)],
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

  /** Dark and light have changed. */
  recolour(): void {
    this.#chart.applyOptions(chartOptions(currentPalette(), () => this.#series?.intervalMs ?? 0));
    this.#candles.applyOptions(candleOptions(currentPalette()));
    this.#colour();
    const hadFlow = this.#flow !== null;
    this.showFlow(false);
    if (this.#series) this.#drawAll(this.#series.candles);
    this.showFlow(hadFlow);
  }

  /** Puts the crosshair on a bar and brings it into view; null takes it away. */
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
    this.#chart.setCrosshairPosition(candle.close, stamp(candle), this.#candles);
  }

  /** Above 1 shows fewer bars; the newest that is seen stays where it is. */
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

  #colour(): void {
    const { notice, accent } = currentPalette();
    for (const [index, { line }] of this.#lines.entries())
      line.applyOptions(quietLine([notice, accent][index] ?? notice));
  }

  #drawAll(candles: readonly ChartCandle[]): void {
    this.#drawn = candles.length;
    this.#candles.setData(candles.map((candle) => ({ ...candle, time: stamp(candle) })));
    this.#volume.setData(candles.map((candle) => this.#volumeBar(candle)));
    for (const { average, line } of this.#lines)
      line.setData(
        candles.flatMap((candle, at) => {
          const value = average.values[at] ?? null;
          return value === null ? [] : [{ time: stamp(candle), value }];
        }),
      );
    this.#flow?.set(candles, this.cumulative.values);
  }

  #drawOne(candles: readonly ChartCandle[], at: number): void {
    const candle = candles[at]!;
    const historical = at < this.#drawn - 1;
    this.#drawn = Math.max(this.#drawn, at + 1);
    this.#candles.update({ ...candle, time: stamp(candle) }, historical);
    this.#volume.update(this.#volumeBar(candle), historical);
    for (const { average, line } of this.#lines) {
      const value = average.values[at] ?? null;
      if (value !== null) line.update({ time: stamp(candle), value }, historical);
    }
    this.#flow?.updateDelta(candle, historical);
    this.#flow?.updateSum(candle, this.cumulative.values[at] ?? null, historical);
  }

  #volumeBar(candle: ChartCandle) {
    const { up, down } = currentPalette();
    return { time: stamp(candle), value: candle.volume, color: faint(candle.close >= candle.open ? up : down, '44') };
  }
}
