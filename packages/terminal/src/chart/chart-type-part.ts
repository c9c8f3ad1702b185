// How the prices are drawn: candles, hollow candles, bars, a line, an area, or Heikin Ashi, with trading sessions shaded behind them.
// What draws other types than candles is loaded when it is needed. The sessions are part of the first view, and so of the first load.

import { HOUR_MS } from '@tickwire/contract/durations.ts';
import type { Changes, ChartBars } from './bars/chart-bars.ts';
import { iconButton } from './frame/chart-buttons.ts';
import { type ChartType, changeChoices, readChoices } from './frame/chart-choices.ts';
import type { ChartHost, ChartPart } from './frame/chart-part.ts';
import type { CandleStyle } from './layers/plot-options.ts';
import { lazyPanel } from './lazy-panel.ts';
import type { DisplayedType, PriceDisplay } from './price-display.ts';
import { SessionLayer } from './session-layer.ts';

export class ChartTypePart implements ChartPart {
  readonly #host: ChartHost;
  #type: ChartType = 'candles';
  #sessions = readChoices(localStorage).sessions;
  #sessionLayer: SessionLayer | null = null;
  /** `null` for candles. */
  #display: PriceDisplay | null = null;

  constructor(host: ChartHost) {
    this.#host = host;
    const button = iconButton('type', 'Chart type', () => {});
    lazyPanel(button, host, 'menu', ({ openTypePanel }) => openTypePanel(button, this));
    host.addTool(button);
    void this.#set(readChoices(localStorage).type);
  }

  open(): void {
    this.#display?.clear();
  }

  draw(series: ChartBars, changes: Changes): void {
    this.#display?.draw(series, changes);
    // Longer bars belong to several sessions.
    if (this.#sessions && series.intervalMs <= HOUR_MS) this.#sessionLayer ??= new SessionLayer(this.#host);
  }

  applyTheme(): void {
    this.#display?.applyTheme();
  }

  get type(): ChartType {
    return this.#type;
  }

  get sessions(): boolean {
    return this.#sessions;
  }

  choose(type: ChartType): void {
    const before = this.#type;
    const set = (chosen: ChartType): void => {
      changeChoices({ type: chosen });
      void this.#set(chosen);
    };
    if (type !== before) this.#host.undo.run({ redo: () => set(type), undo: () => set(before) });
  }

  showSessions(areShown: boolean): void {
    changeChoices({ sessions: areShown });
    this.#sessions = areShown;
    this.#sessionLayer?.remove();
    this.#sessionLayer = null;
    this.#host.redraw();
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
