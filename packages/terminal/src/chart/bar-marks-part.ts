// Headlines and economic events at their bars, each with a button that hides them.
import { BarMarkLayers } from './bar-mark-layers.ts';
import type { ChartEvent, ChartNews } from './bar-marks.ts';
import type { Changes, ChartBars } from './chart-bars.ts';
import { toggleButton } from './chart-buttons.ts';
import { changeChoices, readChoices } from './chart-choices.ts';
import type { ChartHost, ChartPart } from './chart-part.ts';
import { NOTHING_SHOWN, type Shown } from './chart-shown.ts';

export class BarMarksPart implements ChartPart {
  readonly #host: ChartHost;
  readonly #layers: BarMarkLayers;
  #shown = NOTHING_SHOWN;
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
      host.addTool(button);
    }
  }

  open(): void {
    this.#layers.clear();
    this.#changed = true;
  }

  show(shown: Shown): void {
    this.#shown = shown;
    this.#redraw();
  }

  draw(series: ChartBars, { all }: Changes): void {
    const { length } = series.candles;
    if (!(this.#changed || all || length !== this.#bars) || length === 0) return;
    this.#changed = false;
    this.#bars = length;
    this.#layers.showNews(series, this.#chosen.news ? this.#shown.news : []);
    this.#layers.showEvents(series, this.#chosen.calendar ? this.#shown.events : []);
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
