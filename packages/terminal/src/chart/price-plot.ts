// Draws what every chart has: candles with volume, and the live price, if it follows the market. Only changes are drawn.
import {
  type AutoscaleInfo,
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
} from 'lightweight-charts';
import { currentPalette, faint } from '../ui/theme.ts';
import { barAt } from './bars/bar-marks.ts';
import type { Changes, ChartBars, ChartCandle } from './bars/chart-bars.ts';
import { BAR_SPACING, ChartView, RIGHT_OFFSET, type ViewEvents } from './bars/chart-view.ts';
import { pixelOf, positionAt, positionOf, timeAt } from './bars/time-axis.ts';
import type { ChartPoint } from './frame/chart-part.ts';
import { setHistogram, updateHistogram } from './layers/histogram-data.ts';
import { LevelLabels } from './layers/level-labels.ts';
import { LivePrice } from './layers/live-price.ts';
import {
  type CandleStyle,
  candleOptions,
  chartOptions,
  hiddenCandles,
  hollowColors,
  priceFormat,
  timestampOf,
} from './layers/plot-options.ts';

export interface PlotEvents extends ViewEvents {
  /** Index of the bar under the pointer; `null` if there is none. */
  readonly onPoint: (index: number | null) => void;
}

const SHARE_OF_VOLUME = 0.16;

export class PricePlot {
  readonly chart: IChartApi;
  readonly prices: ISeriesApi<'Candlestick'>;
  readonly view: ChartView;
  readonly labels: LevelLabels;
  /** Height above the bars that stays free for the legend. Pixels. */
  room = 0;
  readonly #volume: ISeriesApi<'Histogram'>;
  /** `null` if the newest bar is not the current one. */
  readonly #live: LivePrice | null;
  #style: CandleStyle = 'candles';
  #series: ChartBars | null = null;
  #isNew = false;
  /** Number of candles drawn. */
  #drawn = 0;

