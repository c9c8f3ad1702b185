// The chart without its toolbar, for a range of bars, such as those around a signal or a headline. It loads nothing: the page does,
// and reports which range is in view. Bars are read by pointer and keys as in the chart of the markets.
import type { ISeriesApi } from 'lightweight-charts';
import { preferences } from '../ui/preferences.ts';
import { onThemeChange } from '../ui/theme.ts';
import { barAt } from './bars/bar-marks.ts';
import type { ChartBars } from './bars/chart-bars.ts';
import { type ShownTime, viewOf } from './bars/time-axis.ts';
import { listenToChartKeys } from './chart-keys.ts';
import { ChartFrame } from './frame/chart-frame.ts';
import type { LegendFigure } from './frame/chart-part.ts';
import { ChartReading } from './frame/chart-reading.ts';
import { Legend } from './frame/legend.ts';
import type { BarMarkLayers } from './layers/bar-mark-layers.ts';
import { PricePlot } from './price-plot.ts';

export interface RangeChartOptions {
  /** What it shows, for screen readers. */
  readonly name: string;
  /** Aborted when the chart is closed. */
  readonly signal: AbortSignal;
  /** Figures of a bar for the legend, besides its prices. */
  readonly figures?: (series: ChartBars, at: number) => readonly LegendFigure[];
  /** The theme or the preferences have changed: layers have to be shown again. */
  readonly onTheme: () => void;
}

export class RangeChart {
  readonly element: HTMLElement;
  readonly prices: ISeriesApi<'Candlestick'>;
  /** Headlines and events that the legend names with their bars. */
  marks: Pick<BarMarkLayers, 'newsOf' | 'eventsOf'> | null = null;
  readonly #name: string;
  readonly #legend = new Legend();
  readonly #frame: ChartFrame;
  readonly #plot: PricePlot;
  readonly #reading: ChartReading;
  #series: ChartBars | null = null;
  #range: ShownTime = { from: 0, to: 0 };
  #digits = 0;

  constructor({ name, signal, figures, onTheme }: RangeChartOptions) {
    this.#name = name;
    this.#frame = new ChartFrame({
      legend: this.#legend.element,
      toolbar: null,
      reset: { text: 'Show all', run: () => this.#fit() },
    });
    this.element = this.#frame.element;
    const { surface } = this.#frame;
    this.#plot = new PricePlot(
      surface,
      { onPoint: (index) => this.#reading.reader.point(index), onView: () => this.#offerReset() },
      { isLive: false },
    );
    this.prices = this.#plot.prices;
    this.#reading = new ChartReading({
      legend: this.#legend,
      frame: this.#frame,
      series: () => this.#series,
      digits: () => this.#digits,
      parts: () => (figures ? [{ figures }] : []),
      marks: () => this.marks,
      mark: (at) => this.#plot.point(at),
      onChange: () => this.#read(),
    });
    this.#frame.name(name);
    listenToChartKeys(surface, signal, { reader: this.#reading.reader, plot: this.#plot });
    surface.addEventListener('dblclick', () => this.#fit(), { signal });
    // The wheel scrolls the page; with Ctrl, or two fingers on a touchpad, it zooms.
    const early = { signal, capture: true, passive: true } as const;
    surface.addEventListener('wheel', (event) => event.ctrlKey || event.metaKey || event.stopPropagation(), early);
    const restyle = (): void => {
      this.#plot.applyTheme();
      onTheme();
    };
    onThemeChange(signal, restyle);
    preferences.onChange(signal, restyle);
    signal.addEventListener('abort', () => this.#plot.remove());
  }

  /** Shows bars, or what has changed in them. A range stays in view until the user moves it. `digits`: decimals of prices, at least. */
  show(series: ChartBars, range: ShownTime, digits: number): void {
    const isNew = series !== this.#series;
    this.#series = series;
    this.#range = range;
    this.#digits = Math.max(digits, series.digits);
    const changes = series.takeChanges();
    if (isNew) {
      this.#reading.reset();
      this.#plot.clear(this.#digits);
    } else this.#plot.setDigits(this.#digits);
    this.#plot.draw(series, isNew ? { all: true, from: 0 } : changes);
    this.#frame.showOverlay('');
    if (isNew || this.#plot.view.isFitted) this.#fit();
    this.#read();
  }

  /** A message instead of the bars. */
  say(message: string): void {
    this.#frame.showOverlay(message);
  }

  /** Number of the bar of a time; a time before all bars counts to the first. */
  indexOf(timeMs: number): number {
    const { candles, intervalMs } = this.#series!;
    return Math.max(0, barAt(candles, timeMs, intervalMs));
  }

  #read(): void {
    if (this.#series) this.#reading.show(this.#series, this.#name);
  }

  #fit(): void {
    const view = this.#series && viewOf(this.#series, this.#range);
    if (view) this.#plot.view.fit(view);
    this.#offerReset();
  }

  #offerReset(): void {
    this.#frame.showReset(!this.#plot.view.isFitted, this.#plot.chart.priceScale('right').width());
  }
}
