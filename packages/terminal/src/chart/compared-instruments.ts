// The instruments that a chart is compared with: each is a line in percent of the first visible bar, and a line of the legend.
import { PriceScaleMode } from 'lightweight-charts';
import { NO_VALUE, percent } from '../ui/format.ts';
import type { Changes, ChartBars } from './bars/chart-bars.ts';
import { CompareLine, freeColor } from './compare-line.ts';
import { openComparePanel } from './compare-panel.ts';
import type { ChartHost, ChartMarket, ChartPart, LegendFigure } from './frame/chart-part.ts';
import { PaneTitle } from './indicators/pane-title.ts';

/** More lines cannot be told apart. */
const MAX_LINES = 4;

export class ComparedInstruments implements ChartPart {
  readonly #host: ChartHost;
  readonly #button: HTMLButtonElement;
  readonly #lines = new Map<string, CompareLine>();
  readonly #titles = new Map<string, PaneTitle>();
  /** The mode of the scale before the first line. */
  #before: PriceScaleMode | null = null;
  #interval = '';

  constructor(host: ChartHost, button: HTMLButtonElement) {
    this.#host = host;
    this.#button = button;
    host.signal.addEventListener('abort', () => {
      for (const line of this.#lines.values()) line.remove();
    });
  }

  openPanel(): void {
    openComparePanel(this.#button, {
      instruments: this.#host.services.instruments,
      most: MAX_LINES,
      own: () => this.#host.market()?.instrument.symbol,
      compared: () => [...this.#lines.keys()],
      add: (symbol) => this.#run(symbol, true),
    });
  }

  /** Lines stay with another interval; an instrument is not compared with itself. */
  open({ instrument: { symbol }, interval }: ChartMarket): void {
    if (this.#lines.has(symbol)) this.#remove(symbol);
    if (interval === this.#interval && this.#lines.size === 0) return;
    this.#interval = interval;
    for (const each of [...this.#lines.keys()]) {
      const { color } = this.#lines.get(each)!;
      this.#lines.get(each)!.remove();
      this.#lines.set(each, new CompareLine(this.#host, each, color));
    }
  }

  draw(series: ChartBars, { all }: Changes): void {
    for (const line of this.#lines.values()) line.draw(series, all);
  }

  /** Shows the change since the first visible bar in the legend, and returns it for screen readers. */
  figures({ candles }: ChartBars, at: number): readonly LegendFigure[] {
    if (this.#lines.size === 0) return [];
    const seen = this.#host.chart.timeScale().getVisibleLogicalRange();
    const first = Math.max(0, Math.ceil(seen?.from ?? 0));
    return [...this.#lines.values()].map((line) => {
      const now = candles[at] ? line.closeAt(candles[at].time) : null;
      // The first visible bar may have no price of the other instrument.
      const start = candles.slice(first, at + 1).find(({ time }) => line.closeAt(time) !== null);
      const base = start ? line.closeAt(start.time) : null;
      const text = now === null || base === null ? NO_VALUE : percent(now / base - 1);
      this.#titles.get(line.symbol)?.show([{ name: '', text, color: line.color }], '');
      return { name: line.symbol, text, words: `${line.symbol} ${text}`, wordsOnly: true };
    });
  }

  titles(): readonly string[] {
    return [...this.#lines.keys()];
  }

  colors(): readonly string[] {
    return [...this.#lines.values()].map(({ color }) => color);
  }

  #add(symbol: string): void {
    // An undone step may be of the time when another instrument was open.
    const isOpen = symbol === this.#host.market()?.instrument.symbol;
    if (isOpen || this.#lines.has(symbol) || this.#lines.size >= MAX_LINES) return;
    const scale = this.#host.prices.priceScale();
    if (this.#lines.size === 0) {
      this.#before = scale.options().mode;
      scale.applyOptions({ mode: PriceScaleMode.Percentage });
    }
    this.#lines.set(symbol, new CompareLine(this.#host, symbol, freeColor(this.#host.colors())));
    const title = new PaneTitle(symbol, { remove: () => this.#run(symbol, false) });
    this.#titles.set(symbol, title);
    this.#host.legendLines.append(title.element);
    this.#changed();
  }

  #remove(symbol: string): void {
    this.#lines.get(symbol)?.remove();
    this.#lines.delete(symbol);
    this.#titles.get(symbol)?.remove();
    this.#titles.delete(symbol);
    if (this.#lines.size === 0 && this.#before !== null) {
      this.#host.prices.priceScale().applyOptions({ mode: this.#before });
      this.#before = null;
    }
    this.#changed();
  }

  #changed(): void {
    this.#button.setAttribute('aria-pressed', String(this.#lines.size > 0));
    this.#host.redraw();
  }

  #run(symbol: string, isNew: boolean): void {
    const [add, remove] = [() => this.#add(symbol), () => this.#remove(symbol)];
    this.#host.undo.run(isNew ? { redo: add, undo: remove } : { redo: remove, undo: add });
  }
}
