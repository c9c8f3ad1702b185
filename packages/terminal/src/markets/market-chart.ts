// A chart of the markets page, with what belongs to its instrument: signals, headlines, economic events and alerts.
import type { Instrument, OrderFlowTick } from '@tickwire/client';
import { ChartPanel } from '../chart/chart-panel.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { mayPublish } from '../signals/publish-permission.ts';
import { chartAlertActions, chartAlerts } from './chart-alert-actions.ts';
import { ChartEvents } from './chart-events.ts';

export interface MarketChartOptions {
  readonly services: TerminalServices;
  /** Another interval was chosen in the toolbar. */
  readonly onInterval: (interval: string) => void;
  /** The time under the pointer, in milliseconds since the epoch; `null` if there is none. */
  readonly onCrosshair: (timeMs: number | null) => void;
}

export class MarketChart {
  readonly panel: ChartPanel;
  readonly #services: TerminalServices;
  readonly #events: ChartEvents;
  readonly #end = new AbortController();
  #symbol = '';

  constructor({ services, onInterval, onCrosshair }: MarketChartOptions) {
    const { client, session, streams, notifier, quotes, dayOpens, prices, activeSignals, latestNews, accountAlerts } =
      services;
    const { signal } = this.#end;
    this.#services = services;
    this.panel = new ChartPanel({
      services,
      openBars: session.signedIn ? (options, handlers) => streams.open('bars', options, handlers) : null,
      signal,
      onError: (error) => notifier.reportError(error, 'Chart'),
      onCandles: (symbol, candles) => dayOpens.learn(symbol, candles),
      onTimeframe: onInterval,
      onCrosshair,
      alerts: services.isReplay ? null : chartAlertActions(services, () => this.#symbol),
      mayPublish: mayPublish(session),
    });
    this.#events = new ChartEvents({
      client,
      now: () => quotes.serviceNow,
      pace: services.pace,
      signal,
      onEvents: (symbol, events) => symbol === this.#symbol && this.panel.show({ events }),
    });
    prices.onTick(signal, (tick) => this.panel.tick(tick));
    accountAlerts.subscribe(signal, () => this.#showAlerts());
    // An API key of the free tier has two streams, and both are in use.
    if (!session.signedIn) return;
    activeSignals.subscribe(signal, () => this.#showSignals());
    latestNews.subscribe(signal, () => this.#showNews());
  }

  get symbol(): string {
    return this.#symbol;
  }

  show(instrument: Instrument, interval: string): void {
    const { symbol } = instrument;
    const another = symbol !== this.#symbol;
    this.#symbol = symbol;
    this.panel.open(instrument, this.#services.quotes.row(symbol)?.digits ?? 2, interval);
    this.#events.open(symbol, interval);
    if (!another) return;
    this.#showSignals();
    this.#showNews();
    this.#showAlerts();
  }

  addOrderFlow(tick: OrderFlowTick): void {
    this.panel.addOrderFlow(tick);
  }

  close(): void {
    this.#end.abort();
    this.panel.element.remove();
  }

  #showSignals(): void {
    this.panel.show({ signals: this.#services.activeSignals.activeOf(this.#symbol) });
  }

  #showNews(): void {
    this.panel.show({ news: this.#services.latestNews.of(this.#symbol) });
  }

  #showAlerts(): void {
    this.panel.show({ alerts: chartAlerts(this.#services.accountAlerts.levelsOf(this.#symbol)) });
  }
}
