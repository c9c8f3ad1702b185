// The prices drawn as bars, a line, an area or Heikin Ashi: a series directly below the candles, which then are transparent and keep
// the scale.
import { AreaSeries, BarSeries, type ISeriesApi, LineSeries, type SeriesType } from 'lightweight-charts';
import { currentPalette, faint } from '../ui/theme.ts';
import type { Changes, ChartBars, ChartCandle } from './bars/chart-bars.ts';
import { type HeikinAshi, updateHeikinAshi } from './bars/heikin-ashi.ts';
import type { ChartType } from './frame/chart-choices.ts';
import type { ChartHost } from './frame/chart-part.ts';
import { HeikinAshiView } from './layers/heikin-ashi-view.ts';
import { priceFormat, quietLine, timestampOf } from './layers/plot-options.ts';

export type DisplayedType = Exclude<ChartType, 'candles' | 'hollow'>;

export class PriceDisplay {
  readonly #host: ChartHost;
  readonly #type: DisplayedType;
  readonly #series: ISeriesApi<SeriesType>;
  readonly #averaged: HeikinAshi[] = [];
  #drawn = 0;

  constructor(host: ChartHost, type: DisplayedType) {
    this.#host = host;
    this.#type = type;
    this.#series = this.#newSeries();
    this.#series.setSeriesOrder(host.prices.seriesOrder());
    const bars = host.bars();
    if (bars) this.draw(bars, { all: true, from: 0 });
  }

  /** Another instrument or interval was opened. */
  clear(): void {
    this.#series.setData([]);
    this.#averaged.length = 0;
    this.#drawn = 0;
  }

  draw({ candles }: ChartBars, { all, from }: Changes): void {
    const isNew = all || this.#drawn === 0;
    if (this.#type === 'heikin-ashi') updateHeikinAshi(this.#averaged, candles, isNew ? 0 : from);
    if (isNew) {
      this.#drawn = candles.length;
      this.#series.setData(candles.map((_, at) => this.#point(candles, at)));
    } else for (let at = from; at < candles.length; at++) this.#drawOne(candles, at);
  }

  applyTheme(): void {
    this.#series.applyOptions(this.#looks());
  }

  remove(): void {
    this.#host.chart.removeSeries(this.#series);
  }

  #newSeries(): ISeriesApi<SeriesType> {
    const { chart } = this.#host;
    const options = this.#looks();
    if (this.#type === 'bars') return chart.addSeries(BarSeries, options);
    if (this.#type === 'line') return chart.addSeries(LineSeries, options);
    if (this.#type === 'area') return chart.addSeries(AreaSeries, options);
    return chart.addCustomSeries(new HeikinAshiView(currentPalette), options);
  }

  #looks() {
    const { up, down, accent } = currentPalette();
    const format = { priceFormat: priceFormat(this.#host.market()?.digits ?? 2) };
    const unlabelled = { ...format, lastValueVisible: false, priceLineVisible: false };
    if (this.#type === 'heikin-ashi') return unlabelled;
    if (this.#type === 'bars') return { ...unlabelled, upColor: up, downColor: down };
    const line = { ...format, ...quietLine(accent), lineWidth: 2 as const };
    if (this.#type === 'line') return line;
    return { ...line, lineColor: accent, topColor: faint(accent, '55'), bottomColor: faint(accent, '08') };
  }

  #drawOne(candles: readonly ChartCandle[], at: number): void {
    const historical = at < this.#drawn - 1;
    this.#drawn = Math.max(this.#drawn, at + 1);
    this.#series.update(this.#point(candles, at), historical);
  }

  #point(candles: readonly ChartCandle[], at: number) {
    const candle = candles[at]!;
    const { open, high, low, close } = candle;
    const time = timestampOf(candle);
    if (this.#type === 'bars') return { time, open, high, low, close };
    if (this.#type === 'heikin-ashi') return { time, ...this.#averaged[at]!, price: close };
    return { time, value: close };
  }
}
