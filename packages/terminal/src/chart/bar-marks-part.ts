// Headlines and economic events at their bars, each with a button that hides them.

import type { ChartEvent, ChartNews } from './bars/bar-marks.ts';
import type { Changes, ChartBars } from './bars/chart-bars.ts';
import { toggleButton } from './frame/chart-buttons.ts';
import { changeChoices, readChoices } from './frame/chart-choices.ts';
import type { ChartHost, ChartPart } from './frame/chart-part.ts';
import { NO_OVERLAYS, type Overlays } from './frame/overlays.ts';
import { BarMarkLayers } from './layers/bar-mark-layers.ts';

export class BarMarksPart implements ChartPart {
  readonly #host: ChartHost;
  readonly #layers: BarMarkLayers;
  #overlays = NO_OVERLAYS;
  #chosen = readChoices(localStorage);
  #bars = -1;
  #changed = true;

  constructor(host: ChartHost) {
    this.#host = host;
    this.#layers = new BarMarkLayers(host.prices);
    for (const [name, text, title] of [
      ['news', 'News', 'Headlines above their bars'],
      ['calendar', 'Calendar', 'Economic events below their bars'],
    ] as const) {
      const { button } = toggleButton(text, title, this.#chosen[name], (isOn) => {
        changeChoices({ [name]: isOn });
        this.#chosen = { ...this.#chosen, [name]: isOn };
        this.#redraw();
      });
      host.addTool(button, 'menu');
    }
  }

  open(): void {
    this.#layers.clear();
    this.#changed = true;
  }

  show(overlays: Overlays): void {
    this.#overlays = overlays;
    this.#redraw();
  }

  draw(series: ChartBars, { all }: Changes): void {
    const { length } = series.candles;
    if (!(this.#changed || all || length !== this.#bars) || length === 0) return;
    this.#changed = false;
    this.#bars = length;
    this.#layers.showNews(series, this.#chosen.news ? this.#overlays.news : []);
    this.#layers.showEvents(series, this.#chosen.calendar ? this.#overlays.events : []);
  }

  applyTheme(): void {
    this.#redraw();
  }

  newsOf(index: number): readonly ChartNews[] {
    return this.#layers.newsOf(index);
  }

  eventsOf(index: number): readonly ChartEvent[] {
    return this.#layers.eventsOf(index);
  }

  #redraw(): void {
    this.#changed = true;
    this.#host.redraw();
  }
}
