// How the prices are drawn: candles, hollow candles, bars, a line, an area, or Heikin Ashi. What draws other types than candles is
// loaded when one is chosen.
import type { Changes, ChartBars } from './bars/chart-bars.ts';
import { iconButton, type Option, opensPanel, optionList } from './frame/chart-buttons.ts';
import { type ChartType, changeChoices, readChoices } from './frame/chart-choices.ts';
import type { ChartHost, ChartPart } from './frame/chart-part.ts';
import type { CandleStyle } from './layers/plot-options.ts';
import type { DisplayedType, PriceDisplay } from './price-display.ts';

const TYPES: readonly Option<ChartType>[] = [
  { value: 'candles', text: 'Candles' },
  { value: 'hollow', text: 'Hollow candles' },
  { value: 'bars', text: 'Bars' },
  { value: 'line', text: 'Line' },
  { value: 'area', text: 'Area' },
  { value: 'heikin-ashi', text: 'Heikin Ashi' },
];

export class ChartTypePart implements ChartPart {
  readonly #host: ChartHost;
  #type: ChartType = 'candles';
  /** `null` for candles. */
  #display: PriceDisplay | null = null;

  constructor(host: ChartHost) {
    this.#host = host;
    const button = iconButton('type', 'Chart type', () => {});
    opensPanel(button, { label: 'Chart type', role: 'menu' }, (close) =>
      optionList('Chart type', TYPES, this.#type, (type) => {
        close();
        const before = this.#type;
        if (type !== before) host.undo.run({ redo: () => this.#choose(type), undo: () => this.#choose(before) });
      }),
    );
    host.addTool(button);
    void this.#set(readChoices(localStorage).type);
  }

  open(): void {
    this.#display?.clear();
  }

  draw(series: ChartBars, changes: Changes): void {
    this.#display?.draw(series, changes);
  }

  applyTheme(): void {
    this.#display?.applyTheme();
  }

  #choose(type: ChartType): void {
    changeChoices({ type });
    void this.#set(type);
  }

  async #set(type: ChartType): Promise<void> {
    this.#type = type;
    if (type === 'candles' || type === 'hollow') this.#show(null, type);
    else await this.#load(type);
  }

  async #load(type: DisplayedType): Promise<void> {
    try {
      const { PriceDisplay: Display } = await import('./lazy-parts.ts');
      const isWanted = this.#type === type && !this.#host.signal.aborted;
      if (isWanted) this.#show(() => new Display(this.#host, type), 'hidden');
    } catch (error) {
      this.#host.services.notifier.reportError(error, 'Chart type');
    }
  }

  #show(newDisplay: (() => PriceDisplay) | null, candles: CandleStyle): void {
    this.#display?.remove();
    this.#host.setCandleStyle(candles);
    this.#display = newDisplay?.() ?? null;
  }
}
