// The markets: watchlist, chart and order flow of the selected instrument. Which one, and the length of its bars, stand in
// the address: `/markets/EURUSD/5m`.
import type { Instrument, OrderFlowTick, Stream, Timeframe } from '@tickwire/client';
import { pathOf } from '../address.ts';
import { TIMEFRAMES } from '../chart/bar-series.ts';
import { ChartPanel } from '../chart/chart-panel.ts';
import { box, make } from '../elements.ts';
import { FlowPanel } from '../flow/flow-panel.ts';
import { InstrumentHead } from '../instrument-head.ts';
import { Headlines } from '../news/headlines.ts';
import type { Page, PageKind } from '../page.ts';
import { keyboard } from '../palette/keyboard.ts';
import { timeframeShortcuts } from '../palette/timeframe-keys.ts';
import { Watchlist } from '../watchlist/watchlist.ts';
import type { Workspace } from '../workspace.ts';
import { tabsBelow } from './tabs-below.ts';

/** What was looked at last, for who comes back without an address. */
const NAME = 'tickwire.market';
const FIRST_TIMEFRAME: Timeframe = '5m';

export const MARKETS_PAGE: PageKind = {
  name: 'markets',
  label: 'Markets',
  forAccounts: false,
  make: (workspace, path) => new MarketsPage(workspace, path),
};

class MarketsPage implements Page {
  readonly element: HTMLElement;
  readonly title = 'Tickwire';
  readonly #workspace: Workspace;
  readonly #end = new AbortController();
  readonly #watchlist: Watchlist;
  readonly #head: InstrumentHead;
  readonly #chart: ChartPanel;
  readonly #flow: FlowPanel;
  readonly #headlines: Headlines;
  #flowStream: Stream<'orderflow'> | null = null;
  #instrument: Instrument | null = null;
  #timeframe: Timeframe = FIRST_TIMEFRAME;

  constructor(workspace: Workspace, path: readonly string[]) {
    const { signal } = this.#end;
    this.#workspace = workspace;
    this.#watchlist = new Watchlist(workspace, signal, (symbol) => this.#go(symbol, this.#timeframe));
    this.#head = new InstrumentHead(workspace, signal);
    this.#flow = new FlowPanel(signal);
    this.#headlines = new Headlines(workspace, signal);
    this.#chart = new ChartPanel({
      client: workspace.client,
      listen: workspace.signedIn ? (options, handlers) => workspace.listen('bars', options, handlers) : null,
      allowance: workspace.allowance,
      signal,
      onFailure: (error) => workspace.failed(error, 'Chart'),
      onCandles: (symbol, candles) => workspace.dayOpens.learn(symbol, candles),
      onTimeframe: (timeframe) => this.#go(this.#instrument!.symbol, timeframe),
    });
    const side = box('div', 'side-panels', this.#flow.element, this.#headlines.element);
    const instrument = box('section', 'instrument', this.#head.element, this.#chart.element, side);
    instrument.setAttribute('aria-label', 'Selected instrument');
    this.element = make('div', 'desk');
    this.element.append(tabsBelow(this.element), this.#watchlist.element, instrument);
    keyboard.add(
      signal,
      timeframeShortcuts((timeframe) => this.#chart.setTimeframe(timeframe)),
    );
    workspace.board.onChange((changed) => {
      if (changed.has(this.#instrument?.symbol ?? '')) this.#showHead();
    }, signal);
    workspace.onTick(signal, (tick) => this.#chart.tick(tick));
    // A Free key has two streams, and both are taken.
    if (workspace.signedIn) {
      workspace.signals.follow(signal, () => this.#drawSignals());
      workspace.news.follow(signal, () => this.#drawNews());
    }
    this.follow(path);
  }

  shown(): void {
    this.#watchlist.focus();
  }

  /** An address without an instrument, or with an unknown one, shows what was looked at last. */
  follow([code = '', length = '']: readonly string[]): boolean {
    const { instruments } = this.#workspace;
    const kept = readKept();
    const named = instruments.find(({ symbol }) => symbol === code.toUpperCase());
    const instrument = named ?? instruments.find(({ symbol }) => symbol === kept.symbol) ?? instruments[0];
    const timeframe = timeframeOf(length) ?? (this.#instrument ? this.#timeframe : timeframeOf(kept.timeframe));
    if (code !== '' && !named) this.#workspace.status.say(`No instrument is called ${code.slice(0, 32)}.`);
    if (instrument) this.#open(instrument, timeframe ?? FIRST_TIMEFRAME);
    return true;
  }

  close(): void {
    this.#end.abort();
  }

  /** Each instrument is a place to come back to; a timeframe is only how one looks at it. */
  #go(symbol: string, timeframe: Timeframe): void {
    const replace = symbol === this.#instrument?.symbol;
    this.#workspace.router.go(pathOf('markets', symbol, timeframe), { replace });
  }

  #open(instrument: Instrument, timeframe: Timeframe): void {
    const { symbol } = instrument;
    const another = symbol !== this.#instrument?.symbol;
    if (!another && timeframe === this.#timeframe) return;
    this.#instrument = instrument;
    this.#timeframe = timeframe;
    localStorage.setItem(NAME, JSON.stringify({ symbol, timeframe }));
    const digits = this.#workspace.board.row(symbol)?.digits ?? 2;
    this.#chart.open(instrument, digits, timeframe);
    if (!another) return;
    this.#watchlist.select(symbol);
    this.#flow.begin(instrument, digits);
    this.#showHead();
    this.#headlines.show(symbol);
    this.#listen(symbol);
    this.#drawSignals();
    this.#drawNews();
  }

  #listen(symbol: string): void {
    if (this.#flowStream) {
      this.#flowStream.setSymbols([symbol]);
      return;
    }
    const onMessage = (tick: OrderFlowTick): void => {
      // The last messages of the instrument before may still be under way.
      if (tick.symbol !== this.#instrument?.symbol) return;
      this.#flow.show(tick);
      this.#chart.flow(tick);
    };
    this.#flowStream = this.#workspace.listen('orderflow', { symbols: [symbol] }, { onMessage }, this.#end.signal);
  }

  #showHead(): void {
    const row = this.#workspace.board.row(this.#instrument?.symbol ?? '');
    if (!row) return;
    this.#head.show(row);
    this.#flow.refine(row.digits);
  }

  #drawSignals(): void {
    if (this.#instrument) this.#chart.levels(this.#workspace.signals.activeOf(this.#instrument.symbol));
  }

  #drawNews(): void {
    if (this.#instrument) this.#chart.news(this.#workspace.news.of(this.#instrument.symbol));
  }
}

const timeframeOf = (text: string | undefined): Timeframe | undefined => TIMEFRAMES.find((each) => each === text);

function readKept(): { readonly symbol?: string; readonly timeframe?: string } {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? '{}') as { symbol?: string; timeframe?: string };
  } catch {
    // Not written by this version.
    return {};
  }
}