  constructor(host: HTMLElement, events: PlotEvents, { isLive = true }: { readonly isLive?: boolean } = {}) {
    const palette = currentPalette();
    this.chart = createChart(
      host,
      chartOptions(palette, () => this.#series?.intervalMs ?? 0),
    );
    this.chart.timeScale().applyOptions({ rightOffset: RIGHT_OFFSET, barSpacing: BAR_SPACING });
    this.#volume = this.chart.addSeries(HistogramSeries, {
      priceScaleId: '',
      lastValueVisible: false,
      priceLineVisible: false,
    });
    this.#volume.priceScale().applyOptions({ scaleMargins: { top: 1 - SHARE_OF_VOLUME, bottom: 0 } });
    this.prices = this.chart.addSeries(CandlestickSeries, {
      ...candleOptions(palette),
      // Not by a layer: of several layers, the library takes the margins of the last one only.
      autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => {
        const info = original();
        const { above = 0, below = 0 } = info?.margins ?? {};
        return info && { ...info, margins: { above: Math.max(above, this.room), below } };
      },
    });
    this.prices.priceScale().applyOptions({ scaleMargins: { top: isLive ? 0.05 : 0.12, bottom: SHARE_OF_VOLUME } });
    this.#live = isLive ? new LivePrice(this.prices) : null;
    this.labels = new LevelLabels(this.prices);
    this.view = new ChartView(this.chart, host, events);
    this.chart.subscribeCrosshairMove(({ logical, point, time }) => {
      events.onPoint(point === undefined || time === undefined || logical === undefined ? null : Number(logical));
    });
  }

  /** Clears everything for another instrument or interval, and follows the newest bar again. */
  clear(digits: number): void {
    this.view.reset();
    this.#series = null;
    this.#isNew = true;
    this.#live?.show(null);
    this.prices.setData([]);
    setHistogram(this.#volume, []);
    this.setDigits(digits);
    this.chart.clearCrosshairPosition();
  }

  setDigits(digits: number): void {
    this.prices.applyOptions({ priceFormat: priceFormat(digits) });
    this.#live?.setDigits(digits);
  }

  setCandleStyle(style: CandleStyle): void {
    if (style === this.#style) return;
    this.#style = style;
    this.#applyCandleStyle();
  }

  draw(series: ChartBars, { all, from }: Changes): void {
    const { candles } = series;
    this.#series = series;
    const last = candles.at(-1);
    this.#live?.show(last?.close ?? null, !last || last.close >= last.open);
    this.labels.bars = candles.length;
    if (all) this.#drawAll(candles);
    else for (let at = from; at < candles.length; at++) this.#drawOne(candles, at);
    if (candles.length === 0) return;
    if (this.#isNew) this.prices.priceScale().applyOptions({ autoScale: true });
    this.#isNew = false;
    this.view.setBars(candles.length);
  }

  /** The place at these pixels; `null` outside the pane of the prices. */
  pointAt(x: number, y: number, digits: number): ChartPoint | null {
    const height = this.chart.panes()[0]?.getHeight() ?? 0;
    const position = positionAt(this.chart.timeScale(), x);
    if (y < 0 || y > height || !this.#series || position === null) return null;
    const [price, time] = [this.prices.coordinateToPrice(y), timeAt(this.#series, position)];
    return price === null || time === null ? null : { x, y, price: Number(price.toFixed(digits)), time };
  }

  xOf(timeMs: number): number | null {
    const position = this.#series && positionOf(this.#series, timeMs);
    return position === null ? null : pixelOf(this.chart.timeScale(), position);
  }

  yOf(price: number): number | null {
    return this.prices.priceToCoordinate(price);
  }

  /** Called when the theme or the preferences have changed. */
  applyTheme(): void {
    this.chart.applyOptions(chartOptions(currentPalette(), () => this.#series?.intervalMs ?? 0));
    this.#applyCandleStyle();
  }

  /** Shows the crosshair at a bar and scrolls to it; `null` hides the crosshair. */
  point(index: number | null): void {
    const candle = index === null ? undefined : this.#series?.candles[index];
    if (index === null || !candle) {
      this.chart.clearCrosshairPosition();
      return;
    }
    this.view.reveal(index);
    this.chart.setCrosshairPosition(candle.close, timestampOf(candle), this.prices);
  }

  /** Shows the crosshair at the bar of a time, without scrolling to it, and returns its index; `null` hides it. */
  pointAtTime(timeMs: number | null): number | null {
    const series = this.#series;
    const index = series && timeMs !== null ? barAt(series.candles, timeMs, series.intervalMs) : -1;
    const seen = this.chart.timeScale().getVisibleLogicalRange();
    // Of a bar out of view, the library would draw it at the nearest edge.
    const candle = seen && index >= seen.from && index <= seen.to && series?.candles[index];
    if (candle) this.chart.setCrosshairPosition(candle.close, timestampOf(candle), this.prices);
    else this.chart.clearCrosshairPosition();
    return candle ? index : null;
  }

  remove(): void {
    this.chart.remove();
  }

  #applyCandleStyle(): void {
    this.prices.applyOptions({
      ...candleOptions(currentPalette()),
      ...(this.#style === 'hidden' && hiddenCandles()),
    });
    if (this.#series) this.#drawAll(this.#series.candles);
  }

  #drawAll(candles: readonly ChartCandle[]): void {
    this.#drawn = candles.length;
    this.prices.setData(candles.map((_, at) => this.#bar(candles, at)));
    setHistogram(
      this.#volume,
      candles.map((candle) => this.#volumeBar(candle)),
    );
  }

  #drawOne(candles: readonly ChartCandle[], at: number): void {
    const historical = at < this.#drawn - 1;
    this.#drawn = Math.max(this.#drawn, at + 1);
    this.prices.update(this.#bar(candles, at), historical);
    updateHistogram(this.#volume, this.#volumeBar(candles[at]!), historical);
  }

  #bar(candles: readonly ChartCandle[], at: number) {
    const candle = candles[at]!;
    const bar = { ...candle, time: timestampOf(candle) };
    return this.#style === 'hollow' ? { ...bar, ...hollowColors(currentPalette(), candle, candles[at - 1]) } : bar;
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
