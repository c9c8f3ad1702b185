// Compares the instrument with others: each is a line in percent of the first visible bar.
import { PriceScaleMode } from 'lightweight-charts';
import { makeButton } from '../ui/dom/elements.ts';
import { NO_VALUE, percent } from '../ui/format.ts';
import { currentPalette } from '../ui/theme.ts';
import type { Changes, ChartBars } from './bars/chart-bars.ts';
import { CompareLine } from './compare-line.ts';
import type { ChartHost, ChartMarket, ChartPart, LegendFigure } from './frame/chart-part.ts';
import { lazyPanel } from './lazy-panel.ts';

/** More lines cannot be told apart. */
const MAX_LINES = 4;

export class ComparePart implements ChartPart {
  readonly #host: ChartHost;
  readonly #button: HTMLButtonElement;
  readonly #lines = new Map<string, CompareLine>();
  /** The mode of the scale before the first line. */
  #before: PriceScaleMode | null = null;
  #interval = '';

  constructor(host: ChartHost) {
    this.#host = host;
    const attributes = { class: 'timeframe chart-choice', title: 'Compare with another instrument' };
    this.#button = makeButton('Compare', attributes, () => {});
    lazyPanel(this.#button, host, 'dialog', ({ openComparePanel }) =>
      openComparePanel(this.#button, {
        instruments: host.services.instruments,
        most: MAX_LINES,
        own: () => host.market()?.instrument.symbol,
        compared: () => [...this.#lines.keys()],
        run: (symbol, isNew) => this.#run(symbol, isNew),
      }),
    );
    host.addTool(this.#button);
    host.signal.addEventListener('abort', () => {
      for (const line of this.#lines.values()) line.remove();
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

  /** Change since the first visible bar. */
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
      return { name: line.symbol, text, color: line.color };
    });
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
    const { notice, accent, up, muted } = currentPalette();
    const taken = [...this.#lines.values()].map(({ color }) => color);
    const color = [accent, notice, up, muted].find((each) => !taken.includes(each)) ?? accent;
    this.#lines.set(symbol, new CompareLine(this.#host, symbol, color));
    this.#changed();
  }

  #remove(symbol: string): void {
    this.#lines.get(symbol)?.remove();
    this.#lines.delete(symbol);
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
