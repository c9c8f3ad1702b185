// Watchlist, chart and order flow of the markets page. They draw themselves, because they change with every tick.
import type { Instrument, OrderFlowTick, Stream, Timeframe } from '@tickwire/client';
import { ChartPanel } from '../chart/chart-panel.ts';
import { OrderFlowPanel } from '../order-flow/order-flow-panel.ts';
import { TIMEFRAMES } from '../services/candle.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { pathOf } from '../ui/address.ts';
import { keyboard, type Shortcut } from '../ui/keyboard.ts';
import { readRecord, storeRecord } from '../ui/stored-record.ts';
import { Watchlist } from '../watchlist/watchlist.ts';

export interface Selection {
  readonly instrument: Instrument;
  readonly timeframe: Timeframe;
}

/** The last selection, for an address that names none. */
const NAME = 'tickwire.market';
const DEFAULT_TIMEFRAME: Timeframe = '5m';

const TIMEFRAME_TEXT: Readonly<Record<Timeframe, string>> = {
  '1m': '1 minute',
  '5m': '5 minutes',
  '15m': '15 minutes',
  '1h': '1 hour',
  '4h': '4 hours',
  '1d': '1 day',
};

export class MarketPanels {
  readonly watchlist: Watchlist;
  readonly chart: ChartPanel;
  readonly orderFlow: OrderFlowPanel;
  readonly #services: TerminalServices;
  readonly #end = new AbortController();
  #flowStream: Stream<'orderflow'> | null = null;
  #shown: Selection | null = null;

  constructor(services: TerminalServices) {
    const { client, session, streams, status, notifier, dayOpens, quotes, prices, activeSignals, latestNews } =
      services;
    const { signal } = this.#end;
    this.#services = services;
    this.watchlist = new Watchlist(services, signal, (symbol) =>
      this.#go(symbol, this.#shown?.timeframe ?? DEFAULT_TIMEFRAME),
    );
    this.orderFlow = new OrderFlowPanel(signal);
    this.chart = new ChartPanel({
      client,
      openBars: session.signedIn ? (options, handlers) => streams.open('bars', options, handlers) : null,
      allowance: status.peekAllowance,
      signal,
      onError: (error) => notifier.reportError(error, 'Chart'),
      onCandles: (symbol, candles) => dayOpens.learn(symbol, candles),
      onTimeframe: (timeframe) => this.#go(this.#symbol, timeframe),
    });
    keyboard.add(
      signal,
      TIMEFRAMES.map(
        (timeframe, at): Shortcut => ({
          keys: String(at + 1),
          title: `Timeframe ${timeframe}: bars of ${TIMEFRAME_TEXT[timeframe]}`,
          group: 'Chart',
          run: () => this.chart.setTimeframe(timeframe),
        }),
      ),
    );
    quotes.onChange((changed) => {
      if (changed.has(this.#symbol)) this.orderFlow.refineDigits(quotes.row(this.#symbol)!.digits);
    }, signal);
    prices.onTick(signal, (tick) => this.chart.tick(tick));
    // An API key of the free tier has two streams, and both are in use.
    if (session.signedIn) {
      activeSignals.subscribe(signal, () => this.#showSignals());
      latestNews.subscribe(signal, () => this.#showNews());
    }
  }

  get #symbol(): string {
    return this.#shown?.instrument.symbol ?? '';
  }

  /** What an address selects. Without an instrument, or with an unknown one, it is the last selection. */
  selectionOf([code = '', length = '']: readonly string[]): Selection | null {
    const { instruments, notifier } = this.#services;
    const stored = readRecord(localStorage, NAME);
    const named = instruments.find(({ symbol }) => symbol === code.toUpperCase());
    const instrument = named ?? instruments.find(({ symbol }) => symbol === stored.symbol) ?? instruments[0];
    if (code !== '' && !named) notifier.show(`There is no instrument ${code.slice(0, 32)}.`);
    const timeframe = timeframeOf(length) ?? this.#shown?.timeframe ?? timeframeOf(stored.timeframe);
    return instrument ? { instrument, timeframe: timeframe ?? DEFAULT_TIMEFRAME } : null;
  }

  show(selection: Selection): void {
    const { instrument, timeframe } = selection;
    const { symbol } = instrument;
    const another = symbol !== this.#symbol;
    this.#shown = selection;
    storeRecord(localStorage, NAME, { symbol, timeframe });
    const digits = this.#services.quotes.row(symbol)?.digits ?? 2;
    this.chart.open(instrument, digits, timeframe);
    if (!another) return;
    this.watchlist.select(symbol);
    this.orderFlow.open(instrument, digits);
    this.#openOrderFlow(symbol);
    this.#showSignals();
    this.#showNews();
  }

  close(): void {
    this.#end.abort();
  }

  /** The back button returns to the previous instrument, not to another timeframe of the same one. */
  #go(symbol: string, timeframe: Timeframe): void {
    this.#services.navigator.go(pathOf('markets', symbol, timeframe), { replace: symbol === this.#symbol });
  }

  #openOrderFlow(symbol: string): void {
    if (this.#flowStream) {
      this.#flowStream.setSymbols([symbol]);
      return;
    }
    const onMessage = (tick: OrderFlowTick): void => {
      this.orderFlow.add(tick);
      this.chart.addOrderFlow(tick);
    };
    this.#flowStream = this.#services.streams.open('orderflow', { symbols: [symbol] }, { onMessage }, this.#end.signal);
  }

  #showSignals(): void {
    this.chart.showSignals(this.#services.activeSignals.activeOf(this.#symbol));
  }

  #showNews(): void {
    this.chart.showNews(this.#services.latestNews.of(this.#symbol));
  }
}

const timeframeOf = (text: unknown): Timeframe | undefined => TIMEFRAMES.find((each) => each === text);
