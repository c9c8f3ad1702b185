// One to four charts. The active one is that of the address; the others follow it in what they share.
import type { OrderFlowTick } from '@tickwire/client';
import { readInterval } from '../chart/bars/intervals.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { make } from '../ui/dom/elements.ts';
import type { ChartSlot, Layout } from './layout.ts';
import { MarketChart } from './market-chart.ts';

const DEFAULT_INTERVAL = '5m';

export interface ChartGridOptions {
  readonly services: TerminalServices;
  /** A chart became the active one, or another interval was chosen in it. */
  readonly onChange: (at: number, slot: ChartSlot) => void;
}

export class ChartGrid {
  readonly element = make('div', { class: 'chart-grid', role: 'group', 'aria-label': 'Charts' });
  readonly #options: ChartGridOptions;
  #charts: MarketChart[] = [];
  #active = 0;
  #linkedCrosshair = true;

  constructor(options: ChartGridOptions) {
    this.#options = options;
  }

  get active(): number {
    return this.#active;
  }

  /** The chart that has the keyboard's attention. */
  get activeChart(): MarketChart | undefined {
    return this.#charts[this.#active];
  }

  get symbols(): readonly string[] {
    return [...new Set(this.#charts.map(({ symbol }) => symbol))];
  }

  show({ charts, linked }: Layout, active: number): void {
    while (this.#charts.length > charts.length) this.#charts.pop()!.close();
    while (this.#charts.length < charts.length) this.#add();
    this.#linkedCrosshair = linked.crosshair;
    this.#active = Math.min(active, charts.length - 1);
    this.element.dataset.charts = String(charts.length);
    const { instruments } = this.#options.services;
    this.#markActive();
    for (const [at, chart] of this.#charts.entries()) {
      chart.panel.element.setAttribute('aria-label', charts.length === 1 ? 'Chart' : `Chart ${at + 1}`);
      const { symbol, interval } = charts[at]!;
      const instrument = instruments.find((each) => each.symbol === symbol) ?? instruments[0];
      if (instrument) chart.show(instrument, readInterval(interval) ?? DEFAULT_INTERVAL);
    }
  }

  addOrderFlow(tick: OrderFlowTick): void {
    for (const chart of this.#charts) chart.addOrderFlow(tick);
  }

  close(): void {
    const { visibleBars } = this.#options.services;
    for (const [at, chart] of this.#charts.entries()) {
      visibleBars[at] = chart.panel.view.keep();
      chart.close();
    }
    this.#charts = [];
  }

  #add(): void {
    const chart: MarketChart = new MarketChart({
      services: this.#options.services,
      onInterval: (interval) => this.#options.onChange(this.#charts.indexOf(chart), { symbol: chart.symbol, interval }),
      onCrosshair: (timeMs) => chart.panel.element.matches(':hover') && this.#point(chart, timeMs),
    });
    const { element, view } = chart.panel;
    view.wanted = this.#options.services.visibleBars[this.#charts.length] ?? null;
    const activate = (): void => {
      const at = this.#charts.indexOf(chart);
      if (at < 0 || at === this.#active) return;
      this.#active = at;
      // The address stays the same if both show the same.
      this.#markActive();
      this.#options.onChange(at, { symbol: chart.symbol, interval: chart.panel.interval });
    };
    element.addEventListener('pointerdown', activate, { capture: true });
    element.addEventListener('focusin', activate);
    element.addEventListener('mouseleave', () => this.#point(chart, null));
    this.#charts.push(chart);
    this.element.append(element);
  }

  #markActive(): void {
    for (const [at, { panel }] of this.#charts.entries()) panel.element.dataset.active = String(at === this.#active);
  }

  /** Shows the crosshair of one chart at the same time in the others. */
  #point(source: MarketChart, timeMs: number | null): void {
    if (!this.#linkedCrosshair) return;
    for (const chart of this.#charts) if (chart !== source) chart.panel.pointAtTime(timeMs);
  }
}
