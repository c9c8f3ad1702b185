// Watchlist, charts and order flow of the markets page. They draw themselves, because they change with every tick.
import { signal as newSignal } from '@preact/signals';
import type { Instrument, OrderFlowTick, Timeframe } from '@tickwire/client';
import { TIMEFRAMES } from '@tickwire/contract/timeframes.ts';
import { readInterval } from '../chart/bars/intervals.ts';
import { OrderFlowPanel } from '../order-flow/order-flow-panel.ts';
import type { SharedStream } from '../services/shared-streams.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { pathOf } from '../ui/address.ts';
import { keyboard, type Shortcut } from '../ui/keyboard.ts';
import { readRecord, storeRecord } from '../ui/stored-record.ts';
import { Watchlist } from '../watchlist/watchlist.ts';
import { ChartGrid } from './chart-grid.ts';
import { completed, type Layout, readLayout, withSlot } from './layout.ts';
import { PRESETS } from './layout-presets.ts';

export interface Selection {
  readonly instrument: Instrument;
  /** Any interval, such as `45m`. */
  readonly timeframe: string;
}

/** The last selection, for an address that names none. */
const NAME = 'tickwire.market';
/** The layout of this browser: a phone and a desk have different ones. */
const LAYOUT_NAME = 'tickwire.layout';
const DEFAULT_TIMEFRAME: Timeframe = '5m';

const TIMEFRAME_TEXT: Readonly<Record<Timeframe, string>> = {
  '1m': '1 minute',
  '5m': '5 minutes',
  '15m': '15 minutes',
  '1h': '1 hour',
  '4h': '4 hours',
  '1d': '1 day',
};

export const storedLayout = (): Layout => readLayout(readRecord(localStorage, LAYOUT_NAME));

/** That of the active chart. */
export const storedInterval = (): string => readInterval(readRecord(localStorage, NAME).timeframe) ?? DEFAULT_TIMEFRAME;

export class MarketPanels {
  readonly watchlist: Watchlist;
  readonly charts: ChartGrid;
  readonly orderFlow: OrderFlowPanel;
  readonly layout = newSignal<Layout>(storedLayout());
  readonly #services: TerminalServices;
  readonly #end = new AbortController();
  #flowStream: SharedStream | null = null;
  #shown: Selection | null = null;

  constructor(services: TerminalServices) {
    const { quotes } = services;
    const { signal } = this.#end;
    this.#services = services;
    this.watchlist = new Watchlist(services, signal, (symbol) =>
      this.#go(symbol, this.#shown?.timeframe ?? DEFAULT_TIMEFRAME),
    );
    this.orderFlow = new OrderFlowPanel(services, signal);
    this.charts = new ChartGrid({ services, onChange: (_at, { symbol, interval }) => this.#go(symbol, interval) });
    signal.addEventListener('abort', () => this.charts.close());
    keyboard.add(
      signal,
      TIMEFRAMES.map(
        (timeframe, at): Shortcut => ({
          keys: String(at + 1),
          title: `Timeframe ${timeframe}: bars of ${TIMEFRAME_TEXT[timeframe]}`,
          group: 'Chart',
          run: () => this.charts.activeChart?.panel.setTimeframe(timeframe),
        }),
      ),
    );
    keyboard.offer(signal, () => [
      ...(this.charts.activeChart?.panel.offers ?? []),
      ...PRESETS.map(({ name, layout }) => ({
        title: `Layout: ${name.toLowerCase()}`,
        group: 'Markets',
        run: () => this.open(layout),
      })),
    ]);
    quotes.onChange((changed) => {
      if (changed.has(this.#symbol)) this.orderFlow.refineDigits(quotes.row(this.#symbol)!.digits);
    }, signal);
  }

  get #symbol(): string {
    return this.#shown?.instrument.symbol ?? '';
  }

  /** What an address selects. Without an instrument, or with an unknown one, it is the last selection. */
  selectionOf([code = '', length = '']: readonly string[]): Selection | null {
    const { instruments, isReplay, notifier } = this.#services;
    const stored = readRecord(localStorage, NAME);
    const named = instruments.find(({ symbol }) => symbol === code.toUpperCase());
    const instrument = named ?? instruments.find(({ symbol }) => symbol === stored.symbol) ?? instruments[0];
    if (code !== '' && !named)
      notifier.show(`${isReplay ? 'The replay has' : 'There is'} no instrument ${code.slice(0, 32)}.`);
    const timeframe = readInterval(length) ?? this.#shown?.timeframe ?? readInterval(stored.timeframe);
    return instrument ? { instrument, timeframe: timeframe ?? DEFAULT_TIMEFRAME } : null;
  }

  show(selection: Selection): void {
    const { instrument, timeframe } = selection;
    const { symbol } = instrument;
    const another = symbol !== this.#symbol;
    const slot = { symbol, interval: timeframe };
    const layout = this.#shown ? this.layout.peek() : completed(this.layout.peek(), slot);
    this.#shown = selection;
    storeRecord(localStorage, NAME, { symbol, timeframe });
    this.#arrange(withSlot(layout, this.charts.active, slot));
    if (!another) return;
    this.watchlist.select(symbol);
    this.orderFlow.open(instrument, this.#services.quotes.row(symbol)?.digits ?? 2);
  }

  /** Arranges the page. Charts of the layout that name no instrument show the current one. */
  open(layout: Layout): void {
    if (!this.#shown) return;
    const { instrument, timeframe } = this.#shown;
    const next = completed(layout, { symbol: instrument.symbol, interval: timeframe });
    this.#arrange(next);
    const { symbol, interval } = next.charts[this.charts.active]!;
    this.#go(symbol, interval);
  }

  /** Sets widths of panels; `null` restores the usual one. */
  resize(widths: Partial<Layout['widths']>): void {
    const layout = this.layout.peek();
    this.#keep({ ...layout, widths: { ...layout.widths, ...widths } });
  }

  /** Selects the next or the previous instrument of the watchlist. */
  readonly step = (by: 1 | -1): void => {
    const rows = [...this.watchlist.element.querySelectorAll<HTMLElement>('[role=row][data-symbol]')];
    const at = rows.findIndex(({ dataset }) => dataset.symbol === this.#symbol);
    const symbol = rows.at((at + by) % rows.length)?.dataset.symbol;
    if (symbol && symbol !== this.#symbol) this.#go(symbol, this.#shown?.timeframe ?? DEFAULT_TIMEFRAME);
  };

  close(): void {
    this.#end.abort();
  }

  #keep(layout: Layout): void {
    this.layout.value = layout;
    storeRecord(localStorage, LAYOUT_NAME, layout);
  }

  #arrange(layout: Layout): void {
    this.#keep(layout);
    this.charts.show(layout, this.charts.active);
    this.#openOrderFlow();
  }

  /** The back button returns to the previous instrument, not to another timeframe of the same one. */
  #go(symbol: string, interval: string): void {
    this.#services.navigator.go(pathOf('markets', symbol, interval), { replace: symbol === this.#symbol });
  }

  #openOrderFlow(): void {
    const { symbols } = this.charts;
    if (this.#flowStream) {
      this.#flowStream.setSymbols(symbols);
      return;
    }
    const onMessage = (tick: OrderFlowTick): void => {
      if (tick.symbol === this.#symbol) this.orderFlow.add(tick);
      this.charts.addOrderFlow(tick);
    };
    // The tape joins recorded and live trades by their positions.
    const options = { symbols, seq: true, ms: true };
    this.#flowStream = this.#services.streams.open('orderflow', options, { onMessage }, this.#end.signal);
  }
}
